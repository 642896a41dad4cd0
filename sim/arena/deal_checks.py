"""Checks of the rows of `deals`: their order, the cards of the seed's shuffle, and what follows from bids and tricks.

Whether each card was legal (L2 to L4) cannot be seen in columns; the referee is asked in `replay`.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..game.house import Rules
from ..game.record import BOARD
from .decks import decks_of
from .finding import DATASET, NULL, Finding, Rows
from .log import OUTCOMES
from .plan import Plan
from .schema import LABELS

SIDES = ("ns", "ew")
PLAYED, THROWN_IN, STALLED, PASSED_OUT = range(len(OUTCOMES))
LITTLE, BIG, NO_TRUMP = 52, 53, 4


@dataclass(frozen=True)
class Bidding:
    """What the bids of each hand come to. Arrays are int64, by hand last.

    Attributes
    ----------
    bids, levels : [4, hands]
        Each seat's bid, and the level of its board (B3), 0 without.
    leader : [hands]
        The highest bidder (L1), `NULL` if all passed.
    outcome : [hands]
        What becomes of the hand (B5, B6), a place in `OUTCOMES`.
    """

    bids: np.ndarray
    levels: np.ndarray
    leader: np.ndarray
    outcome: np.ndarray

    @property
    def played(self) -> np.ndarray:
        """Whether somebody bid."""
        return self.outcome == PLAYED

    @property
    def boards(self) -> np.ndarray:
        """Each side's own board level, [2, hands]: the higher of two (B4)."""
        return np.maximum(self.levels[:2], self.levels[2:])


def bidding_of(deals: Rows, rules: Rules) -> Bidding:
    """Go through the bids in turn, from the dealer's left (B1)."""
    bids, every = np.array([deals[f"{seat}_bid"] for seat in LABELS]), np.arange(len(deals))
    levels = np.zeros_like(bids)
    leader, best, boards = np.full(len(deals), NULL), np.zeros_like(every), np.zeros_like(every)
    for turn in range(1, 5):
        seat = (deals["dealer"] + turn) % 4
        bid = bids[seat, every]
        boards += bid == BOARD
        levels[seat, every] = np.where(bid == BOARD, boards, 0)
        higher = (bid > best) | (bid == BOARD)
        leader, best = np.where(higher, seat, leader), np.where(higher, bid, best)
    last = STALLED if rules.all_pass == "redeal" else PASSED_OUT
    again = (rules.all_pass == "redeal") & (deals["attempt"] < rules.max_redeals)
    return Bidding(bids, levels, leader, np.where(leader != NULL, PLAYED, np.where(again, THROWN_IN, last)))


def sizes_of(deals: Rows, rules: Rules) -> np.ndarray:
    """Return the cards a player gets in each hand, by its number (D1)."""
    return np.array(rules.hand_sizes)[np.clip(deals["deal"], 1, len(rules.hand_sizes)) - 1]


def check_keys(deals: Rows, matches: Rows) -> Iterator[Finding]:
    """Check that every hand is of a match of its shard, those of a match together and the matches in order."""
    ids = deals["match_id"]
    yield from deals.where(~np.isin(ids, matches["match_id"]), DATASET, "the hand is of no match of its shard")
    yield from deals.where(ids < np.append(0, ids[:-1])[: len(ids)], DATASET, "the hand is out of order")


def check_deals(deals: Rows, matches: Rows, bidding: Bidding, plan: Plan) -> Iterator[Finding]:
    """Check the order of hands, the cards, the bids, the contracts and the points of a shard."""
    yield from _check_order(deals, matches, bidding, plan.rules)
    yield from _check_cards(deals, plan)
    yield from _check_bids(deals, bidding, plan.rules)
    yield from _check_points(deals, bidding, plan.rules)


def _check_order(deals: Rows, matches: Rows, bidding: Bidding, rules: Rules) -> Iterator[Finding]:
    """Check that each hand follows the one before: number (D1), attempt (B5), size, dealer (D2)."""
    again = deals.previous(bidding.outcome == THROWN_IN, False)
    yield from deals.unequal("deal", deals.previous(deals["deal"] + 1, 1) - again, "D1")
    yield from deals.unequal("attempt", np.where(again, deals.previous(deals["attempt"], 0), 0) + 1, "B5")
    yield from deals.unequal("hand_size", sizes_of(deals, rules), "D1")
    first = matches["first_dealer"][np.searchsorted(matches["match_id"], deals["match_id"])]
    yield from deals.unequal("dealer", deals.previous((deals["dealer"] + 1) % 4, first), "D2")
    yield from _check_last(deals, matches, bidding, rules)


def _check_last(deals: Rows, matches: Rows, bidding: Bidding, rules: Rules) -> Iterator[Finding]:
    """Check that each match has its deals to the last, or to the one before a fault (D1)."""
    fault = matches["fault_deal"]
    last = np.where(fault == NULL, len(rules.hand_sizes), fault - 1)
    home = np.searchsorted(matches["match_id"], deals["match_id"])
    counted = deals["deal"] - (bidding.outcome == THROWN_IN)
    ends = np.append(deals.starts[1:], True)[: len(deals)]
    yield from deals.where(ends & (counted != last[home]), "D1", "the match ends here, which is not its last deal")
    silent = (last > 0) & ~np.isin(matches["match_id"], deals["match_id"])
    yield from matches.where(silent, "D1", "the match has no deals")


