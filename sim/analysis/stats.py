"""Means of independent samples, with their intervals. What the samples are is for the caller to say."""

from fractions import Fraction
from math import nan, sqrt
from typing import Any, NamedTuple

from scipy.special import stdtrit


class Estimate(NamedTuple):
    """A mean and its confidence interval. Where fewer than two samples leave it open, `low` and `high` are NaN."""

    mean: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """What to write after ±."""
        return (self.high - self.low) / 2

    @property
    def leaves_out_zero(self) -> bool:
        """Whether the whole interval is on one side of 0; not if it is open."""
        return self.low > 0 or self.high < 0

    def __neg__(self) -> "Estimate":
        return Estimate(-self.mean, -self.high, -self.low)


def t_quantile(samples: Any, confidence: float = 0.95) -> Any:
    """Return how many standard errors a two-sided interval for a mean reaches to each side (Student 1908).

    Parameters
    ----------
    samples : int or array of int
        Number of independent samples, at least 2.
    confidence : float
        Between 0 and 1.

    Returns
    -------
    float or array of float
    """
    return stdtrit(samples - 1, (1 + confidence) / 2)


def t_interval(samples: int, total: Fraction | int, squares: Fraction | int, confidence: float = 0.95) -> Estimate:
    """Return a mean and its Student t interval, from sums that are exact, so that no order of adding shows.

    Parameters
    ----------
    samples : int
        Number of independent samples.
    total, squares : Fraction or int
        The sum of the samples and the sum of their squares.
    confidence : float
        Between 0 and 1.

    Returns
    -------
    Estimate
        All NaN without a sample; the interval NaN with one.
    """
    if samples == 0:
        return Estimate(nan, nan, nan)
    mean = Fraction(total, samples)
    if samples == 1:
        return Estimate(float(mean), nan, nan)
    variance = (squares - mean * total) / (samples - 1)
    reach = float(t_quantile(samples, confidence)) * sqrt(variance / samples)
    return Estimate(float(mean), float(mean) - reach, float(mean) + reach)
