"""The five-category test against figures published by others, and our own test against it."""

import numpy as np
import pytest

from sim.analysis.pentanomial import normalised_elo_llr, pair_effect
from sim.analysis.sequential import Sums, log_likelihood_ratio

KNOWN = [
    ([365, 16618, 36229, 16974, 390], (0, 2), 2.25),
    ([93, 18711, 58877, 18739, 100], (-1.75, 0.25), 2.942),
]


@pytest.mark.parametrize(("counts", "bounds", "answer"), KNOWN)
def test_known_answers_are_reproduced(counts: list[int], bounds: tuple[float, float], answer: float) -> None:
    assert normalised_elo_llr(counts, *bounds) == pytest.approx(answer, abs=5e-4)


@pytest.mark.parametrize(("counts", "bounds", "answer"), KNOWN)
def test_our_normal_ratio_comes_to_the_same(counts: list[int], bounds: tuple[float, float], answer: float) -> None:
    sums = Sums().plus(np.repeat([-2, -1, 0, 1, 2], counts))
    null, alternative = (pair_effect(elo) * sums.variance**0.5 for elo in bounds)
    assert log_likelihood_ratio(sums, alternative, null) == pytest.approx(answer, abs=5e-4)


def test_the_other_side_sees_the_mirror_image() -> None:
    counts, bounds = KNOWN[0][:2]
    mirrored = normalised_elo_llr(counts[::-1], -bounds[0], -bounds[1])
    assert mirrored == pytest.approx(normalised_elo_llr(counts, *bounds))


def test_empty_categories_do_no_harm() -> None:
    assert normalised_elo_llr([0, 0, 2, 0, 37], 0, 20) == pytest.approx(2.96, abs=0.05)
