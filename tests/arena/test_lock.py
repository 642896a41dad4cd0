"""A run folder has one writer, and one that died is none."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sim.arena.lock import writer, writing
from sim.errors import RunError, StoreError

HOLD = "import sys; from pathlib import Path; from sim.arena.lock import writing\n"
HOLD += "with writing(Path(sys.argv[1])): print(flush=True); sys.stdin.read()"


@contextmanager
def holder(path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Have another process hold the lock while the block runs."""
    command = [sys.executable, "-c", HOLD, str(path)]
    root = Path(__file__).parents[2]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=root) as process:
        assert process.stdout is not None and process.stdout.readline()
        yield process
        process.kill()


def test_a_second_writer_is_refused_and_told_who_the_first_is(tmp_path: Path) -> None:
    with holder(tmp_path / "lock") as process, pytest.raises(RunError) as refused, writing(tmp_path / "lock"):
        pass
    assert f"{tmp_path} is in use: process {process.pid}" in str(refused.value)


def test_a_dead_writer_does_not_stand_in_the_way(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    with holder(lock) as process:
        process.kill()
        process.wait()
        assert lock.exists()
        with writing(lock):
            assert writer(lock) is not None


def test_who_writes_can_be_asked_without_disturbing(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    assert writer(lock) is None
    with writing(lock):
        assert str(writer(lock)).startswith(f"{os.getpid()} on ")
        assert str(writer(lock)).startswith(f"{os.getpid()} on ")
    assert writer(lock) is None
    lock.write_text("1 on elsewhere")
    assert writer(lock) is None


def test_the_lock_is_gone_when_its_holder_is_done(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), writing(tmp_path / "lock"):
        raise ZeroDivisionError
    assert not (tmp_path / "lock").exists()


@pytest.mark.parametrize(
    ("recorded", "free"), [("", True), (f"{2**22 + 1} on {os.uname().nodename}", True), ("1 on elsewhere", False)]
)
def test_without_locks_of_the_system_the_recorded_process_decides(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recorded: str, free: bool
) -> None:
    def unsupported(*_: object) -> None:
        raise OSError("no locks here")

    monkeypatch.setattr("sim.arena.lock.fcntl.flock", unsupported)
    (tmp_path / "lock").write_text(recorded)
    if free:
        with writing(tmp_path / "lock"):
            assert str(os.getpid()) in (tmp_path / "lock").read_text()
    else:
        with pytest.raises(RunError, match="1 on elsewhere"), writing(tmp_path / "lock"):
            pass


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot write"), writing(tmp_path / "missing" / "lock"):
        pass
