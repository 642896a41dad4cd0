"""Strengths against what they were made from, against least squares by hand, and in odd fields."""

from dataclasses import replace

import numpy as np
import pytest

from sim.analysis.linear import fit, standard_error
from sim.analysis.samples import Samples
from sim.analysis.strength import side_design, strengths
from tests.analysis.synthetic import label, tournament


def made(margins: np.ndarray, pairings: list[tuple[str, str]], players: str = "abc") -> Samples:
    """Return samples of given margins, int[shuffles, pairings], the same at both tables."""
    scores = np.zeros((*margins.shape, 2, 2), np.int64)
    scores[..., 0] = margins[..., None]
    shuffles = np.arange(len(margins))
    return Samples("id", tuple(players), tuple(pairings), shuffles, scores, np.ones(margins.shape, bool))


def test_strengths_are_found_and_sum_to_zero() -> None:
    true = np.array([30, 10, 0, -40])
    found = strengths(tournament(np.random.default_rng(1), true, shuffles=4000))
    assert [each.player for each in found.players] == ["s00", "s01", "s02", "s03"]
    for each, strength in zip(found.players, true, strict=True):
        assert each.strength.low < strength < each.strength.high
        assert each.strength.half_width < 5
    assert sum(each.strength.mean for each in found.players) == pytest.approx(0, abs=1e-9)
    assert found.adds_up and not found.cyclic and found.warning is None


def test_two_sides_are_told_apart_as_their_pairing_says() -> None:
    found = strengths(made(np.array([[10], [20], [60]]), [("a", "b")], "ab"))
    assert [each.strength.mean for each in found.players] == pytest.approx([15, -15])
    assert found.players[0].strength.half_width == pytest.approx(
        4.3027 * np.std([5, 10, 30], ddof=1) / 3**0.5, abs=1e-3
    )


def test_standard_errors_come_from_the_scatter_of_shuffles() -> None:
    samples = tournament(np.random.default_rng(5), [0, 0, 0, 0, 0], shuffles=60)
    fitted = fit(samples, side_design(samples))
    per_shuffle = samples.margins @ np.linalg.pinv(side_design(samples)).T
    assert fitted.strengths == pytest.approx(per_shuffle.mean(axis=0))
    for side in range(5):
        by_hand = per_shuffle[:, side].std(ddof=1) / 60**0.5
        assert standard_error(fitted.influence[:, side], 60) == pytest.approx(by_hand)


def test_partners_are_told_apart_from_the_sides_they_make() -> None:
    pairings = [("a", "b"), ("a+b", "b"), ("a+c", "b+c")]
    margins = np.array([[40, 20, 20], [42, 18, 22], [38, 22, 18]])
    found = {each.player: each.strength.mean for each in strengths(made(margins, pairings)).players}
    assert found["a"] - found["b"] == pytest.approx(40)
    assert np.isnan(found["c"])


def test_a_label_may_hold_a_plus() -> None:
    samples = replace(made(np.array([[4], [6]]), [("x:m=1e+20+y", "y")], "xy"), players=("x:m=1e+20", "y"))
    found = {each.player: each.strength.mean for each in strengths(samples).players}
    assert found == pytest.approx({"x:m=1e+20": 5, "y": -5})


def test_undefeated_and_winless_players_stay_finite() -> None:
    found = strengths(tournament(np.random.default_rng(2), [9000, 0, 0, -9000], shuffles=50))
    assert found.players[0].strength.mean == pytest.approx(9000, abs=200)
    assert found.players[-1].strength.mean == pytest.approx(-9000, abs=200)
    assert all(np.isfinite(each.strength.half_width) for each in found.players)


def test_what_the_pairings_do_not_tell_is_open() -> None:
    found = strengths(made(np.array([[4, 1], [6, 3]]), [("a", "b"), ("c", "c")]))
    means = {each.player: each.strength.mean for each in found.players}
    assert means["a"] == pytest.approx(2.5) and means["b"] == pytest.approx(-2.5)
    assert np.isnan(means["c"]) and found.players[-1].player == "c"


def test_a_player_whose_shuffles_all_fell_out_does_not_spoil_the_others() -> None:
    whole = tournament(np.random.default_rng(8), [5, 0, -5, 3], shuffles=40)
    counted = np.array([["s03" not in pairing for pairing in whole.pairings]] * 40)
    scores = np.where(counted[..., None, None], whole.scores, 0)
    found = {each.player: each.strength for each in strengths(replace(whole, scores=scores, counted=counted)).players}
    three = [place for place, pairing in enumerate(whole.pairings) if "s03" not in pairing]
    alone = replace(
        whole,
        players=whole.players[:3],
        pairings=tuple(whole.pairings[place] for place in three),
        scores=whole.scores[:, three],
        counted=counted[:, three],
    )
    for each in strengths(alone).players:
        assert found[each.player] == pytest.approx(each.strength)
    assert np.isnan(found["s03"].mean)


def test_rock_paper_scissors_is_flagged_and_named() -> None:
    excess = np.array([[0, 40, -40], [-40, 0, 40], [40, -40, 0]])
    found = strengths(tournament(np.random.default_rng(3), [0, 0, 0], shuffles=300, excess=excess))
    assert found.cyclic and found.ring == ("s00", "s01", "s02")
    assert found.warning is not None and "s00 beat s01, s01 beat s02, and s02 beat s00" in found.warning


def test_a_ring_within_a_larger_field_is_flagged() -> None:
    excess = np.zeros((8, 8))
    for first, second in ((2, 4), (4, 7), (7, 2)):
        excess[first, second], excess[second, first] = 60, -60
    found = strengths(tournament(np.random.default_rng(4), np.linspace(10, -10, 8), shuffles=400, excess=excess))
    assert found.cyclic
    assert set(found.ring or ()) == {label(2), label(4), label(7)}


def test_one_who_preys_on_the_weak_is_flagged_without_a_ring() -> None:
    excess = np.zeros((4, 4))
    excess[1, 3], excess[3, 1] = 80, -80
    found = strengths(tournament(np.random.default_rng(7), [40, 0, -40, -900], shuffles=400, excess=excess))
    assert not found.adds_up and found.ring is None and not found.cyclic
    assert found.warning is not None and "s01 wins by" in found.warning and "beat" not in found.warning


def test_a_gauntlet_has_no_ring() -> None:
    samples = tournament(np.random.default_rng(5), [0, 40, -40], shuffles=50, pairings=[(0, 1), (0, 2)])
    found = strengths(samples)
    assert found.adds_up and found.ring is None
    assert all(each.excess == (0, 0, 0) for each in found.misfits)


def test_players_that_never_differ_are_level_without_a_doubt() -> None:
    found = strengths(made(np.zeros((5, 3), int), [("a", "b"), ("a", "c"), ("b", "c")]))
    assert [each.strength for each in found.players] == [(0, 0, 0)] * 3
    assert found.adds_up and not found.cyclic


def test_a_pairing_that_fell_out_whole_does_not_hide_the_warning() -> None:
    excess = np.array([[0, 0, 0, 0], [0, 0, 60, -60], [0, -60, 0, 60], [0, 60, -60, 0]])
    whole = tournament(np.random.default_rng(6), [0, 0, 0, 0], shuffles=200, excess=excess)
    counted = whole.counted.copy()
    counted[:, 0] = False
    found = strengths(replace(whole, scores=np.where(counted[..., None, None], whole.scores, 0), counted=counted))
    assert np.isnan(found.misfits[0].excess.mean) and found.cyclic
    assert found.warning is not None and "s00" not in found.warning
