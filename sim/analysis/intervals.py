"""Intervals for rates and means of what happens once or many times on a shuffle, such as board claims.

The sample is the shuffle: its matches share their cards, so its claims succeed and fail together. A rate is the ratio
of two sums over the shuffles, and its standard error comes from the scatter of whole shuffles about it (Cochran 1977,
ratio estimator); SQL works that out. Here it becomes an interval. For a share it is Wilson's (1927) on the number of
independent cases that would have that standard error (Korn and Graubard 1998; Dean and Pagano 2015): it stays within 0
and 1 and does not shrink to nothing when all succeed, where each shuffle then counts as one case.
"""

from collections.abc import Iterable

import numpy as np
import polars as pl

from .stats import t_quantile


def with_intervals(
    table: pl.DataFrame, shares: Iterable[str] = (), means: Iterable[str] = (), samples: str = "shuffles"
) -> pl.DataFrame:
    """Add 95 % intervals to a table of rates and means, as columns ending in ``_low`` and ``_high``.

    Parameters
    ----------
    table : DataFrame
        For each estimate ``x`` the columns ``x`` and ``x_se``, its standard error over the shuffles.
    shares : iterable of str
        Estimates that are shares of cases, 0 to 1.
    means : iterable of str
        Estimates of anything else, in any unit; their interval is Student's.
    samples : str
        The column that says on how many shuffles (or blocks of them) the estimates rest.

    Returns
    -------
    DataFrame
        The interval is NaN where the estimate rests on fewer than two of them, and of a mean where they do not scatter.
    """
    reach = _reach(_floats(table, samples))
    columns = []
    for name in means:
        mean, error = _floats(table, name), _floats(table, f"{name}_se")
        half = reach * np.where(error > 0, error, np.nan)
        columns += _pair(name, mean - half, mean + half)
    for name in shares:
        share, error = _floats(table, name), _floats(table, f"{name}_se")
        columns += _pair(name, *_wilson(share, error, _floats(table, samples), reach))
    return table.with_columns(columns)


def _reach(samples: np.ndarray) -> np.ndarray:
    """Return how many standard errors an interval reaches to each side; NaN for fewer than two samples."""
    quantiles: np.ndarray = t_quantile(np.where(samples > 1, samples, np.nan))
    return quantiles


def _wilson(
    share: np.ndarray, error: np.ndarray, samples: np.ndarray, reach: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    scattered = (error > 0) & (share > 0) & (share < 1)
    cases = np.where(scattered, share * (1 - share) / np.where(scattered, error, 1) ** 2, np.maximum(samples, 1))
    over = reach**2 / cases
    middle = (share + over / 2) / (1 + over)
    half = reach * np.sqrt(share * (1 - share) / cases + over / (4 * cases)) / (1 + over)
    return np.maximum(middle - half, 0), np.minimum(middle + half, 1)


def _floats(table: pl.DataFrame, name: str) -> np.ndarray:
    """Return a column as floats, NaN for null."""
    return table[name].cast(pl.Float64).fill_null(np.nan).to_numpy()


def _pair(name: str, low: np.ndarray, high: np.ndarray) -> list[pl.Series]:
    return [pl.Series(f"{name}_low", low, pl.Float64), pl.Series(f"{name}_high", high, pl.Float64)]
