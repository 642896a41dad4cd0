"""Cards: codes, names and sets, and what is no card and no set."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim import cards

SETS = st.integers(0, cards.ALL)
NOT_INTEGERS = [True, False, np.True_, 2.0, np.float64(2), 3.7, None, 2j, b"AS"]


def test_the_54_codes_and_their_names():
    assert [cards.name(card) for card in (0, 8, 12, 13, 26, 39, 51, 52, 53)] == [
        "2C", "10C", "AC", "2D", "2H", "2S", "AS", "LB", "BB",
    ]  # fmt: skip
    assert len({cards.name(card) for card in range(54)}) == 54
    assert [cards.parse(cards.name(card)) for card in range(54)] == list(range(54))


@pytest.mark.parametrize(
    "text, code", [("as", 51), ("TH", 34), ("10h", 34), (" Bb ", 53), ("lb", 52), (np.str_("2C"), 0)]
)
def test_names_are_read_in_any_case_and_ten_as_t(text, code):
    assert cards.parse(text) == code


@pytest.mark.parametrize("code", [7, np.int64(7), np.uint8(7), np.int8(7)])
def test_codes_become_plain_integers(code):
    assert cards.parse(code) == 7 and type(cards.parse(code)) is int and cards.name(code) == "9C"


@pytest.mark.parametrize("text", ["", "1C", "11C", "AX", "A", "S", "A S", "JOKER", "AC AC"])
def test_what_names_no_card(text):
    with pytest.raises(
        ValueError, match=r"no card is named .*: write a rank and a suit \(AS, 10H or TH, 2C\), LB or BB"
    ):
        cards.parse(text)


@pytest.mark.parametrize("value", [-1, 54, 2**64, *NOT_INTEGERS], ids=repr)
@pytest.mark.parametrize("function", [cards.parse, cards.name])
def test_what_is_no_code(function, value):
    with pytest.raises(ValueError, match=r"no card has the code .*: codes run from 0"):
        function(value)


@pytest.mark.parametrize("value", [-1, cards.ALL + 1, 2**64, *NOT_INTEGERS[:-1]], ids=repr)
@pytest.mark.parametrize("function", [cards.to_set, cards.to_codes, cards.names])
def test_what_is_no_set(function, value):
    with pytest.raises(ValueError, match="is no set of the 54 cards"):
        function(value)


@pytest.mark.parametrize("written", [["AS", None], [True], [2.0], [[1]], [54], "AS 1C", [b"AS"]])
def test_a_set_of_what_are_no_cards(written):
    with pytest.raises(ValueError, match="no card"):
        cards.to_set(written)


def test_a_card_is_in_a_set_once():
    with pytest.raises(ValueError, match="10H is there twice"):
        cards.to_set("TH AS 10h")
    with pytest.raises(ValueError, match="2C is there twice"):
        cards.to_set([0, "2C"])


def test_sets_are_read_from_names_codes_and_sets():
    expected = 1 << 51 | 1 << 34 | 1 << 53
    for written in ("AS TH BB", ["as", 34, "bb"], (51, 34, 53), {51, 34, 53}, np.array([51, 34, 53]), expected):
        assert cards.to_set(written) == expected
    assert cards.to_set(np.uint64(expected)) == expected and type(cards.to_set(np.int64(expected))) is int
    assert cards.to_set("") == cards.to_set([]) == cards.to_set(0) == 0


def test_a_set_is_shown_as_people_read_it():
    assert cards.names(cards.to_set("2C AS LB 10H TD BB KS")) == "BB LB AS KS 10H 10D 2C"
    assert cards.names(0) == ""


@given(SETS)
def test_a_set_its_codes_and_its_names_are_one(held):
    codes = cards.to_codes(held)
    assert codes == sorted(codes) == [card for card in range(54) if cards.contains(held, card)]
    assert cards.to_set(codes) == cards.to_set(cards.names(held)) == held
    assert cards.count(held) == len(codes)


def test_suits_are_lanes_and_the_jokers_stand_above_them():
    lanes = [cards.lane(suit) for suit in range(4)]
    assert sum(lanes) | cards.JOKERS == cards.ALL == (1 << 54) - 1
    for card in range(52):
        assert cards.contains(lanes[cards.suit(card)], card) and card == 13 * cards.suit(card) + cards.rank(card)
    assert (cards.CLUBS, cards.DIAMONDS, cards.HEARTS, cards.SPADES, cards.NO_TRUMP) == (0, 1, 2, 3, 4)
    assert [cards.suit(joker) for joker in (52, 53)] == [4, 4] and [cards.rank(joker) for joker in (52, 53)] == [0, 1]


def test_trump_holds_the_jokers_and_no_trump_holds_nothing():
    for suit in range(4):
        assert cards.trumps(suit) == cards.lane(suit) | cards.JOKERS
        assert cards.highest(cards.trumps(suit)) == cards.BIG_BLOOPER
    assert cards.trumps(cards.NO_TRUMP) == 0


def test_what_the_module_offers_is_there():
    assert all(hasattr(cards, name) for name in cards.__all__)
