"""All pairs compared: simultaneous intervals, their mirror images, and a leader only where there is one."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from sim.analysis.allpairs import all_pairs
from sim.analysis.linear import fit, standard_error
from sim.analysis.pairings import pairing_table
from sim.analysis.strength import side_design
from tests.analysis.synthetic import tournament


def test_two_sides_have_the_interval_of_their_pairing() -> None:
    samples = tournament(np.random.default_rng(1), [5, 0], shuffles=30)
    (only,) = all_pairs(samples).differences
    assert only.margin == pytest.approx(pairing_table(samples).pairings[0].margin)


def test_a_difference_is_the_direct_margin_with_the_indirect_ones() -> None:
    samples = tournament(np.random.default_rng(2), [5, 0, -9, 2], shuffles=30)
    margin = np.nan_to_num(pairing_table(samples).matrix())
    for first, second in permutations(range(4), 2):
        by_hand = (margin[first] - margin[second]).sum() / 4
        found = all_pairs(samples).difference(samples.sides[first], samples.sides[second])
        assert found.margin.mean == pytest.approx(by_hand)


def test_intervals_are_wider_for_there_being_many() -> None:
    samples = tournament(np.random.default_rng(3), [0] * 5, shuffles=30)
    fitted = fit(samples, side_design(samples))
    for each in all_pairs(samples).differences:
        places = samples.sides.index(each.first), samples.sides.index(each.second)
        error = standard_error(fitted.influence[:, places[0]] - fitted.influence[:, places[1]], 30)
        assert each.margin.half_width == pytest.approx(3.0380 * error, rel=1e-4)  # t of 29 degrees at 1 - 0.025 / 10


def test_either_order_is_exactly_the_other_with_the_sign_changed() -> None:
    found = all_pairs(tournament(np.random.default_rng(4), [0.3, 0.1, 0.2], shuffles=13))
    for first, second in permutations(found.sides, 2):
        there, back = found.difference(first, second), found.difference(second, first)
        assert back.margin == (-there.margin.mean, -there.margin.high, -there.margin.low)
        assert back.p == there.p
    with pytest.raises(KeyError):
        found.difference("s00", "s00")


def test_p_is_below_5_percent_exactly_where_the_interval_leaves_0_out() -> None:
    found = all_pairs(tournament(np.random.default_rng(5), np.linspace(-30, 30, 9), shuffles=80)).differences
    assert {each.beyond_chance for each in found} == {True, False}
    assert all((each.p < 0.05) == each.beyond_chance for each in found)


def test_a_leader_beats_everyone() -> None:
    clear = all_pairs(tournament(np.random.default_rng(6), [0, 60, 0, -60], shuffles=400))
    assert clear.leader == "s01"
    assert all_pairs(tournament(np.random.default_rng(6), [60, 60, 0, -60], shuffles=400)).leader is None


def test_a_side_that_never_met_the_others_leaves_no_leader() -> None:
    apart = all_pairs(tournament(np.random.default_rng(7), [90, 0, 0, 0], shuffles=50, pairings=[(0, 1), (2, 3)]))
    assert apart.leader is None
    assert np.isnan(apart.difference("s00", "s02").p) and apart.difference("s00", "s01").beyond_chance


def test_a_side_with_one_shuffle_left_is_not_called_better() -> None:
    whole = tournament(np.random.default_rng(8), [500, 0, 0], shuffles=40)
    counted = whole.counted.copy()
    counted[1:, [0, 1]] = False
    found = all_pairs(replace(whole, scores=np.where(counted[..., None, None], whole.scores, 0), counted=counted))
    first = found.difference("s00", "s01")
    assert first.margin.mean > 100 and np.isnan(first.margin.low) and np.isnan(first.p)
    assert found.leader is None and not np.isnan(found.difference("s01", "s02").p)


def test_where_shuffles_fell_out_those_left_are_the_sample() -> None:
    whole = tournament(np.random.default_rng(9), [20, 0], shuffles=40)
    kept = np.arange(40) % 8 == 0
    counted = kept[:, None]
    part = replace(whole, scores=np.where(counted[..., None, None], whole.scores, 0), counted=counted)
    alone = replace(whole, scores=whole.scores[kept], counted=counted[kept], shuffle_ids=whole.shuffle_ids[kept])
    assert all_pairs(part).differences[0].margin == pytest.approx(all_pairs(alone).differences[0].margin)
    assert all_pairs(alone).differences[0].margin == pytest.approx(pairing_table(part).pairings[0].margin)
