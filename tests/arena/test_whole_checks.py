"""The checks of a run as one see what no part shows of itself, name the first row of its kind and count the others."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sim.arena.finding import Finding
from sim.arena.manifest import stored_plan
from sim.arena.run import Run, open_run
from sim.arena.runner import play
from sim.arena.schema import TABLES
from sim.arena.tournament import Tournament
from sim.arena.verify import verify
from sim.arena.whole_checks import check_whole
from sim.game.house import Rules
from tests.arena.fellows import Careless, Passer, Steady

RULES = Rules(hand_sizes=(9, 5, 3, 1), max_redeals=3)


def played(path: Path, *players: Any, **settings: Any) -> Run:
    usual: dict[str, Any] = {"matches": 12, "seed": 5, "rules": RULES, "shard_shuffles": 2}
    return play(Tournament(players, **usual | settings), path)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Three shards of four matches, with hands thrown in."""
    return played(tmp_path_factory.mktemp("whole") / "run", Steady(), "random_legal")


@pytest.fixture
def copy(run: Run, tmp_path: Path) -> Run:
    shutil.copytree(run.path, tmp_path / "copy")
    return open_run(tmp_path / "copy")


def found(run: Run, **counted: int) -> list[Finding]:
    return list(check_whole(run, stored_plan(run.manifest), counted, threads=1))


def told(run: Run) -> list[str]:
    return [str(finding) for finding in found(run)]


def change(run: Run, table: str, alter: Callable[[pl.DataFrame], pl.DataFrame], shard: int = 1) -> None:
    path = run.folder.part(table, shard)
    alter(pl.read_parquet(path)).write_parquet(path)


def put(column: str, value: Any, where: pl.Expr) -> Callable[[pl.DataFrame], pl.DataFrame]:
    return lambda frame: frame.with_columns(
        pl.when(where).then(pl.lit(value).cast(frame[column].dtype)).otherwise(column).alias(column)
    )


HERE = (pl.col("match_id") == 5) & (pl.col("deal") == 2)


def test_a_right_run_has_none(run: Run) -> None:
    assert found(run, **{table: pl.read_parquet(run.path / table).height for table in TABLES}) == []


def test_thrown_in_stalled_passed_out_and_forfeited_are_none(tmp_path: Path) -> None:
    assert found(played(tmp_path / "a", Passer(), Steady())) == []
    passed_out = Rules(hand_sizes=(2, 1), all_pass="score-zero")
    assert found(played(tmp_path / "b", Passer(), format="self", rules=passed_out)) == []
    assert found(played(tmp_path / "c", Careless(), Careless(since=3), Steady(), on_fault="forfeit")) == []


def test_an_unfinished_run_and_one_without_a_shard_have_none(copy: Run) -> None:
    for shard in (1, 0, 2):
        copy.folder.part("matches", shard).unlink()  # the others are a dead writer's: nobody reads them
        assert told(copy) == []


def test_a_part_copied_under_another_number_is_seen(copy: Run) -> None:
    for table in TABLES:
        shutil.copy(copy.folder.part(table, 0), copy.folder.part(table, 2))
    lines = told(copy)
    assert "matches: match 0: the match is stored more than once, and 3 more so (dataset)" in lines
    assert "matches: match 8: the match is missing, and 3 more so (dataset)" in lines
    assert any(
        line.startswith("deals: match 0, deal 1, attempt 1: the hand is stored more than once") for line in lines
    )


@pytest.mark.parametrize("table", ["deals", "tricks"])
def test_one_table_with_a_part_copied_is_seen(copy: Run, table: str) -> None:
    shutil.copy(copy.folder.part(table, 0), copy.folder.part(table, 1))
    assert {(finding.table, finding.match_id) for finding in found(copy)} >= {(table, 0)}


def test_a_part_exchanged_with_another_in_all_tables_is_no_fault_of_the_whole(copy: Run) -> None:
    for table in TABLES:
        one, other, aside = copy.folder.part(table, 0), copy.folder.part(table, 1), copy.path / "aside"
        one.rename(aside), other.rename(one), aside.rename(other)
    assert told(copy) == []
    assert not verify(copy).ok


@pytest.mark.parametrize("table", TABLES)
def test_a_part_missing_in_the_middle_of_a_table_is_named(copy: Run, table: str) -> None:
    copy.folder.part(table, 1).unlink()
    assert not verify(copy).ok
    if table != "matches":  # a shard is there when its matches are
        (line,) = told(copy)
        assert line.startswith("tables: DuckDB cannot read them as one: ") and f"{table}/part-00001.parquet" in line


def test_a_match_of_a_shard_that_is_not_there_is_not_due(copy: Run) -> None:
    change(copy, "matches", put("match_id", 99, pl.col("match_id") == 5))
    lines = told(copy)
    assert "matches: match 5: the match is missing (dataset)" in lines
    assert "matches: match 99: the match is not due (dataset)" in lines
    assert "deals: match 5: the hand is of no match (dataset)" in lines
    assert "tricks: match 5: the trick is of no match (dataset)" in lines
    assert "matches: match 99: its deals are not all there, or there are more (D1)" in lines


PLANTED = [
    ("deals", lambda frame: frame.filter(~HERE),
     "matches: match 5: its deals are not all there, or there are more (D1)"),
    ("deals", lambda frame: frame.filter(~HERE), "tricks: match 5, deal 2: the tricks are not 1 to the hand size (L5)"),
    ("deals", lambda frame: pl.concat([frame, frame.filter(HERE & (pl.col("outcome") == "played"))]),
     "deals: match 5, deal 2, attempt 1: the hand is stored more than once (dataset)"),
    ("deals", put("ns_points", 999, HERE), "matches: match 5: the points of its deals do not add up to ns_score (S4)"),
    ("matches", put("ew_score", 1, pl.col("match_id") > 4),
     "matches: match 5: the points of its deals do not add up to ew_score, and 2 more so (S4)"),
    ("matches", put("thrown_in", 7, pl.col("match_id") == 5),
     "matches: match 5: its hands are not its deals and the hands thrown in (B5)"),
    ("matches", put("fault_deal", 0, pl.col("match_id") == 5),
     "matches: match 5: its deals are not all there, or there are more (D1)"),
    ("matches", put("fault_deal", 255, pl.col("match_id") == 5),
     "matches: match 5: its deals are not all there, or there are more (D1)"),
    ("deals", put("deal", 200, HERE), "matches: match 5: its deals are not all there, or there are more (D1)"),
    ("tricks", lambda frame: frame.filter(~(HERE & (pl.col("trick") == 5))),
     "tricks: match 5, deal 2: the tricks are not 1 to the hand size (L5)"),
    ("tricks", put("trick", 1, HERE & (pl.col("trick") == 3)),
     "tricks: match 5, deal 2: the tricks are not 1 to the hand size (L5)"),
    ("tricks", lambda frame: pl.concat([frame, frame.filter(HERE & (pl.col("trick") == 5))]),
     "tricks: match 5, deal 2: the tricks are not 1 to the hand size (L5)"),
    ("tricks", put("winner", 3, HERE), "tricks: match 5, deal 2: the seats did not win what deals says (L5)"),
]  # fmt: skip


@pytest.mark.parametrize(("table", "alter", "line"), PLANTED)
def test_a_planted_fault_is_named(copy: Run, table: str, alter: Callable, line: str) -> None:
    change(copy, table, alter)
    assert line in told(copy)


def test_rows_that_only_one_reader_sees_are_named(run: Run) -> None:
    assert [str(finding) for finding in found(run, matches=11)] == [
        "matches: 12 rows as one, but 11 part by part (dataset)"
    ]
