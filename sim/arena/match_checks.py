"""Checks of the rows of `matches`: who played where, who dealt first, how each match ended."""

from collections.abc import Iterator

import numpy as np

from .decks import decks_of
from .finding import DATASET, NULL, Finding, Rows
from .log import OUTCOMES
from .plan import Plan
from .schema import LABELS, WINNERS

THROWN_IN, STALLED = OUTCOMES.index("thrown-in"), OUTCOMES.index("stalled")
NS_WINS, EW_WINS, TIE = range(len(WINNERS))


def check_schedule(matches: Rows, plan: Plan, shard: int) -> Iterator[Finding]:
    """Check that a shard's matches are all there, once and in order."""
    first, shuffles = plan.shard_range(shard)
    due = np.arange(first * plan.matches_per_shuffle, (first + shuffles) * plan.matches_per_shuffle)
    ids = matches["match_id"]
    if np.array_equal(ids, due):
        return
    for missing in np.setdiff1d(due, ids):
        yield Finding("matches", DATASET, "the match is missing", int(missing))
    yield from matches.where(~np.isin(ids, due), DATASET, "the match is none of its shard's")
    yield from matches.where(ids <= np.append(-1, ids[:-1]), DATASET, "the match is doubled or out of order")


def check_matches(matches: Rows, deals: Rows, plan: Plan) -> Iterator[Finding]:
    """Check who met whom on which shuffle, and how it ended, by the match's number and its deals."""
    ids = matches["match_id"]
    pairing, table = ids // plan.tables % len(plan.pairings), ids % plan.tables
    shuffle = ids // plan.matches_per_shuffle
    for name, right in (("pairing", pairing), ("shuffle_id", shuffle), ("table", table)):
        yield from matches.unequal(name, right, DATASET)
    for seat, players in zip(LABELS, _seating(plan, pairing, table), strict=True):
        yield from matches.unequal(seat, players, "T1")
    ones = np.ones(len(ids), np.int64)
    yield from matches.unequal("first_dealer", decks_of(plan.seed, shuffle, ones, ones)[1], "D2")
    yield from _check_fault(matches, plan)
    yield from _check_end(matches, deals)


def _seating(plan: Plan, pairing: np.ndarray, table: np.ndarray) -> np.ndarray:
    """Return who sits where, int64[4, matches]: the first side NS at table 0, EW at table 1."""
    sides = np.array(plan.pairings)[pairing]
    north_south, east_west = (sides[np.arange(len(table)), side] for side in (table, 1 - table))
    return np.array([north_south[:, 0], east_west[:, 0], north_south[:, 1], east_west[:, 1]])


def _check_fault(matches: Rows, plan: Plan) -> Iterator[Finding]:
    """Check that a fault names a reason, a seat and a deal, and that there is none where faults stop the run."""
    fault, seat, deal = (matches[name] for name in ("fault", "fault_seat", "fault_deal"))
    none = (fault == NULL) & (seat == NULL) & (deal == NULL)
    told = (fault >= 0) & (seat >= 0) & (seat <= 3) & (deal >= 1) & (deal <= len(plan.rules.hand_sizes))
    yield from matches.where(~none & ~told, DATASET, "fault, fault_seat and fault_deal do not name one fault")
    if plan.on_fault == "stop":
        yield from matches.where(~none, DATASET, "a fault is recorded, but faults stop this run")


def _check_end(matches: Rows, deals: Rows) -> Iterator[Finding]:
    """Check scores and winner against the last deal (S4), and count the hands that all four passed (B5, B6)."""
    whole = matches["fault"] == NULL
    end = np.searchsorted(deals["match_id"], matches["match_id"], "right") - 1
    begin = np.searchsorted(deals["match_id"], matches["match_id"])
    for name in ("ns_score", "ew_score"):
        last = deals[name][end] if len(deals) else np.zeros(len(end), np.int64)
        yield from matches.unequal(name, np.where(whole & (end >= begin), last, NULL), "S4")
    ns, ew = matches["ns_score"], matches["ew_score"]
    winner = np.select([ns > ew, ew > ns], [NS_WINS, EW_WINS], TIE)
    yield from matches.unequal("winner", np.where(whole, winner, NULL), "S4")
    for name, outcome, rule in (("thrown_in", THROWN_IN, "B5"), ("stalled", STALLED, "B6")):
        so_far = np.concatenate([[0], np.cumsum(deals["outcome"] == outcome)])
        yield from matches.unequal(name, so_far[end + 1] - so_far[begin], rule)
