"""A disk that is full, limited or read-only: one line with path and cause, nothing broken, and resume completes."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sim.arena.rows_hash import rows_hash
from sim.arena.run import Run, open_run
from sim.arena.runner import play, resume
from sim.arena.tournament import Tournament
from sim.errors import StoreError

ROOT = Path(__file__).parents[2]
TOURNAMENT = Tournament(["random_legal"], "self", matches=1600, seed=7, shard_shuffles=200)
OPTIONS = ("--strategies", "random_legal", "--format", "self", "--matches", "1600", "--seed", "7")
LIMITED = (
    "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000)); from sim.cli import main; main()"
)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return play(TOURNAMENT, tmp_path_factory.mktemp("runs") / "whole")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Return the mount point of a file system of 600 kB; where none can be mounted, there is no such test."""
    tmp_path = tmp_path / "disk"
    tmp_path.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=600k", "tmpfs", str(tmp_path)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode != 0:
        pytest.skip("no file system can be mounted here")
    try:
        yield tmp_path
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)


def remount(disk: Path, options: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{options}", str(disk)], check=True)


def check_resumed(run: Run, whole: Run) -> None:
    assert run.complete and all(rows_hash(run, table) == rows_hash(whole, table) for table in ("matches", "tricks"))


def check_clean(path: Path) -> None:
    """See that only whole shards are there, and no draft."""
    run = open_run(path)
    assert list(run.folder.tmp.iterdir()) == []
    rows_hash(run, "matches")


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_files_that_may_not_grow_end_the_run_with_one_line(tmp_path: Path, whole: Run, jobs: str) -> None:
    out = tmp_path / "run"
    command = [sys.executable, "-c", LIMITED, "run", *OPTIONS, "--shard-shuffles", "200", "--jobs", jobs]
    ended = subprocess.run([*command, "--out", str(out)], cwd=ROOT, capture_output=True, text=True)
    assert ended.returncode == 1
    *_, error, kept = ended.stderr.splitlines()
    assert error.startswith(f"error: cannot write {out}/tricks/part-0000") and error.endswith(": File too large")
    assert kept == f"0 of 4 shards are finished and kept; go on with: backalley resume {out}"
    check_clean(out)
    check_resumed(resume(out), whole)


def test_a_full_disk_ends_the_run_and_room_lets_it_go_on(small_disk: Path, whole: Run) -> None:
    with pytest.raises(StoreError, match=r"^cannot write .*/part-\d+\.parquet: No space left on device\n"):
        play(TOURNAMENT, small_disk / "run")
    check_clean(small_disk / "run")
    remount(small_disk, "size=20m")
    check_resumed(resume(small_disk / "run"), whole)


def test_a_read_only_disk_is_named(small_disk: Path, whole: Run) -> None:
    remount(small_disk, "ro")
    with pytest.raises(StoreError, match=r"^cannot write .*run: Read-only file system"):
        play(TOURNAMENT, small_disk / "run")
    remount(small_disk, "rw,size=20m")
    play(TOURNAMENT, small_disk / "run")
    (small_disk / "run" / "matches" / "part-00001.parquet").unlink()
    remount(small_disk, "ro")
    with pytest.raises(StoreError, match=r"^cannot write .*lock: Read-only file system"):
        resume(small_disk / "run")
    remount(small_disk, "rw")
    check_resumed(resume(small_disk / "run"), whole)
