"""From stored rows back to one deal as people and the referee know it."""

from collections.abc import Iterable, Iterator, Mapping
from operator import itemgetter
from typing import Any

from ..game.record import BOARD, SEATS, SIDES, Deal, Record, Trick

_hands, _bids, _tricks_won = (
    itemgetter(*(f"{seat.lower()}_{ending}" for seat in SEATS)) for ending in ("hand", "bid", "tricks")
)
_contracts, _boards, _points = (
    itemgetter(*(f"{side.lower()}_{ending}" for side in SIDES)) for ending in ("contract", "board", "points")
)


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
    bids = _bids(row)
    return Record(
        deal=deal,
        turned=row["turned"],
        trump=row["trump"],
        swap_seat=row["swap_seat"],
        swap_card=row["swap_card"],
        hands=_hands(row),
        bids=bids,
        board_levels=_levels(bids, deal.dealer),
        outcome=row["outcome"],
        leader=row["leader"],
        tricks=tuple([Trick(leader, (a, b, c, d), winner) for _, _, _, leader, a, b, c, d, winner in tricks]),
        tricks_won=_tricks_won(row) if played else (0, 0, 0, 0),
        contracts=_contracts(row) if played else (0, 0),
        boards=_boards(row) if played else (0, 0),
        points=_points(row) if played else (0, 0),
    )


def numbered(hands: Iterable[Record]) -> Iterator[tuple[int, int, Record]]:
    """Yield each hand of a match with the number of its deal and of its attempt (RULES D1, B5)."""
    deal = attempt = 1
    for hand in hands:
        yield deal, attempt, hand
        again = hand.outcome == "thrown-in"
        deal, attempt = (deal, attempt + 1) if again else (deal + 1, 1)


def to_text(hands: Iterable[Record], title: str) -> str:
    """Return the hands of a match as text records, each under a line that says which it is."""
    named = (f"# {title}, deal {deal}, attempt {attempt}\n{hand.to_text()}" for deal, attempt, hand in numbered(hands))
    return "\n".join(named)


def _levels(bids: tuple[int, ...], dealer: int) -> tuple[int, int, int, int]:
    """Return the level of each seat's claim, counted from the dealer's left (RULES B3)."""
    levels, level = [0, 0, 0, 0], 0
    for turn in range(dealer + 1, dealer + 5):
        if bids[turn % 4] == BOARD:
            levels[turn % 4] = level = level + 1
    return levels[0], levels[1], levels[2], levels[3]
