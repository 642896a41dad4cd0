"""Whole runs: the same rows whoever plays them, nothing finished is lost, and who stopped a run is said."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import joblib
import polars as pl
import pytest

from sim.arena import runner, worker, workers
from sim.arena.process import begin
from sim.arena.run import Run, open_run
from sim.arena.runner import play, resume
from sim.arena.tournament import Tournament
from sim.errors import CompileError, ConfigError, RunError, StrategyFault
from sim.game.house import Rules
from sim.players.strategy import Strategy

ZOO = Path(__file__).with_name("zoo.py")
SHORT = Rules(hand_sizes=(3, 1, 2))
TABLES = ("matches", "deals", "tricks")


def zoo(*names: str, **settings: Any) -> Tournament:
    usual: dict[str, Any] = {"matches": 64, "seed": 7, "rules": SHORT, "shard_shuffles": 4}
    return Tournament([f"{ZOO}:{name}" for name in names], **usual | settings)


def random_self(**settings: Any) -> Tournament:
    usual: dict[str, Any] = {"format": "self", "matches": 64, "seed": 7, "rules": SHORT, "shard_shuffles": 4}
    return Tournament(["random_legal"], **usual | settings)


def files(run: Run) -> dict[str, bytes]:
    return {path.relative_to(run.path).as_posix(): path.read_bytes() for path in sorted(run.path.rglob("*.parquet"))}


def rows(run: Run) -> dict[str, pl.DataFrame]:
    return {table: pl.concat(map(pl.read_parquet, sorted((run.path / table).iterdir()))) for table in TABLES}


def cut_short(path: Path, tournament: Tournament, monkeypatch: pytest.MonkeyPatch, after: int) -> BaseException:
    """Play until the keyboard interrupts after so many shards, and return the interrupt."""
    honest = worker.play_and_store

    def interrupted(job: worker.Job, number: int) -> worker.Receipt:
        if number == after:
            raise KeyboardInterrupt
        return honest(job, number)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt) as raised:
        patch.setattr(workers, "play_and_store", interrupted)
        play(tournament, path, backend="sequential")
    return raised.value


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return play(random_self(), tmp_path_factory.mktemp("runs") / "whole")


def test_a_finished_run_is_complete_and_says_so(whole: Run) -> None:
    assert whole.complete and whole.shards_present == list(range(8))
    assert whole.manifest["status"] == "finished" and whole.manifest["finished"] >= whole.manifest["created"]
    assert sorted(path.name for path in whole.path.iterdir()) == ["deals", "matches", "run.json", "tmp", "tricks"]
    assert list((whole.path / "tmp").iterdir()) == []


def test_matches_are_numbered_by_shuffle_pairing_and_table(whole: Run) -> None:
    matches = rows(whole)["matches"]
    assert matches["match_id"].to_list() == list(range(64))
    assert matches["shuffle_id"].to_list() == [i // 2 for i in range(64)]
    assert matches["table"].to_list() == [0, 1] * 32


@pytest.mark.parametrize(("jobs", "backend"), [(2, "loky"), (2, "threading"), (1, "sequential")])
def test_other_workers_write_the_same_files(whole: Run, tmp_path: Path, jobs: int, backend: str) -> None:
    again = play(random_self(), tmp_path / "again", jobs=jobs, backend=backend)
    assert files(again) == files(whole)


def test_other_shards_hold_the_same_rows(whole: Run, tmp_path: Path) -> None:
    again = play(random_self(shard_shuffles=5), tmp_path / "again")
    assert again.shards == 7
    for table, frame in rows(again).items():
        assert frame.equals(rows(whole)[table])


def test_the_folder_is_named_by_the_run_id_if_by_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run = play(random_self(matches=2))
    assert run.path == tmp_path / "data" / "runs" / run.manifest["run_id"]


def test_an_interrupt_keeps_what_is_finished_and_says_how_to_go_on(
    whole: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupt = cut_short(tmp_path / "cut", random_self(), monkeypatch, after=3)
    resume_line = f"go on with: backalley resume {tmp_path / 'cut'}"
    assert interrupt.__notes__ == [f"3 of 8 shards are finished and kept; {resume_line}"]
    cut = open_run(tmp_path / "cut")
    assert cut.shards_present == [0, 1, 2] and not cut.complete and cut.manifest["status"] == "playing"
    finished = {path: path.stat().st_mtime_ns for path in cut.path.rglob("*.parquet")}
    resumed = resume(cut.path)
    assert files(resumed) == files(whole)
    assert resumed.manifest["status"] == "finished"
    assert all(path.stat().st_mtime_ns == written for path, written in finished.items())


def test_resuming_plays_gaps_and_nothing_else(whole: Run, tmp_path: Path) -> None:
    run = play(random_self(), tmp_path / "run")
    for number in (2, 7):
        run.folder.part("matches", number).unlink()
    manifest = run.manifest | {"status": "playing", "finished": None}
    run.folder.manifest.write_text(json.dumps(manifest))
    assert resume(run.path, jobs=2).shards_present == list(range(8))
    assert files(run) == files(whole)


def test_resuming_a_complete_run_changes_nothing(whole: Run) -> None:
    before = whole.folder.manifest.read_bytes()
    assert resume(whole.path).complete
    assert whole.folder.manifest.read_bytes() == before


def test_a_run_that_died_before_saying_so_is_finished_by_resume(tmp_path: Path) -> None:
    run = play(random_self(matches=2), tmp_path / "run")
    run.folder.manifest.write_text(json.dumps(run.manifest | {"status": "playing", "finished": None}))
    assert resume(run.path).manifest["status"] == "finished"


def test_a_folder_with_the_same_run_is_refused(whole: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(RunError, match=r"holds this run already, complete\nsee `backalley league .*`, or "):
        play(random_self(), whole.path)
    cut_short(tmp_path / "cut", random_self(), monkeypatch, after=2)
    with pytest.raises(RunError, match=r"holds this run, 2 of 8 shards played\ngo on with `backalley resume .*cut`"):
        play(random_self(), tmp_path / "cut")


def test_a_folder_with_another_run_is_refused_unless_told_to_overwrite(tmp_path: Path) -> None:
    first = play(random_self(), tmp_path / "run")
    other = random_self(seed=8, matches=8)
    with pytest.raises(RunError, match=f"holds another run, {first.manifest['run_id']}\nname another folder"):
        play(other, tmp_path / "run")
    second = play(other, tmp_path / "run", overwrite=True)
    assert second.complete and second.shards_present == [0]


def test_a_folder_with_other_things_is_refused_and_never_cleared(tmp_path: Path) -> None:
    (tmp_path / "thesis.docx").write_text("years of work")
    for overwrite in (False, True):
        with pytest.raises(RunError, match=r"no run of ours left there: thesis\.docx"):
            play(random_self(), tmp_path, overwrite=overwrite)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.docx"]
    play(random_self(matches=2), tmp_path / "run")
    (tmp_path / "run" / "notes.md").touch()
    with pytest.raises(RunError, match=r"notes\.md"):
        play(random_self(), tmp_path / "run", overwrite=True)


def test_a_run_json_of_something_else_is_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text('{"jog": "10 km"}')
    with pytest.raises(RunError, match="is not the manifest of a run"):
        play(random_self(), tmp_path, overwrite=True)
    assert (tmp_path / "run.json").read_text() == '{"jog": "10 km"}'


def test_a_strategy_at_fault_stops_the_run_and_finished_shards_stay(tmp_path: Path) -> None:
    with pytest.raises(StrategyFault, match="boaster") as raised:
        play(zoo("Boaster", "Tame", matches=2000), tmp_path / "run")
    kept = open_run(tmp_path / "run").shards_present
    assert raised.value.__notes__ == [f"{len(kept)} of 250 shards are finished and kept in {tmp_path / 'run'}"]


def test_under_forfeit_faults_are_rows_and_the_run_goes_on(tmp_path: Path) -> None:
    run = play(zoo("Boaster", "Tame", matches=400, on_fault="forfeit"), tmp_path / "run")
    faults = rows(run)["matches"].filter(pl.col("fault").is_not_null())
    assert run.complete and faults.height > 0
    assert set(faults["fault"]) == {"bid-illegal"}
    assert faults["ns_score"].null_count() == faults["winner"].null_count() == faults.height


def test_threads_are_for_compiled_strategies(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="tame is interpreted"):
        play(zoo("Tame", format="self"), tmp_path / "run", backend="threading")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"jobs": 0}, "jobs = 0 is refused: it must be"),
        ({"jobs": 1.5}, r"jobs = 1\.5 is refused: it must be"),
        ({"jobs": -2}, "jobs = -2 is refused: it must be a number of workers, or -1 for every core"),
        ({"jobs": True}, "jobs = True is refused: it must be"),
        ({"jobs": 2, "backend": "fork"}, "backend = 'fork' is refused: it must be"),
        ({"jobs": 2, "backend": "sequential"}, "plays in one process: jobs = 2 is refused"),
        ({"scheduler": "tcp://nowhere:1"}, "it needs backend = 'dask'"),
        ({"time_limit": 0}, "time_limit = 0 is refused: it must be a number above zero"),
        ({"memory_limit": -1}, "memory_limit = -1 is refused: it must be a number above zero"),
        ({"memory_limit": 399}, "memory_limit = 399 is refused: .*\ngive 400 or more"),
        ({"out": ""}, "out = '' names no folder"),
        (
            {"time_limit": 1, "backend": "sequential"},
            "limits are for worker processes: backend = 'sequential' has none",
        ),
    ],
)
def test_workers_that_there_cannot_be_are_refused(tmp_path: Path, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        play(random_self(), **{"out": tmp_path / "run"} | settings)
    assert not (tmp_path / "run").exists()


class Unclear(Strategy):
    """Does not compile."""

    def bid(self, view):
        return "pass"

    def play(self, view):
        return view.legal


def test_a_strategy_that_does_not_compile_leaves_no_folder(tmp_path: Path) -> None:
    with pytest.raises(CompileError):
        play(Tournament([Unclear], format="self", rules=SHORT), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_the_manifest_is_there_before_anything_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def look(plan: object) -> float:
        assert open_run(tmp_path / "run").manifest["status"] == "playing"
        raise KeyboardInterrupt

    monkeypatch.setattr(runner.shard, "prepare", look)
    with pytest.raises(KeyboardInterrupt):
        play(random_self(), tmp_path / "run")


def test_progress_is_told_when_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    play(random_self(), tmp_path / "quiet", progress=False)
    assert capsys.readouterr().err == ""
    run = play(random_self(), tmp_path / "told", progress=True)
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == f"run {run.manifest['run_id']}, seed 7: 64 matches into {run.path}"
    assert lines[1].startswith("compiled in ")
    assert lines[2].startswith("8 of 64 matches, ")
    assert lines[-1].startswith("64 of 64 matches, ") and lines[-1].endswith(" a second, 0 s left")


def test_a_worker_keeps_polars_to_one_thread() -> None:
    workers = joblib.Parallel(2, backend="loky", initializer=begin, initargs=(os.getpid(),))
    assert workers(joblib.delayed(pl.thread_pool_size)() for _ in range(2)) == [1, 1]


def test_a_worker_ends_with_its_parent() -> None:
    child = "import os, time; from sim.arena.process import begin; begin(os.getppid()); print(os.getpid(), flush=True)"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child + '; time.sleep(60)'!r}])"
    root = Path(__file__).parents[2]
    with subprocess.Popen([sys.executable, "-c", parent], stdout=subprocess.PIPE, text=True, cwd=root) as process:
        assert process.stdout is not None
        number = int(process.stdout.readline())
        process.kill()
    deadline = time.monotonic() + 30
    while Path(f"/proc/{number}").exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not Path(f"/proc/{number}").exists()
