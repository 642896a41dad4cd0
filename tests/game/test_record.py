"""Deals: what they accept and what they refuse. The text forms are tested in test_notation.py."""

import dataclasses

import numpy as np
import pytest

from sim.game import cards
from sim.game.record import Deal, Record, Trick
from tests.game.golden import TEXT

HANDS = ["AS KS", "AH KH", "AD KD", "AC KC"]


def test_hands_are_sets_however_they_are_given():
    as_sets = [cards.to_set(hand) for hand in HANDS]
    as_codes = [cards.to_codes(hand) for hand in as_sets]
    as_names = [hand.split() for hand in HANDS]
    deals = [Deal(hands, "2C", 3, ["TH"]) for hands in (HANDS, as_sets, as_codes, as_names, tuple(as_names))]
    assert all(deal == deals[0] for deal in deals)
    assert deals[0].hands == tuple(as_sets) and deals[0].hand_size == 2
    assert (deals[0].turned, deals[0].dealer, deals[0].stock) == (0, 3, (34,))


def test_numpy_values_become_plain_integers():
    deal = Deal(np.array([cards.to_set(hand) for hand in HANDS], np.uint64), np.uint8(0), np.uint8(2), np.array([34]))
    assert all(type(value) is int for value in (*deal.hands, deal.turned, deal.dealer, *deal.stock))
    assert deal == Deal(HANDS, "2C", 2, ["10H"])


@pytest.mark.parametrize(
    "hands, turned, dealer, stock, words",
    [
        (HANDS[:3], "2C", 0, [], "a deal has four hands, by seat; here are 3"),
        (["AS", *HANDS[1:]], "2C", 0, [], "the hands hold [1, 2, 2, 2] cards"),
        ([[], [], [], []], "2C", 0, [], "the hands hold [0, 0, 0, 0] cards"),
        (["AS AH", *HANDS[1:]], "2C", 0, [], "AH: in two places"),
        (["AS AS", *HANDS[1:]], "2C", 0, [], "AS is there twice"),
        (HANDS, "AC", 0, [], "AC: in two places"),
        (HANDS, "2C", 0, ["2C"], "2C: in two places"),
        (HANDS, "2C", 0, ["3C", "3C"], "3C: in two places"),
        (HANDS, "1C", 0, [], "no card is named '1C'"),
        (HANDS, 54, 0, [], "no card has the code 54"),
        (HANDS, "2C", 4, [], "the dealer 4 is no seat"),
        (HANDS, "2C", True, [], "the dealer True is no seat"),
        (HANDS, "2C", "North", [], "the dealer 'North' is no seat"),
    ],
)
def test_a_deal_that_cannot_be_is_refused(hands, turned, dealer, stock, words):
    with pytest.raises(ValueError) as refused:
        Deal(hands, turned, dealer, stock)
    assert words in str(refused.value)


def test_a_deal_of_14_cards_is_refused():
    with pytest.raises(ValueError, match="1 to 13"):
        Deal([cards.lane(suit) | (1 << 52 + suit if suit < 2 else 0) for suit in range(4)], 53)


def test_deals_tricks_and_records_do_not_change():
    record = Record.from_text(TEXT)
    for value, field in ((record, "points"), (record.deal, "turned"), (record.tricks[0], "winner")):
        with pytest.raises((dataclasses.FrozenInstanceError, AttributeError)):
            setattr(value, field, 0)
    assert hash(record.tricks[0]) == hash(Trick(0, record.tricks[0].cards, 0))
