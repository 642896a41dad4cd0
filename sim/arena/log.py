"""The arrays that the engine writes: a column an array, one array for what comes by seat or side.

Names and types of the stored columns are in `schema`; here is only where the engine puts them. `NONE_8`, `NONE_16`
and `NONE_32` stand for null.
"""

from typing import NamedTuple

import numpy as np

from ..game.record import SEATS

NONE_8 = 255
NONE_16 = -(2**15)
NONE_32 = -(2**31)

OUTCOMES = ("played", "thrown-in", "stalled", "passed-out")
PLAYED, THROWN_IN, STALLED, PASSED_OUT = range(len(OUTCOMES))
FAULTS = ("bid-illegal", "card-not-held", "trump-led", "revoke", "forced-trump", "not-an-integer", "raised")
BID_ILLEGAL, CARD_NOT_HELD, TRUMP_LED, REVOKE, FORCED_TRUMP, NOT_AN_INTEGER, RAISED = range(len(FAULTS))

_SEATS = tuple(seat.lower() for seat in SEATS)
_SIDES = ("ns", "ew")
Columns = dict[str, dict[str, np.ndarray]]


class MatchLog(NamedTuple):
    """One place a match."""

    seats: np.ndarray
    first_dealer: np.ndarray
    score: np.ndarray
    winner: np.ndarray
    thrown_in: np.ndarray
    stalled: np.ndarray
    fault: np.ndarray
    fault_seat: np.ndarray
    fault_deal: np.ndarray


class DealLog(NamedTuple):
    """One place a dealt hand. `hands` are signed here, as all card sets in compiled code."""

    match: np.ndarray
    deal: np.ndarray
    attempt: np.ndarray
    hand_size: np.ndarray
    dealer: np.ndarray
    turned: np.ndarray
    trump: np.ndarray
    swap_seat: np.ndarray
    swap_card: np.ndarray
    hands: np.ndarray
    bids: np.ndarray
    outcome: np.ndarray
    leader: np.ndarray
    contracts: np.ndarray
    boards: np.ndarray
    tricks_won: np.ndarray
    points: np.ndarray
    score: np.ndarray


class TrickLog(NamedTuple):
    """One place a trick."""

    match: np.ndarray
    deal: np.ndarray
    trick: np.ndarray
    leader: np.ndarray
    cards: np.ndarray
    winner: np.ndarray


def match_log(rows: int) -> MatchLog:
    """Return room for so many matches."""
    byte, score = np.uint8, np.int32
    return MatchLog(
        seats=np.zeros((4, rows), np.uint16),
        first_dealer=np.zeros(rows, byte),
        score=np.zeros((2, rows), score),
        winner=np.zeros(rows, byte),
        thrown_in=np.zeros(rows, np.uint16),
        stalled=np.zeros(rows, byte),
        fault=np.zeros(rows, byte),
        fault_seat=np.zeros(rows, byte),
        fault_deal=np.zeros(rows, byte),
    )


def deal_log(rows: int) -> DealLog:
    """Return room for so many dealt hands."""
    shapes: dict[str, tuple[tuple[int, ...], type]] = dict.fromkeys(DealLog._fields, ((rows,), np.uint8))
    shapes |= {
        "match": ((rows,), np.uint32),
        "hands": ((4, rows), np.int64),
        "bids": ((4, rows), np.uint8),
        "contracts": ((2, rows), np.uint8),
        "boards": ((2, rows), np.uint8),
        "tricks_won": ((4, rows), np.uint8),
        "points": ((2, rows), np.int16),
        "score": ((2, rows), np.int32),
    }
    return DealLog(**{name: np.zeros(*shapes[name]) for name in DealLog._fields})


def trick_log(rows: int) -> TrickLog:
    """Return room for so many tricks."""
    byte = np.uint8
    return TrickLog(
        match=np.zeros(rows, np.uint32),
        deal=np.zeros(rows, byte),
        trick=np.zeros(rows, byte),
        leader=np.zeros(rows, byte),
        cards=np.zeros((4, rows), byte),
        winner=np.zeros(rows, byte),
    )


def grown(log: DealLog, rows: int) -> DealLog:
    """Return a deal log with room for more rows and the same rows in it."""
    larger = deal_log(rows)
    for old, new in zip(log, larger, strict=True):
        new[..., : old.shape[-1]] = old
    return larger


def deal_columns(log: DealLog, rows: int) -> dict[str, np.ndarray]:
    """Return the first rows of a deal log by the names of the stored columns; `match_id` is the shard's own number."""
    cut = DealLog(*(column[..., :rows] for column in log))
    columns = {"match_id": cut.match}
    for name in ("deal", "attempt", "hand_size", "dealer", "turned", "trump", "swap_seat", "swap_card"):
        columns[name] = getattr(cut, name)
    columns |= _by(_SEATS, "hand", cut.hands.view(np.uint64)) | _by(_SEATS, "bid", cut.bids)
    columns |= {"outcome": cut.outcome, "leader": cut.leader}
    columns |= _by(_SIDES, "contract", cut.contracts) | _by(_SIDES, "board", cut.boards)
    columns |= _by(_SEATS, "tricks", cut.tricks_won)
    return columns | _by(_SIDES, "points", cut.points) | _by(_SIDES, "score", cut.score)


def trick_columns(log: TrickLog, rows: int) -> dict[str, np.ndarray]:
    """Return the first rows of a trick log by the names of the stored columns."""
    cut = TrickLog(*(column[..., :rows] for column in log))
    columns = {"match_id": cut.match, "deal": cut.deal, "trick": cut.trick, "leader": cut.leader}
    columns |= {f"card_{place + 1}": cut.cards[place] for place in range(4)}
    return columns | {"winner": cut.winner}


def match_columns(log: MatchLog, rows: int) -> dict[str, np.ndarray]:
    """Return the first rows of a match log by the names of the stored columns, but for what the schedule says."""
    cut = MatchLog(*(column[..., :rows] for column in log))
    columns = dict(zip(_SEATS, cut.seats, strict=True)) | {"first_dealer": cut.first_dealer}
    columns |= _by(_SIDES, "score", cut.score)
    for name in ("winner", "thrown_in", "stalled", "fault", "fault_seat", "fault_deal"):
        columns[name] = getattr(cut, name)
    return columns


def _by(places: tuple[str, ...], name: str, column: np.ndarray) -> dict[str, np.ndarray]:
    return {f"{place}_{name}": column[i] for i, place in enumerate(places)}
