"""The watch over a shard while it is played: a note that says who is at it, and an end when it takes too much.

A worker that dies tells nobody why. So it keeps a note in ``tmp/`` while it plays: an empty file named for the shard,
into which the watch writes why before it ends the process. The main process reads the notes of the dead.
"""

import faulthandler
import os
import re
import resource
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

from ..players.code_digest import PACKAGE
from .limits import Limits
from .store import RunFolder, storing

SECONDS_BETWEEN_LOOKS = 0.1
TIME, MEMORY = "time", "memory"

_NOTE = re.compile(r"shard-(\d+)\..*\.note")
_FRAME = re.compile(r'^  File "(.*)", line (\d+) in (.*)$', re.MULTILINE)
_ASKING = str(PACKAGE / "players" / "interpreted.py")
_STATM = Path("/proc/self/statm")
_RESIDENT, _DATA = 1, 5
"""Places in that file: memory in use, and memory that may be written, used or not."""


class WorkerDied(Exception):
    """A worker process is gone, whatever the reason; the notes tell more."""


class Note(NamedTuple):
    """What a worker that died left of a shard: the limit it went over, if any, and where in Python it was then."""

    shard: int
    limit: str = ""
    place: str = ""


@contextmanager
def watching(folder: RunFolder, shard: int, limits: Limits) -> Iterator[None]:
    """Keep a note while a shard is played in the block, and end this process, hard, when it takes more than it may.

    Time is kept by a thread of C, which ends even a strategy that never lets go of the interpreter; memory by a thread
    of Python, which compiled code does not keep from running, and by the system, which refuses what is asked for at
    one stroke.

    Raises
    ------
    WorkerDied
        If a worker went over a limit with this shard before: a cluster's scheduler hands it out again unasked.
    StoreError
        If the note cannot be written.
    """
    if any(note.shard == shard and note.limit for note in notes_of(folder)):
        raise WorkerDied
    path = folder.tmp / f"shard-{shard}.{socket.gethostname()}-{os.getpid()}.note"
    with storing(path):
        note = path.open("w")
    with note, _data_bounded(limits.megabytes), _memory_watched(note, limits.megabytes):
        faulthandler.dump_traceback_later(limits.seconds, exit=True, file=note)
        try:
            yield
        except MemoryError:
            _end_for_memory(note)
        finally:
            faulthandler.cancel_dump_traceback_later()
            path.unlink(missing_ok=True)


def notes_of(folder: RunFolder) -> list[Note]:
    """Return the notes in a run's ``tmp/``, by shard."""
    return sorted(_read(path, int(match[1])) for path, match in _notes(folder))


def taken_notes(folder: RunFolder) -> list[Note]:
    """Return the notes in a run's ``tmp/``, by shard, and remove them."""
    notes = notes_of(folder)
    for path, _ in _notes(folder):
        path.unlink(missing_ok=True)
    return notes


def _notes(folder: RunFolder) -> list[tuple[Path, re.Match[str]]]:
    return [(path, match) for path in folder.tmp.iterdir() if (match := _NOTE.fullmatch(path.name))]


def _read(path: Path, shard: int) -> Note:
    try:
        text = path.read_text(errors="replace")
    except FileNotFoundError:  # its worker has just finished
        return Note(shard)
    limit = MEMORY if text.startswith("Memory") else TIME if text.startswith("Timeout") else ""
    return Note(shard, limit, _place(text))


def _place(traces: str) -> str:
    """Return the line of the interpreted decision that was being taken, as the traces of all threads tell it."""
    for thread in traces.split("\n\n"):
        inner = ("", "", "")
        for frame in _FRAME.findall(thread):
            if frame[0] == _ASKING and inner[0]:
                return ("" if inner[0].startswith("<") else f"{inner[0]}, ") + f"line {inner[1]}, in {inner[2]}"
            inner = frame
    return ""


@contextmanager
def _data_bounded(megabytes: int) -> Iterator[None]:
    """Let this process take no more memory than so much beyond what it has now: the system then says MemoryError."""
    has = _pages(_DATA)
    before, most = resource.getrlimit(resource.RLIMIT_DATA)
    bounds = [has + megabytes * 10**6, *(each for each in (before, most) if each != resource.RLIM_INFINITY)]
    if has:
        resource.setrlimit(resource.RLIMIT_DATA, (min(bounds), most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (before, most))


@contextmanager
def _memory_watched(note: IO[str], megabytes: int) -> Iterator[None]:
    over = threading.Event()
    watch = threading.Thread(target=_watch_memory, args=(over, note, megabytes), daemon=True)
    watch.start()
    try:
        yield
    finally:
        over.set()
        watch.join()


def _watch_memory(over: threading.Event, note: IO[str], megabytes: int) -> None:
    while not over.wait(SECONDS_BETWEEN_LOOKS):
        if _pages(_RESIDENT) > megabytes * 10**6:
            _end_for_memory(note)


def _end_for_memory(note: IO[str]) -> None:
    os.write(note.fileno(), b"Memory!\n\n")
    faulthandler.dump_traceback(note, all_threads=True)
    os._exit(1)


def _pages(which: int) -> int:
    """Return a kind of this process's memory in bytes, 0 where the system does not say."""
    try:
        return int(_STATM.read_text().split()[which]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0
