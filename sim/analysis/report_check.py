"""Are a run's data those that were written, and its strategies those that played? Asked before a report is made."""

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from ..arena.manifest import differences, stored_plan
from ..arena.part_checks import changed_files
from ..arena.run import Run
from ..arena.schema import TABLES
from ..errors import StoreError

SHOWN = 5


def mismatches(run: Run) -> list[str]:
    """Return what of a run is not as it should be, a line each; versions of software do not count.

    The run id must follow from the manifest, every part carry it, a finished run have all its shards with the digests
    that the manifest holds (older ones hold none), and each strategy's source be what it was.

    Raises
    ------
    RunError
        If the manifest is damaged.
    """
    stored_plan(run.manifest)
    return [*differences(run.manifest), *_shortened(list(_strange_parts(run))), *_changed_files(run)]


def _strange_parts(run: Run) -> Iterator[str]:
    """Yield the parts that are missing, cannot be read, or carry another run's id."""
    for shard in run.shards_present:
        for table in TABLES:
            part = run.folder.part(table, shard)
            if fault := _fault_of(part, run.manifest["run_id"]):
                yield f"{part.relative_to(run.path)} {fault}"


def _fault_of(part: Path, run_id: str) -> str | None:
    if not part.is_file():
        return "is missing"
    try:
        carried = pl.read_parquet_metadata(part).get("run_id")
    except (OSError, pl.exceptions.PolarsError):
        return "cannot be read"
    return None if carried == run_id else f"carries run id {carried}"


def _changed_files(run: Run) -> Iterator[str]:
    """Yield what a finished run lacks, or which of its tables has other files than were written."""
    if run.manifest["status"] != "finished":
        return
    if not run.complete:
        yield f"the run is finished, but {len(run.shards_present):,} of its {run.shards:,} shards are there"
        return
    try:
        yield from changed_files(run)
    except StoreError:
        return  # a part that cannot be read is among the strange ones


def _shortened(lines: list[str]) -> list[str]:
    more = len(lines) - SHOWN
    return [*lines[:SHOWN], *([f"and {more:,} more parts"] if more > 0 else [])]
