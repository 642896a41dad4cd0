"""B1 to B5: the bidding. The course of thrown-in and stalled deals is in test_match.py."""

import pytest

from sim.game.house import Rules
from sim.game.record import BOARD, PASS
from sim.game.referee import Table
from tests.rules.deals import EAST, NORTH, SOUTH, WEST, in_order, leader_wins, one_suit_each


@pytest.mark.parametrize("dealer", range(4))
def test_b1_the_dealer_bids_last(play, dealer):
    record = play(in_order(6, dealer), [1, 2, 3, 4])
    assert record.bids[dealer] == 4 and record.bids[(dealer + 1) % 4] == 1
    assert record.bids[(dealer + 2) % 4] == 2 and record.bids[(dealer + 3) % 4] == 3


def test_b1_bids_are_asked_in_turn():
    table, turn = Table(in_order(3, dealer=SOUTH)), []
    while len(table.bids) < 4:
        turn.append(table.to_act)
        table.bid(1)
    assert turn == [WEST, NORTH, EAST, SOUTH]


@pytest.mark.parametrize("size", range(1, 14))
def test_b2_a_bid_is_pass_a_number_below_the_hand_size_or_board(play, size):
    for bid in [PASS, *range(1, size), BOARD]:
        assert play(in_order(size), [BOARD, PASS, bid, PASS]).bids == (PASS, BOARD, PASS, bid)


@pytest.mark.parametrize("size, bid", [(1, 1), (5, 5), (5, 6), (13, 13), (13, 14), (5, 98), (5, 100), (5, -1)])
def test_b2_other_numbers_are_no_bids(refusal, size, bid):
    assert "bid-illegal" in refusal(in_order(size), [PASS, PASS, bid, PASS])


@pytest.mark.parametrize("bid", [True, None, 2.0, float("nan"), "2"])
def test_b2_a_bid_is_an_integer(refusal, bid):
    assert "not-an-integer" in refusal(in_order(5), [PASS, PASS, bid, PASS])


def test_b2_bids_need_not_rise(play):
    assert play(in_order(9), [BOARD, 7, 3, 1]).bids == (1, BOARD, 7, 3)
    assert play(in_order(9), [5, 5, 5, 5]).bids == (5, 5, 5, 5)


def test_b2_a_board_is_no_number(play):
    record = play(leader_wins(5, 5), [PASS, PASS, PASS, BOARD])
    assert record.contracts == (None, 0) and record.boards == (1, 0)


def test_b3_levels_count_the_boards_in_turn_whoever_claims_them(play):
    assert play(in_order(2), [BOARD, BOARD, BOARD, BOARD]).board_levels == (4, 1, 2, 3)
    assert play(in_order(2), [PASS, BOARD, 1, BOARD]).board_levels == (2, 0, 1, 0)
    assert play(in_order(2), [BOARD, PASS, BOARD, BOARD]).board_levels == (3, 1, 0, 2)
    assert play(in_order(2, dealer=WEST), [BOARD, PASS, BOARD, PASS]).board_levels == (1, 0, 2, 0)


def test_b4_a_contract_is_the_sum_of_the_sides_numbers(play):
    assert play(in_order(7), [3, 2, 1, PASS]).contracts == (2, 4)
    assert play(in_order(7), [PASS, 2, PASS, 6]).contracts == (8, 0)


def test_b4_a_contract_above_the_hand_size_stands_and_fails(play):
    record = play(leader_wins(4, 4, leader=SOUTH), [PASS, 3, PASS, 3])
    assert record.contracts == (6, 0) and record.tricks_won[SOUTH] == 4
    assert record.points == (-30, 0)


@pytest.mark.parametrize("bids", [[3, PASS, BOARD, PASS], [BOARD, PASS, 3, PASS]])
def test_b4_the_partners_number_is_void_before_or_after_a_board(play, bids):
    leader = EAST if bids[0] == BOARD else WEST
    record = play(leader_wins(4, 4, leader=leader), bids)
    assert record.contracts == (0, None) and record.boards == (0, 1)
    assert record.points == (0, 40)
    record = play(leader_wins(3, 4, leader=leader), bids)
    assert record.points == (1, -40)


def test_b4_of_two_boards_in_a_side_the_higher_level_counts(play):
    record = play(in_order(3), [BOARD, PASS, BOARD, BOARD])
    assert record.boards == (3, 2) and record.contracts == (None, None)


def test_b5_all_pass_throws_the_cards_in(play):
    record = play(in_order(4), [PASS] * 4)
    assert record.outcome == "thrown-in"
    assert (record.leader, record.tricks, record.tricks_won) == (None, (), (0, 0, 0, 0))
    assert (record.points, record.contracts, record.boards) == ((0, 0), (0, 0), (0, 0))


def test_b5_all_pass_scores_zero_under_score_zero(play):
    record = play(in_order(4), [PASS] * 4, rules=Rules(all_pass="score-zero"))
    assert record.outcome == "passed-out"
    assert (record.leader, record.tricks, record.points) == (None, (), (0, 0))


def test_b5_one_bid_keeps_the_deal_alive(play):
    assert play(in_order(4), [PASS, PASS, PASS, 1]).outcome == "played"
    assert play(in_order(1), [PASS, PASS, PASS, BOARD]).outcome == "played"


def test_b5_redeal_is_the_default():
    assert Rules().all_pass == "redeal"


def test_case_8_a_contract_of_15_always_fails(play):
    for leader in ([PASS, 8, PASS, 7], [12, 8, PASS, 7]):
        record = play(one_suit_each(), leader)
        assert record.contracts[0] == 15 and record.points[0] == -75


def test_case_9_the_leaders_of_two_biddings(play):
    assert play(in_order(6), [3, 3, 2, 3]).leader == EAST
    record = play(in_order(6), [3, BOARD, 5, BOARD])
    assert record.leader == NORTH
    assert record.contracts == (None, 8) and record.boards == (2, 0)
