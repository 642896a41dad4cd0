"""What hostile and broken strategies get to hear, and that they cost neither finished shards nor others' rows."""

import os
import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sim.arena.rows_hash import rows_hash
from sim.arena.run import Run, open_run
from sim.arena.runner import play, resume
from sim.arena.tournament import Tournament
from sim.errors import ConfigError, StrategyFault
from sim.game.house import Rules
from tests.arena.zoo import RUBBISH

ZOO = Path(__file__).with_name("zoo.py")
SHORT = Rules(hand_sizes=(3, 1, 2))
IN_PROCESS = {"backend": "sequential"}


def field(*names: str, **settings: Any) -> Tournament:
    usual: dict[str, Any] = {"matches": 64, "seed": 7, "rules": SHORT, "shard_shuffles": 8}
    return Tournament([f"{ZOO}:{name}" for name in names], **usual | settings)


def fault(path: Path, tournament: Tournament, **workers: Any) -> str:
    """Return the lines of the fault that ends a run, and see to it that the run is as whole as it can be."""
    with pytest.raises(StrategyFault) as raised:
        play(tournament, path, **workers)
    run = open_run(path)
    assert list(run.folder.tmp.iterdir()) == [] and not run.folder.lock.exists()
    kept = f"{len(run.shards_present)} of {run.shards} shards are finished and kept in {path}"
    assert raised.value.__notes__ == [kept] and raised.value.exit_code == 1
    text = str(raised.value)
    assert len(text.splitlines()) <= 6
    return text.replace(str(ZOO), "zoo.py")


def matches(run: Run) -> pl.DataFrame:
    return pl.concat(map(pl.read_parquet, sorted((run.path / "matches").iterdir())))


def faults(run: Run) -> list[str]:
    return sorted(set(matches(run)["fault"].drop_nulls()))


SAID = {
    "Boaster": ("bid-illegal", "it returned 13\nlegal was 0 (pass)"),
    "Revoker": ("revoke", "it returned "),
    "Conjurer": ("card-not-held", "it returned "),
    "Leaver": ("raised", "it raised SystemExit: 3 (zoo.py, line "),
    "Thrower": ("raised", "it raised Unwieldy: oops (zoo.py, line "),
    "Scribbler": ("raised", "it raised AttributeError: the view is read-only: view.hand cannot be assigned to (zoo.py"),
    "Misspeller": ("raised", "the view has no field 'handsize': did you mean 'hand_size'? (zoo.py, line "),
    "Overreacher": ("raised", "it raised IndexError: index 1003 is out of bounds"),
    "Rememberer": ("raised", "a strategy keeps no state: its decision may depend on the view and its parameters only"),
}


@pytest.mark.parametrize("name", SAID)
def test_a_fault_stops_the_run_or_is_a_row(tmp_path: Path, name: str) -> None:
    reason, said = SAID[name]
    text = fault(tmp_path / "stop", field(f"{name}:rare=40", "Tame"), **IN_PROCESS)
    opening = rf"{name.lower()}:rare=40 \(zoo\.py:{name}\) faulted in (North|East|South|West)'s seat: {reason}\n"
    assert re.match(opening + r"at match \d+, deal \d", text) and said in text, text
    forfeit = field(f"{name}:rare=40", "Tame", on_fault="forfeit")
    assert faults(play(forfeit, tmp_path / "forfeit", **IN_PROCESS))[0] == reason


@pytest.mark.parametrize("name", ["Boaster", "Thrower"])
def test_a_worker_process_names_strategy_and_file_as_this_one_does(tmp_path: Path, name: str) -> None:
    tournament = field(f"{name}:rare=40", "Tame")
    here = fault(tmp_path / "here", tournament, **IN_PROCESS)
    assert fault(tmp_path / "there", field(f"{name}:rare=40", "Tame", shard_shuffles=32), jobs=2) == here


@pytest.mark.parametrize("what", range(len(RUBBISH)))
def test_rubbish_of_every_type_is_no_integer(tmp_path: Path, what: int) -> None:
    text = fault(tmp_path / "run", field(f"Babbler:rare=40:what={what}", "Tame"), **IN_PROCESS)
    assert "'s seat: not-an-integer\n" in text
    assert f"it returned {RUBBISH[what]!r}, of type {type(RUBBISH[what]).__name__}" in text


