"""One writer at a time in a run folder: a lock that the system holds for a living process and drops with it."""

import fcntl
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from ..errors import RunError, StoreError


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Hold the lock file `path` while the block runs, and remove it after.

    Raises
    ------
    RunError
        If another process holds it; its number is named.
    """
    file = _acquire(path)
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        file.close()


def writer(path: Path) -> str | None:
    """Return the process that holds the lock file `path`, as ``number on host``, or None."""
    try:
        with path.open("r+") as file:
            return None if _take(file) else _recorded(file)
    except OSError:
        return None


def _acquire(path: Path) -> IO[str]:
    while True:
        try:
            file = path.open("a+")
        except OSError as error:
            raise StoreError(f"cannot write {path}: {error.strerror}") from error
        if not _take(file):
            with file:
                raise _in_use(path.parent, _recorded(file))
        if _still_at(path, file):
            file.truncate(0)
            file.write(f"{os.getpid()} on {socket.gethostname()}")
            file.flush()
            return file
        file.close()


def _in_use(folder: Path, process: str) -> RunError:
    return RunError(
        f"{folder} is in use: process {process} is writing to it",
        "wait until it ends, or name another folder with --out",
    )


def _take(file: IO[str]) -> bool:
    """Try to lock an open file; on a file system without locks, go by whether the recorded process lives."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return not _alive(_recorded(file))
    return True


def _recorded(file: IO[str]) -> str:
    file.seek(0)
    return file.read().strip()


def _alive(process: str) -> bool:
    number, _, host = process.partition(" on ")
    if not number.isdigit() or host != socket.gethostname():
        return bool(process)
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _still_at(path: Path, file: IO[str]) -> bool:
    """Return whether the locked file is the one at `path`: its last holder may have removed it meanwhile."""
    try:
        return os.path.samestat(path.stat(), os.fstat(file.fileno()))
    except FileNotFoundError:
        return False
