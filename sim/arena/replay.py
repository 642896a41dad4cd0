"""The referee plays stored matches again: from the shuffle of the seed, bid by bid and card by card, to the score."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

import numpy as np
import polars as pl

from ..game import referee
from ..game.house import Rules
from ..game.match import Match
from ..game.record import Record
from .decks import deal_from, decks_of
from .finding import Finding
from .plan import Plan
from .records import record_of

FIELDS = {
    "turned": "D3", "trump": "D3", "swap_seat": "D4", "swap_card": "D4", "hands": "D3", "bids": "B2",
    "board_levels": "B3", "leader": "L1", "tricks_won": "L5", "contracts": "B4", "boards": "B4", "points": "S1, S2",
}  # fmt: skip
"""The fields of a record that are compared whole, and the rule each is by."""
COURSE = {
    "deal": "D1", "attempt": "B5", "hand_size": "D1", "dealer": "D2", "outcome": "B5, B6",
    "ns_score": "S3", "ew_score": "S3",
}  # fmt: skip
"""The columns of a hand's row that the course of the match decides, and the rule each is by."""

BATCH = 128
"""Matches held as Python objects at a time: more of them make Python's garbage collector slow."""

Row = Mapping[str, Any]
Hand = tuple[Row, np.ndarray, list[tuple[Any, ...]]]
"""A hand's row, its deck and the rows of its tricks."""


def replay(tables: Mapping[str, pl.DataFrame], plan: Plan, chosen: list[int]) -> Iterator[Finding]:
    """Let the referee play matches of a shard again, each up to its end or its first fault.

    Parameters
    ----------
    tables : mapping of str to DataFrame
        The shard's rows by table, sorted.
    plan : Plan
    chosen : list of int
        The matches' numbers.
    """
    for start in range(0, len(chosen), BATCH):
        mine = pl.col("match_id").is_in(chosen[start : start + BATCH])
        yield from _replay_batch({table: frame.filter(mine) for table, frame in tables.items()}, plan)


def _replay_batch(tables: Mapping[str, pl.DataFrame], plan: Plan) -> Iterator[Finding]:
    hands = groupby(_hands(tables["deals"], tables["tricks"], plan), _match_id)
    of_match = {match_id: list(of_this) for match_id, of_this in hands}
    for row in tables["matches"].iter_rows(named=True):
        yield from _replay_match(row, of_match.get(row["match_id"], []), plan.rules)


def _hands(deals: pl.DataFrame, tricks: pl.DataFrame, plan: Plan) -> Iterator[Hand]:
    shuffles, numbers, attempts = (deals[name].to_numpy() for name in ("match_id", "deal", "attempt"))
    decks, _ = decks_of(plan.seed, shuffles // plan.matches_per_shuffle, numbers, attempts)
    played = {key: list(rows) for key, rows in groupby(tricks.iter_rows(), lambda row: row[:2])}
    for row, deck in zip(deals.iter_rows(named=True), decks, strict=True):
        yield row, deck, played.get((row["match_id"], row["deal"]), []) if row["outcome"] == "played" else []


def _match_id(hand: Hand) -> int:
    return hand[0]["match_id"]


def _replay_match(row: Row, hands: Iterable[Hand], rules: Rules) -> Iterator[Finding]:
    match = Match(row["first_dealer"], rules)
    for hand in hands:
        if findings := list(_replay_hand(match, *hand)):
            yield from findings
            return
    ends_at = len(rules.hand_sizes) + 1 if row["fault"] is None else row["fault_deal"]
    if match.deal != ends_at:
        yield Finding("matches", "D1", f"the match stops before deal {match.deal}", row["match_id"])
    elif row["fault"] is None:
        due = {"ns_score": match.score[0], "ew_score": match.score[1], "winner": match.winner}
        yield from _unequal(row, due, dict.fromkeys(due, "S4"), "matches", row["match_id"])


def _replay_hand(match: Match, row: Row, deck: np.ndarray, tricks: list[tuple[Any, ...]]) -> Iterator[Finding]:
    """Play a hand again, enter it in its match, and find what differs from its rows."""
    key = row["match_id"], row["deal"], row["attempt"]
    try:
        course: dict[str, Any] = {name: getattr(match, name) for name in ("deal", "attempt", "hand_size", "dealer")}
        deal = deal_from(deck, course["hand_size"], course["dealer"])
        stored = record_of(deal, row, tricks)
        seen = referee.replay(deal, stored.bids, [trick.cards for trick in stored.tricks], match.rules)
    except referee.IllegalMove as move:
        table, place = ("tricks", move.trick) if move.trick else ("deals", row["attempt"])
        yield Finding(table, move.rule, f"{move.reason}: {move.message}", *key[:2], place)
        return
    except ValueError as error:
        yield Finding("deals", "D1", f"the referee cannot play this: {error}", *key)
        return
    course |= {"outcome": match.enter(seen), "ns_score": match.score[0], "ew_score": match.score[1]}
    yield from _unequal(row, course, COURSE, "deals", *key)
    yield from _unequal(vars(stored), vars(seen), FIELDS, "deals", *key)
    if stored.tricks != seen.tricks:
        yield from _unequal_tricks(stored, seen, key)


def _unequal_tricks(stored: Record, seen: Record, key: tuple[int, int, int]) -> Iterator[Finding]:
    rules = {"leader": "L5", "winner": "L5"}
    for number, (told, right) in enumerate(zip(stored.tricks, seen.tricks, strict=True), start=1):
        yield from _unequal(told._asdict(), right._asdict(), rules, "tricks", *key[:2], number)


def _unequal(told: Row, right: Row, rules: Mapping[str, str], table: str, *key: int) -> Iterator[Finding]:
    for name, rule in rules.items():
        if told[name] != right[name]:
            yield Finding(table, rule, f"{name} is {told[name]}, the referee has {right[name]}", *key)
