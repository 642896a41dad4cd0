"""The bit operations: right in Python, and the same compiled, on every edge."""

import random
from itertools import pairwise

import numba
import numpy as np
import pytest

from sim.game import bits, cards
from sim.game.bits import count, highest, lowest, scale, select

CHANCE = random.Random(11)
EDGES = [0, 1, 1 << 53, cards.ALL, cards.JOKERS, (1 << 54) - 2, 0x2AAAAAAAAAAAAA, 0x15555555555555]
SETS = EDGES + [CHANCE.getrandbits(54) for _ in range(200)] + [1 << card for card in range(54)]
RANDOMS = [0, 1, 2**63 - 1, 2**62, *(CHANCE.getrandbits(63) for _ in range(50))]


@numba.njit
def compiled(held):
    return count(held), lowest(held), highest(held)


@numba.njit
def compiled_select(held, k):
    return select(held, k)


@numba.njit
def compiled_scale(number, n):
    return scale(number, n)


@numba.njit
def compiled_choices(held, number, n):
    return cards.below(number, n), cards.pick(held, number)


@numba.njit
def compiled_cards(held, card, suit):
    return (
        cards.single(card),
        cards.contains(held, card),
        cards.suit(card),
        cards.rank(card),
        cards.lane(suit % 4),
        cards.trumps(suit),
    )


@pytest.mark.parametrize("kind", [int, np.int64, np.uint64])
def test_count_lowest_and_highest(kind):
    for held in SETS:
        codes = [card for card in range(54) if held >> card & 1]
        expected = (len(codes), codes[0] if codes else -1, codes[-1] if codes else -1)
        assert (count(kind(held)), lowest(kind(held)), highest(kind(held))) == expected
        assert compiled(kind(held)) == expected


def test_select_is_the_card_at_its_place():
    for held in SETS:
        for k, card in enumerate(cards.to_codes(held)):
            assert select(held, k) == compiled_select(held, k) == card


def test_select_without_the_processors_instruction_is_the_same(monkeypatch):
    monkeypatch.setattr(bits.binding, "get_host_cpu_features", dict)
    descend = numba.njit(bits._compiled_select(None, None))
    assert descend.py_func.__name__ == "descend"
    for held in SETS:
        for k, card in enumerate(cards.to_codes(held)):
            assert descend(held, k) == card


def test_scale_spreads_random_bits_over_a_range():
    for number in RANDOMS:
        for n in (1, 2, 3, 13, 54, 1000, 2**31):
            expected = number * n // 2**63
            assert scale(number, n) == compiled_scale(number, n) == expected and 0 <= expected < n
            assert scale(np.int64(number), np.int8(n) if n < 100 else n) == expected


def test_below_and_pick_are_the_same_compiled():
    for number in RANDOMS:
        for held in SETS[1:60]:
            n = CHANCE.randint(1, 60)
            chosen = cards.below(number, n), cards.pick(held, number)
            assert compiled_choices(held, number, n) == chosen
            assert 0 <= chosen[0] < n and cards.contains(held, chosen[1])


@pytest.mark.parametrize("n", [1, 2, 3, 6, 7, 13, 14, 54])
def test_every_choice_has_its_exact_share_of_the_random_numbers(n):
    """Below splits 0 … 2**63 − 1 into n runs, whose lengths differ by one at most."""
    firsts = [-(-k * 2**63 // n) for k in range(n)] + [2**63]
    lengths = [after - first for first, after in pairwise(firsts)]
    assert max(lengths) - min(lengths) <= 1
    held = cards.to_set(CHANCE.sample(range(54), n))
    for k, first in enumerate(firsts[:-1]):
        assert cards.below(first, n) == k and (k == 0 or cards.below(first - 1, n) == k - 1)
        assert cards.pick(held, first) == cards.to_codes(held)[k]
    assert cards.below(2**63 - 1, n) == n - 1


def test_the_card_functions_are_the_same_compiled():
    for held in SETS[:60]:
        for card in range(54):
            for suit in range(5):
                expected = (
                    cards.single(card), cards.contains(held, card), cards.suit(card), cards.rank(card),
                    cards.lane(suit % 4), cards.trumps(suit),
                )  # fmt: skip
                assert compiled_cards(held, card, suit) == expected
