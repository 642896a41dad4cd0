"""The board notebook's figures, worked out a second way from the files of a run, without SQL or the views."""

import shutil
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import sim
from tests.analysis.notebooks import frames
from tests.arena.fellows import Careless, Drifter

NOTEBOOK = "board_claim_risk.ipynb"
SEATS = ("north", "east", "south", "west")
BOARD = 99

Sums = dict[tuple, dict[int, np.ndarray]]
"""By group and shuffle: how many, and the sums of what is estimated."""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> sim.Run:
    """A run in which some claim by plan, some by chance, and one forfeits matches."""
    field = ["doubler", "counter", Drifter, Careless(since=7)]
    tournament = sim.Tournament(
        field,
        matches=32,
        seed=11,
        on_fault="forfeit",
        shard_shuffles=5,
        rules=sim.Rules(hand_sizes=(4, 2, 1, 1, 3, 2, 3), board_multiplier="table"),
    )
    return sim.play(tournament, out=tmp_path_factory.mktemp("boards") / "run")


@pytest.fixture(scope="module")
def figures(run: sim.Run) -> dict[str, pl.DataFrame]:
    return frames(NOTEBOOK, run)


@pytest.mark.parametrize("by", ["hand_size", "board_level"])
def test_claims_by_hand_size_and_level_agree(run: sim.Run, figures: dict[str, pl.DataFrame], by: str) -> None:
    matches, hands = _read(run)
    sums: Sums = defaultdict(lambda: defaultdict(lambda: np.zeros(3, np.int64)))
    chances: dict[tuple, int] = defaultdict(int)
    sizes = run.manifest["rules"]["hand_sizes"]
    for match in matches.values():
        for seat in SEATS:
            for size in sizes if by == "hand_size" else range(1, 5):
                chances[match[seat], size] += 1 if by == "hand_size" else len(sizes)
    for hand in hands:
        for seat in range(4):
            if hand["bids"][seat] == BOARD:
                turns = range(1, (seat - hand["dealer"] - 1) % 4 + 1)
                level = 1 + sum(hand["bids"][(hand["dealer"] + turn) % 4] == BOARD for turn in turns)
                value = hand["hand_size"] if by == "hand_size" else level
                made = hand["tricks"][seat] + hand["tricks"][seat ^ 2] == hand["hand_size"]
                sums[hand["players"][seat], value][hand["shuffle_id"]] += (1, made, hand["points"][seat % 2])
    found = figures["by_hand_size" if by == "hand_size" else "by_level"]
    assert _rows(found, "strategy", by) == sorted(sums)
    assert len({size for _, size in sums}) > 2
    for row in found.iter_rows(named=True):
        group = sums[row["strategy"], row[by]]
        claims, made, points = np.array(list(group.values())).T
        assert (row["claims"], row["shuffles"]) == (claims.sum(), len(group))
        assert row["rate"] == claims.sum() / chances[row["strategy"], row[by]]
        if row["all_shuffles"] > 1:
            assert 0 < row["rate_low"] < row["rate"] <= row["rate_high"] <= 1
        assert (row["success"], row["success_se"]) == _approx(*_ratio(made, claims))
        assert (row["points"], row["points_se"]) == _approx(*_ratio(points, claims))
    assert (found["all_shuffles"] > 1).sum() > 3


