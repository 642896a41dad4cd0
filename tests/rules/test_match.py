"""D1, D2, B5, B6 and S4: the course of whole matches, in both implementations.

The referee's matches are dealt here with Python's own random numbers; the engine's are read from a stored run.
"""

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from sim.game import cards
from sim.game.house import STANDARD_HAND_SIZES, Rules
from sim.game.match import Match
from sim.game.record import BOARD, PASS, Deal
from sim.game.referee import Table

BIDDERS = Path(__file__).with_name("bidders.py")
ACES = cards.to_set("AC AD AH AS")


@dataclass
class Row:
    """A dealt hand."""

    deal: int
    attempt: int
    dealer: int
    hand_size: int
    outcome: str
    hands: tuple[int, ...]
    turned: int
    points: tuple[int, int]
    score: tuple[int, int]


@dataclass
class Played:
    """A match: its dealt hands in order, and what it came to."""

    first_dealer: int
    score: tuple[int, int]
    winner: str
    thrown_in: int
    stalled: int
    rows: list[Row]


def referee_matches(bidder: str, rules: Rules, matches: int, seed: int, tmp_path: Path) -> list[Played]:
    random = Random(seed)
    return [referee_match(bidder, rules, random) for _ in range(matches)]


def referee_match(bidder: str, rules: Rules, random: Random) -> Played:
    first_dealer, rows = random.randrange(4), []
    match = Match(first_dealer, rules)
    while not match.finished:
        size, coming = match.hand_size, (match.deal, match.attempt, match.dealer, match.hand_size)
        deck = random.sample(range(54), 54)
        hands = [deck[seat * size : (seat + 1) * size] for seat in range(4)]
        table = Table(Deal(hands, deck[4 * size], match.dealer, deck[4 * size + 1 :]), rules)
        while len(table.bids) < 4:
            table.bid(bid_of(bidder, table.hands[table.to_act], size))
        while not table.finished:
            table.play(cards.lowest(table.legal_cards()))
        record = table.result()
        outcome = match.enter(record)
        rows.append(Row(*coming, outcome, record.hands, record.turned, record.points, tuple(match.score)))
    outcomes = [row.outcome for row in rows]
    thrown_in, stalled = outcomes.count("thrown-in"), outcomes.count("stalled")
    return Played(first_dealer, tuple(match.score), match.winner, thrown_in, stalled, rows)


def bid_of(bidder: str, hand: int, hand_size: int) -> int:
    if bidder == "Passer" or not hand & ACES:
        return PASS
    return 1 if hand_size > 1 else BOARD


def engine_matches(bidder: str, rules: Rules, matches: int, seed: int, tmp_path: Path) -> list[Played]:
    import polars as pl

    import sim

    tournament = sim.Tournament(
        strategies=[f"{BIDDERS}:{bidder}"], format="self", matches=matches, duplicate=False, seed=seed, rules=rules
    )
    sim.play(tournament, out=tmp_path / "run", jobs=1)
    deals = pl.read_parquet(tmp_path / "run" / "deals" / "*.parquet").sort("match_id", "deal", "attempt")
    played = []
    for match in pl.read_parquet(tmp_path / "run" / "matches" / "*.parquet").sort("match_id").iter_rows(named=True):
        rows = deals.filter(pl.col("match_id") == match["match_id"]).iter_rows(named=True)
        score = (match["ns_score"], match["ew_score"])
        counts = (match["thrown_in"], match["stalled"])
        played.append(Played(match["first_dealer"], score, match["winner"], *counts, [engine_row(row) for row in rows]))
    return played


def engine_row(row: dict) -> Row:
    return Row(
        *(row[name] for name in ("deal", "attempt", "dealer", "hand_size", "outcome")),
        tuple(row[f"{seat}_hand"] for seat in ("north", "east", "south", "west")),
        row["turned"],
        (row["ns_points"] or 0, row["ew_points"] or 0),
        (row["ns_score"], row["ew_score"]),
    )


@pytest.fixture(params=[referee_matches, engine_matches], ids=["referee", "engine"])
def matches(request, tmp_path):
    """Play matches in which all four seats follow one of the two simple strategies."""

    def matches(bidder: str, rules: Rules, matches: int = 4, seed: int = 11) -> list[Played]:
        played = request.param(bidder, rules, matches, seed, tmp_path)
        assert len(played) == matches
        return played

    return matches


def hand_sizes(match: Played) -> list[int]:
    return [row.hand_size for row in match.rows if row.outcome != "thrown-in"]


