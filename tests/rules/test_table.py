"""T1 to T3: the table and the cards."""

from itertools import pairwise

import pytest

from sim.game import cards
from sim.game.record import BOARD, SEATS, SIDES
from tests.rules.deals import EAST, NORTH, SOUTH, WEST, dealt, in_order, leader_wins, one_suit_each


@pytest.mark.parametrize("dealer", range(4))
def test_t1_dealing_bidding_and_play_go_clockwise(play, dealer):
    deal = leader_wins(3, 5, leader=(dealer + 2) % 4, dealer=dealer)
    record = play(deal, [1, 4, 2, 3])
    assert [record.bids[(dealer + step) % 4] for step in (1, 2, 3, 4)] == [1, 4, 2, 3]
    for trick in record.tricks:
        for place, card in enumerate(trick.cards):
            assert cards.contains(record.hands[(trick.leader + place) % 4], card)


def test_t1_partners_sit_opposite(play):
    record = play(leader_wins(5, 5, leader=SOUTH), [0, 2, 1, 2])
    assert SEATS == ("North", "East", "South", "West") and SIDES == ("NS", "EW")
    assert record.contracts == (4, 1)
    assert record.points == (4 * 5 + 1, -5)


def test_t2_there_are_52_cards_and_two_bloopers(play):
    record = play(in_order(12), [1, 1, 1, 1])
    places = [card for trick in record.tricks for card in trick.cards] + [record.turned, *record.deal.stock]
    assert sorted(places) == list(range(54))
    assert cards.name(52) == "LB" and cards.name(53) == "BB"
    assert len({cards.name(code) for code in range(54)}) == 54


@pytest.mark.parametrize("suit", "CDHS")
def test_t3_plain_suits_rank_from_ace_down_to_two(play, suit):
    side_suit = "H" if suit != "H" else "S"
    for lower, higher in zip("23456789TJQK", "3456789TJQKA", strict=True):
        others = [f"{rank}{side_suit}" for rank in "AK"]
        deal = dealt(lower + suit, higher + suit, others[0], others[1], turned="BB")
        assert play(deal, [0, 0, 0, BOARD]).tricks[0].winner == EAST


@pytest.mark.parametrize("suit", "CDHS")
def test_t3_jokers_are_trumps_above_the_ace(play, suit):
    trumps = [rank + suit for rank in "23456789TJQKA"] + ["LB", "BB"]
    for lower, higher in pairwise(trumps):
        turned = next(card for card in trumps if card not in (lower, higher))
        plain = "H" if suit != "H" else "S"
        deal = dealt(lower, higher, f"A{plain}", f"K{plain}", turned)
        assert play(deal, [0, 0, 0, BOARD]).tricks[0].winner == EAST
        deal = dealt(higher, lower, f"A{plain}", f"K{plain}", turned)
        assert play(deal, [0, 0, 0, BOARD]).tricks[0].winner == NORTH


def test_t3_a_joker_belongs_to_the_trump_suit_whatever_it_is(legal_at):
    for turned in ("9C", "9D", "9H", "9S"):
        trump = turned[1]
        plain = "C" if trump != "C" else "D"
        deal = dealt(f"2{trump} A{plain}", f"LB K{plain}", f"BB Q{plain}", f"J{plain} T{plain}", turned)
        assert legal_at(deal, [0, 0, 0, BOARD], [f"2{trump}"]) == {"LB"}
        assert legal_at(deal, [0, 0, 0, BOARD], [f"2{trump} LB"]) == {"BB"}


def test_t3_without_trump_the_highest_card_of_the_suit_led_wins(play):
    record = play(one_suit_each(), [0, 1, 0, 0])
    assert record.trump == cards.NO_TRUMP
    assert record.tricks_won[SOUTH] == 13 and record.tricks_won[WEST] == 0
