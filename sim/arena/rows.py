"""Writing the rows of a match, compiled: what goes where in the columns of `log`."""

from ..game import rules
from ..game.house import House
from . import log
from .table import Record, part, store_8, store_16, store_32, store_64


@part
def log_hand(
    table: Record,
    shown: Record,
    deals: Record,
    row: int,
    match: int,
    deal: int,
    dealer: int,
    swap_seat: int,
    swap_card: int,
) -> None:
    """Log the cards of a hand as they lie at the bidding."""
    store_32(deals.match, row, match)
    store_8(deals.deal, row, deal)
    store_8(deals.attempt, row, shown.attempt)
    store_8(deals.hand_size, row, shown.hand_size)
    store_8(deals.dealer, row, dealer)
    store_8(deals.turned, row, shown.turned)
    store_8(deals.trump, row, shown.trump)
    store_8(deals.swap_seat, row, swap_seat if swap_seat >= 0 else log.NONE_8)
    store_8(deals.swap_card, row, swap_card if swap_seat >= 0 else log.NONE_8)
    for seat in range(4):
        store_64(deals.hands[seat], row, table.hands[seat])


@part
def log_trick(
    table: Record, shown: Record, tricks: Record, row: int, match: int, trick: int, leader: int, winner: int
) -> None:
    """Log a trick that was played to its end."""
    store_32(tricks.match, row, match)
    store_8(tricks.deal, row, shown.deal)
    store_8(tricks.trick, row, trick)
    store_8(tricks.leader, row, leader)
    store_8(tricks.winner, row, winner)
    for place in range(4):
        store_8(tricks.cards[place], row, table.trick_cards[place])


@part
def score(table: Record, house: House, deals: Record, row: int, hand_size: int, level: int) -> None:
    """Score both sides of a deal that was played (S1–S3), and log what the score is made of."""
    for side in range(2):
        bid = rules.contract(table.bids[side], table.bids[side + 2])
        own_level = max(table.levels[side], table.levels[side + 2])
        won = table.tricks_won[side] + table.tricks_won[side + 2]
        points = rules.side_points(bid, own_level, level, won, hand_size, house)
        table.score[side] += points
        store_8(deals.contracts[side], row, bid if own_level == 0 else log.NONE_8)
        store_8(deals.boards[side], row, own_level)
        store_16(deals.points[side], row, points)
    for seat in range(4):
        store_8(deals.tricks_won[seat], row, table.tricks_won[seat])


@part
def log_no_score(deals: Record, row: int) -> None:
    """Log a deal in which all passed: nothing that comes after the bids (B5, B6)."""
    for side in range(2):
        store_8(deals.contracts[side], row, log.NONE_8)
        store_8(deals.boards[side], row, log.NONE_8)
        store_16(deals.points[side], row, log.NONE_16)
    for seat in range(4):
        store_8(deals.tricks_won[seat], row, log.NONE_8)


@part
def log_match(table: Record, matches: Record, match: int, thrown_in: int, stalled: int, fault_deal: int) -> None:
    """Log how a match ended (S4), or who ended it before its time and how."""
    ns, ew = table.score[0], table.score[1]
    faulted = fault_deal > 0
    store_32(matches.score[0], match, log.NONE_32 if faulted else ns)
    store_32(matches.score[1], match, log.NONE_32 if faulted else ew)
    store_8(matches.winner, match, log.NONE_8 if faulted else (0 if ns > ew else (1 if ew > ns else 2)))
    store_16(matches.thrown_in, match, thrown_in)
    store_8(matches.stalled, match, stalled)
    store_8(matches.fault, match, table.fault_reason if faulted else log.NONE_8)
    store_8(matches.fault_seat, match, table.fault_seat if faulted else log.NONE_8)
    store_8(matches.fault_deal, match, fault_deal if faulted else log.NONE_8)
