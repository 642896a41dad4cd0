"""What one worker does with one shard: play it, store it, and send back a receipt instead of rows."""

import time
from contextlib import nullcontext
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..errors import BackAlleyError, StrategyFault
from . import log, schema, shard
from .limits import Limits
from .plan import Plan
from .store import RENAME_ORDER, RunFolder
from .watch import WorkerDied, watching


@dataclass(frozen=True)
class Job:
    """What is the same for every shard of a run. `limits` are None where there is no process to end."""

    plan: Plan
    folder: RunFolder
    run_id: str
    limits: Limits | None = None


class Receipt(NamedTuple):
    """What a stored shard holds and what it took."""

    shard: int
    matches: int
    faults: int
    stalled: int
    bytes: int
    seconds: float


def play_and_store(job: Job, number: int) -> Receipt:
    """Play one shard and store its rows.

    Raises
    ------
    StrategyFault
        If a strategy ends the run, be it by leaving the process.
    StoreError
        If a part cannot be written.
    """
    began = time.perf_counter()
    columns = play_only(job, number)
    tables = {table: schema.frame(table, columns[table], job.plan.labels) for table in RENAME_ORDER}
    size = job.folder.write_shard(number, tables, {"run_id": job.run_id})
    matches = columns["matches"]
    faults = int(np.count_nonzero(matches["fault"] != schema.no_value(matches["fault"].dtype)))
    stalled = int(matches["stalled"].sum(dtype=np.int64))
    return Receipt(number, len(matches["match_id"]), faults, stalled, size, time.perf_counter() - began)


def play_only(job: Job, number: int) -> log.Columns:
    """Play one shard within the limits and return its rows.

    Raises
    ------
    StrategyFault
        If a strategy ends the run.
    """
    shard.prepare(job.plan)  # before the clock runs: to load compiled code is no thinking
    try:
        with watching(job.folder, number, job.limits) if job.limits else nullcontext():
            return shard.play_shard(job.plan, number).columns
    except (BackAlleyError, WorkerDied):
        raise
    except (Exception, SystemExit) as error:
        raise StrategyFault(f"shard {number} failed: {type(error).__name__}: {error}") from error
