"""Least squares over the shuffles: strengths whose differences explain the margins, and how sure they are.

What the strengths are of, sides or single players, is in the design matrix that the caller gives. The shuffle is the
cluster: all pairings on it share its cards, and standard errors come from the scatter of whole shuffles (Liang and
Zeger 1986). A batch fit, so no order of the matches shows.
"""

from dataclasses import dataclass

import numpy as np

from .samples import Samples
from .stats import Estimate, t_quantile

TINY = 1e-9
"""Points a match below which a figure is rounding and counts as 0."""


@dataclass(frozen=True)
class LinearFit:
    """A fit of margin a match = design · strength.

    Attributes
    ----------
    design : float64[pairings, strengths]
        What each strength counts in each pairing's margin.
    strengths : float64[strengths]
        Points a match; their mean is 0.
    influence : float64[shuffles, strengths]
        How far each shuffle moves them: its mean is 0, and its scatter gives their standard errors.
    misfit : float64[pairings]
        How far the mean margin of each pairing is from what the strengths say; NaN if none was counted.
    misfit_influence : float64[shuffles, pairings]
    shuffles : int64[strengths]
        On how many shuffles a match of each was counted.
    unknown : float64[strengths, directions]
        Directions in which the pairings do not tell the strengths apart.
    """

    design: np.ndarray
    strengths: np.ndarray
    influence: np.ndarray
    misfit: np.ndarray
    misfit_influence: np.ndarray
    shuffles: np.ndarray
    unknown: np.ndarray

    def contrast(self, weights: np.ndarray, tests: int = 1) -> Estimate:
        """Return the weighted sum of the strengths, with an interval that holds for all of so many tests at once.

        All NaN where the pairings do not tell it, such as a difference between sides that no chain of pairings joins.

        Parameters
        ----------
        weights : float64[strengths]
            They sum to 0.
        tests : int
            How many such intervals are to hold together at 95 % (Dunn 1961).
        """
        if not self.tells(weights):
            return Estimate(np.nan, np.nan, np.nan)
        return interval(self.value(weights), self.moves(weights), self.samples(weights), tests)

    def value(self, weights: np.ndarray) -> float:
        """Return the weighted sum of the strengths; exactly its negative for negated weights."""
        return float((weights * self.strengths)[weights != 0].sum())

    def moves(self, weights: np.ndarray) -> np.ndarray:
        """Return how far each shuffle moves the weighted sum, float64[shuffles]."""
        moves: np.ndarray = (weights * self.influence)[:, weights != 0].sum(axis=1)
        return moves

    def samples(self, weights: np.ndarray) -> int:
        """Return how many shuffles a weighted sum rests on: the fewest of those strengths that it is mainly about."""
        return int(self.shuffles[np.abs(weights) >= 0.9 * np.abs(weights).max()].min())

    def tells(self, weights: np.ndarray) -> bool:
        """Return whether the pairings tell a weighted sum of the strengths."""
        return bool(np.abs(weights @ self.unknown).max(initial=0.0) < TINY)


def fit(samples: Samples, design: np.ndarray) -> LinearFit:
    """Fit strengths to the margins of a run by least squares, each counted shuffle of each pairing weighing the same.

    Parameters
    ----------
    samples : Samples
    design : float64[pairings, strengths]
        Its rows sum to 0.
    """
    margins, counted = samples.margins, samples.counted
    shuffles = max(len(margins), 1)
    weights = counted.sum(axis=0)
    means = margins.sum(axis=0) / np.where(weights, weights, np.nan)
    solve = np.linalg.pinv(design.T @ (weights[:, None] * design), hermitian=True) @ design.T
    strengths = solve @ margins.sum(axis=0)
    residuals = np.where(counted, margins - design @ strengths, 0.0)
    influence = shuffles * residuals @ solve.T
    around = np.where(counted, margins - means, 0.0) * shuffles / np.maximum(weights, 1)
    return LinearFit(
        design=design,
        strengths=strengths,
        influence=influence,
        misfit=means - design @ strengths,
        misfit_influence=around - influence @ design.T,
        shuffles=np.array([counted[:, design[:, place] != 0].any(axis=1).sum() for place in range(design.shape[1])]),
        unknown=_null_space(design[weights > 0]),
    )


def interval(value: float, moves: np.ndarray, samples: int, tests: int = 1) -> Estimate:
    """Return an estimate with its t interval, such that so many of them hold together at 95 %.

    Parameters
    ----------
    value : float
    moves : float64[shuffles]
        How far each shuffle moves it; mean 0.
    samples : int
        On how many of them it rests. With fewer than two the interval is NaN.
    tests : int
        At least 1.
    """
    value = 0.0 if abs(value) < TINY else float(value)
    reach = standard_error(moves, samples) * t_quantile(samples, 1 - 0.05 / tests) if samples > 1 else np.nan
    return Estimate(value, value - reach, value + reach)


def standard_error(moves: np.ndarray, samples: int) -> float:
    """Return the standard error of an estimate from how far each shuffle moves it; NaN with fewer than two samples."""
    if samples < 2:
        return np.nan
    error = float(np.sqrt((moves**2).sum() * samples / (samples - 1)) / len(moves))
    return 0.0 if error < TINY else error


def _null_space(design: np.ndarray) -> np.ndarray:
    """Return an orthonormal basis of what a design does not tell, but for the mean of all strengths."""
    values, vectors = np.linalg.eigh(design.T @ design + 1)
    basis: np.ndarray = vectors[:, values < TINY * max(values.max(initial=0.0), 1.0)]
    return basis