def _check_cards(deals: Rows, plan: Plan) -> Iterator[Finding]:
    """Check hands, turned card, trump and swap against the shuffle of the seed (D3, D4)."""
    decks, _ = decks_of(plan.seed, deals["match_id"] // plan.matches_per_shuffle, deals["deal"], deals["attempt"])
    size, every = sizes_of(deals, plan.rules), np.arange(len(deals))
    burn = plan.rules.joker_turned == "burn"
    at = _place_turned(decks, 4 * size) if burn else 4 * size
    turned = decks[every, at]
    yield from deals.unequal("turned", turned, "D4" if burn else "D3")
    yield from deals.unequal("trump", np.where(turned >= LITTLE, NO_TRUMP, turned // 13), "D3")
    other = np.where((turned >= LITTLE) & (not burn), LITTLE + BIG - turned, NULL)
    where = np.argmax(decks == other[:, None], axis=1)
    swaps = (other != NULL) & (where < at)
    seat = np.where(swaps, where // size, NULL)
    card = np.where(swaps, decks[every, np.minimum(at + 1, 53)], NULL)
    yield from deals.unequal("swap_seat", seat, "D4")
    yield from deals.unequal("swap_card", card, "D4")
    hands = _hands(decks, size)
    row = np.flatnonzero(swaps)
    hands[seat[row], row] ^= _bit(other[row]) | _bit(card[row])
    for name, hand in zip(LABELS, hands, strict=True):
        yield from deals.unequal(f"{name}_hand", hand, "D3")


def _place_turned(decks: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Return the place of the card that decides under the burn rule: the first that is no joker, else the last."""
    every = np.arange(len(decks))
    for _ in (LITTLE, BIG):
        at = at + ((decks[every, at] >= LITTLE) & (at < 53))
    return at


def _hands(decks: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Return the four hands dealt from each deck as sets, int64[4, hands]."""
    hands = np.empty((4, len(decks)), np.int64)
    for n in np.unique(size):
        rows = np.flatnonzero(size == n)
        hands[:, rows] = _bit(decks[rows, : 4 * n]).reshape(-1, 4, n).sum(axis=2).T
    return hands


def _bit(card: np.ndarray) -> np.ndarray:
    return np.int64(1) << card


def _check_bids(deals: Rows, bidding: Bidding, rules: Rules) -> Iterator[Finding]:
    """Check that each bid is one (B2), and what the four come to (B3 to B6, L1)."""
    for seat, bid in zip(LABELS, bidding.bids, strict=True):
        legal = (bid >= 0) & (bid < sizes_of(deals, rules)) | (bid == BOARD)
        yield from deals.where(~legal, "B2", f"{seat}_bid is no bid")
    yield from deals.unequal("outcome", bidding.outcome, "B5, B6")
    yield from deals.unequal("leader", bidding.leader, "L1")
    for side, name in enumerate(SIDES):
        board = bidding.boards[side]
        contract = np.where(bidding.played & (board == 0), bidding.bids[side] + bidding.bids[side + 2], NULL)
        yield from deals.unequal(f"{name}_board", np.where(bidding.played, board, NULL), "B3")
        yield from deals.unequal(f"{name}_contract", contract, "B4")


def _check_points(deals: Rows, bidding: Bidding, rules: Rules) -> Iterator[Finding]:
    """Check each side's points by its bids and the tricks it won (S1, S2), and the running totals (S3)."""
    played, size = bidding.played, sizes_of(deals, rules)
    won = np.array([np.where(played, deals[f"{seat}_tricks"], 0) for seat in LABELS])
    yield from deals.where(played & (won.sum(axis=0) != size), "L5", "the tricks won are not all the tricks")
    for side, name in enumerate(SIDES):
        tricks, contract = won[side] + won[side + 2], bidding.bids[side] + bidding.bids[side + 2]
        board = bidding.boards[side]
        level = np.where(board > 0, bidding.boards.max(axis=0), 0) if rules.board_multiplier == "table" else board
        of_board = _board_points(level, tricks == size, size, rules)
        points = np.where(board > 0, of_board, _contract_points(contract, tricks, rules))
        rule = "S1, S2"
        yield from deals.unequal(f"{name}_points", np.where(played, points, NULL), rule)
        gain = np.where(played, deals[f"{name}_points"], 0)
        yield from deals.unequal(f"{name}_score", deals.previous(deals[f"{name}_score"], 0) + gain, "S3")


def _board_points(level: np.ndarray, made: np.ndarray, size: np.ndarray, rules: Rules) -> np.ndarray:
    """Return a board's points at a level (S2)."""
    stake = rules.points_per_board_trick * size * level
    return np.where(made, stake, -stake)


def _contract_points(contract: np.ndarray, tricks: np.ndarray, rules: Rules) -> np.ndarray:
    """Return a contract's points with so many tricks (S1)."""
    bid = rules.points_per_bid_trick * contract
    return np.where(tricks < contract, -bid, bid + rules.points_per_overtrick * (tricks - contract))
