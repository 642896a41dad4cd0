"""What one worker does with one shard: play it, store it, and send back a receipt instead of rows."""

import time
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..errors import BackAlleyError, StrategyFault
from . import schema, shard
from .plan import Plan
from .store import RENAME_ORDER, RunFolder


@dataclass(frozen=True)
class Job:
    """What is the same for every shard of a run."""

    plan: Plan
    folder: RunFolder
    run_id: str


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
    try:
        columns = shard.play_shard(job.plan, number).columns
    except BackAlleyError:
        raise
    except (Exception, SystemExit) as error:
        raise StrategyFault(f"shard {number} failed: {type(error).__name__}: {error}") from error
    tables = {table: schema.frame(table, columns[table], job.plan.labels) for table in RENAME_ORDER}
    size = job.folder.write_shard(number, tables, {"run_id": job.run_id})
    matches = columns["matches"]
    faults = int(np.count_nonzero(matches["fault"] != schema.no_value(matches["fault"].dtype)))
    stalled = int(matches["stalled"].sum(dtype=np.int64))
    return Receipt(number, len(matches["match_id"]), faults, stalled, size, time.perf_counter() - began)