@pytest.mark.parametrize("by", ["hand_size", "other"])
def test_same_cards_claimed_and_not_agree(run: sim.Run, figures: dict[str, pl.DataFrame], by: str) -> None:
    _, hands = _read(run)
    ends = {(hand["match_id"], hand["deal"]): hand for hand in hands if hand["outcome"] != "thrown-in"}
    situations: dict[tuple, dict[tuple, list]] = defaultdict(lambda: defaultdict(list))
    for hand in hands:
        ours, theirs = ends[hand["match_id"], hand["deal"]]["points"]
        for turn in range(4):
            seat = (hand["dealer"] + 1 + turn) % 4
            before = tuple(hand["bids"][(hand["dealer"] + 1 + each) % 4] for each in range(turn))
            place = (hand["shuffle_id"], hand["deal"], hand["attempt"], hand["dealer"], hand["hands"][seat])
            own, other = (ours, theirs) if seat % 2 == 0 else (theirs, ours)
            claimed = hand["bids"][seat] == BOARD
            situation = situations[(*place, hand["hand_size"], before)]
            situation[hand["players"][seat], claimed].append((own, own - other))
    sums: Sums = defaultdict(lambda: defaultdict(lambda: np.zeros(3)))
    for (shuffle, *_, size, before), players in situations.items():
        for (claimer, claimed), with_claim in players.items():
            for (other, too), without in players.items():
                if claimed and not too and claimer != other:
                    gain = np.mean(with_claim, axis=0) - np.mean(without, axis=0)
                    group = (claimer, 1 + before.count(BOARD), size if by == "hand_size" else other)
                    sums[group][shuffle] += (1, *gain)
    found = figures["paired" if by == "hand_size" else "paired_by_other"]
    assert _rows(found, "claimer", "board_level", by) == sorted(sums)
    assert found["pairs"].sum() > 100
    for row in found.iter_rows(named=True):
        group = sums[row["claimer"], row["board_level"], row[by]]
        pairs, points, margin = np.array(list(group.values())).T
        assert (row["pairs"], row["shuffles"]) == (pairs.sum(), len(group))
        assert (row["points"], row["points_se"]) == _approx(*_ratio(points, pairs))
        assert (row["margin"], row["margin_se"]) == _approx(*_ratio(margin, pairs))


def test_order_of_rows_and_parts_changes_no_figure(
    run: sim.Run, figures: dict[str, pl.DataFrame], tmp_path: Path
) -> None:
    shutil.copy(run.path / "run.json", tmp_path)
    for table in ("matches", "deals", "tricks"):
        parts = sorted((run.path / table).glob("*.parquet"))
        rows = pl.concat([pl.read_parquet(part) for part in parts]).sample(fraction=1, shuffle=True, seed=5)
        (tmp_path / table).mkdir()
        for place, part in enumerate(reversed(parts)):
            rows.gather_every(len(parts), place).write_parquet(tmp_path / table / part.name)
    assert len(figures) > 8
    for name, again in frames(NOTEBOOK, sim.open_run(tmp_path)).items():
        assert_frame_equal(again, figures[name], check_exact=True)


def test_every_figure_is_there_before_the_first_match_is(run: sim.Run, tmp_path: Path) -> None:
    shutil.copy(run.path / "run.json", tmp_path)
    found = frames(NOTEBOOK, sim.open_run(tmp_path))
    assert len(found) > 8 and all(found[name].is_empty() for name in ("by_hand_size", "by_level", "paired", "spread"))


def _read(run: sim.Run) -> tuple[dict[int, dict[str, Any]], list[dict[str, Any]]]:
    """Return the matches that count by their number, and their hands."""
    rows = pl.read_parquet(run.path / "matches" / "*.parquet")
    faulted = set(rows.filter(pl.col("fault").is_not_null()).select("pairing", "shuffle_id").iter_rows())
    assert faulted
    kept = rows.filter([key not in faulted for key in rows.select("pairing", "shuffle_id").iter_rows()])
    matches = {row["match_id"]: row for row in kept.iter_rows(named=True)}
    hands = []
    for row in pl.read_parquet(run.path / "deals" / "*.parquet").iter_rows(named=True):
        if match := matches.get(row["match_id"]):
            hand = {f"{what}s": [row[f"{seat}_{what}"] for seat in SEATS] for what in ("bid", "hand")}
            hand["tricks"] = [row[f"{seat}_tricks"] for seat in SEATS]
            hand["points"] = [row["ns_points"] or 0, row["ew_points"] or 0]
            hand["players"] = [match[seat] for seat in SEATS]
            hands.append(row | hand | {"shuffle_id": match["shuffle_id"]})
    return matches, hands


def _ratio(above: np.ndarray, below: np.ndarray) -> tuple[float, float | None]:
    """Return the ratio of two sums over shuffles and its standard error, from how each shuffle scatters about it."""
    ratio = above.sum() / below.sum()
    if len(below) == 1:
        return ratio, None
    off = above - ratio * below
    return ratio, float(np.sqrt(len(off) * off.var(ddof=1)) / below.sum())


def _approx(mean: float, error: float | None) -> tuple:
    return pytest.approx(mean, abs=1e-4), None if error is None else pytest.approx(error, rel=1e-4, abs=1e-4)


def _rows(table: pl.DataFrame, *columns: str) -> list[tuple]:
    return sorted(table.select(columns).iter_rows())
