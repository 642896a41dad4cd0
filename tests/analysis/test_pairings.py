"""The pairing table against figures worked out by hand."""

from dataclasses import replace

import numpy as np
import pytest

from sim.analysis.pairings import pairing_table
from sim.analysis.samples import Samples
from tests.analysis.synthetic import tournament

BY_HAND = Samples(
    run_id="0123456789abcdef",
    players=("a", "b", "c"),
    pairings=(("a", "b"), ("c", "c")),
    shuffle_ids=np.arange(2),
    scores=np.array([[[[100, 60], [90, 80]], [[5, 5], [5, 5]]], [[[0, 20], [10, 30]], [[7, 3], [3, 7]]]]),
    counted=np.ones((2, 2), bool),
)


def test_figures_are_means_of_shuffles() -> None:
    ab = pairing_table(BY_HAND).pairings[0]
    assert (ab.first, ab.second, ab.shuffles) == ("a", "b", 2)
    assert (ab.margin.mean, ab.points.mean, ab.points_against.mean, ab.won.mean) == (2.5, 50, 47.5, 0.5)
    assert ab.margin.half_width == pytest.approx(12.7062 * 22.5, abs=0.001)


def test_a_tie_is_half_a_win_and_a_side_draws_with_itself() -> None:
    cc = pairing_table(BY_HAND).pairings[1]
    assert cc.margin == (0, 0, 0)
    assert cc.won == (0.5, 0.5, 0.5)


def test_one_side_against_another_is_exactly_minus_the_other_way_round() -> None:
    table = pairing_table(tournament(np.random.default_rng(3), [0.1, 0.2, 0.3], shuffles=17))
    for pairing in table.pairings:
        back = table.cell(pairing.second, pairing.first)
        assert back is not None
        assert back.margin == (-pairing.margin.mean, -pairing.margin.high, -pairing.margin.low)
        assert (back.points, back.points_against) == (pairing.points_against, pairing.points)
        assert back.won.mean + pairing.won.mean == pytest.approx(1)
    matrix = table.matrix()
    assert (matrix == -matrix.T)[~np.eye(3, dtype=bool)].all()


def test_cells_that_were_not_played_are_empty() -> None:
    table = pairing_table(BY_HAND)
    assert table.cell("a", "c") is None
    assert np.isnan(table.matrix()).tolist() == [[True, False, True], [False, True, True], [True, True, False]]


def test_what_is_not_counted_is_left_out() -> None:
    counted = np.array([[True, True], [False, True]])
    scores = np.where(counted[..., None, None], BY_HAND.scores, 0)
    ab = pairing_table(replace(BY_HAND, scores=scores, counted=counted)).pairings[0]
    assert (ab.shuffles, ab.margin.mean) == (1, 25)
