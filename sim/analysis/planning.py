"""How many matches a question needs."""

from math import ceil

from scipy.special import ndtri

from ..errors import ConfigError


def plan(difference: float, deviation: float, power: float = 0.8, alpha: float = 0.05, comparisons: int = 1) -> int:
    """Return how many matches a pairing needs to show a true difference: duplicate ones, both tables counted.

    The test is Student's t on the shuffles' margins, looked at once, at the end. The number is that of Guenther (1981),
    right to a shuffle or two.

    Parameters
    ----------
    difference : float
        Points a match, not 0.
    deviation : float
        Standard deviation of a shuffle's margin, its two tables averaged; points a match, above 0.
    power : float
        Chance to find the difference, above `alpha` and below 1.
    alpha : float
        Chance to find one where there is none, 0 to 1.
    comparisons : int
        How many are made at once; each is tested at `alpha` / `comparisons` (Dunn 1961).

    Raises
    ------
    ConfigError
        If a value is outside its range.
    """
    if not (difference and deviation > 0 and 0 < alpha < power < 1 and comparisons >= 1):
        raise ConfigError(
            f"no plan for difference {difference}, deviation {deviation}, power {power}, alpha {alpha}",
            "give a difference other than 0, a deviation above 0, and 0 < alpha < power < 1",
        )
    error, miss = ndtri(1 - alpha / (2 * comparisons)), ndtri(power)
    shuffles = ((error + miss) * deviation / difference) ** 2 + error**2 / 2
    return 2 * max(2, ceil(shuffles))
