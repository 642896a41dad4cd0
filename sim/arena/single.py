"""One given deal, played by any four strategies through the engine."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..errors import ConfigError
from ..game.cards import DECK_SIZE, to_codes
from ..game.house import Rules
from ..game.record import Deal, Record, Trick
from ..players import registry
from . import log
from .plan import Plan
from .shard import Play


def play_deal(players: Sequence[Any], deal: Deal, rules: Rules | None = None, seed: int = 0) -> Record:
    """Play one deal with given cards, each decision asked once, in order.

    Parameters
    ----------
    players : four of (str, Strategy class or Strategy)
        By seat: North, East, South, West.
    deal : Deal
        The cards as dealt. Its stock must hold what a swap or a burn draws.
    rules : Rules, optional
        The house settings; `hand_sizes` is not asked.
    seed : int
        For ``view.random``.

    Returns
    -------
    Record
        The outcome is ``thrown-in`` when all pass (``passed-out`` under ``all_pass = "score-zero"``).

    Raises
    ------
    ConfigError
        If there are not four players, or the stock lacks a card that must be drawn.
    StrategyFault
        If a player's decision is illegal or fails.
    """
    if len(players) != 4:
        raise ConfigError(f"a deal has four players, by seat; here are {len(players)}")
    rules = rules or Rules()
    north, east, south, west = (registry.load(player) for player in players)
    plan = Plan(
        rules=replace(rules, hand_sizes=(deal.hand_size,), max_redeals=250),
        seed=seed,
        strategies=(north, east, south, west),
        pairings=(((0, 2), (1, 3)),),
        pairing_names=((f"{north.label}+{south.label}", f"{east.label}+{west.label}"),),
        tables=1,
        shuffles=1,
        shard_shuffles=1,
        on_fault="stop",
    )
    play = Play(plan, 0, 1, _deck(deal, rules), deal.dealer)
    play.run()
    columns = play.columns()
    return record_of(deal, {name: column[0] for name, column in columns["deals"].items()}, columns["tricks"])


def _deck(deal: Deal, rules: Rules) -> list[int]:
    """Return a deal's 54 cards in the order of a shuffle, what is not known of the stock at the bottom."""
    known = [*(card for hand in deal.hands for card in to_codes(hand)), deal.turned, *deal.stock]
    unknown = [card for card in range(DECK_SIZE) if card not in set(known)]
    _check_stock(deal, rules, unknown)
    return known + unknown


def _check_stock(deal: Deal, rules: Rules, unknown: list[int]) -> None:
    """Refuse a deal whose stock lacks a card that must be drawn: a swap's (D4), or the next to turn under burn."""
    if deal.turned < 52 or len(unknown) <= 1:
        return
    if rules.joker_turned == "burn":
        lacking = all(card >= 52 for card in deal.stock)
    else:
        other = 105 - deal.turned
        lacking = not deal.stock and any(hand >> other & 1 for hand in deal.hands)
    if lacking:
        raise ConfigError("a joker is turned and a card must be drawn for it: give the deal's stock, top card first")


def record_of(deal: Deal, row: dict[str, Any], tricks: dict[str, Any]) -> Record:
    """Return the record of a hand from its row of logged columns and the rows of its tricks."""
    seats, sides = ("north", "east", "south", "west"), ("ns", "ew")
    outcome = log.OUTCOMES[row["outcome"]]
    played = outcome == "played"
    bids = tuple(int(row[f"{seat}_bid"]) for seat in seats)
    return Record(
        deal=deal,
        turned=int(row["turned"]),
        trump=int(row["trump"]),
        swap_seat=_or_none(row["swap_seat"]),
        swap_card=_or_none(row["swap_card"]),
        hands=tuple(int(row[f"{seat}_hand"]) for seat in seats),
        bids=bids,
        board_levels=_levels(bids, deal.dealer),
        outcome=outcome,
        leader=_or_none(row["leader"]),
        tricks=tuple(_tricks(tricks)) if played else (),
        tricks_won=tuple(int(row[f"{seat}_tricks"]) if played else 0 for seat in seats),
        contracts=tuple(_or_none(row[f"{side}_contract"]) if played else 0 for side in sides),
        boards=tuple(int(row[f"{side}_board"]) if played else 0 for side in sides),
        points=tuple(int(row[f"{side}_points"]) if played else 0 for side in sides),
    )


def _levels(bids: tuple[int, ...], dealer: int) -> tuple[int, ...]:
    """Return the level of each seat's claim, counted from the dealer's left (B3)."""
    levels = [0, 0, 0, 0]
    for turn in range(1, 5):
        seat = (dealer + turn) % 4
        levels[seat] = max(levels) + 1 if bids[seat] == 99 else 0
    return tuple(levels)


def _tricks(rows: dict[str, Any]) -> list[Trick]:
    played = zip(*(rows[f"card_{place}"].tolist() for place in range(1, 5)), strict=True)
    return [
        Trick(leader, cards, winner)
        for leader, cards, winner in zip(rows["leader"].tolist(), played, rows["winner"].tolist(), strict=True)
    ]


def _or_none(value: Any) -> int | None:
    return None if value == log.NONE_8 else int(value)
