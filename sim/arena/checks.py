"""Looking over every stored row of a shard at once: do the columns agree with each other, with the rules, with the seed?

These are the rules that can be read off columns. Whether each bid and card was legal (B2, L2–L4) is for the referee, who
is asked in `verify`. Nothing here comes from the engine but the shuffles.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import polars as pl

from ..game.house import Rules
from ..game.record import SEATS, SIDES
from .decks import decks_of
from .plan import Plan

NULL = -(2**40)
"""What stands for null in the columns of `integers`: a value that no column can hold."""

Columns = dict[str, np.ndarray]
_SEAT, _SIDE = tuple(seat.lower() for seat in SEATS), tuple(side.lower() for side in SIDES)
_BOARD, _LITTLE, _BIG, _NO_TRUMP = 99, 52, 53, 4


class Finding(NamedTuple):
    """A stored row that is wrong: where, against which rule, and how."""

    table: str
    match_id: int
    deal: int
    place: int
    rule: str
    what: str

    def __str__(self) -> str:
        place = {"deals": f", attempt {self.place}", "tricks": f", trick {self.place}"}.get(self.table, "")
        deal = f", deal {self.deal}" if self.deal else ""
        return f"{self.table}: match {self.match_id}{deal}{place if self.place else ''}: {self.what} ({self.rule})"


def integers(frame: pl.DataFrame) -> Columns:
    """Return the number columns of a frame as signed integers, nulls as `NULL`."""
    numbers = frame.select(pl.selectors.integer())
    return {name: numbers[name].cast(pl.Int64).fill_null(NULL).to_numpy() for name in numbers.columns}


def check_matches(matches: pl.DataFrame, deals: Columns, plan: Plan, shard: int) -> Iterator[Finding]:
    """Check who played, the first dealer (D2) and the end of each match (S4) of a shard."""
    columns = integers(matches)
    first, shuffles = plan.shard_range(shard)
    per_shuffle = plan.matches_per_shuffle
    expected = np.arange(first * per_shuffle, (first + shuffles) * per_shuffle)
    if not np.array_equal(columns["match_id"], expected):
        yield Finding("matches", int(expected[0]), 0, 0, "match_id", f"the shard does not hold {len(expected)} matches in order")
        return
    pairing = expected // plan.tables % len(plan.pairings)
    wanted = {"pairing": pairing, "shuffle_id": expected // per_shuffle, "table": expected % plan.tables}
    for name, values in wanted.items():
        yield from _unequal("matches", columns, columns[name], values, "match_id", name)
    yield from _check_seats(matches, plan, wanted)
    ones = np.ones(len(expected), np.int64)
    dealers = decks_of(plan.seed, wanted["shuffle_id"], ones, ones)[1]
    yield from _unequal("matches", columns, columns["first_dealer"], dealers, "D2", "first_dealer")
    yield from _check_ends(matches, columns, deals)


def _check_seats(matches: pl.DataFrame, plan: Plan, wanted: Columns) -> Iterator[Finding]:
    seating = np.array([[a + b, b + a] for a, b in plan.pairings])[wanted["pairing"], wanted["table"]]
    labels = np.array(plan.labels, object)
    columns = integers(matches)
    for seat, place in zip(_SEAT, (0, 2, 1, 3), strict=True):
        wrong = matches[seat].to_numpy() != labels[seating[:, place]]
        yield from _findings("matches", columns, wrong, "T1", f"{seat} is not who the pairing seats there")


def _check_ends(matches: pl.DataFrame, columns: Columns, deals: Columns) -> Iterator[Finding]:
    whole = matches["fault"].is_null().to_numpy()
    ids = columns["match_id"]
    for side in _SIDE:
        points = np.where(deals[f"{side}_points"] == NULL, 0, deals[f"{side}_points"])
        total = np.bincount(np.searchsorted(ids, deals["match_id"]), points, len(ids)).astype(np.int64)
        total = np.where(whole, total, NULL)
        yield from _unequal("matches", columns, columns[f"{side}_score"], total, "S4", f"{side}_score")
    ns, ew = columns["ns_score"], columns["ew_score"]
    winner = np.where(whole, np.select([ns > ew, ew > ns], ["NS", "EW"], "tie"), "none")
    wrong = matches["winner"].fill_null("none").to_numpy() != winner
    yield from _findings("matches", columns, wrong, "S4", "the winner is not the side with most points")
    for name, outcome, rule in (("thrown_in", 1, "B5"), ("stalled", 2, "B6")):
        count = np.bincount(np.searchsorted(ids, deals["match_id"]), deals["outcome_code"] == outcome, len(ids))
        yield from _unequal("matches", columns, columns[name], count.astype(np.int64), rule, name)


def check_deals(deals: Columns, matches: pl.DataFrame, plan: Plan) -> Iterator[Finding]:
    """Check the order of deals and dealers, the cards, and all that follows from bids and tricks won."""
    yield from _check_order(deals, matches, plan.rules)
    yield from _check_cards(deals, integers(matches), plan)
    yield from _check_bids(deals, plan.rules)
    yield from _check_points(deals, plan.rules)


def _check_order(deals: Columns, matches: pl.DataFrame, rules: Rules) -> Iterator[Finding]:
    ids, columns = deals["match_id"], integers(matches)
    home = np.searchsorted(columns["match_id"], ids)
    begins = np.concatenate([[True], ids[1:] != ids[:-1]]) if len(ids) else np.zeros(0, bool)
    again = np.roll(deals["outcome_code"] == 1, 1) & ~begins
    deal = np.where(begins, 1, np.roll(deals["deal"], 1) + ~again)
    attempt = np.where(again, np.roll(deals["attempt"], 1) + 1, 1)
    yield from _unequal("deals", deals, deals["deal"], deal, "D1", "deal")
    yield from _unequal("deals", deals, deals["attempt"], attempt, "B5", "attempt")
    ends = np.roll(begins, -1)
    last = np.where(columns["fault_deal"] == NULL, len(rules.hand_sizes), columns["fault_deal"] - 1)
    yield from _findings("deals", deals, ends & ((deals["deal"] != last[home]) | (deals["outcome_code"] == 1)), "D1",
                         "the match ends here, before its last deal")  # fmt: skip
    missing = ~np.isin(columns["match_id"], ids) & (last > 0)
    yield from _findings("matches", columns, missing, "D1", "the match has no deals")
    sizes = np.array(rules.hand_sizes)[np.clip(deals["deal"], 1, len(rules.hand_sizes)) - 1]
    yield from _unequal("deals", deals, deals["hand_size"], sizes, "D1", "hand_size")
    starts = np.flatnonzero(begins)
    turns = np.arange(len(ids)) - np.repeat(starts, np.diff(np.append(starts, len(ids))))
    yield from _unequal("deals", deals, deals["dealer"], (columns["first_dealer"][home] + turns) % 4, "D2", "dealer")


def _check_cards(deals: Columns, matches: Columns, plan: Plan) -> Iterator[Finding]:
    """Check hands, turned card and swap against the shuffle of the seed (D3, D4)."""
    shuffle = deals["match_id"] // plan.matches_per_shuffle
    decks, _ = decks_of(plan.seed, shuffle, deals["deal"], deals["attempt"])
    rows, size = np.arange(len(decks)), np.clip(deals["hand_size"], 1, 13)
    at = 4 * size
    turned = decks[rows, at]
    burn = plan.rules.joker_turned == "burn"
    if burn:
        for _ in range(2):
            onward = (turned >= _LITTLE) & (at < 53)
            at = at + onward
            turned = decks[rows, at]
    yield from _unequal("deals", deals, deals["turned"], turned, "D4" if burn else "D3", "turned")
    trump = np.where(turned >= _LITTLE, _NO_TRUMP, turned // 13)
    yield from _unequal("deals", deals, deals["trump"], trump, "D3", "trump")
    other = np.where((turned >= _LITTLE) & (not burn), _LITTLE + _BIG - turned, -1)
    where = np.argmax(decks == other[:, None], axis=1)
    swaps = (other >= 0) & (where < at)
    swap_seat, swap_card = np.where(swaps, where // size, NULL), np.where(swaps, decks[rows, np.minimum(at + 1, 53)], NULL)
    yield from _unequal("deals", deals, deals["swap_seat"], swap_seat, "D4", "swap_seat")
    yield from _unequal("deals", deals, deals["swap_card"], swap_card, "D4", "swap_card")
    bits, place = np.int64(1) << decks, np.arange(54)
    for seat, name in enumerate(_SEAT):
        mine = (place >= seat * size[:, None]) & (place < (seat + 1) * size[:, None])
        hand = np.where(mine, bits, 0).sum(axis=1)
        drawn = np.where(swap_seat == seat, (np.int64(1) << np.maximum(other, 0)) ^ (np.int64(1) << np.maximum(swap_card, 0)), 0)
        yield from _unequal("deals", deals, deals[f"{name}_hand"], hand ^ drawn, "D3", f"{name}_hand")


def _check_bids(deals: Columns, rules: Rules) -> Iterator[Finding]:
    """Check bids, levels, contracts, the leader and the outcome (B2–B6, L1)."""
    bids = np.array([deals[f"{seat}_bid"] for seat in _SEAT])
    size, played = deals["hand_size"], deals["outcome_code"] == 0
    for seat, bid in zip(_SEAT, bids, strict=True):
        legal = ((bid >= 0) & (bid < size)) | (bid == _BOARD)
        yield from _findings("deals", deals, ~legal, "B2", f"{seat}_bid is no legal bid")
    levels, leader = _levels_and_leader(bids, deals["dealer"])
    yield from _findings("deals", deals, played != (leader >= 0), "B5", "outcome does not fit the bids")
    at_limit = deals["attempt"] == rules.max_redeals
    redeal = np.where(at_limit, 2, 1) if rules.all_pass == "redeal" else np.full(len(size), 3)
    wrong = ~played & (leader < 0) & (deals["outcome_code"] != redeal)
    yield from _findings("deals", deals, wrong, "B6", "outcome is not what follows when all pass")
    yield from _unequal("deals", deals, deals["leader"], np.where(leader >= 0, leader, NULL), "L1", "leader")
    for side, name in enumerate(_SIDE):
        level = np.maximum(levels[side], levels[side + 2])
        contract = np.where(played & (level == 0), bids[side] + bids[side + 2], NULL)
        yield from _unequal("deals", deals, deals[f"{name}_board"], np.where(played, level, NULL), "B3", f"{name}_board")
        yield from _unequal("deals", deals, deals[f"{name}_contract"], contract, "B4", f"{name}_contract")


def _levels_and_leader(bids: np.ndarray, dealer: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    levels, rows = np.zeros_like(bids), np.arange(bids.shape[1])
    leader, best, boards = np.full(bids.shape[1], -1), np.zeros(bids.shape[1], np.int64), np.zeros(bids.shape[1], np.int64)
    for turn in range(1, 5):
        seat = (dealer + turn) % 4
        bid = bids[seat, rows]
        boards = boards + (bid == _BOARD)
        levels[seat, rows] = np.where(bid == _BOARD, boards, 0)
        higher = (bid > best) | (bid == _BOARD)
        leader, best = np.where(higher, seat, leader), np.where(higher, bid, best)
    return levels, leader


def _check_points(deals: Columns, rules: Rules) -> Iterator[Finding]:
    """Check each side's points (S1–S3) and the running totals."""
    played, size = deals["outcome_code"] == 0, deals["hand_size"]
    won = [np.where(played, deals[f"{seat}_tricks"], 0) for seat in _SEAT]
    yield from _findings("deals", deals, played & (sum(won) != size), "L5", "the tricks won are not all the tricks")
    boards = [np.where(played, deals[f"{side}_board"], 0) for side in _SIDE]
    highest = np.maximum(*boards)
    for side, name in enumerate(_SIDE):
        tricks, contract = won[side] + won[side + 2], deals[f"{name}_contract"]
        level = np.where(boards[side] > 0, highest, 0) if rules.board_multiplier == "table" else boards[side]
        stake = rules.points_per_board_trick * size * level
        bid = rules.points_per_bid_trick * contract
        made = bid + rules.points_per_overtrick * (tricks - contract)
        points = np.where(level > 0, np.where(tricks == size, stake, -stake), np.where(tricks >= contract, made, -bid))
        rule = "S1, S2"
        yield from _unequal("deals", deals, deals[f"{name}_points"], np.where(played, points, NULL), rule, f"{name}_points")
        gain = np.where(played, deals[f"{name}_points"], 0)
        ids, running = deals["match_id"], np.cumsum(gain)
        starts = np.concatenate([[True], ids[1:] != ids[:-1]]) if len(ids) else np.zeros(0, bool)
        before = np.maximum.accumulate(np.where(starts, np.arange(len(ids)), 0)) if len(ids) else np.zeros(0, np.int64)
        total = running - (running - gain)[before]
        yield from _unequal("deals", deals, deals[f"{name}_score"], total, "S3", f"{name}_score")


