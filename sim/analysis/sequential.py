"""Two mirrored sequential tests on the margins of shuffles: is A better than B, or worse.

Each is Wald's sequential probability ratio test (1945) of margin 0 against one margin of interest, +δ or −δ, with the
normal likelihood ratio on the mean and the variance of the margin (a generalised SPRT: the variance is estimated as the
test goes). Both together are a two-sided test that can also accept 0 (Armitage 1950; Billard and Vagholkar 1969). They
look only where a batch of shuffles ends, so the verdict depends on the shuffles alone. Playing them is in `compare`.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import log, nan, sqrt
from typing import NamedTuple

import numpy as np

from ..errors import ConfigError
from .samples import exact_sums
from .stats import Estimate

BETTER, WORSE, NO_DIFFERENCE, UNDECIDED = "better", "worse", "no difference", "undecided"
_MIRRORED = {BETTER: WORSE, WORSE: BETTER}
FEWEST_SHUFFLES = 32
"""Shuffles at the first look, at least: enough to know the variance by."""


@dataclass(frozen=True)
class Design:
    """What is tested, how surely, and when the tests look.

    Parameters
    ----------
    difference : float
        δ, the smallest margin of interest, points a match, above 0.
    alpha : float
        Chance of `better` or `worse` when the margin is 0, at most, 0 to 1; each test has half of it.
    beta : float
        Chance that a test accepts 0 when the margin is its own ±δ, at most, 0 to 1.
    batch, budget : int
        Shuffles between two looks, and in all; the last batch may be shorter.

    Raises
    ------
    ConfigError
        If a value is outside its range.
    """

    difference: float
    alpha: float
    beta: float
    batch: int
    budget: int

    def __post_init__(self) -> None:
        if not 0 < self.difference < float("inf"):
            raise ConfigError(f"difference = {self.difference} is refused: it must be points a match, above 0")
        for name, chance in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < chance < 1:
                raise ConfigError(f"{name} = {chance} is refused: it must be a chance between 0 and 1, such as 0.05")
        if not 1 <= self.batch <= self.budget:
            raise ConfigError(f"a batch of {self.batch:,} shuffles is refused: the budget is {self.budget:,} shuffles")

    def looks_at(self, shuffles: int) -> bool:
        """Return whether the tests look when so many shuffles are played."""
        return shuffles >= FEWEST_SHUFFLES and (shuffles % self.batch == 0 or shuffles == self.budget)

    @property
    def rejects(self) -> float:
        """The log likelihood ratio at which a test rejects 0: log(2 / α), which bounds its error, overshoot or not."""
        return log(2 / self.alpha)

    @property
    def accepts(self) -> float:
        """The log likelihood ratio at which a test accepts 0: log β."""
        return log(self.beta)


class Sums(NamedTuple):
    """All that a look sees of the margins: whole numbers, each the sum of a shuffle's `tables` margins."""

    shuffles: int = 0
    total: int = 0
    squares: int = 0
    tables: int = 2

    def plus(self, margins: np.ndarray) -> "Sums":
        """Return the sums with more shuffles, int64[n] margins, each summed over its tables."""
        total, squares = exact_sums(margins)
        return Sums(self.shuffles + len(margins), self.total + total, self.squares + squares, self.tables)

    @property
    def mean(self) -> float:
        """Mean margin a match."""
        return self.total / (self.shuffles * self.tables)

    @property
    def variance(self) -> float:
        """Variance of a shuffle's margin a match, with n − 1; 0 of one shuffle."""
        scale = self.shuffles * max(self.shuffles - 1, 1) * self.tables**2
        return (self.shuffles * self.squares - self.total**2) / scale


def log_likelihood_ratio(sums: Sums, margin: float, null: float = 0.0) -> float:
    """Return the normal log likelihood ratio of a mean margin against `null`, the variance being the sample's.

    NaN without variance.
    """
    if not sums.variance:
        return nan
    return sums.shuffles * (margin - null) * (2 * sums.mean - margin - null) / (2 * sums.variance)


