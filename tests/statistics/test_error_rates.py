"""What the statistics promise, counted in simulation: how often intervals cover, tests err, and nobody leads.

Strengths are known here because the samples are made up (`tests.analysis.synthetic`). Each check states its number of
simulations and the share it asks for; run with ``-s`` it prints the share it found.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from sim.analysis.allpairs import all_pairs
from sim.analysis.pairings import pairing_table
from sim.analysis.planning import plan
from sim.analysis.samples import Samples, mean_of
from sim.analysis.sequential import Design, Outcome, run_tests
from sim.analysis.stats import Estimate
from sim.analysis.strength import strengths
from tests.analysis.synthetic import PLAY, TASTE, tournament

pytestmark = pytest.mark.slow

DEVIATION = (2 * TASTE**2 + PLAY**2 / 2) ** 0.5
"""Of a shuffle's margin in `synthetic`, the tables averaged; points a match."""


def share(what: str, hits: Sequence[bool]) -> float:
    found = float(np.mean(hits))
    print(f"\n{what}: {found:.4f} of {len(hits):,}")
    return found


def at_most(chance: float, simulations: int) -> float:
    """Return a chance with two standard errors of simulation on top."""
    return chance + 2 * (chance * (1 - chance) / simulations) ** 0.5


def covers(interval: Estimate, truth: float) -> bool:
    return interval.low <= truth <= interval.high


@pytest.mark.parametrize("shuffles", [10, 50])
def test_the_interval_of_a_margin_covers_it_in_95_percent(shuffles: int) -> None:
    chance = np.random.default_rng(1)
    found = [pairing_table(tournament(chance, [20, 0], shuffles)).pairings[0].margin for _ in range(10_000)]
    assert 0.94 <= share(f"pairing over {shuffles} shuffles", [covers(each, 20) for each in found]) <= 0.96


def test_so_does_the_one_over_several_pairings_on_the_same_shuffles() -> None:
    chance = np.random.default_rng(2)
    found = [margin_of_first(tournament(chance, [30, 10, 0, -40], shuffles=20)) for _ in range(10_000)]
    assert 0.94 <= share("margin over three pairings", [covers(each, 40) for each in found]) <= 0.96


def margin_of_first(samples: Samples) -> Estimate:
    """Return the first side's margin over all its pairings, averaged by shuffle first."""
    places = [place for place, (first, _) in enumerate(samples.pairings) if first == samples.sides[0]]
    return mean_of(samples.table_margins[:, places].sum(axis=(1, 2)), unit=len(places) * samples.tables)


def test_so_does_the_one_of_a_strength() -> None:
    chance, hits = np.random.default_rng(3), []
    for _ in range(3000):
        fitted = strengths(tournament(chance, [30, 10, 0, -40], shuffles=20)).players
        hits += [covers(each.strength, 30) for each in fitted if each.player == "s00"]
    assert 0.94 <= share("strength over six pairings", hits) <= 0.96


def test_20_equal_sides_have_a_leader_or_a_difference_in_5_percent_at_most() -> None:
    chance = np.random.default_rng(4)
    found = [all_pairs(tournament(chance, [0] * 20, shuffles=60)) for _ in range(400)]
    assert share("a leader of equals", [each.leader is not None for each in found]) <= at_most(0.05, 400)
    different = [any(each.beyond_chance for each in one.differences) for one in found]
    assert share("any difference between equals", different) <= at_most(0.05, 400)


def test_two_equal_sides_have_a_leader_in_5_percent_at_most() -> None:
    chance = np.random.default_rng(5)
    found = [all_pairs(tournament(chance, [0, 0, -900], shuffles=60)).leader for _ in range(2000)]
    assert share("a leader of two equals before a third", [each is not None for each in found]) <= at_most(0.05, 2000)


def test_simultaneous_intervals_hold_together_in_95_percent() -> None:
    chance, true = np.random.default_rng(6), {f"s{place:02}": 70 - 20 * place for place in range(8)}
    found = [all_pairs(tournament(chance, list(true.values()), shuffles=60)).differences for _ in range(1000)]
    missed = [not all(covers(each.margin, true[each.first] - true[each.second]) for each in one) for one in found]
    assert share("one of 28 intervals missing", missed) <= at_most(0.05, 1000)


def test_fields_that_add_up_are_said_not_to_in_5_percent_at_most() -> None:
    chance = np.random.default_rng(7)
    found = [not strengths(tournament(chance, np.linspace(90, -90, 6), shuffles=80)).adds_up for _ in range(1000)]
    assert share("an additive field that is said not to add up", found) <= at_most(0.05, 1000)


def test_rings_are_found() -> None:
    chance = np.random.default_rng(8)
    ring = 30 * np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]])
    found = [strengths(tournament(chance, [5, 0, -5], shuffles=300, excess=ring)).cyclic for _ in range(200)]
    assert share("a ring of 30 points found", found) > 0.9


DESIGNS = [
    Design(difference=DEVIATION / 10, alpha=0.05, beta=0.05, batch=100, budget=20_000),
    Design(difference=DEVIATION / 2, alpha=0.05, beta=0.05, batch=32, budget=3_200),
    Design(difference=DEVIATION / 30, alpha=0.1, beta=0.1, batch=500, budget=50_000),
]


def simulated(design: Design, mean: float, seed: int, simulations: int = 1000) -> list[Outcome]:
    chance = np.random.default_rng(seed)

    def margins() -> Iterator[np.ndarray]:
        for _ in range(design.budget // design.batch):
            yield np.rint(2 * chance.normal(mean, DEVIATION, design.batch)).astype(np.int64)

    return [run_tests(design, margins()) for _ in range(simulations)]


@pytest.mark.parametrize("design", DESIGNS)
def test_equal_sides_are_told_apart_with_chance_alpha_at_most(design: Design) -> None:
    verdicts = [each.verdict for each in simulated(design, 0, seed=9)]
    wrong = share("equal sides told apart", [verdict in ("better", "worse") for verdict in verdicts])
    assert wrong <= at_most(design.alpha, 1000)
    assert verdicts.count("no difference") > 1000 * (0.95 - design.alpha)


@pytest.mark.parametrize("design", DESIGNS)
def test_a_difference_of_interest_is_found_with_the_planned_power(design: Design) -> None:
    found = simulated(design, -design.difference, seed=10)
    assert share("the difference missed", [each.verdict != "worse" for each in found]) <= at_most(design.beta, 1000)
    shuffles = float(np.mean([each.sums.shuffles for each in found]))
    fixed = plan(design.difference, DEVIATION, 1 - design.beta, design.alpha) / 2
    print(f"after {shuffles:,.0f} shuffles on average, where one look at the end would need {fixed:,.0f}")
    assert shuffles < fixed


@pytest.mark.parametrize("multiple", [0, 0.5, 1, 2, 10])
def test_the_interval_after_stopping_covers_the_margin(multiple: float) -> None:
    design = DESIGNS[0]
    found = simulated(design, multiple * design.difference, seed=11)
    missed = [not covers(each.margin, multiple * design.difference) for each in found]
    assert share(f"a margin of {multiple} differences outside its interval", missed) <= at_most(0.05, 1000)
    usual = [1.96 * (each.sums.variance / each.sums.shuffles) ** 0.5 for each in found]
    wider = np.mean([each.margin.half_width / width for each, width in zip(found, usual, strict=True)])
    print(f"{wider:.2f} times as wide as if the number of shuffles had been fixed")
    assert wider < 2
