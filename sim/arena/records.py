"""From stored rows back to one deal as people and the referee know it."""

from collections.abc import Iterable, Mapping
from typing import Any

from ..game.record import BOARD, SEATS, SIDES, Deal, Record, Trick

_SEAT, _SIDE = tuple(seat.lower() for seat in SEATS), tuple(side.lower() for side in SIDES)


def record_of(deal: Deal, row: Mapping[str, Any], tricks: Iterable[tuple[Any, ...]]) -> Record:
    """Return the record of a hand.

    Parameters
    ----------
    deal : Deal
        Its cards as dealt, which the row alone does not tell.
    row : mapping
        Its row of `deals` by column, None for null.
    tricks : iterable of tuples
        Its rows of `tricks`, columns in their order; none unless played.
    """
    played = row["outcome"] == "played"
    bids = _four(row[f"{seat}_bid"] for seat in _SEAT)
    return Record(
        deal=deal,
        turned=row["turned"],
        trump=row["trump"],
        swap_seat=row["swap_seat"],
        swap_card=row["swap_card"],
        hands=_four(row[f"{seat}_hand"] for seat in _SEAT),
        bids=bids,
        board_levels=_levels(bids, deal.dealer),
        outcome=row["outcome"],
        leader=row["leader"],
        tricks=tuple(_trick(*values) for values in tricks),
        tricks_won=_four((row[f"{seat}_tricks"] if played else 0) for seat in _SEAT),
        contracts=_two((row[f"{side}_contract"] if played else 0) for side in _SIDE),
        boards=_two((row[f"{side}_board"] if played else 0) for side in _SIDE),
        points=_two((row[f"{side}_points"] if played else 0) for side in _SIDE),
    )


def _trick(match_id: int, deal: int, number: int, leader: int, *cards_and_winner: int) -> Trick:
    first, second, third, fourth, winner = cards_and_winner
    return Trick(leader, (first, second, third, fourth), winner)


def _levels(bids: tuple[int, int, int, int], dealer: int) -> tuple[int, int, int, int]:
    """Return the level of each seat's claim, counted from the dealer's left (RULES B3)."""
    levels = [0, 0, 0, 0]
    for turn in range(1, 5):
        seat = (dealer + turn) % 4
        levels[seat] = max(levels) + 1 if bids[seat] == BOARD else 0
    return _four(levels)


def _four(values: Iterable[Any]) -> tuple[Any, Any, Any, Any]:
    first, second, third, fourth = values
    return first, second, third, fourth


def _two(values: Iterable[Any]) -> tuple[Any, Any]:
    first, second = values
    return first, second
