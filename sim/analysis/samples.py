"""The samples of a run: what each pairing scored on each shuffle, as whole numbers in the order of the shuffle ids.

All statistics of margins, points and wins begin here. A fault takes both tables of its shuffle out of that pairing.
Means of the samples and their intervals are in `stats`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ..arena.run import Run
from ..errors import RunError
from .stats import Estimate, t_interval

_SCORES = """
SELECT shuffle_id::BIGINT AS shuffle_id, fault IS NULL AS counted,
    coalesce(if("table" = 0, ns_score, ew_score), 0)::BIGINT AS first,
    coalesce(if("table" = 0, ew_score, ns_score), 0)::BIGINT AS second
FROM matches ORDER BY match_id
"""


@dataclass(frozen=True)
class Samples:
    """The scores of a run's pairings, shuffle by shuffle.

    Attributes
    ----------
    run_id : str
    players : tuple of str
        The strategies by label.
    pairings : tuple of pairs of str
        The first and the second side of each: ``counter``, or ``counter+bold`` where two strategies share it.
    shuffle_ids : int64[shuffles]
        Rising.
    scores : int64[shuffles, pairings, tables, 2]
        Points of the first and the second side of each match; 0 where not counted.
    counted : bool[shuffles, pairings]
        False where a match on the shuffle ended by a fault.
    """

    run_id: str
    players: tuple[str, ...]
    pairings: tuple[tuple[str, str], ...]
    shuffle_ids: np.ndarray
    scores: np.ndarray
    counted: np.ndarray

    @property
    def sides(self) -> tuple[str, ...]:
        """Every side by label, in the order in which the pairings name them."""
        return tuple(dict.fromkeys(side for pairing in self.pairings for side in pairing))

    @property
    def tables(self) -> int:
        """Tables on each shuffle: 2 when duplicate."""
        return int(self.scores.shape[2])

    @property
    def table_margins(self) -> np.ndarray:
        """Points of the first side more than the second's, int64[shuffles, pairings, tables]."""
        margins: np.ndarray = self.scores[..., 0] - self.scores[..., 1]
        return margins

    @property
    def margins(self) -> np.ndarray:
        """Margin a match, the tables of a shuffle averaged, float64[shuffles, pairings]; 0 where not counted."""
        means: np.ndarray = self.table_margins.sum(axis=2) / self.tables
        return means

    def of_side(self, side: str) -> np.ndarray:
        """Return a side's own points and its margin, float64[shuffles, 2], averaged over its matches on each shuffle.

        NaN where none is counted. Where it plays itself, both its scores count.
        """
        total, matches = np.zeros((len(self.counted), 2)), np.zeros((len(self.counted), 1))
        for place, pairing in enumerate(self.pairings):
            for own in (own for own in (0, 1) if pairing[own] == side):
                points, other = (self.scores[:, place, :, at].sum(axis=1) for at in (own, 1 - own))
                total += np.stack([points, points - other], axis=1)
                matches += self.counted[:, [place]] * self.tables
        means: np.ndarray = total / np.where(matches, matches, np.nan)
        return means

    def mean(self, pairing: int, what: Callable[[np.ndarray, np.ndarray], np.ndarray], unit: int = 1) -> Estimate:
        """Return the mean over the shuffles of what a match of a pairing gives, with its 95 % interval.

        Parameters
        ----------
        pairing : int
            Its place in `pairings`.
        what : function of two int64 arrays
            Takes the first side's and the second's points to whole numbers, match by match.
        unit : int
            What those are to be divided by.
        """
        scores = self.scores[self.counted[:, pairing], pairing]
        return mean_of(what(scores[..., 0], scores[..., 1]).sum(axis=1), unit * self.tables)


def samples(run: Run) -> Samples:
    """Read the samples of a run from the shards that are there.

    Raises
    ------
    RunError
        If a shuffle is there in part only.
    """
    pairings = tuple((first, second) for first, second in run.manifest["pairings"])
    grid = (len(pairings), run.tables)
    with run.asked() as connection:
        rows = connection.execute(_SCORES).fetchnumpy()
    if len(rows["counted"]) % (grid[0] * grid[1]):
        raise RunError(f"{run.path} lacks matches of a shuffle: see backalley verify {run.path}")
    counted = np.all(np.asarray(rows["counted"]).reshape(-1, *grid), axis=2, keepdims=True)[..., 0]
    scores = np.stack([rows["first"], rows["second"]], axis=1).reshape(-1, *grid, 2)
    return Samples(
        run_id=run.manifest["run_id"],
        players=tuple(strategy["label"] for strategy in run.manifest["strategies"]),
        pairings=pairings,
        shuffle_ids=np.asarray(rows["shuffle_id"])[:: grid[0] * grid[1]],
        scores=np.where(counted[..., None, None], scores, 0),
        counted=counted,
    )


def mean_of(values: np.ndarray, unit: int = 1) -> Estimate:
    """Return the mean of ``values / unit`` with its 95 % interval, from sums that are exact.

    Parameters
    ----------
    values : int64[n]
        One whole number a shuffle.
    unit : int
        What each is to be divided by.
    """
    total, squares = exact_sums(values)
    return t_interval(len(values), Fraction(total, unit), Fraction(squares, unit**2))


def exact_sums(values: np.ndarray) -> tuple[int, int]:
    """Return the sum of whole numbers and the sum of their squares, too large for no integer."""
    numbers = values.tolist()
    return sum(numbers), sum(number * number for number in numbers)
