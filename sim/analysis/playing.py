"""Playing one pairing for its margins alone, shard by shard in schedule order, with nothing stored."""

import os
from collections.abc import Generator
from concurrent.futures.process import BrokenProcessPool

import joblib
import numpy as np

from ..arena import shard
from ..arena.plan import Plan
from ..arena.process import begin
from ..errors import BackAlleyError, ConfigError, StrategyFault

SHARDS_A_WORKER = 4
"""Shards in a wave for each worker. What of the last wave is not needed was played for nothing."""


def margins(plan: Plan, jobs: int = 1) -> Generator[np.ndarray, None, None]:
    """Yield each shard's margins, int64[shuffles]: what the first side wins a shuffle by, both tables added up.

    They come in schedule order, whatever the number of jobs. Whoever has seen enough closes the iterator.

    Parameters
    ----------
    plan : Plan
        Of one pairing, duplicate, and every strategy compiled that can be.
    jobs : int
        Workers: 1 plays in this process, -1 takes every core.

    Raises
    ------
    ConfigError
        If `jobs` is no number of workers.
    StrategyFault
        If a strategy faults, or takes its process down.
    """
    if not isinstance(jobs, int) or isinstance(jobs, bool) or jobs == 0:
        raise ConfigError(f"jobs = {jobs!r} is refused: it must be a number of workers, or -1 for every core")
    workers = joblib.effective_n_jobs(jobs)
    return _in_workers(plan, workers) if workers > 1 else (_margins(plan, number) for number in range(plan.shards))


def _in_workers(plan: Plan, workers: int) -> Generator[np.ndarray, None, None]:
    """Yield the shards as they come up, played a wave at a time."""
    wave = workers * SHARDS_A_WORKER
    first = {"initializer": begin, "initargs": (os.getpid(),)}
    try:
        with joblib.Parallel(workers, batch_size=1, max_nbytes=None, **first) as parallel:
            for start in range(0, plan.shards, wave):
                numbers = range(start, min(start + wave, plan.shards))
                yield from parallel(joblib.delayed(_margins)(plan, number) for number in numbers)
    except BrokenProcessPool as error:
        raise StrategyFault(
            "a worker process died",
            f"strategies in it: {', '.join(plan.labels)}",
            "it may have run out of memory, or a strategy took its process down",
        ) from error


def _margins(plan: Plan, number: int) -> np.ndarray:
    try:
        matches = shard.play_shard(plan, number).columns["matches"]
    except BackAlleyError:
        raise
    except (Exception, SystemExit) as error:
        raise StrategyFault(f"shard {number} failed: {type(error).__name__}: {error}") from error
    by_table = (matches["ns_score"].astype(np.int64) - matches["ew_score"]).reshape(-1, 2)
    margins: np.ndarray = by_table[:, 0] - by_table[:, 1]
    return margins
