"""One given deal, played by any four strategies through the engine."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..errors import ConfigError
from ..game.cards import DECK_SIZE, to_codes
from ..game.house import Rules
from ..game.record import Deal, Record
from ..players import registry
from . import schema
from .plan import Plan
from .records import record_of
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
    deals = schema.frame("deals", columns["deals"], plan.labels)
    return record_of(deal, deals.row(0, named=True), schema.frame("tricks", columns["tricks"], plan.labels).rows())


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
