"""One connection over one run or several: the same definitions, and no match of one taken for another's."""

import os
from pathlib import Path

import duckdb
import pytest

import sim
from sim.analysis.query import NAMES, ask, catalog
from sim.errors import ConfigError, QueryError, RunError


def _play(out: Path, *field: str, seed: int = 5) -> sim.Run:
    rules = sim.Rules(hand_sizes=(2, 1, 3))
    return sim.play(sim.Tournament(list(field), matches=4, seed=seed, shard_shuffles=1, rules=rules), out=out)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[sim.Run]:
    """Three runs of different size: whole, half played, and without a shard."""
    folder = tmp_path_factory.mktemp("runs")
    whole = _play(folder / "whole", "random_legal", "passer")
    half = _play(folder / "half", "random_legal", "passer", "random_legal+passer", seed=6)
    empty = _play(folder / "empty", "random_legal", "passer", seed=7)
    for run, first in ((half, 1), (empty, 0)):
        for shard in range(first, run.shards):
            for table in ("matches", "deals", "tricks"):
                run.folder.part(table, shard).unlink()
    return [whole, half, empty]


@pytest.mark.parametrize("name", NAMES)
def test_several_runs_are_the_runs_one_under_the_other(runs: list[sim.Run], name: str) -> None:
    with sim.connect(*runs) as several:
        got = several.execute(f"SELECT * FROM {name} ORDER BY ALL").fetchall()
        types = several.execute(f"DESCRIBE {name}").fetchall()
    right = []
    for run in runs:
        with run.connect() as one:
            right += [(run.manifest["run_id"], *row) for row in one.execute(f"FROM {name}").fetchall()]
            assert types[0][:2] == ("run", "VARCHAR") and types[1:] == one.execute(f"DESCRIBE {name}").fetchall()
    assert got == sorted(right, key=lambda row: [(value is None, value) for value in row])
    assert {row[0] for row in got} == {run.manifest["run_id"] for run in runs[:2]}


def test_one_run_has_no_column_more(runs: list[sim.Run]) -> None:
    with sim.connect(runs[0].path) as connection, runs[0].connect() as own:
        assert catalog(connection) == catalog(own)
    assert ("bids", "is_board", "BOOLEAN") in catalog(sim.connect(runs[0]))
    assert ("card_name(code)", None, "macro") in catalog(sim.connect(*runs))


def test_the_same_run_twice_is_refused(runs: list[sim.Run]) -> None:
    with pytest.raises(RunError, match=f"are the same run, {runs[0].manifest['run_id']}"):
        sim.connect(runs[0], runs[1], str(runs[0].path))


def test_no_run_is_refused() -> None:
    with pytest.raises(ConfigError, match="no run is given"):
        sim.connect()


def test_what_does_not_fit_in_leaves_nothing_where_the_user_is(
    runs: list[sim.Run], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with sim.connect(runs[0]) as connection:
        (folder,) = connection.execute("SELECT current_setting('temp_directory')").fetchone()  # type: ignore[misc]
        connection.execute("SET memory_limit = '60MB'; SET threads = 1")
        connection.execute("CREATE TABLE large AS SELECT hash(range) AS a FROM range(15_000_000)")
        assert os.listdir(folder)
    assert os.listdir(tmp_path) == [] and not Path(folder).exists()


def test_the_database_takes_three_gigabytes_at_most_and_fetches_nothing(runs: list[sim.Run]) -> None:
    with runs[0].connect() as connection:
        settings = dict(connection.execute("SELECT name, value FROM duckdb_settings()").fetchall())
        assert settings["memory_limit"] <= "3.0 GiB" or settings["memory_limit"].endswith("MiB")
        assert settings["autoinstall_known_extensions"] == settings["autoload_known_extensions"] == "false"
        with pytest.raises(duckdb.Error, match="httpfs"):
            connection.execute("FROM 'https://localhost/a.parquet'")


@pytest.mark.parametrize(
    "statement",
    [
        "COPY matches TO 'x.csv'",
        "EXPLAIN ANALYZE COPY matches TO 'x.csv'",
        "COPY (PIVOT matches ON winner) TO 'x.csv'",
        "ATTACH 'x.db'",
        "INSTALL httpfs",
        "EXPORT DATABASE 'x'",
        "PREPARE p AS COPY matches TO 'x.csv'",
        "CREATE TABLE x AS FROM matches",
        "SET lock_configuration = false",
        "FROM matches; COPY matches TO 'x.csv'",
        "FROM enable_logging(storage = 'file', storage_config = {'path': 'x'})",
        "FROM local_variable",
        "-- nothing",
        "",
    ],
)
def test_what_is_no_query_changes_nothing(
    runs: list[sim.Run], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, statement: str
) -> None:
    monkeypatch.chdir(tmp_path)
    local_variable = runs[0].connect().execute("FROM matches").fetchnumpy()
    with sim.connect(runs[0]) as connection, pytest.raises(QueryError) as refusal:
        ask(connection, statement)
    assert len(str(refusal.value).splitlines()) <= 2 and local_variable
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    "query",
    ["FROM matches -- all", "WITH a AS (FROM seats) FROM a;", "DESCRIBE bids", "SUMMARIZE deals", "SHOW TABLES"],
)
def test_what_reads_is_a_query(runs: list[sim.Run], query: str) -> None:
    with sim.connect(*runs) as connection:
        assert ask(connection, query).fetchall()
