"""Means and intervals against tables and simulation."""

from fractions import Fraction
from math import isnan
from statistics import mean, stdev

import numpy as np
import pytest

from sim.analysis.stats import t_interval, t_quantile


@pytest.mark.parametrize(("samples", "quantile"), [(2, 12.706), (3, 4.303), (11, 2.228), (31, 2.042), (1001, 1.962)])
def test_quantiles_are_those_of_the_printed_tables(samples: int, quantile: float) -> None:
    assert t_quantile(samples) == pytest.approx(quantile, abs=5e-4)


def test_other_confidences_are_known_too() -> None:
    assert t_quantile(11, 0.99) == pytest.approx(3.169, abs=5e-4)


def test_an_interval_is_the_mean_and_standard_errors_to_each_side() -> None:
    samples = [3, 1, 4, 1, 5, 9, 2, 6]
    interval = t_interval(len(samples), sum(samples), sum(x * x for x in samples))
    reach = 2.3646 * stdev(samples) / len(samples) ** 0.5
    assert interval == pytest.approx((mean(samples), mean(samples) - reach, mean(samples) + reach), abs=1e-3)
    assert interval.half_width == pytest.approx(reach, abs=1e-3)


def test_sums_are_exact_however_far_from_zero_the_samples_are() -> None:
    far = 10**9
    total, squares = sum(far + x for x in (1, 2, 3)), sum((far + x) ** 2 for x in (1, 2, 3))
    assert t_interval(3, total, squares).half_width == pytest.approx(t_quantile(3) / 3**0.5, rel=1e-6)
    assert t_interval(2, Fraction(1, 3), Fraction(1, 18)).mean == pytest.approx(1 / 6)


def test_equal_samples_leave_no_doubt_and_too_few_leave_all() -> None:
    assert t_interval(5, 0, 0) == (0, 0, 0)
    assert t_interval(1, 7, 49).mean == 7 and isnan(t_interval(1, 7, 49).low)
    assert all(map(isnan, t_interval(0, 0, 0)))


def test_95_intervals_cover_the_truth_95_times_in_100() -> None:
    draws = np.random.default_rng(1).integers(-50, 51, (4000, 8)).tolist()
    intervals = [t_interval(8, sum(row), sum(x * x for x in row)) for row in draws]
    covered = sum(each.low <= 0 <= each.high for each in intervals)
    assert 0.94 < covered / len(draws) < 0.96
