"""The mirrored tests: what they say, when they look, what interval they leave."""

from collections.abc import Iterator
from math import isnan

import numpy as np
import pytest
from scipy.stats import norm

from sim.analysis.sequential import Design, Outcome, Sums, log_likelihood_ratio, run_tests, stopping_interval
from sim.errors import ConfigError

DESIGN = Design(difference=50, alpha=0.05, beta=0.05, batch=100, budget=10_000)


def batches(seed: int, mean: float, size: int = 100, number: int = 100, deviation: float = 250) -> Iterator[np.ndarray]:
    """Yield margins of both tables together, `mean` a match."""
    chance = np.random.default_rng(seed)
    for _ in range(number):
        yield np.rint(2 * chance.normal(mean, deviation, size)).astype(np.int64)


def outcome(seed: int, mean: float, design: Design = DESIGN) -> Outcome:
    return run_tests(design, batches(seed, mean))


def test_the_ratio_is_the_normal_one() -> None:
    sums = Sums().plus(np.array([2, 6, 10, 22]))
    assert (sums.mean, sums.variance) == (5, pytest.approx(np.var([1, 3, 5, 11], ddof=1)))
    density = norm(scale=sums.variance**0.5)
    by_hand = sum(density.logpdf(margin - 4) - density.logpdf(margin) for margin in (1, 3, 5, 11))
    assert log_likelihood_ratio(sums, 4) == pytest.approx(by_hand)


@pytest.mark.parametrize(
    ("mean", "verdict"), [(100, "better"), (50, "better"), (0, "no difference"), (-50, "worse"), (-4000, "worse")]
)
def test_verdicts(mean: float, verdict: str) -> None:
    assert outcome(1, mean).verdict == verdict


def test_the_other_side_hears_exactly_the_mirror_image() -> None:
    for seed in range(20):
        margins = list(batches(seed, 30 * (seed % 3)))
        assert run_tests(DESIGN, (-part for part in margins)) == run_tests(DESIGN, margins).mirrored()


def test_how_the_shuffles_are_cut_into_arrays_does_not_matter() -> None:
    margins = np.concatenate(list(batches(4, 20)))
    one = run_tests(DESIGN, np.split(margins, 100))
    assert one == run_tests(DESIGN, np.split(margins, 400))
    assert one.sums.shuffles % 100 == 0


def test_they_look_at_the_ends_of_batches_and_of_the_budget_alone() -> None:
    design = Design(difference=1, alpha=0.05, beta=0.05, batch=40, budget=100)
    looked: list[int] = []
    found = run_tests(design, batches(1, 0, size=10, number=10), lambda sums: looked.append(sums.shuffles))
    assert looked == [40, 80, 100]
    assert found.verdict == "undecided"


def test_they_do_not_look_before_the_variance_is_known() -> None:
    design = Design(difference=1, alpha=0.05, beta=0.05, batch=2, budget=40)
    looked: list[int] = []
    run_tests(design, batches(1, 5000, size=2, number=20), lambda sums: looked.append(sums.shuffles))
    assert looked == [32, 34, 36, 38, 40]


@pytest.mark.parametrize("constant", [0, 14])
def test_margins_without_variance_are_undecided(constant: int) -> None:
    found = run_tests(DESIGN, (np.full(100, constant) for _ in range(100)))
    assert found.verdict == "undecided"
    assert found.margin.mean == constant / 2 and isnan(found.margin.low)


def test_a_test_that_accepted_0_stays_ended() -> None:
    low, high = np.tile([-400, 0], 500), np.tile([600, 1000], 500)
    found = run_tests(Design(50, 0.05, 0.05, 1000, 3000), [low, high, high])
    assert found.sums.shuffles < 3000 and found.verdict == "worse"
    one_ended = run_tests(Design(50, 0.05, 0.05, 1000, 3000), [low // 8, high // 8, high])
    assert one_ended.verdict != "better"


def test_the_interval_leaves_0_out_exactly_when_one_side_is_better() -> None:
    verdicts = set()
    for seed in range(60):
        found = outcome(seed, 25 * (seed % 4))
        verdicts.add(found.verdict)
        assert (found.margin.low > 0) == (found.verdict == "better")
        assert (found.margin.high < 0) == (found.verdict == "worse")
    assert verdicts >= {"better", "no difference"}


def test_the_interval_holds_the_mean_and_narrows() -> None:
    widths = []
    for shuffles in (100, 200, 400, 1000, 5000):
        sums = Sums(shuffles, total=2 * 300 * shuffles, squares=shuffles * (600**2 + 500**2))
        low, high = stopping_interval(DESIGN, sums)[1:]
        assert low < 300 < high
        widths.append((high - low) / 2 / (1.96 * 250 / shuffles**0.5))
    assert all(1.3 < width < 2 for width in widths)


@pytest.mark.parametrize(
    "wrong", [{"difference": 0}, {"difference": float("nan")}, {"alpha": 0}, {"beta": 1}, {"batch": 0}, {"budget": 99}]
)
def test_designs_that_make_no_sense_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match="refused"):
        Design(**({"difference": 5, "alpha": 0.05, "beta": 0.05, "batch": 100, "budget": 1000} | wrong))
