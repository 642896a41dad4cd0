"""A run killed at twenty random moments by random signals, gone on with each time: it ends as if nothing had been."""

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from sim.arena.rows_hash import rows_hash
from sim.arena.run import Run, open_run
from sim.arena.runner import play
from sim.arena.store import RENAME_ORDER
from sim.arena.tournament import Tournament

ROOT = Path(__file__).parents[2]
KILLS = 20
OPTIONS = ("--strategies", "random_legal", "--format", "self", "--matches", "3200", "--seed", "7")
SHARD_SHUFFLES = 16
MOST_SECONDS = 120
DEADLY = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)


def begun(out: Path, jobs: int) -> subprocess.Popen:
    """Begin the run, or go on with it, in a session of its own."""
    new = ("run", *OPTIONS, "--shard-shuffles", str(SHARD_SHUFFLES), "--out", str(out))
    verb = ("resume", str(out)) if (out / "run.json").exists() else new
    command = [sys.executable, "-m", "sim.cli", *verb, "--jobs", str(jobs)]
    return subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
    )


def of_session(session: int) -> list[int]:
    """Return the processes of a session, its leader left out."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            state, _, _, in_session = (entry / "stat").read_text().rpartition(")")[2].split()[:4]
        except (OSError, ValueError):
            continue
        if entry.name != str(session) and in_session == str(session) and state != "Z":
            found.append(int(entry.name))
    return found


def shards(out: Path) -> int:
    return len(os.listdir(out / "matches")) if (out / "matches").is_dir() else 0


def wait(until: Callable[[], object], what: str) -> None:
    deadline = time.monotonic() + MOST_SECONDS
    while not until():
        assert time.monotonic() < deadline, what
        time.sleep(0.005)


def wait_for_a_moment(process: subprocess.Popen, out: Path, chance: random.Random) -> None:
    """Wait some time into the start, or until some more shards are there and then a little."""
    if chance.random() < 0.3:
        moment = time.monotonic() + chance.uniform(0.3, 3)
        wait(lambda: process.poll() is not None or time.monotonic() > moment, "the start")
        return
    more = shards(out) + chance.randint(1, 8)
    wait(lambda: process.poll() is not None or shards(out) >= more, "a shard")
    time.sleep(chance.uniform(0, 0.01))


def strike(process: subprocess.Popen, target: str, number: signal.Signals) -> bool:
    """Send a signal, and return whether there was somebody to hear it."""
    if process.poll() is not None:
        return False
    try:
        if target == "group":
            os.killpg(process.pid, number)
        else:
            workers = of_session(process.pid)
            if target == "worker" and not workers:
                return False
            os.kill(random.choice(workers) if target == "worker" else process.pid, number)
    except ProcessLookupError:
        return False
    return True


def check_end(process: subprocess.Popen, number: signal.Signals) -> None:
    """See that the run ended as the signal asks, with all its processes."""
    _, errors = process.communicate(timeout=MOST_SECONDS)
    assert process.returncode in (128 + number, -number, 0), errors.decode()
    if process.returncode == 128 + number:
        assert f"stopped by {number.name}" in errors.decode()
    wait(lambda: not of_session(process.pid), "workers are left")


def hashes(run: Run) -> list[str]:
    return [rows_hash(run, table) for table in RENAME_ORDER]


def check_equal(run: Run, whole: Run, hashes_of_whole: list[str]) -> None:
    assert hashes(run) == hashes_of_whole
    for table in RENAME_ORDER:
        for shard in whole.shards_present:
            assert run.folder.part(table, shard).read_bytes() == whole.folder.part(table, shard).read_bytes()


@pytest.mark.slow
def test_killed_at_twenty_moments_a_run_ends_as_if_nothing_had_been(tmp_path: Path) -> None:
    settings = {"matches": 3200, "seed": 7, "shard_shuffles": SHARD_SHUFFLES}
    whole = play(Tournament(["random_legal"], "self", **settings), tmp_path / "whole", jobs=2)
    right = hashes(whole)
    chance, done, runs = random.Random(20), Counter[str](), 0
    out, process = tmp_path / "run0", None
    while done.total() < KILLS:
        process = process or begun(out, chance.choice([1, 2]))
        wait_for_a_moment(process, out, chance)
        target = chance.choice(["parent", "group", "worker", "worker"])
        number = chance.choice(DEADLY[1:] if target == "worker" else DEADLY)
        if strike(process, target, number):
            done[f"{number.name} to {target}"] += 1
            if target != "worker":
                check_end(process, number)
                process = None
                if (out / "run.json").exists():
                    rows_hash(open_run(out), "tricks")
        if process and process.poll() is not None:
            assert process.communicate() and process.returncode == 0
            process = None
        if (out / "run.json").exists() and open_run(out).complete and not process:
            check_equal(open_run(out), whole, right)
            runs += 1
            out = tmp_path / f"run{runs}"
    process = process or begun(out, jobs=2)
    assert process.communicate(timeout=MOST_SECONDS) and process.returncode == 0
    check_equal(open_run(out), whole, right)
    print(f"{done.total()} kills over {runs + 1} runs:", ", ".join(f"{n} {what}" for what, n in sorted(done.items())))
