"""The card play that the library shares, one maxim a test. Hearts are trump, East bids one and leads."""

from itertools import islice

from hypothesis import given, settings

from sim import View, cards
from strategies.passer import Passer
from tests import generators
from tests.rules.deals import dealt
from tests.strategies.library import changed, view_at

ONE, BOARD = (1, 0, 0, 0), (99, 0, 0, 0)


def plays(view: View) -> str:
    return cards.name(Passer().play(view))


def leads(hand: str, bids: tuple[int, ...] = ONE) -> View:
    """East's view on lead."""
    return view_at(dealt(north="2C 3C 4C", east=hand, south="5C 6C 7C", west="8C 9C 10C", turned="9H"), bids)


def follows(hand: str, *trick: str) -> View:
    """The view of the player after the cards of a trick that East led; no one else has more spades or trumps."""
    size = len(hand.split())
    spare = iter(cards.names((cards.lane(cards.DIAMONDS) | cards.lane(cards.CLUBS)) & ~cards.to_set(hand)).split())
    held = [[card] for card in trick] + [hand.split()] + [[] for _ in range(3 - len(trick))]
    east, south, west, north = (" ".join([*own, *islice(spare, size - len(own))]) for own in held)
    return view_at(dealt(north, east, south, west, turned="9H"), [*ONE, *map(cards.parse, trick)])


def test_leads_a_top_trump_to_draw_trumps() -> None:
    assert plays(leads("BB 3H AS", BOARD)) == "BB"
    assert plays(leads("LB 3H AS", BOARD)) == "LB"  # the Big alone beats it


def test_leads_no_trump_that_two_cards_out_beat() -> None:
    assert plays(leads("AH 3H 2S", BOARD)) == "2S"


def test_draws_no_trumps_from_opponents_who_have_none() -> None:
    view = leads("BB 3H 2S", BOARD)
    assert plays(changed(view, void=(0b0100, 0, 0b0100, 0))) == "2S"
    assert plays(changed(view, void=(0b0100, 0, 0, 0b0100))) == "BB"


def test_leads_a_master() -> None:
    assert plays(leads("2D 4S AD")) == "AD"
    view = changed(leads("2D 4S KD"), played=(cards.to_set("AD"), 0, 0, 0))
    assert plays(view) == "KD"


def test_leads_from_the_shortest_suit_to_ruff_it_and_without_trumps_from_the_longest() -> None:
    assert plays(leads("2H 5S QD")) == "5S"
    assert plays(leads("6S 5S QD")) == "5S"
    assert plays(changed(leads("6S 5S 3D"), hand=cards.to_set("6S 5S 3D 2H"))) == "3D"


def test_second_hand_wins_with_a_master_or_cheaply() -> None:
    assert plays(follows("AS KS 2S", "5S")) == "KS"
    assert plays(follows("QS 9S 2S", "5S")) == "9S"
    assert plays(follows("4S 3S 2S", "5S")) == "2S"


def test_third_hand_plays_high_and_the_lower_of_equals() -> None:
    assert plays(follows("KS 9S 2S", "5S", "7S")) == "KS"
    assert plays(follows("KS QS 2S", "5S", "7S")) == "QS"


def test_third_hand_does_not_spend_a_card_no_better_than_the_partners() -> None:
    assert plays(follows("KS 3S 2S", "QS", "4S")) == "2S"
    assert plays(follows("AS 3S 2S", "QS", "4S")) == "AS"


def test_third_hand_does_not_ruff_a_master_but_ruffs_what_may_be_beaten() -> None:
    assert plays(follows("2H 3C 4C", "AS", "4S")) == "3C"
    assert plays(follows("2H 3C 4C", "QS", "4S")) == "2H"


def test_third_hand_thinks_of_a_last_player_who_is_void() -> None:
    view = follows("2H 3C 4C", "AS", "4S")
    assert plays(changed(view, void=(0b1000, 0, 0, 0))) == "2H"
    assert plays(changed(view, void=(0b1100, 0, 0, 0))) == "3C"


def test_last_hand_wins_as_cheaply_as_it_can() -> None:
    assert plays(follows("AS QS 2S", "10S", "4S", "3S")) == "QS"
    assert plays(follows("3H 2H 2C", "10S", "4S", "3S")) == "2H"


def test_nobody_overtakes_a_partner_whose_card_holds() -> None:
    assert plays(follows("AS QS 2S", "5S", "10S", "3S")) == "2S"
    assert plays(follows("2H 5C 2C", "5S", "10S", "3S")) == "2C"


def test_throws_from_the_shortest_suit_with_a_trump_to_ruff_it_else_the_lowest_card() -> None:
    assert plays(follows("2H KD 9C 4C", "5S", "AS", "3S")) == "KD"
    assert plays(follows("KD 9C 4C", "5S", "AS", "3S")) == "4C"


@settings(deadline=None)
@given(generators.played_deals())
def test_plays_a_legal_card_at_every_turn(played) -> None:
    record, rules, legal = played
    moves = [record.bids[(record.deal.dealer + turn) % 4] for turn in range(1, 5)]
    for number, card in enumerate(card for trick in record.tricks for card in trick.cards):
        if number % 5 == 0:
            assert cards.contains(legal[number], Passer().play(view_at(record.deal, moves, rules)))
        moves.append(card)
