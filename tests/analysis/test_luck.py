"""The variance ratio of duplicate against unpaired play, against what the samples were made with."""

from dataclasses import replace

import numpy as np
import pytest

from sim.analysis.luck import duplicate_luck
from tests.analysis.synthetic import CARDS, PLAY, TASTE, tournament

TABLE = CARDS**2 + 2 * TASTE**2 + PLAY**2
TRUE_RATIO = TABLE / (2 * 2 * TASTE**2 + PLAY**2)


@pytest.mark.parametrize("sides", [2, 6])
def test_the_ratio_is_found(sides: int) -> None:
    found = duplicate_luck(tournament(np.random.default_rng(1), [20, -20, 0, 5, 0, 0][:sides], shuffles=4000))
    assert found.ratio.low < TRUE_RATIO < found.ratio.high
    assert found.removed.low < 1 - 1 / TRUE_RATIO < found.removed.high
    assert found.ratio.half_width < 0.1 * TRUE_RATIO


def test_it_is_the_variance_of_unpaired_matches_over_that_of_duplicate_ones() -> None:
    samples = tournament(np.random.default_rng(2), [0, 0], shuffles=50)
    margins = samples.table_margins[:, 0]
    unpaired = (margins[:, 0].var() + margins[:, 1].var()) / 4
    assert duplicate_luck(samples).ratio.mean == pytest.approx(unpaired / margins.mean(axis=1).var())


def test_95_intervals_cover_the_ratio() -> None:
    chance = np.random.default_rng(3)
    found = [duplicate_luck(tournament(chance, [0, 0, 0], shuffles=100)).ratio for _ in range(300)]
    assert np.mean([each.low < TRUE_RATIO < each.high for each in found]) > 0.91


def test_one_table_or_no_variance_has_no_ratio() -> None:
    samples = tournament(np.random.default_rng(4), [0, 0], shuffles=10)
    assert np.isnan(duplicate_luck(replace(samples, scores=samples.scores[:, :, :1])).ratio.mean)
    assert np.isnan(duplicate_luck(replace(samples, scores=0 * samples.scores)).removed.mean)


def test_a_side_against_itself_does_not_count() -> None:
    samples = tournament(np.random.default_rng(5), [0, 0, 0], shuffles=30)
    kept = {"scores": samples.scores[:, :2], "counted": samples.counted[:, :2]}
    with_self = replace(samples, pairings=(samples.pairings[0], ("s02", "s02")), **kept)
    alone = replace(samples, pairings=samples.pairings[:1], **{name: value[:, :1] for name, value in kept.items()})
    assert duplicate_luck(with_self) == duplicate_luck(alone)
