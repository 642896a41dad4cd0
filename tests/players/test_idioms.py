"""The usual idioms on card sets and integers mean the same compiled and interpreted: no set turns into a float."""

import random

import numpy as np
import pytest

from sim import cards
from sim.players.view import View
from tests.players.kit import Passer, ask, words_of

CHANCE = random.Random(5)
HANDS = [0, 1, 1 << 53, cards.ALL, *(CHANCE.getrandbits(54) for _ in range(6))]


def pop_cards(self, view):
    total, left = 0, view.hand
    while left:
        total = (31 * total + cards.lowest(left)) % 1000003
        left &= left - 1
    return total


def drop_each(self, view):
    total, hand = 0, view.hand
    for card in range(54):
        hand = hand & ~(1 << card)
        total = 7 * total + cards.count(hand)
        total %= 1000003
    return total


def mark_each(self, view):
    held = 0
    for card in range(54):
        if view.hand >> card & 1:
            held |= 1 << card
        held ^= 1 << (card // 2)
    return held


def complement(self, view):
    return ~view.hand & cards.ALL


def chance(self, view):
    return view.random % 13 + cards.below(view.random, 40) + (view.random >> 60) + (view.random & 1023)


def picks(self, view):
    return cards.pick(view.hand, view.random) if view.hand else -1


def negatives(self, view):
    a, b = view.score[0], view.score[1]
    return 1000 * (a // b) + 10 * (a % b) + (b // a) + b % a + abs(a) + (-a) // 2 + (-7) % 3 + (a >> 1)


def extremes(self, view):
    ours, theirs = view.score
    return max(ours, theirs) - min(ours, theirs) + (ours > theirs) + int(ours / theirs) + round(ours * 0.5) + ours**2


def counts(self, view):
    held = view.hand
    total = cards.count(held) + 2 * cards.highest(held) + 3 * cards.lowest(held)
    for suit in range(4):
        total = 5 * total + cards.count(held & cards.lane(suit)) + cards.count(held & cards.trumps(suit))
    return total % 1000003


def sums(self, view):
    return sum(view.tricks_won) + max(view.bids) + len(view.played) + sum([1 for bid in view.bids if bid > 2])


def loops(self, view):
    total = 0
    for seat, bid in enumerate(view.bids):
        total += seat * bid
    for won, bid in zip(view.tricks_won, view.bids):  # noqa: B905 (compiled code has no `strict`)
        total += 100 * (won - bid)
    return total


IDIOMS = [pop_cards, drop_each, mark_each, complement, chance, picks, negatives, extremes, counts, sums, loops]


def views():
    for number, hand in enumerate(HANDS):
        yield words_of(
            hand=hand,
            random=CHANCE.getrandbits(63) if number else 2**63 - 1,
            score=[CHANCE.randint(1, 500) * CHANCE.choice((-1, 1)) for _ in range(2)],
            bids=[CHANCE.randint(-1, 12) for _ in range(4)],
            tricks_won=[CHANCE.randint(0, 13) for _ in range(4)],
        )


@pytest.mark.parametrize("bid", IDIOMS, ids=lambda bid: bid.__name__)
def test_the_idiom_means_the_same_compiled_and_interpreted(bid):
    strategy = type("Idiom", (Passer,), {"bid": bid})()
    for words in views():
        assert ask(strategy, words=words) == strategy.bid(View(tuple(words.tolist())))


def test_words_are_signed():
    assert np.int64(2**63 - 1) == words_of(random=2**63 - 1)[list(words_of(random=1)).index(1)]