ENDS = {
    "Looper": ({"time_limit": 2}, "shard 0 took more than its time limit of 2 s", "--time-limit allows more"),
    "Clinger": ({"time_limit": 2}, "shard 0 took more than its time limit of 2 s", "--time-limit allows more"),
    "Spinner": ({"time_limit": 2}, "shard 0 took more than its time limit of 2 s", "--time-limit allows more"),
    "Hoarder": ({"memory_limit": 500}, "shard 0 took more than a worker's memory limit of 500 MB", "--memory-limit"),
    "Gulper": ({"memory_limit": 900}, "shard 0 took more than a worker's memory limit of 900 MB", "--memory-limit"),
    "Greedy": ({"memory_limit": 9000}, "shard 0 took more than a worker's memory limit of 9,000 MB", "--memory-limit"),
    "Killer": ({}, "the worker process that played shard 0 died, and so did the next one", ""),
    "Quitter": ({}, "the worker process that played shard 0 died, and so did the next one", ""),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "on_fault"),
    [
        *((name, "stop") for name in ENDS),
        ("Spinner", "forfeit"),
        ("Hoarder", "forfeit"),
        ("Gulper", "forfeit"),
        ("Quitter", "forfeit"),
    ],
)
def test_who_hangs_or_takes_its_process_down_ends_the_run_and_is_named(
    tmp_path: Path, name: str, on_fault: str
) -> None:
    limits, cause, advice = ENDS[name]
    text = fault(tmp_path / "run", field(f"{name}:rare=2", "Tame", on_fault=on_fault, shard_shuffles=32), **limits)
    lines = text.splitlines()
    assert lines[0] == cause and lines[1].startswith(f"strategies in it: {name.lower()}:rare=2 (zoo.py:{name}), tame ")
    assert advice in lines[-1]
    assert bool(re.search(r"^it was at (\S+, )?line \d+, in \w+$", text, re.MULTILINE)) == (
        name in ("Looper", "Clinger", "Hoarder")
    )


@pytest.mark.slow
def test_the_culprit_is_found_by_playing_the_pairings_apart(tmp_path: Path) -> None:
    tournament = field("Tame", "Looper:rare=2", "Tame:rare=3", shard_shuffles=32)
    lines = fault(tmp_path / "run", tournament, jobs=2, time_limit=2).splitlines()
    assert lines[1] == "so did, played apart: tame v looper:rare=2, looper:rare=2 v tame:rare=3"
    assert lines[2] == "strategies in all of them: looper:rare=2 (zoo.py:Looper)"


@pytest.mark.slow
def test_a_strategy_that_hangs_now_and_then_costs_others_no_shard(tmp_path: Path) -> None:
    tournament = field("Looper:rare=400", "Tame", on_fault="forfeit", matches=32, shard_shuffles=1)
    text = fault(tmp_path / "run", tournament, time_limit=2)
    assert "took more than its time limit of 2 s" in text
    played = open_run(tmp_path / "run").shards_present
    assert max(played) > int(re.findall(r"shard (\d+) took", text)[0])


@pytest.mark.slow
def test_more_time_lets_a_run_go_on(tmp_path: Path) -> None:
    slow = field("Sleeper", "Tame", matches=8, shard_shuffles=2)
    assert "time limit of 0.1 s" in fault(tmp_path / "run", slow, time_limit=0.1)
    assert resume(tmp_path / "run").complete


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Seeder", "Roller"])
def test_generators_that_all_share_change_no_row(tmp_path: Path, name: str) -> None:
    hashes = [
        rows_hash(play(field(name, "Tame", matches=16, shard_shuffles=size), tmp_path / f"{size}", jobs=jobs), "tricks")
        for size, jobs in ((8, 1), (3, 2))
    ]
    assert hashes[0] == hashes[1]


def test_who_walks_all_attributes_finds_nothing_and_harms_nobody(tmp_path: Path) -> None:
    run = play(field("Walker:rare=40", "Tame"), tmp_path / "run", **IN_PROCESS)
    assert faults(run) == [] and run.complete


def test_a_fault_under_forfeit_costs_other_pairings_nothing(tmp_path: Path) -> None:
    alone = play(field("Tame", "Tame:rare=3", on_fault="forfeit"), tmp_path / "alone", **IN_PROCESS)
    three = field("Tame", "Tame:rare=3", "Thrower:rare=40", on_fault="forfeit")
    beside = play(three, tmp_path / "beside", **IN_PROCESS)
    columns = ["shuffle_id", "table", "ns_score", "ew_score", "winner", "fault"]
    ours = matches(beside).filter(pl.col("pairing") == 0)
    assert ours.select(columns).equals(matches(alone).select(columns)) and faults(beside) == ["raised"]


def test_what_memory_there_is_decides_no_row(tmp_path: Path) -> None:
    text = fault(tmp_path / "run", field("Greedy:rare=2", "Tame", on_fault="forfeit"), **IN_PROCESS)
    assert text.startswith("shard 0 failed: MemoryError")


def test_a_strategy_that_ends_on_import_is_refused(tmp_path: Path) -> None:
    (tmp_path / "gone.py").write_text("import sys\nsys.exit(3)\n")
    with pytest.raises(Exception, match=r"importing .*gone\.py fails in line 2: SystemExit: 3"):
        Tournament([f"{tmp_path}/gone.py:Gone"], format="self").plan()


def test_limits_are_for_processes_that_can_be_ended(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="limits are for worker processes"):
        play(field("Tame", format="self"), tmp_path / "run", time_limit=1, **IN_PROCESS)
    assert os.listdir(tmp_path) == []
