"""How a run stands: what is there and what is missing, who is at it, how fast it went, what went wrong."""

from dataclasses import dataclass
from pathlib import Path

from .lock import writer
from .manifest import stored_plan
from .progress import LAST_SHARDS
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
        Over the last ten shards, as a run's progress tells it; None unless a process is at it and two are there.
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
    with run.asked() as connection:
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
        matches_a_second=_rate(run, shards) if state == "playing" else None,
    )


def _rate(run: Run, shards: list[int]) -> float | None:
    """Return the speed at which the last shards came in: earlier pauses of the run do not count."""
    plan = stored_plan(run.manifest)
    came_in = sorted((run.folder.part("matches", shard).stat().st_mtime, shard) for shard in shards)[-LAST_SHARDS:]
    took = came_in[-1][0] - came_in[0][0] if came_in else 0
    return sum(plan.shard_matches(shard) for _, shard in came_in[1:]) / took if took else None
