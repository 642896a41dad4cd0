"""Playing a run: the folder claimed, the missing shards dealt out to workers, what stops a run, going on with one.

A worker stores its shard itself and sends back a receipt, so memory does not grow with the matches, and whatever
happens, a shard once stored is kept.
"""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from shlex import quote

from ..errors import ConfigError, StoreError, StrategyFault
from . import shard
from .claim import claimed, make_room
from .digests import file_digests
from .limits import Limits, limits_of
from .losses import Losses
from .manifest import Manifest, new_manifest, now, plan_again, write_manifest
from .plan import Plan
from .progress import say, telling
from .run import Run, open_run
from .sides import Spec
from .store import RunFolder, folder_named
from .tournament import Tournament
from .watch import WorkerDied
from .worker import Job
from .workers import Workers

RUNS = Path("data/runs")


def play(
    tournament: Tournament,
    out: str | Path | None = None,
    jobs: int = 1,
    backend: str = "loky",
    progress: bool | None = None,
    overwrite: bool = False,
    scheduler: str | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = None,
) -> Run:
    """Play a tournament, every row stored.

    Parameters
    ----------
    tournament : Tournament
        What to play.
    out : path, optional
        The run's folder, ``data/runs/<run id>`` if not given.
    jobs : int
        Workers, -1 for every core. Rows do not depend on it.
    backend : {"loky", "threading", "dask", "sequential"}
        Worker processes; threads, where every strategy is compiled; a Dask cluster's processes; or, for debugging, this
        process. A strategy that hangs or kills its process is survived in worker processes alone.
    progress : bool, optional
        Whether to tell of progress on standard error; by default only on a terminal.
    overwrite : bool
        Whether to replace a run that is in the folder.
    scheduler : str, optional
        The address of a Dask cluster; without it, ``backend="dask"`` starts one of `jobs` processes here.
    time_limit : float, optional
        Seconds a worker process may play one shard; by default 600, or 10 a match with an interpreted strategy if that
        is more.
    memory_limit : int, optional
        Resident memory that a worker process may have while it plays, MB; by default an even share of four fifths of
        the machine's.

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
    workers = Workers(jobs, backend, scheduler)
    limits = _checked(plan, workers, time_limit, memory_limit)
    manifest = new_manifest(tournament, plan)
    folder = folder_named(RUNS / manifest["run_id"] if out is None else out)
    with claimed(folder):
        make_room(folder, manifest, overwrite)
        write_manifest(folder, manifest)
        say(progress, f"run {manifest['run_id']}, seed {plan.seed}: {plan.matches:,} matches into {folder.path}")
        try:
            _compile(plan, progress)
        except BaseException:
            folder.clear()
            raise
        return _play_missing(folder, manifest, plan, workers, limits, progress)


def resume(
    path: str | Path,
    strategies: Iterable[Spec] = (),
    jobs: int = 1,
    backend: str = "loky",
    progress: bool | None = None,
    scheduler: str | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = None,
) -> Run:
    """Play the missing shards of a run, and nothing else; a complete run is left as it is.

    Parameters
    ----------
    path : path
        The run's folder.
    strategies : iterable of (str, Strategy class or Strategy)
        Strategies that cannot be found by their class's name, such as those of a notebook.
    jobs, backend, progress, scheduler, time_limit, memory_limit
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
    workers = Workers(jobs, backend, scheduler)
    limits = _checked(plan, workers, time_limit, memory_limit)
    with claimed(run.folder):
        run.folder.make()
        _compile(plan, progress)
        return _play_missing(run.folder, run.manifest, plan, workers, limits, progress)


def _checked(plan: Plan, workers: Workers, time_limit: float | None, memory_limit: int | None) -> Limits | None:
    """Return the limits for these workers, None where there is no process to end."""
    workers.check(plan)
    if workers.in_processes:
        return limits_of(plan, workers.jobs, time_limit, memory_limit)
    if time_limit is not None or memory_limit is not None:
        raise ConfigError(f"limits are for worker processes: backend = {workers.backend!r} has none", "leave them out")
    return None


def _compile(plan: Plan, progress: bool | None) -> None:
    seconds = shard.prepare(plan)
    say(progress, f"compiled in {seconds:.1f} s")


def _play_missing(
    folder: RunFolder, manifest: Manifest, plan: Plan, workers: Workers, limits: Limits | None, progress: bool | None
) -> Run:
    job = Job(plan, folder, manifest["run_id"], limits)
    try:
        _play_all(job, workers, progress)
        files = file_digests(folder, folder.shards())
        write_manifest(folder, manifest | {"status": "finished", "finished": now(), "files": files})
    except BaseException as error:
        with suppress(StoreError):
            folder.sweep()
        error.add_note(_what_is_kept(job, error))
        raise
    return open_run(folder.path)


def _what_is_kept(job: Job, error: BaseException) -> str:
    kept = f"{len(job.folder.shards())} of {job.plan.shards} shards are finished and kept"
    fault = isinstance(error, StrategyFault)
    return (
        f"{kept} in {job.folder.path}"
        if fault
        else f"{kept}; go on with: backalley resume {quote(str(job.folder.path))}"
    )


def _play_all(job: Job, workers: Workers, progress: bool | None) -> None:
    """Play what is missing, but for what is lost."""
    losses = Losses(job, progress)
    while missing := [shard for shard in _missing(job) if shard not in losses.notes]:
        left = sum(map(job.plan.shard_matches, missing))
        try:
            with telling(progress)(job.plan.matches, job.plan.matches - left) as teller:
                for receipt in workers.play(job, missing):
                    teller.advance(receipt.matches, receipt.seconds)
        except WorkerDied:
            losses.look()
    losses.end()


def _missing(job: Job) -> list[int]:
    present = set(job.folder.shards())
    return [number for number in range(job.plan.shards) if number not in present]
