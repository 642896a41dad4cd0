"""Checks of the files of a run: those that its manifest promises, each holding what it says it holds."""

from collections.abc import Iterator

import polars as pl

from ..errors import RunError
from . import manifest
from .digests import file_digests
from .finding import DATASET, Finding
from .reading import read_part
from .run import Run
from .schema import TABLES
from .store import FORMAT


def check_folder(run: Run) -> Iterator[Finding]:
    """Check the manifest's run id and that the folder holds the run's parts and nothing else.

    Parts of tricks and deals without their shard's part of matches are no fault: a writer that died left them, and
    nobody reads them.
    """
    told, right = run.manifest.get("run_id"), manifest.run_id(run.manifest)
    if told != right:
        yield Finding("run.json", DATASET, f"run_id is {told}, but its settings give {right}")
    missing = sorted({*range(run.shards)} - {*run.shards_present})
    if missing and run.manifest.get("status") == "finished":
        yield Finding("run.json", DATASET, f"the run is finished, but {_shards(missing)} missing of its {run.shards}")
    ours = {run.folder.part(table, shard) for table in TABLES for shard in range(run.shards)}
    for table in TABLES:
        for path in sorted((run.path / table).glob("part-*.parquet")):
            if path not in ours:
                yield Finding(table, DATASET, f"{path.relative_to(run.path)} is of no shard of this run")
    for name in run.folder.foreign():
        yield Finding("folder", DATASET, f"{name} is no file of a run")


def changed_files(run: Run) -> Iterator[str]:
    """Yield a line for each table of a complete run whose files are not those that its manifest has digests of, if any.

    Raises
    ------
    StoreError
        If a part cannot be read.
    """
    told = run.manifest.get("files", {})
    found = file_digests(run.folder, run.shards_present) if told else {}
    for table in found:
        if found[table] != told.get(table):
            yield f"the files of {table} are not those that were written: their digest is not the one in run.json"


def check_digests(run: Run) -> Iterator[Finding]:
    """Check that a complete run's parts are those that were written."""
    return (Finding("run.json", DATASET, line) for line in changed_files(run))


def read_checked(run: Run, shard: int) -> tuple[dict[str, pl.DataFrame], list[Finding]]:
    """Read a shard's three parts, and say what is wrong with them as files; a part that cannot be read is left out."""
    tables, findings = {}, list[Finding]()
    for table in TABLES:
        try:
            frame, stamp = read_part(run, table, shard), pl.read_parquet_metadata(run.folder.part(table, shard))
        except (RunError, OSError, pl.exceptions.PolarsError) as error:
            findings += [Finding(table, DATASET, str(error).splitlines()[0])]
        else:
            tables[table] = frame
            findings += _check_part(run, table, shard, frame, stamp)
    return tables, findings


def _check_part(run: Run, table: str, shard: int, frame: pl.DataFrame, stamp: dict[str, str]) -> Iterator[Finding]:
    """Check a part's metadata, and that nothing is null which may not be."""
    name = run.folder.part(table, shard).relative_to(run.path)
    due = {
        "run_id": str(run.manifest.get("run_id")),
        "shard": str(shard),
        "rows": str(frame.height),
        "format": str(FORMAT),
    }
    for key, right in due.items():
        if stamp.get(key) != right:
            yield Finding(table, DATASET, f"{name} carries {key} = {stamp.get(key)}, must be {right}")
    for column in TABLES[table]:
        if not column.nullable and frame[column.name].null_count():
            yield Finding(table, DATASET, f"{name}: {column.name} is null in {frame[column.name].null_count()} rows")


def _shards(numbers: list[int]) -> str:
    shown = ", ".join(map(str, numbers[:5])) + ("" if len(numbers) <= 5 else ", …")
    return f"shard {shown} is" if len(numbers) == 1 else f"shards {shown} are"
