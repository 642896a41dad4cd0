"""Rank uncertainty: shares that add up, ties that favour nobody, the same each time."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm

from sim.analysis.ranks import rank_shares
from sim.analysis.samples import Samples
from tests.analysis.synthetic import tournament


def test_every_side_has_one_rank_and_every_rank_one_side() -> None:
    shares = rank_shares(tournament(np.random.default_rng(1), [9, 5, 0, -20], shuffles=100)).shares
    assert shares.sum(axis=0) == pytest.approx(np.ones(4))
    assert shares.sum(axis=1) == pytest.approx(np.ones(4))


def test_the_share_of_first_places_is_the_chance_of_being_ahead() -> None:
    samples = tournament(np.random.default_rng(2), [10, 0], shuffles=150)
    margins = samples.margins[:, 0]
    ahead = norm.cdf(margins.mean() / (margins.std() / 150**0.5))
    assert rank_shares(samples, draws=4000).shares[0, 0] == pytest.approx(ahead, abs=0.03)


def test_blocks_of_many_shuffles_say_the_same() -> None:
    samples = tournament(np.random.default_rng(3), [3, 0], shuffles=9001)
    margins = samples.margins[:, 0]
    ahead = norm.cdf(margins.mean() / (margins.std() / 9001**0.5))
    assert rank_shares(samples, draws=4000).shares[0, 0] == pytest.approx(ahead, abs=0.03)


def test_a_clear_order_is_certain() -> None:
    shares = rank_shares(tournament(np.random.default_rng(4), [0, 300, 150], shuffles=100)).shares
    assert shares.tolist() == [[0, 0, 1], [1, 0, 0], [0, 1, 0]]


def test_sides_that_never_differ_share_their_ranks() -> None:
    scores = np.zeros((10, 3, 2, 2), np.int64)
    pairings = (("a", "b"), ("a", "c"), ("b", "c"))
    level = Samples("id", tuple("abc"), pairings, np.arange(10), scores, np.ones((10, 3), bool))
    assert rank_shares(level).shares == pytest.approx(np.full((3, 3), 1 / 3))


def test_the_draws_are_the_run_s_own() -> None:
    samples = tournament(np.random.default_rng(5), [1, 0, 0], shuffles=40)
    assert (rank_shares(samples).shares == rank_shares(samples).shares).all()
    assert (rank_shares(samples).shares != rank_shares(replace(samples, run_id="another")).shares).any()
