"""Who plays the shards: worker processes, threads, a cluster, or this process; and that none is left behind.

A plug-in may hang or take its process down, so this process plays none unless asked to, not even with one worker.
"""

import os
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar

import joblib
from joblib.externals.loky import ProcessPoolExecutor

from ..errors import ConfigError
from .choices import BACKENDS
from .plan import Plan
from .process import begin
from .watch import WorkerDied
from .worker import Job, Receipt, play_and_store

SECONDS_IDLE = 300

Result = TypeVar("Result")

_kept: dict[int, Any] = {}
"""Idle workers, by their number: one pool at most."""


def number_of(jobs: int) -> int:
    """Return how many workers `jobs` are: -1 stands for every core.

    Raises
    ------
    ConfigError
        If it is neither that nor above 0.
    """
    if not isinstance(jobs, int) or isinstance(jobs, bool) or (jobs < 1 and jobs != -1):
        raise ConfigError(f"jobs = {jobs!r} is refused: it must be a number of workers, or -1 for every core")
    return int(joblib.effective_n_jobs(jobs))


@dataclass(frozen=True)
class Workers:
    """The workers of a run, on which no row depends.

    Parameters
    ----------
    jobs : int
        How many; -1 for every core.
    backend : {"loky", "threading", "dask", "sequential"}
        Processes; threads; a Dask cluster's processes; or this process, for debugging.
    scheduler : str, optional
        The address of the Dask cluster; without it, one of `jobs` processes is started here.

    Raises
    ------
    ConfigError
        If there can be no such workers.
    """

    jobs: int = 1
    backend: str = "loky"
    scheduler: str | None = None

    def __post_init__(self) -> None:
        jobs = number_of(self.jobs)
        if self.backend not in BACKENDS:
            raise ConfigError(f"backend = {self.backend!r} is refused: it must be {' or '.join(BACKENDS)}")
        if self.backend == "sequential" and self.jobs != 1:
            raise ConfigError(f"backend = 'sequential' plays in one process: jobs = {self.jobs} is refused")
        if self.scheduler and self.backend != "dask":
            raise ConfigError(f"scheduler = {self.scheduler!r} is refused: it needs backend = 'dask'")
        object.__setattr__(self, "jobs", jobs)

    @property
    def in_processes(self) -> bool:
        """Whether a worker can be ended without the run."""
        return self.backend in ("loky", "dask")

    def check(self, plan: Plan) -> None:
        """Refuse what threads cannot play.

        Raises
        ------
        ConfigError
        """
        interpreted = [strategy.label for strategy in plan.strategies if not strategy.compiled]
        if self.backend == "threading" and interpreted:
            raise ConfigError(
                f"backend = 'threading' needs compiled strategies, but {', '.join(interpreted)} is interpreted",
                "play with the backend loky",
            )

    def play(self, job: Job, shards: list[int]) -> Iterator[Receipt]:
        """Yield receipts as shards are finished, in whatever order.

        Raises
        ------
        WorkerDied
            If a worker process is gone; so are the others then.
        StrategyFault, StoreError
            If a strategy or a file ends the run.
        """
        if self.backend == "sequential":
            return (play_and_store(job, shard) for shard in shards)
        if self.backend == "loky":
            return in_processes(play_and_store, ((job, shard) for shard in shards), min(self.jobs, len(shards)))
        if self.backend == "dask":
            from . import cluster

            return cluster.play(job, shards, self.jobs, self.scheduler)
        return _in_threads(job, shards, self.jobs)


def in_processes(
    task: Callable[..., Result], arguments: Iterable[tuple[Any, ...]], jobs: int
) -> Generator[Result, None, None]:
    """Yield what a task returns for each tuple of arguments, as it comes in from so many worker processes.

    The workers are kept for the next call, unless this one does not come to its end: then they are killed.

    Raises
    ------
    WorkerDied
        If a worker process is gone; so are the others then.
    """
    workers = _kept.pop(jobs, None) or _new_workers(jobs)
    left = iter(arguments)

    def submitted(number: int) -> set[Future]:
        return {workers.submit(task, *those) for those in islice(left, number)}

    try:
        under_way = submitted(2 * jobs)  # no more than that: Loky, told to kill its workers, stumbles over the rest
        while under_way:
            done, under_way = wait(under_way, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
            under_way |= submitted(len(done))
    except BaseException as error:
        workers.shutdown(kill_workers=True)
        if isinstance(error, BrokenProcessPool):
            raise WorkerDied from error
        raise
    end_idle()
    _kept[jobs] = workers


def end_idle() -> None:
    """End the worker processes that are kept for the next run."""
    while _kept:
        _kept.popitem()[1].shutdown()


def _new_workers(jobs: int) -> Any:
    return ProcessPoolExecutor(jobs, timeout=SECONDS_IDLE, initializer=begin, initargs=(os.getpid(),))


def _in_threads(job: Job, shards: list[int], jobs: int) -> Generator[Receipt, None, None]:
    threads = joblib.Parallel(jobs, backend="threading", return_as="generator_unordered", batch_size=1)
    with closing(threads(joblib.delayed(play_and_store)(job, shard) for shard in shards)) as receipts:
        yield from receipts
