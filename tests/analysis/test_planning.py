"""Plans against the exact power of the t test."""

import pytest
from scipy.stats import nct
from scipy.stats import t as student

from sim.analysis.planning import plan
from sim.errors import ConfigError


def power(shuffles: int, effect: float, alpha: float) -> float:
    """Return the exact chance that a two-sided t test finds an effect, in standard deviations."""
    limit = student.ppf(1 - alpha / 2, shuffles - 1)
    shift = effect * shuffles**0.5
    return float(nct.sf(limit, shuffles - 1, shift) + nct.cdf(-limit, shuffles - 1, shift))


@pytest.mark.parametrize("effect", [0.05, 0.2, 0.5, 1.0])
@pytest.mark.parametrize(("wanted", "alpha"), [(0.8, 0.05), (0.95, 0.05), (0.9, 0.01)])
def test_so_many_matches_have_the_power_and_a_few_less_do_not(effect: float, wanted: float, alpha: float) -> None:
    shuffles = plan(200 * effect, 200, wanted, alpha) // 2
    assert power(shuffles + 1, effect, alpha) >= wanted
    assert power(shuffles - 2, effect, alpha) < wanted


def test_a_textbook_case() -> None:
    assert plan(0.5, 1) // 2 == 34  # Cohen (1988): d = 0.5, alpha = 0.05 two-sided, power 0.8, paired


def test_matches_come_in_pairs_and_many_comparisons_need_more() -> None:
    assert plan(5, 190) % 2 == 0
    assert plan(5, 190, comparisons=10) > plan(5, 190) == plan(-5, 190)


@pytest.mark.parametrize(
    "wrong", [{"difference": 0}, {"deviation": 0}, {"power": 1}, {"power": 0.04}, {"alpha": 0}, {"comparisons": 0}]
)
def test_what_cannot_be_planned_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match="no plan"):
        plan(**({"difference": 5, "deviation": 100} | wrong))