class State(NamedTuple):
    """Where the two tests stand: a test that has accepted 0 has ended; one that rejects it ends both."""

    better: bool | None = None
    worse: bool | None = None

    def look(self, design: Design, sums: Sums) -> "State":
        """Return where they stand after a look."""
        ratios = (log_likelihood_ratio(sums, margin) for margin in (design.difference, -design.difference))
        return State(
            *(_ended(design, ratio) if test is None else test for test, ratio in zip(self, ratios, strict=True))
        )

    @property
    def verdict(self) -> str | None:
        """What they say, None as long as one goes on."""
        if self.better or self.worse:
            return BETTER if self.better else WORSE
        return None if None in self else NO_DIFFERENCE


@dataclass(frozen=True)
class Outcome:
    """How a pair of tests ended.

    Attributes
    ----------
    verdict : {"better", "worse", "no difference", "undecided"}
    sums : Sums
        The shuffles looked at.
    margin : Estimate
        Mean margin a match, with the interval that is right whenever the tests stop. The mean itself is biased: tests
        that stop early stop where it happens to be far out.
    """

    verdict: str
    sums: Sums
    margin: Estimate

    def mirrored(self) -> "Outcome":
        """Return how the same tests end for the other side."""
        sums = self.sums._replace(total=-self.sums.total)
        return Outcome(_MIRRORED.get(self.verdict, self.verdict), sums, -self.margin)


def run_tests(
    design: Design, margins: Iterable[np.ndarray], watch: Callable[[Sums], None] = lambda sums: None
) -> Outcome:
    """Take margins shuffle by shuffle until the tests end or the budget is spent.

    Parameters
    ----------
    design : Design
    margins : iterable of int64 arrays
        Whole shuffles in schedule order, each summed over its two tables, cut so that every batch ends with an array.
    watch : function
        Called at every look.
    """
    sums, state = Sums(), State()
    for part in margins:
        sums = sums.plus(part)
        if design.looks_at(sums.shuffles):
            state = state.look(design, sums)
            watch(sums)
            if state.verdict:
                break
    return Outcome(state.verdict or UNDECIDED, sums, stopping_interval(design, sums))


def stopping_interval(design: Design, sums: Sums) -> Estimate:
    """Return the mean margin with an interval of 1 − α that covers the true one whenever the tests stop.

    It holds the margins that no test of level α with unlimited looks rejects (a confidence sequence, Robbins 1970).
    Within ±2 δ, each margin is tested as 0 is, by the two tests against one δ more and one less: so the interval
    leaves 0 out exactly when the verdict is `better` or `worse`. Margins farther out are tested by the sequential t
    test with a normal mixture (Lai 1976; Wang and Ramdas 2025), which is narrower for large differences.
    """
    mean, variance = sums.mean, sums.variance
    if not variance:
        return Estimate(mean, nan, nan)
    edge = 2 * design.difference
    near = design.difference / 2 + variance * design.rejects / (sums.shuffles * design.difference)
    far = _mixture_reach(design, sums)
    parts = (
        (max(mean - near, -edge), min(mean + near, edge)),
        (max(mean - far, edge), mean + far),
        (mean - far, min(mean + far, -edge)),
    )
    kept = [(low, high) for low, high in parts if low <= high]
    return Estimate(mean, min(low for low, _ in kept), max(high for _, high in kept))


def _mixture_reach(design: Design, sums: Sums) -> float:
    """Return how far from the mean the mixture test rejects; it is tightest at about four batches."""
    shuffles = sums.shuffles
    shrink = 1 / (1 + shuffles * 2 / design.batch)
    bound = (design.alpha**2 * shrink) ** (-1 / shuffles)
    if bound * shrink >= 1:
        return float("inf")
    return sqrt(sums.variance * (shuffles - 1) / shuffles * (bound - 1) / (1 - bound * shrink))


def _ended(design: Design, ratio: float) -> bool | None:
    """Return whether a test rejects 0; None if it goes on."""
    if ratio >= design.rejects:
        return True
    return False if ratio <= design.accepts else None
