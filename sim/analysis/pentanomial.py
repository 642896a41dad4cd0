"""The five-category sequential test of computer chess, beside our own: a cross-check with known answers.

There a pair of games is the sample, as the shuffle is here, and only its points count: 0, ½, 1, 1½ or 2. What is tested
is the normalised difference t = (mean score − ½) / standard deviation, in units of "normalised Elo" (Van den Bergh,
Normalized Elo, 2020). The likelihood ratio is exact over all distributions on the five categories.
"""

from collections.abc import Sequence
from math import log, sqrt

import numpy as np
from scipy.optimize import brentq

ELO = 800 / log(10)
"""Normalised Elo in one standard deviation of a game's score."""


def normalised_elo_llr(counts: Sequence[int], null: float, alternative: float) -> float:
    """Return the generalised log likelihood ratio of two normalised Elo differences.

    Parameters
    ----------
    counts : five int
        Pairs of games that gave 0, ½, 1, 1½ and 2 points. An empty category counts as a thousandth of a pair.
    null, alternative : float
        The differences in normalised Elo.
    """
    pairs = np.maximum(np.asarray(counts, float), 1e-3)
    shares = pairs / pairs.sum()
    likely = [_most_likely(shares, pair_effect(elo)) for elo in (null, alternative)]
    return float(pairs @ np.log(likely[1] / likely[0]))


def pair_effect(elo: float) -> float:
    """Return a normalised Elo difference in standard deviations of a pair's mean score."""
    return elo * sqrt(2) / ELO


def _most_likely(shares: np.ndarray, effect: float) -> np.ndarray:
    """Return the most likely distribution with a given mean, less ½, in its own standard deviations.

    The constraint is not linear in the distribution: it is made so around the last one found, until that stays.
    """
    scores = np.linspace(0, 1, len(shares))
    found = np.full(len(shares), 1 / len(shares))
    for _ in range(50):
        mean = found @ scores
        deviation = sqrt(found @ (scores - mean) ** 2)
        slope = scores - 0.5 - effect * deviation * (1 + ((scores - mean) / deviation) ** 2) / 2
        last, found = found, _tilted(shares, slope)
        if np.abs(found - last).max() < 1e-12:
            break
    return found


def _tilted(shares: np.ndarray, slope: np.ndarray) -> np.ndarray:
    """Return the most likely distribution under which `slope` has mean 0 (Owen 1988)."""
    edge = 1e-9
    tilt = brentq(
        lambda x: float(np.sum(shares * slope / (1 + x * slope))), -1 / slope.max() + edge, -1 / slope.min() - edge
    )
    tilted: np.ndarray = shares / (1 + tilt * slope)
    return tilted
