"""S1 to S3 and the worked cases of scoring. S4 is in test_match.py."""

import pytest

from sim.game import cards
from sim.game.house import Rules
from sim.game.record import BOARD, Deal
from tests.rules.deals import EAST, NORTH, SOUTH, WEST, leader_wins, one_suit_each

TABLE = Rules(board_multiplier="table")


@pytest.mark.parametrize("won, points", [(0, -15), (1, -15), (2, -15), (3, 15), (4, 16), (5, 17), (6, 18)])
def test_s1_a_contract_scores_five_a_trick_bid_and_one_a_trick_over(play, won, points):
    record = play(leader_wins(won, 6), [0, 0, 0, 3])
    assert record.contracts == (3, 0)
    assert record.points == (points, 6 - won)


def test_s1_partners_tricks_count_together(play):
    record = play(leader_wins(4, 6, leader=EAST), [2, 1, 0, 1])
    assert record.tricks_won == (0, 4, 2, 0)
    assert record.contracts == (2, 2) and record.points == (10, 12)


def test_s1_a_failed_contract_gets_nothing_for_its_tricks(play):
    assert play(leader_wins(3, 6), [0, 1, 0, 3]).points == (-20, 3)


def test_s1_passing_partners_score_their_tricks(play):
    assert play(leader_wins(2, 6), [0, 0, 0, 2]).points == (10, 4)


@pytest.mark.parametrize("won, points", [(0, -60), (5, -60), (6, 60)])
def test_s2_a_board_is_won_with_all_tricks(play, won, points):
    assert play(leader_wins(won, 6), [0, 0, 0, BOARD]).points == (points, 6 - won)


@pytest.mark.parametrize(
    "bids, leader, level",
    [([0, BOARD, 0, 0], SOUTH, 1), ([0, BOARD, 0, BOARD], NORTH, 2), ([BOARD, 0, BOARD, BOARD], NORTH, 3)],
)
def test_s2_a_board_counts_by_its_level(play, bids, leader, level):
    assert play(leader_wins(6, 6, leader=leader), bids).points[0] == 60 * level
    assert play(leader_wins(5, 6, leader=leader), bids).points[0] == -60 * level


def test_s2_side_is_the_default():
    assert Rules().board_multiplier == "side"


@pytest.mark.parametrize("rules, points", [(Rules(), (-180, 120)), (TABLE, (-180, 180))])
def test_s2_board_multiplier(play, rules, points):
    # East claims the first board, West the second, North the third and leads.
    record = play(leader_wins(0, 6), [BOARD, 0, BOARD, BOARD], rules=rules)
    assert record.boards == (3, 2)
    assert record.points == points


def test_s2_under_table_a_number_contract_scores_as_ever(play):
    assert play(leader_wins(6, 6), [0, 0, 2, BOARD], rules=TABLE).points == (60, -10)


def test_s3_each_side_is_scored_on_its_own(play):
    assert play(leader_wins(4, 6), [1, 1, 1, 3]).points == (20, 10)
    assert play(leader_wins(3, 6), [2, 1, 2, 3]).points == (-20, -20)


def test_s3_at_most_one_board_is_made(play):
    for won in range(7):
        ours, theirs = play(leader_wins(won, 6), [BOARD, 0, 0, BOARD]).points
        assert (ours, theirs) == (120 if won == 6 else -120, 60 if won == 0 else -60)


def test_s3_points_per_bid_trick(play):
    rules = Rules(points_per_bid_trick=7)
    assert play(leader_wins(4, 6), [0, 0, 0, 3], rules=rules).points == (22, 2)
    assert play(leader_wins(2, 6), [0, 0, 0, 3], rules=rules).points == (-21, 4)


def test_s3_points_per_overtrick(play):
    rules = Rules(points_per_overtrick=3)
    assert play(leader_wins(5, 6), [0, 0, 0, 3], rules=rules).points == (21, 3)
    assert play(leader_wins(5, 6), [0, 0, 0, 3], rules=Rules(points_per_overtrick=0)).points == (15, 0)


def test_s3_points_per_board_trick(play):
    rules = Rules(points_per_board_trick=25)
    assert play(leader_wins(6, 6), [0, 0, 0, BOARD], rules=rules).points == (150, 0)
    assert play(leader_wins(5, 6), [0, 0, 0, BOARD], rules=rules).points == (-150, 1)


@pytest.mark.parametrize("won, points", [(5, 25), (4, -25)])
def test_case_1_four_and_one_are_a_contract_of_five(play, won, points):
    record = play(leader_wins(won, 5), [0, 1, 0, 4])
    assert record.contracts[0] == 5 and record.boards[0] == 0
    assert record.points[0] == points


@pytest.mark.parametrize("won, points", [(5, 17), (2, -15)])
def test_case_2_a_contract_of_three(play, won, points):
    assert play(leader_wins(won, 5), [0, 0, 0, 3]).points[0] == points


@pytest.mark.parametrize("won, points", [(1, 4), (5, 0)])
def test_case_3_a_side_that_passed(play, won, points):
    assert play(leader_wins(won, 5, leader=SOUTH), [0, 2, 0, 0]).points[1] == points


@pytest.mark.parametrize("won, points", [(5, 50), (4, -50), (0, -50)])
def test_case_4_a_lone_board(play, won, points):
    assert play(leader_wins(won, 5), [0, 0, 0, BOARD]).points[0] == points


def test_case_4_thirteen_tricks_at_level_four(play):
    script = [f"{rank}C {rank}D {rank}H {rank}S" for rank in "23456789TJQKA"]
    assert play(one_suit_each(), [BOARD] * 4, script).points == (520, -390)
    # North's lowest club and East's lowest diamond change places: East wins the last trick.
    hands = [hand ^ cards.to_set("2C 2D") * (seat < 2) for seat, hand in enumerate(one_suit_each().hands)]
    record = play(Deal(hands, "BB", stock=["LB"]), [BOARD] * 4)
    assert sum(record.tricks_won[::2]) < 13
    assert record.points == (-520, -390)


@pytest.mark.parametrize(
    "won, side, table", [(0, (-80, 40), (-80, 80)), (4, (80, -40), (80, -80)), (2, (-80, -40), (-80, -80))]
)
def test_case_5_board_against_double(play, won, side, table):
    deal, bids = leader_wins(won, 4, leader=SOUTH), [BOARD, BOARD, 0, 0]
    assert play(deal, bids).leader == SOUTH
    assert play(deal, bids).points == side
    assert play(deal, bids, rules=TABLE).points == table


def test_case_6_board_and_double_in_one_side(play):
    assert play(leader_wins(3, 3, leader=WEST), [BOARD, 0, BOARD, 0]).points[1] == 60


@pytest.mark.parametrize("won, points", [(1, (40, -30)), (0, (-40, 30))])
def test_case_7_all_four_claim_at_one_card(play, won, points):
    record = play(leader_wins(won, 1), [BOARD] * 4)
    assert (record.leader, record.boards) == (NORTH, (4, 3))
    assert record.points == points
