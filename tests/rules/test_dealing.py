"""D3 and D4: the cards and the turned card. D1 and D2 are in test_match.py."""

import pytest

from sim.game import cards
from sim.game.house import Rules
from sim.game.record import BOARD, Deal
from tests.rules.deals import EAST, NORTH, SOUTH, WEST, dealt, in_order

BURN = Rules(joker_turned="burn")
BIDS = [1, 0, 0, 0]


@pytest.mark.parametrize("size", range(1, 13))
def test_d3_the_suit_of_the_turned_card_is_trump(play, size):
    record = play(in_order(size), [0, 0, 0, BOARD])
    assert record.turned == 4 * size
    assert record.trump == 4 * size // 13
    assert record.swap_seat is None and record.swap_card is None


def test_d3_the_turned_card_and_the_rest_are_out_of_play(play):
    record = play(in_order(5), BIDS)
    played = cards.to_set([card for trick in record.tricks for card in trick.cards])
    assert played == cards.to_set(range(20))


@pytest.mark.parametrize("turned", ["LB", "BB"])
def test_d4_a_joker_turned_means_no_trump(play, turned):
    record = play(dealt("2S", "AH", "AD", "AC", turned), [0, 0, 0, BOARD])
    assert (record.trump, record.turned) == (cards.NO_TRUMP, cards.parse(turned))
    assert record.tricks[0].winner == NORTH


@pytest.mark.parametrize("turned, other", [("LB", "BB"), ("BB", "LB")])
@pytest.mark.parametrize("seat", range(4))
def test_d4_the_other_joker_is_swapped_for_the_top_of_the_rest(play, turned, other, seat):
    hands = [["AS", "KS"], ["AH", "KH"], ["AD", "KD"], ["AC", "KC"]]
    hands[seat][0] = other
    record = play(Deal(hands, turned, stock=["2C", "3C"]), BIDS)
    assert (record.swap_seat, record.swap_card) == (seat, cards.parse("2C"))
    assert record.hands[seat] == cards.to_set(["2C", hands[seat][1]])
    assert all(record.hands[mate] == cards.to_set(hands[mate]) for mate in range(4) if mate != seat)
    assert record.deal.hands[seat] == cards.to_set(hands[seat])


def test_d4_the_drawn_card_is_played_like_any_other(legal_at):
    deal = dealt("AS KS", "LB KH", "AD KD", "AC KC", "BB", stock="2S")
    assert legal_at(deal, [0, 0, 0, BOARD], ["AS"]) == {"2S"}


def test_d4_nothing_happens_when_the_other_joker_is_undealt(play):
    record = play(dealt("AS", "AH", "AD", "AC", "BB", stock="2C LB 3C"), [0, 0, 0, BOARD])
    assert record.swap_seat is None and record.swap_card is None
    assert record.hands == record.deal.hands


def test_d4_no_joker_is_in_play_without_trump(play):
    record = play(dealt("AS KS", "LB KH", "AD KD", "AC KC", "BB", stock="2C"), BIDS)
    assert not any(card >= cards.LITTLE_BLOOPER for trick in record.tricks for card in trick.cards)


def test_d4_no_trump_is_the_default():
    assert Rules().joker_turned == "no-trump"


@pytest.mark.parametrize("turned, other", [("LB", "BB"), ("BB", "LB")])
def test_d4_burn_turns_the_next_card(play, turned, other):
    record = play(dealt("AS", other, "AD", "AC", turned, stock="2H 3C"), [0, 0, 0, BOARD], rules=BURN)
    assert (record.turned, record.trump) == (cards.parse("2H"), cards.HEARTS)
    assert record.deal.turned == cards.parse(turned)
    assert record.swap_seat is None and record.hands == record.deal.hands
    assert record.tricks[0].winner == EAST


def test_d4_burn_turns_until_a_suit_shows(play):
    record = play(dealt("AS", "AH", "AD", "AC", "BB", stock="LB 5D 3C"), [0, 0, 0, BOARD], rules=BURN)
    assert (record.turned, record.trump) == (cards.parse("5D"), cards.DIAMONDS)
    assert record.tricks[0].winner == SOUTH


@pytest.mark.parametrize("turned, other", [("LB", "BB"), ("BB", "LB")])
def test_d4_burn_has_no_trump_when_both_jokers_are_turned_at_13_cards(play, turned, other):
    deal = Deal([cards.lane(suit) for suit in range(4)], turned, stock=[other])
    record = play(deal, [0, 0, 0, BOARD], rules=BURN)
    assert (record.turned, record.trump, record.swap_seat) == (cards.parse(other), cards.NO_TRUMP, None)
    assert record.points == (130, 0)


def test_d4_burn_at_13_cards_turns_the_last_card(play):
    hands = [cards.lane(suit) for suit in range(4)]
    hands[WEST] ^= cards.to_set("2S LB")
    record = play(Deal(hands, "BB", stock=["2S"]), [0, 0, 0, BOARD], rules=BURN)
    assert (record.turned, record.trump) == (cards.parse("2S"), cards.SPADES)
    assert record.hands == record.deal.hands


def test_d4_burn_leaves_a_suit_turned_alone(play):
    record = play(dealt("AS", "AH", "LB", "BB", "2S", stock="2H"), [0, 0, 0, BOARD], rules=BURN)
    assert (record.turned, record.trump) == (cards.parse("2S"), cards.SPADES)


def test_case_11_west_takes_the_single_remaining_card(play):
    hands = [cards.lane(suit) for suit in range(4)]
    hands[WEST] ^= cards.to_set("9S LB")
    record = play(Deal(hands, "BB", stock=["9S"]), [0, 0, 0, BOARD])
    assert (record.swap_seat, record.swap_card) == (WEST, cards.parse("9S"))
    assert record.hands == tuple(cards.lane(suit) for suit in range(4))
    assert record.trump == cards.NO_TRUMP
