"""How a run stands: what is there and what is missing, who is at it, how fast it went, what went wrong."""

from dataclasses import dataclass
from pathlib import Path

from .lock import writer
from .run import Run, open_run
from .store import RENAME_ORDER


@dataclass(frozen=True)
class Status:
    """A run's state at one moment.

    Attributes
    ----------
    run_id, state : str
        ``complete``; ``playing`` while a process writes; else ``interrupted``.
    writer : str or None
        The process that writes, as ``number on host``.
    shards, shards_in_all : int
        Shards there, and of the whole run.
    matches, faults, stalled : int
        Matches there, those that ended by a fault, and stalled deals (RULES B6) in them.
    bytes : int
        Bytes of the parts.
    matches_a_second : float or None
        Over the last ten shards; None before there are two.
    """

    run_id: str
    state: str
    writer: str | None
    shards: int
    shards_in_all: int
    matches: int
    faults: int
    stalled: int
    bytes: int
    matches_a_second: float | None


def status(path: str | Path) -> Status:
    """Look at a run's folder.

    Raises
    ------
    RunError
        If there is no run in it.
    """
    run = open_run(path)
    shards = run.shards_present
    parts = [run.folder.part(table, shard) for shard in shards for table in RENAME_ORDER]
    with run.connect() as connection:
        query = "SELECT count(*), count(fault), coalesce(sum(stalled), 0)::BIGINT FROM matches"
        matches, faults, stalled = connection.execute(query).fetchall()[0]
    at_it = writer(run.folder.lock)
    state = "complete" if run.complete else "playing" if at_it else "interrupted"
    return Status(
        run_id=run.manifest["run_id"],
        state=state,
        writer=at_it,
        shards=len(shards),
        shards_in_all=run.shards,
        matches=matches,
        faults=faults,
        stalled=stalled,
        bytes=sum(part.stat().st_size for part in parts),
        matches_a_second=_rate(run, shards),
    )


def _rate(run: Run, shards: list[int]) -> float | None:
    """Return the speed at which the last ten shards came in: earlier pauses of the run do not count."""
    times = sorted(run.folder.part("matches", shard).stat().st_mtime for shard in shards)[-10:]
    settings = run.manifest["tournament"]
    on_a_shuffle = len(run.manifest["pairings"]) * run.tables
    took = times[-1] - times[0] if times else 0
    return (len(times) - 1) * settings["shard_shuffles"] * on_a_shuffle / took if took else None