def check_tricks(tricks: Columns, deals: Columns) -> Iterator[Finding]:
    """Check that each trick is there, who led and won it (L5), and that the cards of each hand were played once."""
    played = deals["outcome_code"] == 0
    size = np.where(played, deals["hand_size"], 0)
    home = np.repeat(np.arange(len(size)), size)
    first = np.concatenate([[0], np.cumsum(size)])[:-1]
    number = np.arange(len(home)) - first[home] + 1
    keys = (deals["match_id"][home], deals["deal"][home], number)
    if len(home) != len(tricks["trick"]) or any(
        not np.array_equal(tricks[name], key) for name, key in zip(("match_id", "deal", "trick"), keys, strict=True)
    ):
        yield from _misplaced(tricks, keys)
        return
    cards = np.array([tricks[f"card_{place}"] for place in range(1, 5)])
    trump = deals["trump"][home]
    is_trump = (cards // 13 == trump) | ((cards >= _LITTLE) & (trump != _NO_TRUMP))
    suit_led = np.where(is_trump[0], trump, cards[0] // 13)
    rank = np.where(is_trump, cards + 64, np.where(cards // 13 == suit_led, cards, -1))
    winner = (tricks["leader"] + np.argmax(rank, axis=0)) % 4
    yield from _unequal("tricks", tricks, tricks["winner"], winner, "L5", "winner")
    leader = np.where(number == 1, deals["leader"][home], np.roll(tricks["winner"], 1))
    yield from _unequal("tricks", tricks, tricks["leader"], leader, "L5", "leader")
    for seat, name in enumerate(_SEAT):
        bits = (np.int64(1) << cards)[(seat - tricks["leader"]) % 4, np.arange(len(home))]
        # n powers of two make a number of n bits only if all of them differ, so the sum is as good as the set.
        sums, wins = np.zeros(len(size), np.int64), np.zeros(len(size), np.int64)
        np.add.at(sums, home, bits)
        np.add.at(wins, home, tricks["winner"] == seat)
        hand = np.where(played, deals[f"{name}_hand"], 0)
        yield from _findings("deals", deals, sums != hand, "L5", f"{name} did not play just the cards of {name}_hand")
        yield from _unequal("deals", deals, deals[f"{name}_tricks"], np.where(played, wins, NULL), "L5", f"{name}_tricks")


def _misplaced(tricks: Columns, keys: tuple[np.ndarray, ...]) -> Iterator[Finding]:
    """Name the first trick that is missing, doubled or out of order."""
    rows = min(len(keys[0]), len(tricks["trick"]))
    stored = [tricks[name][:rows] for name in ("match_id", "deal", "trick")]
    wrong = np.any([a != key[:rows] for a, key in zip(stored, keys, strict=True)], axis=0)
    row = int(np.argmax(wrong)) if wrong.any() else rows
    if row < len(keys[0]):
        match, deal, trick = (int(key[row]) for key in keys)
        yield Finding("tricks", match, deal, trick, "L5", "the trick is missing or not in its place")
    else:
        match, deal, trick = (int(tricks[name][row]) for name in ("match_id", "deal", "trick"))
        yield Finding("tricks", match, deal, trick, "L5", "the trick belongs to no deal that was played")


def _unequal(
    table: str, columns: Columns, stored: np.ndarray, right: np.ndarray, rule: str, name: str
) -> Iterator[Finding]:
    for row in np.flatnonzero(stored != right):
        what = f"{name} is {_shown(stored[row])}, must be {_shown(right[row])}"
        yield Finding(table, *_key(table, columns, int(row)), rule, what)


def _findings(table: str, columns: Columns, wrong: np.ndarray, rule: str, what: str) -> Iterator[Finding]:
    for row in np.flatnonzero(wrong):
        yield Finding(table, *_key(table, columns, int(row)), rule, what)


def _key(table: str, columns: Columns, row: int) -> tuple[int, int, int]:
    match = int(columns["match_id"][row])
    if table == "matches":
        return match, 0, 0
    return match, int(columns["deal"][row]), int(columns["attempt" if table == "deals" else "trick"][row])


def _shown(value: int) -> str:
    return "null" if value == NULL else str(int(value))
