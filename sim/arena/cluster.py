"""Shards played by the worker processes of a Dask cluster. Dask is an extra, loaded here alone.

Not through joblib, whose way to Dask waits for ever when a task fails outside its function: when a worker was killed
too often, or cannot unpickle what it is sent.
"""

import pickle
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import cloudpickle

from ..errors import ConfigError
from .watch import WorkerDied
from .worker import Job, Receipt, play_and_store

SECONDS_TO_ANSWER = 30


def play(job: Job, shards: list[int], jobs: int, scheduler: str | None) -> Generator[Receipt, None, None]:
    """Yield receipts as shards are finished.

    Parameters
    ----------
    job : Job
        Its folder is one that every worker reaches by the same path.
    shards : list of int
    jobs : int
        Worker processes to start here if there is no `scheduler`.
    scheduler : str or None
        The cluster's address.

    Raises
    ------
    ConfigError
        If Dask is not installed, or the cluster does not answer or has workers of several threads.
    WorkerDied
        If workers died over the same shard, again and again.
    """
    distributed = _distributed()
    content = cloudpickle.dumps(job)
    with _client(distributed, jobs, scheduler) as client:
        futures = client.map(_play_and_store, [content] * len(shards), shards, pure=False)
        try:
            for future in distributed.as_completed(futures):
                yield future.result()
        except distributed.KilledWorker as error:
            raise WorkerDied from error
        finally:
            client.cancel(futures)


def _play_and_store(content: bytes, shard: int) -> Receipt:
    """Play a shard of a job that was pickled by us: Dask would not send a file's strategy by value."""
    return play_and_store(pickle.loads(content), shard)


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        raise ConfigError("backend = 'dask' needs Dask: pip install 'backalley[dask]'") from None
    return distributed


@contextmanager
def _client(distributed: Any, jobs: int, scheduler: str | None) -> Iterator[Any]:
    with ExitStack() as stack:
        address = scheduler or stack.enter_context(_cluster(distributed, jobs))
        try:
            client = stack.enter_context(distributed.Client(address, timeout=SECONDS_TO_ANSWER))
            client.wait_for_workers(1, timeout=SECONDS_TO_ANSWER)
        except (OSError, ValueError) as error:
            raise ConfigError(f"no Dask scheduler with a worker answers at {address}") from error
        if any(threads > 1 for threads in client.ncores().values()):
            raise ConfigError("a Dask worker has several threads", "start them with: dask worker --nthreads 1")
        yield client


def _cluster(distributed: Any, jobs: int) -> Any:
    """Return a cluster on this machine. Our own watch keeps the workers' memory, so Dask is not to."""
    return distributed.LocalCluster(
        n_workers=jobs,
        threads_per_worker=1,
        memory_limit=0,
        dashboard_address=None,
        env={"POLARS_MAX_THREADS": "1"},
    )