def test_d1_a_match_is_25_deals_from_13_cards_to_one_and_back(matches):
    assert (*range(13, 0, -1), *range(2, 14)) == STANDARD_HAND_SIZES and sum(STANDARD_HAND_SIZES) == 181
    for match in matches("Acer", Rules()):
        assert hand_sizes(match) == list(STANDARD_HAND_SIZES)
        assert [row.deal for row in match.rows if row.outcome != "thrown-in"] == list(range(1, 26))


@pytest.mark.parametrize("sizes", [(7,), (13, 1, 1, 12), (*range(13, 0, -1), *range(1, 14))])
def test_d1_hand_sizes(matches, sizes):
    for match in matches("Acer", Rules(hand_sizes=sizes)):
        assert hand_sizes(match) == list(sizes)


def test_d2_the_first_dealer_is_random(matches):
    dealers = [match.first_dealer for match in matches("Passer", Rules(hand_sizes=(1,), max_redeals=1), matches=200)]
    assert all(25 <= dealers.count(seat) <= 75 for seat in range(4))


def test_d2_the_deal_passes_clockwise_after_every_deal(matches):
    for match in matches("Acer", Rules()):
        assert match.rows[0].dealer == match.first_dealer
        for row, following in pairwise(match.rows):
            assert following.dealer == (row.dealer + 1) % 4


def test_d3_every_deal_is_dealt_from_one_pack(matches):
    for match in matches("Acer", Rules(hand_sizes=(13, 6, 1))):
        for row in match.rows:
            assert all(cards.count(hand) == row.hand_size for hand in row.hands)
            together = row.hands[0] | row.hands[1] | row.hands[2] | row.hands[3] | 1 << row.turned
            assert cards.count(together) == 4 * row.hand_size + 1


def test_b5_the_next_dealer_deals_the_same_hand_size_again(matches):
    played = matches("Acer", Rules(hand_sizes=(2, 1, 2, 3)), matches=40)
    thrown_in = 0
    for match in played:
        for row, following in pairwise(match.rows):
            if row.outcome == "thrown-in":
                thrown_in += 1
                assert (following.deal, following.attempt) == (row.deal, row.attempt + 1)
                assert following.dealer == (row.dealer + 1) % 4
                assert following.hand_size == row.hand_size and following.hands != row.hands
            else:
                assert (following.deal, following.attempt) == (row.deal + 1, 1)
        assert match.thrown_in == sum(row.outcome == "thrown-in" for row in match.rows)
        assert match.stalled == 0
    assert thrown_in > 20


def test_b5_a_hand_thrown_in_scores_nothing(matches):
    for match in matches("Acer", Rules(hand_sizes=(2, 1, 2, 3)), matches=20):
        totals = [(0, 0), *(row.score for row in match.rows)]
        for before, row in zip(totals, match.rows, strict=False):
            assert row.score == (before[0] + row.points[0], before[1] + row.points[1])
            assert row.outcome == "played" or row.points == (0, 0)


def test_b5_under_score_zero_a_deal_all_passed_counts(matches):
    for match in matches("Passer", Rules(hand_sizes=(3, 1, 2), all_pass="score-zero")):
        assert [row.outcome for row in match.rows] == ["passed-out"] * 3
        assert [row.deal for row in match.rows] == [1, 2, 3]
        assert (match.score, match.thrown_in, match.stalled) == ((0, 0), 0, 0)


@pytest.mark.parametrize("limit", [1, 2, 20, 250])
def test_b6_max_redeals(matches, limit):
    for match in matches("Passer", Rules(hand_sizes=(2, 1), max_redeals=limit), matches=2):
        assert [row.outcome for row in match.rows] == [*["thrown-in"] * (limit - 1), "stalled"] * 2
        assert [row.attempt for row in match.rows] == [*range(1, limit + 1)] * 2
        assert (match.thrown_in, match.stalled) == (2 * (limit - 1), 2)


def test_b6_a_stalled_deal_scores_nothing_and_the_deal_passes_on(matches):
    for match in matches("Passer", Rules(hand_sizes=(2, 1), max_redeals=3)):
        assert match.score == (0, 0)
        assert [row.dealer for row in match.rows] == [(match.first_dealer + place) % 4 for place in range(6)]


def test_s4_most_points_win(matches):
    played = matches("Acer", Rules(hand_sizes=(5, 3, 1)), matches=40)
    for match in played:
        ours, theirs = match.score
        assert match.rows[-1].score == match.score
        assert match.winner == ("NS" if ours > theirs else "EW" if theirs > ours else "tie")
    assert {match.winner for match in played} >= {"NS", "EW"}


def test_s4_equal_totals_are_a_tie(matches):
    for match in matches("Passer", Rules(hand_sizes=(2, 1), max_redeals=1)):
        assert (match.score, match.winner) == ((0, 0), "tie")
