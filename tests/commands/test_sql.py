"""The verb `sql`: what it prints, writes, refuses, and how it ends."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner, Result

import sim
from sim.cli import backalley

LONG = "SELECT count(*) FROM range(1_000_000) a, range(100_000_000) b WHERE a.range * 7 % 13 = b.range % 5"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rules = sim.Rules(hand_sizes=(1, 2))
    tournament = sim.Tournament(["random_legal", "passer"], matches=60, seed=3, rules=rules)
    return sim.play(tournament, out=tmp_path_factory.mktemp("runs") / "run").path


def sql(*arguments: object, stdin: str | None = None) -> Result:
    return CliRunner().invoke(backalley, ["sql", *map(str, arguments)], input=stdin)


def refused(*arguments: object) -> str:
    result = sql(*arguments)
    assert result.exit_code == 2 and result.stdout == "" and len(result.stderr.splitlines()) <= 2
    return result.stderr


def contents(folder: Path) -> dict[Path, tuple[int, int]]:
    return {path: (path.stat().st_size, path.stat().st_mtime_ns) for path in sorted(folder.rglob("*"))}


def test_it_prints_a_table(run: Path) -> None:
    result = sql(run, "SELECT strategy, count(*) AS n FROM seats GROUP BY ALL ORDER BY ALL")
    assert result.stdout.splitlines() == ["strategy        n", "passer        120", "random_legal  120"]
    assert result.exit_code == 0 and result.stderr == ""


def test_it_prints_the_first_rows_and_says_how_many_more(run: Path) -> None:
    result = sql(run, "FROM matches ORDER BY match_id")
    assert len(result.stdout.splitlines()) == 51 and result.stderr == "… and 10 more rows: --all prints all\n"
    result = sql(run, "FROM matches ORDER BY match_id", "--all")
    assert len(result.stdout.splitlines()) == 61 and result.stderr == ""
    assert "at least 10,000 more rows" in sql(run, "FROM range(20_000)").stderr


def test_it_prints_csv_and_json_whole(run: Path) -> None:
    assert len(sql(run, "FROM matches ORDER BY match_id", "--csv").stdout.splitlines()) == 61
    rows = json.loads(sql(run, "FROM matches ORDER BY match_id", "--json").stdout)
    assert [row["match_id"] for row in rows] == list(range(60))
    assert "name them apart" in sql(run, "SELECT 1 AS a, 2 AS a", "--json").stderr


def test_it_lists_what_there_is_without_a_query(run: Path) -> None:
    lines = [line.split() for line in sql(run).stdout.splitlines()]
    assert ["plays", "is_trump", "BOOLEAN"] in lines and ["card_name(code)", "–", "macro"] in lines
    assert len(json.loads(sql(run, "--json").stdout)) == len(lines) - 1


def test_it_asks_several_runs(run: Path, tmp_path: Path) -> None:
    other = sim.play(sim.Tournament(["passer"], format="self", matches=2, seed=9), out=tmp_path / "other")
    result = sql(run, other.path, "SELECT run, count(*) AS n FROM matches GROUP BY ALL ORDER BY n", "--csv")
    assert result.stdout == f"run,n\n{other.manifest['run_id']},2\n{sim.open_run(run).manifest['run_id']},60\n"


def test_a_dash_reads_the_query_from_standard_input(run: Path) -> None:
    assert sql(run, "-", "--csv", stdin="SELECT count(*) AS n\nFROM matches -- all\n").stdout == "n\n60\n"


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("SELECT stratgy FROM seats", 'Candidate bindings: "strategy"'),
        ("SELECT * FROM seat", 'Did you mean "seats"'),
        ("SELEC 1", "syntax error"),
        ("SELECT error('no ' || strategy) FROM seats", "no "),
        ("COPY matches TO 'x.csv'", "only reads"),
        ("DROP VIEW seats", "only reads"),
    ],
)
def test_a_wrong_query_is_said_in_two_lines(run: Path, query: str, message: str) -> None:
    assert message in refused(run, query)


def test_wrong_runs_are_named(run: Path, tmp_path: Path) -> None:
    assert "there is no run in" in refused(tmp_path / "nowhere", "FROM matches m")
    assert "is neither a run nor a query" in refused(run, tmp_path / "nowhere")
    assert "no run is given" in refused("FROM matches m")
    assert "are the same run" in refused(run, run, "FROM matches m")


def test_it_writes_parquet(run: Path, tmp_path: Path) -> None:
    file = tmp_path / "it's [1].parquet"
    assert sql(run, "SELECT match_id, ns_score FROM matches ORDER BY match_id -- all", "--parquet", file).exit_code == 0
    frame = pl.read_parquet(file, glob=False)
    assert frame["match_id"].to_list() == list(range(60)) and frame.schema["match_id"] == pl.UInt32
    assert os.listdir(tmp_path) == [file.name]
    assert "is there already" in refused(run, "FROM matches m", "--parquet", file)


def test_a_failed_parquet_file_is_not_there(run: Path, tmp_path: Path) -> None:
    for query in ("SELECT error('no ' || range) FROM range(9)", "SELECT x FROM matches", "COPY matches TO 'x'", "; ;"):
        refused(run, query, "--parquet", tmp_path / "x.parquet")
    assert "there is no folder" in refused(run, "FROM matches m", "--parquet", tmp_path / "a" / "x.parquet")
    assert "--parquet goes without" in refused(run, "FROM matches m", "--csv", "--parquet", tmp_path / "x.parquet")
    assert os.listdir(tmp_path) == []


def test_no_run_is_written_to(run: Path) -> None:
    before = contents(run)
    assert "is in a run's folder" in refused(run, "FROM matches m", "--parquet", run / "matches" / "part-00009.parquet")
    sql(run, "FROM plays p", "--csv")
    assert contents(run) == before


def test_a_reader_that_leaves_and_an_interrupt_end_it_quietly(run: Path, tmp_path: Path) -> None:
    call = [sys.executable, "-m", "sim.cli", "sql", str(run)]
    with subprocess.Popen([*call, "FROM range(3_000_000)", "--csv"], stdout=-1, stderr=-1, text=True) as left:
        assert left.stdout is not None and left.stdout.readline() == "range\n"
        left.stdout.close()
        assert left.stderr is not None and left.stderr.read() == ""
    mark = tmp_path / "mark"
    marked = f"SELECT * FROM (SELECT 1 AS a) UNION ALL ({LONG})"
    with subprocess.Popen([*call, marked, "--parquet", str(mark)], stderr=-1, text=True) as long:
        while not any(tmp_path.iterdir()):  # the unfinished file appears when the query runs
            assert long.poll() is None
            time.sleep(0.05)
        long.send_signal(signal.SIGINT)
        _, error = long.communicate()
    assert (long.returncode, error) == (130, "stopped by SIGINT\n")
    assert os.listdir(tmp_path) == []
