"""Intervals of rates and means over shuffles, held against simulated claims and against what must hold of any."""

from math import isnan

import numpy as np
import polars as pl
import pytest

from sim.analysis.intervals import with_intervals
from sim.analysis.stats import t_quantile

SHUFFLES, CHANCE, ALIKE, MOST = 40, 0.8, 0.6, 6


def _table(successes: np.ndarray, claims: np.ndarray) -> pl.DataFrame:
    """Return the rate of successes a row of shuffles, with the standard error of a ratio over them."""
    share = successes.sum(axis=1) / claims.sum(axis=1)
    scatter = ((successes - share[:, None] * claims) ** 2).sum(axis=1)
    shuffles = claims.shape[1]
    error = np.sqrt(shuffles / (shuffles - 1) * scatter) / claims.sum(axis=1)
    return pl.DataFrame({"made": share, "made_se": error, "shuffles": np.full(len(share), shuffles)})


def test_share_covers_the_truth_though_claims_of_a_shuffle_go_together() -> None:
    chance = np.random.default_rng(3)
    of_shuffle = chance.beta(CHANCE * (1 - ALIKE) / ALIKE, (1 - CHANCE) * (1 - ALIKE) / ALIKE, (4000, SHUFFLES))
    claims = chance.integers(1, MOST + 1, of_shuffle.shape)
    table = with_intervals(_table(chance.binomial(claims, of_shuffle), claims), shares=["made"])
    assert table["made_low"].min() >= 0
    assert table["made_high"].max() <= 1
    covers = ((table["made_low"] <= CHANCE) & (table["made_high"] >= CHANCE)).mean()
    assert 0.93 < covers < 0.97


def test_all_made_still_leaves_room_below() -> None:
    table = pl.DataFrame({"made": [1.0, 0.0], "made_se": [0.0, 0.0], "shuffles": [20, 20]})
    low, high = with_intervals(table, shares=["made"]).select("made_low", "made_high").to_numpy().T
    assert 0.75 < low[0] < 0.9 and high[0] == 1
    assert low[1] == 0 and 0.1 < high[1] < 0.25
    assert low[0] == pytest.approx(1 - high[1])


def test_one_case_a_shuffle_is_nearly_wilson() -> None:
    successes = np.repeat([[1], [0]], [30, 10], axis=0).T
    table = with_intervals(_table(successes, np.ones_like(successes)), shares=["made"])
    reach, cases, share = t_quantile(40), 39, 0.75  # n - 1 of n: the scatter is divided by one less
    middle = (share + reach**2 / (2 * cases)) / (1 + reach**2 / cases)
    half = reach / (1 + reach**2 / cases) * np.sqrt(share * 0.25 / cases + reach**2 / (4 * cases**2))
    assert table.row(0)[-2:] == pytest.approx((middle - half, middle + half))


def test_mean_has_students_interval() -> None:
    table = pl.DataFrame({"points": [5.0], "points_se": [2.0], "blocks": [11]})
    found = with_intervals(table, means=["points"], samples="blocks").row(0, named=True)
    assert found["points_high"] - 5 == pytest.approx(5 - found["points_low"])
    assert found["points_high"] - 5 == pytest.approx(2 * t_quantile(11))


@pytest.mark.parametrize(("shuffles", "error"), [(0, None), (1, None), (4, 0.0)])
def test_no_interval_where_nothing_scatters(shuffles: int, error: float | None) -> None:
    table = pl.DataFrame({"x": [5.0], "x_se": [error], "shuffles": [shuffles]}, schema_overrides={"x_se": pl.Float64})
    assert all(map(isnan, with_intervals(table, means=["x"]).row(0)[-2:]))


def test_nothing_estimated_has_no_interval() -> None:
    table = pl.DataFrame({"x": [None], "x_se": [None], "shuffles": [0]}, schema_overrides={"x": pl.Float64})
    assert all(map(isnan, with_intervals(table, shares=["x"]).row(0)[-2:]))
    assert with_intervals(table.clear(), shares=["x"]).columns[-2:] == ["x_low", "x_high"]
