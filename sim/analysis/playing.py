"""Playing one pairing for its margins alone, shard by shard in schedule order, with nothing stored.

Worker processes play, as for a run and within the same limits, so that a strategy that hangs or takes its process down
ends the comparison and not more. What they keep while they are at it, the watch's notes, lies in a folder of a moment.
"""

import tempfile
from collections.abc import Generator
from pathlib import Path

import numpy as np

from ..arena.limits import Limits
from ..arena.losses import Losses
from ..arena.plan import Plan
from ..arena.store import RunFolder
from ..arena.watch import WorkerDied
from ..arena.worker import Job, play_only
from ..arena.workers import in_processes

SHARDS_A_WORKER = 4
"""Shards in a wave for each worker. What of the last wave is not needed was played for nothing."""


def margins(plan: Plan, jobs: int, limits: Limits, progress: bool | None = None) -> Generator[np.ndarray, None, None]:
    """Yield each shard's margins, int64[shuffles]: what the first side wins a shuffle by, both tables added up.

    They come in schedule order, whatever the number of jobs. Whoever has seen enough closes the iterator.

    Parameters
    ----------
    plan : Plan
        Of one pairing, duplicate.
    jobs : int
        Worker processes, at least one.
    limits : Limits
        What one may take for a shard.
    progress : bool, optional
        Whether to tell of the search for who took more.

    Raises
    ------
    StrategyFault
        If a strategy faults, goes over a limit or takes its process down.
    """
    wave = jobs * SHARDS_A_WORKER
    with tempfile.TemporaryDirectory(prefix="backalley-") as scratch:
        folder = RunFolder(Path(scratch))
        folder.make()
        losses = Losses(Job(plan, folder, "", limits), progress, task=_margins)
        for start in range(0, plan.shards, wave):
            yield from _wave(losses, range(start, min(start + wave, plan.shards)), jobs)


def _wave(losses: Losses, numbers: range, jobs: int) -> list[np.ndarray]:
    """Return the margins of these shards. All are waited for, so that the workers are there for the next wave."""
    found: dict[int, np.ndarray] = {}
    while missing := [number for number in numbers if number not in found]:
        try:
            for number, of_shard in in_processes(_numbered, ((losses.job, number) for number in missing), jobs):
                found[number] = of_shard
        except WorkerDied:
            losses.look()
            found |= losses.played_again
    return [found[number] for number in numbers]


def _numbered(job: Job, number: int) -> tuple[int, np.ndarray]:
    return number, _margins(job, number)


def _margins(job: Job, number: int) -> np.ndarray:
    matches = play_only(job, number)["matches"]
    by_table = (matches["ns_score"].astype(np.int64) - matches["ew_score"]).reshape(-1, 2)
    margins: np.ndarray = by_table[:, 0] - by_table[:, 1]
    return margins
