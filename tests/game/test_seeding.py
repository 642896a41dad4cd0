"""Chance: even shuffles and dealers, streams that share nothing, keys that depend on names alone.

Every test has its seeds fixed, so a figure is the same at each run: the bounds, five standard deviations wide, tell a
fault from chance when the streams are changed on purpose.
"""

from itertools import combinations, product

import numba
import numpy as np
import pytest

from sim.game.seeding import (
    MAX_SEED,
    decision_key,
    decision_random,
    first_dealer,
    hand_key,
    shuffle,
    shuffle_key,
    sub_key,
)

SHUFFLES = 20_000


@numba.njit
def deal(key, shuffle_ids, deals, attempts, length):
    decks = np.empty((shuffle_ids.size, 54), np.int64)
    for row in range(shuffle_ids.size):
        key_0, key_1 = hand_key(key[0], key[1], shuffle_ids[row], deals[row], attempts[row])
        shuffle(decks[row], key_0, key_1, length)
    return decks


@numba.njit
def dealers(key, count):
    return np.array([first_dealer(key[0], key[1], shuffle_id) for shuffle_id in range(count)])


@numba.njit
def decisions(key, hands):
    found = np.empty((hands, 4, 14), np.int64)
    for hand in range(hands):
        key_0, key_1 = hand_key(key[0], key[1], hand, 1, 1)
        for seat in range(4):
            for decision in range(14):
                found[hand, seat, decision] = decision_random(key_0, key_1, seat, decision)
    return found


@numba.njit
def hand_keys(key, shuffle_ids, deals, attempts):
    found = np.empty((shuffle_ids * deals * attempts, 2), np.uint64)
    row = 0
    for shuffle_id in range(shuffle_ids):
        for number in range(1, deals + 1):
            for attempt in range(1, attempts + 1):
                found[row] = hand_key(key[0], key[1], shuffle_id, number, attempt)
                row += 1
    return found


def decks_of(seed, shuffle_ids, number=1, attempt=1, length=54):
    ids = np.asarray(shuffle_ids, np.int64)
    return deal(shuffle_key(seed), ids, np.full_like(ids, number), np.full_like(ids, attempt), length)


@pytest.fixture(scope="module")
def decks():
    return decks_of(7, np.arange(SHUFFLES))


def assert_even(counts):
    """A chi-square statistic is within five standard deviations of what even chances give."""
    expected = counts.sum() / counts.size
    statistic, freedom = ((counts - expected) ** 2 / expected).sum(), counts.size - 1
    assert abs(statistic - freedom) < 5 * np.sqrt(2 * freedom)


def test_a_shuffle_is_a_permutation(decks):
    assert (np.sort(decks) == np.arange(54)).all()


def test_each_card_is_in_each_place_as_often(decks):
    counts = np.array([np.bincount(decks[:, place], minlength=54) for place in range(54)])
    for place in range(54):
        assert_even(counts[place])
    for card in range(54):
        assert_even(counts[:, card])
    assert_even(counts)


@pytest.mark.parametrize(
    "first, second", [(0, 1), (4, 5), (5, 6), (6, 7), (0, 53), (12, 13), (51, 52), (52, 53), (11, 30)]
)
def test_each_pair_of_cards_is_in_two_places_as_often(decks, first, second):
    counts = np.bincount(54 * decks[:, first] + decks[:, second], minlength=54 * 54).reshape(54, 54)
    assert not counts.diagonal().any()
    assert_even(counts[~np.eye(54, dtype=bool)])


@pytest.mark.parametrize("first", [0, 3, 6, 48])
def test_each_order_of_three_places_comes_as_often(decks, first):
    order = np.argsort(decks[:, first : first + 3], axis=1)
    assert_even(np.bincount(order @ [9, 3, 1], minlength=27)[[a * 9 + b * 3 + c for a, b, c in ORDERS]])


ORDERS = [order for order in product(range(3), repeat=3) if len(set(order)) == 3]


def test_the_longest_way_a_card_can_go_is_as_likely(decks):
    """The inversions of an even permutation of 54 have mean 54·53/4 and a known variance."""
    inversions = sum((decks[:, a] > decks[:, b]) for a, b in combinations(range(54), 2))
    mean, variance = 54 * 53 / 4, 54 * 53 * (2 * 54 + 5) / 72
    assert abs(inversions.mean() - mean) < 5 * np.sqrt(variance / SHUFFLES)
    assert abs(inversions.var() / variance - 1) < 5 * np.sqrt(2 / SHUFFLES)


def test_a_longer_shuffle_begins_with_the_same_cards():
    whole = decks_of(7, np.arange(50))
    for hand_size in range(1, 14):
        length = min(4 * hand_size + 3, 54)
        assert (decks_of(7, np.arange(50), length=length)[:, :length] == whole[:, :length]).all()


def alike(some, others):
    """How many places hold the same card, against one a shuffle by chance, in standard deviations."""
    return ((some == others).sum() - len(some)) / np.sqrt(len(some))


@pytest.mark.parametrize("step", [1, 2, 3, 256, 2**32, 2**62])
def test_neighbouring_seeds_share_no_shuffle(decks, step):
    others = decks_of(7 + step, np.arange(SHUFFLES))
    assert abs(alike(decks, others)) < 5
    both = np.concatenate([decks, others])
    assert len(np.unique(both[:, :12], axis=0)) == len(both)  # 12 cards tell 10**19 shuffles apart


