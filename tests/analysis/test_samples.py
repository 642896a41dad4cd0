"""Samples read from a run's files: by shuffle, whole numbers, whatever the order of rows and parts."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim.analysis.allpairs import all_pairs
from sim.analysis.league import league
from sim.analysis.luck import duplicate_luck
from sim.analysis.pairings import pairing_table
from sim.analysis.ranks import rank_shares
from sim.analysis.samples import Samples, mean_of, samples
from sim.analysis.strength import strengths
from sim.arena.run import Run
from sim.errors import RunError
from tests.analysis.synthetic import about, tournament
from tests.arena.stored import stored, tables


def rows_of(synthetic: Samples) -> list[dict[str, Any]]:
    """Write samples as rows of `matches`."""
    shuffles, pairings, sides_of_table = synthetic.scores.shape[:3]
    return [
        {
            "match_id": (shuffle * pairings + pairing) * sides_of_table + table,
            "shuffle_id": shuffle,
            "pairing": pairing,
            "table": table,
            "ns_score": scores[0],
            "ew_score": scores[1],
        }
        for shuffle in range(shuffles)
        for pairing in range(pairings)
        for table in range(sides_of_table)
        for scores in [synthetic.scores[shuffle, pairing, table].tolist()[:: -1 if table else 1]]
    ]


def run_of(path: Path, synthetic: Samples, shards: Sequence[list[dict[str, Any]]]) -> Run:
    return stored(path, about(synthetic.pairings, synthetic.players, len(synthetic.shuffle_ids)), *map(tables, shards))


SYNTHETIC = tournament(np.random.default_rng(1), [10, 0, -5, -5], shuffles=24)


def test_what_is_stored_is_read(tmp_path: Path) -> None:
    read = samples(run_of(tmp_path, SYNTHETIC, [rows_of(SYNTHETIC)]))
    assert (read.scores == SYNTHETIC.scores).all()
    assert read.counted.all()
    assert read.shuffle_ids.tolist() == list(range(24))
    assert read.sides == ("s00", "s01", "s02", "s03") == read.players
    assert read.scores.dtype == np.int64


def test_shuffled_rows_and_parts_change_no_figure(tmp_path: Path) -> None:
    rows, mixed = rows_of(SYNTHETIC), rows_of(SYNTHETIC)
    random.Random(4).shuffle(mixed)
    straight = samples(run_of(tmp_path / "a", SYNTHETIC, [rows]))
    crooked = samples(run_of(tmp_path / "b", SYNTHETIC, [mixed[90:], mixed[:31], mixed[31:90]]))
    for figure in (pairing_table, all_pairs, strengths, duplicate_luck):
        assert figure(straight) == figure(crooked)
    assert (rank_shares(straight).shares == rank_shares(crooked).shares).all()


def test_a_fault_takes_both_tables_of_its_shuffle_out_of_that_pairing_alone(tmp_path: Path) -> None:
    rows = rows_of(SYNTHETIC)
    rows[7] |= dict.fromkeys(("ns_score", "ew_score")) | {"fault": "revoke", "fault_seat": 1, "fault_deal": 2}
    read = samples(run_of(tmp_path, SYNTHETIC, [rows]))
    assert np.argwhere(~read.counted).tolist() == [[0, 3]]
    assert (read.scores[0, 3] == 0).all() and (read.scores[0, 2] == SYNTHETIC.scores[0, 2]).all()
    assert [each.shuffles for each in pairing_table(read).pairings] == [24, 24, 24, 23, 24, 24]


def test_a_run_without_shards_has_no_samples_and_no_figures(tmp_path: Path) -> None:
    empty = samples(run_of(tmp_path, SYNTHETIC, []))
    assert empty.scores.shape == (0, 6, 2, 2)
    assert np.isnan(pairing_table(empty).matrix()).all()
    assert all_pairs(empty).leader is None and np.isnan(all_pairs(empty).differences[0].margin.mean)
    assert strengths(empty).warning is None and np.isnan(strengths(empty).players[0].strength.mean)
    assert np.isnan(rank_shares(empty).shares).all() and np.isnan(duplicate_luck(empty).ratio.mean)


def test_a_shuffle_in_part_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="lacks matches"):
        samples(run_of(tmp_path, SYNTHETIC, [rows_of(SYNTHETIC)[:-1]]))


def test_sums_are_exact_beyond_64_bits() -> None:
    huge = np.full(4, 2**40) + np.array([0, 1, 2, 3])
    assert mean_of(huge, 2).mean == (2**40 + 1.5) / 2
    assert mean_of(huge, 2).half_width == pytest.approx(mean_of(np.arange(4), 2).half_width, abs=1e-3)


def test_a_side_s_samples_are_those_of_the_league(tmp_path: Path) -> None:
    rows = rows_of(SYNTHETIC)
    for row in rows[5::17]:
        row |= dict.fromkeys(("ns_score", "ew_score")) | {"fault": "raised", "fault_seat": 0, "fault_deal": 1}
    run = run_of(tmp_path, SYNTHETIC, [rows])
    for standing in league(run).standings:
        points, margin = samples(run).of_side(standing.strategy).T
        assert np.nanmean(points) == pytest.approx(standing.points.mean)
        assert np.nanmean(margin) == pytest.approx(standing.margin.mean)
        assert np.isfinite(margin).sum() == standing.shuffles


def test_a_side_against_itself_has_margin_0_and_the_points_of_both() -> None:
    itself = Samples("id", ("a",), (("a", "a"),), np.arange(1), np.array([[[[9, 3], [1, 7]]]]), np.ones((1, 1), bool))
    assert itself.of_side("a").tolist() == [[5, 0]]
