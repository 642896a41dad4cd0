"""The scorecard of one match, for people at a terminal: who sat where, and a line for each hand dealt.

One hand is drawn by ``Record.pretty``.
"""

from collections.abc import Iterator
from typing import Any

from ..arena.records import numbered
from ..arena.run import Run
from ..game.cards import NO_TRUMP
from ..game.diagram import SYMBOLS
from ..game.notation import bid, contract
from ..game.record import SEATS, SIDES, Record
from .tables import aligned

HEADINGS = ("deal", "dealer", "cards", "trump", *SEATS, *SIDES, "tricks", "", "points", "", "score", "", "")


def scorecard(run: Run, match_id: int) -> str:
    """Return a match's scorecard: bids and contracts with board levels, tricks, points and the running score.

    Raises
    ------
    RunError
        If there is no such match, or it is not played yet.
    """
    row, hands = run.match_row(match_id), run.match(match_id)
    lines = [*_heading(row), "", *aligned([HEADINGS, *_rows(hands)], left=2), "", _end(row)]
    return "\n".join(lines) + "\n"


def _heading(row: dict[str, Any]) -> Iterator[str]:
    yield f"Match {row['match_id']}: pairing {row['pairing']}, shuffle {row['shuffle_id']}, table {row['table']}"
    for side, (first, second) in zip(SIDES, (SEATS[::2], SEATS[1::2]), strict=True):
        yield f"{side}: {first} {row[first.lower()]}, {second} {row[second.lower()]}"
    yield f"First dealer: {SEATS[row['first_dealer']]}"


def _rows(hands: list[Record]) -> Iterator[tuple[str, ...]]:
    score = (0, 0)
    for deal, _, hand in numbered(hands):
        score = score[0] + hand.points[0], score[1] + hand.points[1]
        yield _row(deal, hand, score)


def _row(deal: int, hand: Record, score: tuple[int, int]) -> tuple[str, ...]:
    trump = "none" if hand.trump == NO_TRUMP else SYMBOLS[hand.trump]
    bids = map(bid, hand.bids, hand.board_levels)
    opening = (str(deal), SEATS[hand.deal.dealer], str(hand.deal.hand_size), trump, *bids)
    if hand.outcome != "played":
        return (*opening, *[""] * 6, *_signed(score), hand.outcome)
    contracts = map(contract, hand.contracts, hand.boards)
    north, east, south, west = hand.tricks_won
    return (*opening, *contracts, str(north + south), str(east + west), *_signed(hand.points), *_signed(score), "")


def _signed(points: tuple[int, int]) -> tuple[str, str]:
    return f"{points[0]:+}", f"{points[1]:+}"


def _end(row: dict[str, Any]) -> str:
    if row["fault"] is not None:
        return f"Ended by a fault in deal {row['fault_deal']}: {SEATS[row['fault_seat']]}, {row['fault']}"
    result = "a tie" if row["winner"] == "tie" else f"{row['winner']} won"
    return f"{result[0].upper()}{result[1:]}: {row['ns_score']:+} to {row['ew_score']:+}"
