"""The idea of each bidder, on hands where it shows."""

from collections import Counter as Tally

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim import BOARD, PASS, Deal, Strategy, View
from strategies.bold import Bold
from strategies.cautious import Cautious
from strategies.clockwatch import Clockwatch
from strategies.counter import Counter
from strategies.doubler import Doubler
from strategies.gambler import Gambler
from strategies.passer import Passer
from strategies.random_legal import RandomLegal
from tests import generators
from tests.rules.deals import dealt
from tests.strategies.library import changed, view_at

BIDDERS = [Counter, Cautious, Bold, Gambler, Doubler, Clockwatch]
WEAK = "2S 3S 4D"
STRONG = "BB LB AH"


@st.composite
def biddings(draw: st.DrawFn) -> View:
    """What a player sees who is to bid more than one card, after up to three other bids."""
    deal: Deal = draw(generators.deals(st.integers(2, 13)))
    return view_at(deal, draw(generators.bids(deal.hand_size))[: draw(st.integers(0, 3))])


def to_bid(hand: str, *before: int) -> View:
    """The view of a player who is to bid after some others, East first; hearts trump, the other hands low clubs."""
    size, clubs = len(hand.split()), iter([*range(2, 11), "J", "Q", "K"])
    hands = [" ".join(f"{next(clubs)}C" for _ in range(size)) for _ in range(3)]
    hands.insert((1 + len(before)) % 4, hand)
    return view_at(dealt(*hands, turned="9H"), before)


@settings(deadline=None)
@given(biddings())
def test_passer_never_bids(view: View) -> None:
    assert Passer().bid(view) == PASS


def test_random_legal_makes_every_legal_bid_about_equally_often() -> None:
    view = to_bid(WEAK)
    bids = Tally(RandomLegal().bid(changed(view, random=k << 55)) for k in range(256))
    assert bids == {PASS: 64, 1: 64, 2: 64, BOARD: 64}


def test_counter_bids_more_on_a_stronger_hand() -> None:
    hands = ("2S 3S 4D", "2H 3H AS", "BB 3H AS", "BB AH KH")
    assert [Counter().bid(to_bid(hand)) for hand in hands] == [0, 1, 1, 2]


@settings(deadline=None)
@given(biddings())
def test_counter_never_claims_board_with_more_than_one_card(view: View) -> None:
    assert PASS <= Counter().bid(view) < view.hand_size


@settings(deadline=None)
@given(biddings())
def test_counter_passes_when_a_board_has_been_claimed(view: View) -> None:
    assert Counter().bid(view) == PASS or not any(view.board_level)


@settings(deadline=None)
@given(biddings())
def test_cautious_bids_no_more_than_counter_and_bold_no_less(view: View) -> None:
    assert Cautious().bid(view) <= Counter().bid(view) <= Bold().bid(view)


@pytest.mark.parametrize("bidder", BIDDERS)
def test_with_one_card_the_top_trump_claims_board_whatever_was_bid(bidder: type[Strategy]) -> None:
    for before in ((), (0,), (99,), (99, 0), (0, 99, 99)):
        assert bidder().bid(to_bid("BB", *before)) == BOARD


@pytest.mark.parametrize("bidder", BIDDERS)
def test_with_one_card_a_low_card_claims_only_after_three_passes_or_the_partners_claim(bidder: type[Strategy]) -> None:
    answers = {before: bidder().bid(to_bid("3D", *before)) for before in ((), (0, 0, 0), (99,), (99, 0), (0, 99))}
    assert answers == {(): PASS, (0, 0, 0): BOARD, (99,): PASS, (99, 0): BOARD, (0, 99): PASS}


def test_gambler_claims_board_on_both_bloopers_and_the_ace() -> None:
    view = to_bid(STRONG)
    assert Gambler().bid(view) == BOARD and Counter().bid(view) == 2
    assert Gambler(threshold=1.1).bid(view) == 2


def test_gambler_counts_half_of_its_partners_bid() -> None:
    assert Gambler().bid(to_bid("BB AS 2D", 0, 0)) == 2
    assert Gambler().bid(to_bid("BB AS 2D", 2, 0)) == BOARD


@settings(deadline=None)
@given(biddings())
def test_gambler_bids_as_counter_where_it_does_not_claim(view: View) -> None:
    assert Gambler().bid(view) in (BOARD, Counter().bid(view))


def test_doubler_raises_its_partners_board_on_any_hand() -> None:
    assert Doubler().bid(to_bid(WEAK, 99, 0)) == BOARD
    assert Gambler().bid(to_bid(WEAK, 99, 0)) == PASS


def test_doubler_claims_over_an_opponents_board_only_on_a_hand_that_takes_every_trick() -> None:
    assert Doubler().bid(to_bid("BB LB", 99)) == BOARD
    assert Doubler().bid(to_bid("BB 3H", 99)) == PASS
    assert Doubler().bid(to_bid("BB 3H", 99, 99)) == PASS  # an opponent has doubled the partner's board


@settings(deadline=None)
@given(biddings(), st.integers(0, 300), st.integers(0, 168))
def test_clockwatch_bids_more_when_behind_and_less_when_ahead(view: View, points: int, tricks_after: int) -> None:
    def bid(north_south: int, east_west: int) -> int:
        return Clockwatch().bid(changed(view, score=(north_south, east_west), tricks_after=tricks_after))

    ahead, behind = ((points, 0), (0, points)) if view.seat % 2 == 0 else ((0, points), (points, 0))
    assert bid(*ahead) <= bid(0, 0) == Counter().bid(view) <= bid(*behind)


def test_clockwatch_keeps_back_less_the_later_it_is_behind() -> None:
    view = changed(to_bid(WEAK), score=(20, 0))
    reserves = [Clockwatch().reserve(changed(view, tricks_after=tricks)) for tricks in (150, 50, 20, 0)]
    assert reserves == sorted(reserves, reverse=True) and reserves[-1] == 0
