"""Numbers as they are printed."""

from math import nan

import pytest

from sim.analysis.stats import Estimate
from sim.analysis.tables import plus_minus


@pytest.mark.parametrize(
    ("estimate", "text"),
    [
        (Estimate(0.5, 0.4, 0.6), "50.0 ± 10.0 %"),
        (Estimate(0.9, 0.625, 1.175), "90.0 (62.5 to 100) %"),
        (Estimate(0.1, -0.2, 0.4), "10.0 (0 to 40.0) %"),
        (Estimate(0.5, -5.8, 6.8), "50.0 (0 to 100) %"),
        (Estimate(1.0, 1.0, 1.0), "100.0 ± 0.0 %"),
        (Estimate(0.5, nan, nan), "50.0 ± – %"),
        (Estimate(nan, nan, nan), "–"),
    ],
)
def test_a_share_is_never_said_to_be_beyond_what_it_can_be(estimate: Estimate, text: str) -> None:
    assert plus_minus(estimate, percent=True) == text


def test_a_margin_may_be_anything() -> None:
    assert plus_minus(Estimate(0.25, -0.75, 1.25), signed=True) == "+0.2 ± 1.0"
