"""No strategy of the library decides by cards that it cannot see, and one that does is found out."""

import random
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim import PASS, Deal, Rules, Strategy, cards
from tests import generators
from tests.strategies.hidden_cards import changed_mind
from tests.strategies.library import LABELS, interpreted

CHANCE = st.integers(0, 2**32).map(random.Random)


@pytest.mark.parametrize("label", LABELS)
@settings(max_examples=25, deadline=None)
@given(deal=generators.deals(), rules=generators.rules(), chance=CHANCE)
def test_no_strategy_decides_by_hidden_cards(label: str, deal: Deal, rules: Rules, chance: random.Random) -> None:
    assert changed_mind(interpreted(label), deal, rules, chance) is None


class Peeker(Strategy):
    """Looks up through the frames that called it for the deal, and plays by the hand on its left."""

    compiled = False

    def bid(self, view):
        return PASS

    def play(self, view):
        frame = sys._getframe()
        while "deal" not in frame.f_locals:
            frame = frame.f_back
        left = frame.f_locals["deal"].hands[(view.seat + 1) % 4]
        return cards.lowest(view.legal) if left & cards.lane(cards.SPADES) else cards.highest(view.legal)


def test_a_strategy_that_peeks_is_found_out() -> None:
    chance = random.Random(1)
    found = [changed_mind(Peeker(), dealt_by(chance, 4), Rules(), chance) for _ in range(30)]
    assert any(found)


def dealt_by(chance: random.Random, size: int) -> Deal:
    deck = chance.sample(range(54), 54)
    hands = [deck[seat * size : (seat + 1) * size] for seat in range(4)]
    return Deal(hands, deck[4 * size], chance.randrange(4), deck[4 * size + 1 :])
