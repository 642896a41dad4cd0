"""The pairing table: how each side fared against each other, one pairing at a time, with intervals."""

from dataclasses import dataclass

import numpy as np

from .samples import Samples
from .stats import Estimate


@dataclass(frozen=True)
class Pairing:
    """One side against another. Intervals are of 95 %; the sample is the shuffle.

    Attributes
    ----------
    first, second : str
        The sides by label.
    shuffles : int
        Shuffles that the means are over.
    margin, points, points_against : Estimate
        Points a match: the first side's more than the second's, its own, the second's.
    won : Estimate
        Share of matches that the first side won, a tie counting half; as in the league, its interval may reach beyond
        0 or 1.
    """

    first: str
    second: str
    shuffles: int
    margin: Estimate
    points: Estimate
    points_against: Estimate
    won: Estimate


@dataclass(frozen=True)
class PairingTable:
    """All pairings of a run.

    Attributes
    ----------
    run_id : str
    sides : tuple of str
        Rows and columns of the matrix.
    pairings, mirrored : tuple of Pairing
        As the run lists them, and the other way round.
    """

    run_id: str
    sides: tuple[str, ...]
    pairings: tuple[Pairing, ...]
    mirrored: tuple[Pairing, ...]

    def cell(self, first: str, second: str) -> Pairing | None:
        """Return how `first` fared against `second`, whichever the run names first; None if they did not meet."""
        for pairing in (*self.pairings, *self.mirrored):
            if (pairing.first, pairing.second) == (first, second):
                return pairing
        return None

    def matrix(self) -> np.ndarray:
        """Return the mean margins of the row's side against the column's, float64[sides, sides]; NaN if they never met.

        ``matrix[b, a] == -matrix[a, b]``, exactly.
        """
        margins = np.full((len(self.sides), len(self.sides)), np.nan)
        place = {side: place for place, side in enumerate(self.sides)}
        for pairing in (*self.mirrored, *self.pairings):
            margins[place[pairing.first], place[pairing.second]] = pairing.margin.mean
        return margins


def pairing_table(samples: Samples) -> PairingTable:
    """Work out a run's pairing table."""
    pairings = tuple(_pairing(samples, place) for place in range(len(samples.pairings)))
    mirrored = tuple(_mirrored(samples, place, pairing) for place, pairing in enumerate(pairings))
    return PairingTable(samples.run_id, samples.sides, pairings, mirrored)


def _pairing(samples: Samples, place: int) -> Pairing:
    return Pairing(
        *samples.pairings[place],
        shuffles=int(samples.counted[:, place].sum()),
        margin=samples.mean(place, lambda first, second: first - second),
        points=samples.mean(place, lambda first, second: first),
        points_against=samples.mean(place, lambda first, second: second),
        won=samples.mean(place, lambda first, second: 1 + np.sign(first - second), unit=2),
    )


def _mirrored(samples: Samples, place: int, seen: Pairing) -> Pairing:
    return Pairing(
        first=seen.second,
        second=seen.first,
        shuffles=seen.shuffles,
        margin=-seen.margin,
        points=seen.points_against,
        points_against=seen.points,
        won=samples.mean(place, lambda first, second: 1 + np.sign(second - first), unit=2),
    )
