"""Playing a run: the folder claimed, the missing shards dealt out to workers, what stops a run, going on with one.

A worker stores its shard itself and sends back a receipt, so memory does not grow with the matches, and whatever
happens, a shard once stored is kept.
"""

import os
from collections.abc import Iterable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from pathlib import Path

import joblib

from ..errors import BackAlleyError, ConfigError, StrategyFault
from . import shard
from .choices import BACKENDS
from .claim import claimed, make_room
from .manifest import Manifest, new_manifest, now, plan_again, write_manifest
from .plan import Plan
from .process import begin
from .progress import say, telling
from .run import Run, open_run
from .sides import Spec
from .store import RunFolder
from .tournament import Tournament
from .worker import Job, Receipt, play_and_store

RUNS = Path("data/runs")


def play(
    tournament: Tournament,
    out: str | Path | None = None,
    jobs: int = 1,
    backend: str = "loky",
    progress: bool | None = None,
    overwrite: bool = False,
) -> Run:
    """Play a tournament, every row stored.

    Parameters
    ----------
    tournament : Tournament
        What to play.
    out : path, optional
        The run's folder, ``data/runs/<run id>`` if not given.
    jobs : int
        Workers: 1 plays in this process, -1 takes every core. Rows do not depend on it.
    backend : {"loky", "threading"}
        Processes, or threads where every strategy is compiled.
    progress : bool, optional
        Whether to tell of progress on standard error; by default only on a terminal.
    overwrite : bool
        Whether to replace a run that is in the folder.

    Raises
    ------
    ConfigError, SpecError, CompileError
        If the tournament, a strategy or an option is refused.
    RunError
        If the folder is in use or holds something else.
    StrategyFault, StoreError
        If a strategy or a file ends the run. Finished shards are kept.
    """
    plan = tournament.plan()
    _check_workers(plan, jobs, backend)
    manifest = new_manifest(tournament, plan)
    folder = RunFolder(Path(out or RUNS / manifest["run_id"]).absolute())
    with claimed(folder):
        make_room(folder, manifest, overwrite)
        write_manifest(folder, manifest)
        say(progress, f"run {manifest['run_id']}, seed {plan.seed}: {plan.matches:,} matches into {folder.path}")
        try:
            _compile(plan, progress)
        except BaseException:
            folder.clear()
            raise
        return _play_missing(folder, manifest, plan, joblib.effective_n_jobs(jobs), backend, progress)


def resume(
    path: str | Path,
    strategies: Iterable[Spec] = (),
    jobs: int = 1,
    backend: str = "loky",
    progress: bool | None = None,
) -> Run:
    """Play the missing shards of a run, and nothing else; a complete run is left as it is.

    Parameters
    ----------
    path : path
        The run's folder.
    strategies : iterable of (str, Strategy class or Strategy)
        Strategies that cannot be found by their class's name, such as those of a notebook.
    jobs, backend, progress
        As for `play`.

    Raises
    ------
    RunError
        If there is no run, it is in use, or its strategies, rules or versions are no longer what they were.
    StrategyFault, StoreError
        If a strategy or a file ends the run.
    """
    run = open_run(path)
    if run.complete and run.manifest["status"] == "finished":
        return run
    plan = plan_again(run.manifest, strategies)
    _check_workers(plan, jobs, backend)
    with claimed(run.folder):
        run.folder.make()
        _compile(plan, progress)
        return _play_missing(run.folder, run.manifest, plan, joblib.effective_n_jobs(jobs), backend, progress)


def _check_workers(plan: Plan, jobs: int, backend: str) -> None:
    if not isinstance(jobs, int) or isinstance(jobs, bool) or jobs == 0:
        raise ConfigError(f"jobs = {jobs!r} is refused: it must be a number of workers, or -1 for every core")
    if backend not in BACKENDS:
        raise ConfigError(f"backend = {backend!r} is refused: it must be {' or '.join(BACKENDS)}")
    interpreted = [strategy.label for strategy in plan.strategies if not strategy.compiled]
    if backend == "threading" and interpreted:
        raise ConfigError(
            f"backend = 'threading' needs compiled strategies, but {', '.join(interpreted)} is interpreted",
            "play with the backend loky",
        )


def _compile(plan: Plan, progress: bool | None) -> None:
    seconds = shard.prepare(plan)
    say(progress, f"compiled in {seconds:.1f} s")


def _play_missing(
    folder: RunFolder, manifest: Manifest, plan: Plan, jobs: int, backend: str, progress: bool | None
) -> Run:
    job = Job(plan, folder, manifest["run_id"])
    try:
        _play_all(job, jobs, backend, progress)
        write_manifest(folder, manifest | {"status": "finished", "finished": now()})
    except BaseException as error:
        error.add_note(_what_is_kept(job, error))
        raise
    return open_run(folder.path)


def _what_is_kept(job: Job, error: BaseException) -> str:
    kept = f"{len(job.folder.shards())} of {job.plan.shards} shards are finished and kept"
    fault = isinstance(error, StrategyFault)
    return f"{kept} in {job.folder.path}" if fault else f"{kept}; go on with: backalley resume {job.folder.path}"


def _play_all(job: Job, jobs: int, backend: str, progress: bool | None) -> None:
    """Play what is missing. A dead worker takes its shards along: they are tried once more."""
    for last_try in (False, True):
        missing = _missing(job)
        done = job.plan.matches - sum(map(job.plan.shard_matches, missing))
        try:
            with telling(progress)(job.plan.matches, done) as teller:
                for receipt in _receipts(job, missing, jobs, backend):
                    teller.advance(receipt.matches, receipt.seconds)
            return
        except BrokenProcessPool as error:
            if last_try:
                raise _dead_worker(job, jobs) from error


def _missing(job: Job) -> list[int]:
    present = set(job.folder.shards())
    return [number for number in range(job.plan.shards) if number not in present]


def _receipts(job: Job, missing: list[int], jobs: int, backend: str) -> Iterator[Receipt]:
    """Yield receipts as shards are finished."""
    if jobs == 1:
        yield from (play_and_store(job, number) for number in missing)
        return
    first = {"initializer": begin, "initargs": (os.getpid(),)} if backend == "loky" else {}
    workers = joblib.Parallel(
        jobs, backend=backend, return_as="generator_unordered", batch_size=1, max_nbytes=None, **first
    )
    with closing(workers(joblib.delayed(play_and_store)(job, number) for number in missing)) as receipts:
        yield from receipts


def _dead_worker(job: Job, jobs: int) -> BackAlleyError:
    """Return the error that names the shards under way: shards begin in order, so the first that are missing."""
    numbers = " or ".join(map(str, _missing(job)[:jobs]))
    return StrategyFault(
        f"a worker process died twice, playing shard {numbers}",
        f"strategies in it: {', '.join(job.plan.labels)}",
        "it may have run out of memory, or a strategy took its process down",
    )