@pytest.mark.parametrize("step", [1, 2, 255, 256, 257])
def test_neighbouring_shuffles_deals_and_attempts_share_nothing(decks, step):
    ids = np.arange(SHUFFLES)
    assert abs(alike(decks[:-step], decks[step:])) < 5
    assert abs(alike(decks, decks_of(7, ids, number=1 + step % 254))) < 5
    assert abs(alike(decks, decks_of(7, ids, attempt=1 + step % 250))) < 5
    assert abs(alike(decks_of(7, ids, number=2, attempt=1), decks_of(7, ids, number=1, attempt=2))) < 5


def test_no_two_hands_of_a_run_have_the_same_key():
    keys = hand_keys(shuffle_key(7), 200, 40, 12)
    assert len(np.unique(keys[:, 0])) == len(np.unique(keys[:, 1])) == len(keys)
    ends = hand_keys(shuffle_key(7), 1, 255, 255)
    assert len(np.unique(ends[:, 0])) == len(ends)


def test_each_seat_deals_first_as_often():
    found = dealers(shuffle_key(7), 40_000)
    assert_even(np.bincount(found, minlength=4))
    assert_even(np.bincount(4 * found[:-1] + found[1:], minlength=16))
    assert set(found) == {0, 1, 2, 3}


def test_the_first_dealer_says_nothing_of_the_cards(decks):
    found = dealers(shuffle_key(7), SHUFFLES)
    for place in (0, 13, 52):
        assert_even(np.bincount(4 * (decks[:, place] // 6) + found, minlength=36))


def test_random_numbers_have_63_even_bits():
    found = decisions(decision_key(7, "a", "b"), 1000)
    assert found.min() >= 0 and found.max() > 2**63 - 2**50 and len(np.unique(found)) == found.size
    bits = np.array([(found >> bit & 1).mean() for bit in range(64)])
    assert bits[63] == 0 and (abs(bits[:63] - 0.5) < 5 * 0.5 / np.sqrt(found.size)).all()


@pytest.mark.parametrize("modulus", [2, 13, 14, 54])
def test_choices_by_random_numbers_are_even_and_free_of_each_other(modulus):
    found = decisions(decision_key(7, "a", "b"), 2000)
    for choice in (found % modulus, found >> 40, (found.astype(object) * modulus >> 63).astype(np.int64)):
        choice = choice % modulus
        assert_even(np.bincount(choice.ravel(), minlength=modulus))
        for neighbour in (choice[:, 1:] * modulus + choice[:, :-1], choice[..., 1:] * modulus + choice[..., :-1]):
            assert_even(np.bincount(neighbour.ravel(), minlength=modulus**2))


def test_random_numbers_are_the_same_in_plain_python():
    key = decision_key(7, "a", "b")
    found = decisions(key, 3)
    with np.errstate(over="ignore"):
        for hand, seat, decision in product(range(3), range(4), range(14)):
            key_0, key_1 = hand_key(key[0], key[1], hand, 1, 1)
            number = decision_random(key_0, key_1, seat, decision)
            assert number == found[hand, seat, decision] and type(number) is int
        assert [first_dealer(key[0], key[1], i) for i in range(20)] == dealers(key, 20).tolist()
        assert sub_key(key[0], key[1], 3) != sub_key(key[1], key[0], 3)


SIDES = ["a", "b", "ab", "c", "bc", "", "a+b", "b+a", "a ", "A", "ä", "counter", "counter:margin=0.5", "a\0", "\0a"]


def test_decision_keys_depend_on_the_seed_and_both_labels_in_order():
    keys = {(seed, *pair): tuple(decision_key(seed, *pair)) for seed in (0, 7, 8) for pair in product(SIDES, SIDES)}
    assert len(set(keys.values())) == len(keys)
    assert keys[7, "a", "bc"] != keys[7, "ab", "c"] and keys[7, "a", "b"] != keys[7, "b", "a"]
    assert keys[7, "a", "b"] == tuple(decision_key(7, "a", "b"))


def test_the_two_secrets_of_a_seed_are_apart():
    secrets = {tuple(shuffle_key(seed)) for seed in range(1000)} | {tuple(decision_key(s, "", "")) for s in range(1000)}
    assert len(secrets) == 2000
    words = [word for secret in secrets for word in secret]
    assert len(set(words)) == 4000


@pytest.mark.parametrize("seed", [0, 1, 2**32, 2**32 + 1, MAX_SEED - 1, MAX_SEED])
def test_seeds_have_63_bits(seed):
    assert tuple(shuffle_key(seed)) != tuple(shuffle_key((seed + 2**32) % 2**63))


@pytest.mark.parametrize("seed", [-1, MAX_SEED + 1])
def test_other_seeds_are_refused(seed):
    with pytest.raises(ValueError, match=rf"seed {seed} is refused: it must be an integer from 0 to 2\*\*63 - 1"):
        shuffle_key(seed)


def test_the_streams_are_what_they_were():
    """A change here changes the cards of every run: it belongs under "Results changed" in CHANGELOG.md."""
    assert [int(word) for word in shuffle_key(7)] == [6344442890987573497, 2275533220980684831]
    assert decks_of(7, [0], number=2, attempt=3)[0, :8].tolist() == [16, 42, 35, 31, 44, 53, 23, 5]
    assert dealers(shuffle_key(7), 8).tolist() == [3, 1, 3, 0, 0, 1, 2, 1]
    assert decisions(decision_key(7, "a", "b"), 1)[0, :2, 0].tolist() == [615018689346178713, 8773070621500118806]
