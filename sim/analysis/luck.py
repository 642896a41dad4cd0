"""How much luck the second table takes out: the variance of duplicate play beside that of unpaired matches."""

from dataclasses import dataclass
from math import exp, log, nan

import numpy as np

from .linear import interval
from .samples import Samples
from .stats import Estimate


@dataclass(frozen=True)
class Luck:
    """What duplicate play gains.

    Attributes
    ----------
    run_id : str
    shuffles : int
        The samples.
    ratio : Estimate
        Variance of a mean margin over unpaired matches by that over as many duplicate ones: so many times as many
        matches would be needed for the same interval. 1 if the second table is no help, NaN if there is none.
    removed : Estimate
        The share of the variance that the second table removes, 1 − 1 / `ratio`.
    """

    run_id: str
    shuffles: int
    ratio: Estimate
    removed: Estimate


def duplicate_luck(samples: Samples) -> Luck:
    """Work out the variance ratio, with a 95 % interval by the delta method on its logarithm.

    Unpaired play is reckoned from the same matches: the two tables as if each had been dealt cards of its own. All
    pairings count together but those of a side against itself, whose margins cancel by construction.
    """
    ratio = Estimate(nan, nan, nan)
    others = [place for place, (first, second) in enumerate(samples.pairings) if first != second]
    if samples.tables == 2 and others:
        ratio = _ratio(samples.table_margins[:, others], samples.counted[:, others])
    removed = Estimate(1 - 1 / ratio.mean, 1 - 1 / ratio.low, 1 - 1 / ratio.high)
    return Luck(samples.run_id, len(samples.shuffle_ids), ratio, removed)


def _ratio(margins: np.ndarray, counted: np.ndarray) -> Estimate:
    """Return the ratio from int64[shuffles, pairings, tables] margins; the shuffle is the sample."""
    weights = np.maximum(counted.sum(axis=0), 1)[:, None]
    around = np.where(counted[..., None], margins - margins.sum(axis=0) / weights, 0.0)
    unpaired = (around**2).sum(axis=(1, 2))
    duplicate = (around.sum(axis=2) ** 2).sum(axis=1)
    if not duplicate.sum():
        return Estimate(nan, nan, nan)
    logarithm = log(unpaired.sum() / duplicate.sum())
    moves = unpaired / unpaired.mean() - duplicate / duplicate.mean()
    mean, low, high = map(exp, interval(logarithm, moves, int(counted.any(axis=1).sum())))
    return Estimate(mean, low, high)
