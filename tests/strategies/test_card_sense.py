"""The tricks with bits of the card sense, against the same thing said slowly."""

from hypothesis import given, settings
from hypothesis import strategies as st

from sim import cards
from strategies import _card_sense as sense
from tests.rules.deals import dealt
from tests.strategies.library import view_at

SUITS = range(4)
PLAIN = st.sets(st.integers(0, 51), min_size=1).map(cards.to_set)
TRUMP_SETS = st.sampled_from([cards.trumps(trump) for trump in range(5)])


def in_suit(held: int, suit: int) -> list[int]:
    return cards.to_codes(held & cards.lane(suit))


@settings(deadline=None)
@given(PLAIN)
def test_what_is_not_above_a_set_has_a_card_of_its_suit_there_that_is_as_high(out: int) -> None:
    slow = [card for card in range(52) if any(other >= card for other in in_suit(out, card // 13))]
    assert sense.not_above(out) == cards.to_set(slow)


@settings(deadline=None)
@given(PLAIN)
def test_the_lowest_of_all_has_no_lower_rank_beside_it(plain: int) -> None:
    card = sense.lowest_of_all(plain)
    assert cards.contains(plain, card) and card % 13 == min(code % 13 for code in cards.to_codes(plain))


@settings(deadline=None)
@given(PLAIN)
def test_shortest_and_longest_suits(plain: int) -> None:
    suits = [in_suit(plain, suit) for suit in SUITS if in_suit(plain, suit)]
    short, long = sense.from_shortest(plain), sense.from_longest(plain)
    assert short == min(suits, key=lambda suit: (len(suit), suit[0] % 13, suit[0]))[0]
    assert long == max(suits, key=lambda suit: (len(suit), suit[0] % 13, suit[0]))[0]


@settings(deadline=None)
@given(TRUMP_SETS, st.integers(0, 51), st.integers(0, 53))
def test_what_beats_a_card(trump_set: int, card: int, other: int) -> None:
    trumps, same = cards.contains(trump_set, card), other < 52 and other // 13 == card // 13
    beaten = other > card and cards.contains(trump_set, other) if trumps else (same and other > card)
    beaten |= not trumps and cards.contains(trump_set, other)
    assert cards.contains(sense.beating(card, trump_set), other) == beaten


def test_seats_go_on_round_the_table() -> None:
    assert [sense.at((10, 11, 12, 13), seat) for seat in range(7)] == [10, 11, 12, 13, 10, 11, 12]


def test_unseen_are_the_other_hands_and_the_stock() -> None:
    deal = dealt("2C 3C", "4C 5C", "6C 7C", "8C 9C", turned="9H")
    view = view_at(deal, [1, 0, 0, 0, cards.parse("4C")])
    assert sense.unseen(view) == cards.ALL & ~cards.to_set("4C 6C 7C 9H")
