"""A run's folder: where each file lies, how a shard's three parts get there whole, and which shards are there.

A file is written in ``tmp/``, brought to disk and renamed, so that no reader ever sees half of one; the parts of a
shard are renamed in the order tricks, deals, matches, so that a shard is there when its ``matches`` part is. What is in
the tables is in `schema`; who may write is in `lock`.
"""

import os
import re
import shutil
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import polars as pl

from ..errors import ConfigError, StoreError

FORMAT = 1
RENAME_ORDER = ("tricks", "deals", "matches")
ROW_GROUP = 1 << 17

_PART = re.compile(r"part-(\d{5,})\.parquet")


@dataclass(frozen=True)
class RunFolder:
    """The files of one run under `path`."""

    path: Path

    @property
    def manifest(self) -> Path:
        """The path of ``run.json``."""
        return self.path / "run.json"

    @property
    def lock(self) -> Path:
        """The path of the lock that a writer holds."""
        return self.path / "lock"

    @property
    def tmp(self) -> Path:
        """The folder of files being written."""
        return self.path / "tmp"

    def part(self, table: str, shard: int) -> Path:
        """Return the path of a shard's part of a table."""
        return self.path / table / f"part-{shard:05}.parquet"

    def shards(self) -> list[int]:
        """Return the numbers of the shards that are there, in order."""
        folder = self.path / "matches"
        names = (entry.name for entry in folder.iterdir()) if folder.is_dir() else iter(())
        return sorted(int(match[1]) for match in map(_PART.fullmatch, names) if match)

    def make(self) -> None:
        """Make the folders and clear what a dead writer left."""
        with storing(self.path):
            for name in ("tmp", *RENAME_ORDER):
                (self.path / name).mkdir(parents=True, exist_ok=True)
        self.sweep()

    def sweep(self) -> None:
        """Clear ``tmp/`` of what dead writers left."""
        with storing(self.path):
            for stale in self.tmp.iterdir():
                stale.unlink(missing_ok=True)

    def foreign(self) -> list[str]:
        """Return the names of files in the folder that are no part of a run with a manifest."""
        if not self.path.exists():
            return []
        ours = {"run.json", "lock", "tmp", *RENAME_ORDER}
        strange = [path.name for path in self.path.iterdir() if path.name not in ours]
        for table in RENAME_ORDER:
            inside = (path.name for path in (self.path / table).glob("*"))
            strange += [f"{table}/{name}" for name in inside if not _PART.fullmatch(name) or not self.manifest.exists()]
        return sorted(strange)

    def clear(self) -> None:
        """Remove the run, its manifest last; the folder stays, with its lock."""
        with storing(self.path):
            for name in (*reversed(RENAME_ORDER), "tmp"):
                if (self.path / name).exists():
                    shutil.rmtree(self.path / name)
            self.manifest.unlink(missing_ok=True)

    def write_file(self, path: Path, content: bytes | memoryview) -> None:
        """Write a whole file atomically and durably.

        Raises
        ------
        StoreError
            If it cannot be written; what was there before is still there.
        """
        draft = self._draft(path)
        with storing(path, draft):
            _write(draft, content)
            draft.replace(path)
            _sync(path.parent)

    def write_shard(self, shard: int, tables: Mapping[str, pl.DataFrame], stamp: Mapping[str, str]) -> int:
        """Write a shard's parts, all of them or none that a reader takes.

        Parameters
        ----------
        shard : int
            The shard's number.
        tables : mapping of str to DataFrame
            Rows of the three tables.
        stamp : mapping of str to str
            Metadata for each part; the shard's number, the row count and the format version are added.

        Returns
        -------
        int
            Bytes written.

        Raises
        ------
        StoreError
            If a part cannot be written.
        """
        size = 0
        drafts = {}
        for table in RENAME_ORDER:
            part = self.part(table, shard)
            drafts[part] = self._draft(part)
            with storing(part, *drafts.values()):
                content = to_parquet(tables[table], {**stamp, "shard": str(shard)})
                _write(drafts[part], content)
            size += len(content)
        for part, draft in drafts.items():
            with storing(part, *drafts.values()):
                draft.replace(part)
                _sync(part.parent)
        return size

    def _draft(self, path: Path) -> Path:
        return self.tmp / f"{path.parent.name}-{path.name}.{socket.gethostname()}-{os.getpid()}"


def to_parquet(table: pl.DataFrame, stamp: Mapping[str, str]) -> memoryview:
    """Return a table as the bytes of a Parquet file that carries `stamp`, the row count and the format version.

    The settings were measured on a part of 4096 matches: zstd 1 keeps a match's tricks at 640 bytes and its deals
    below 660 for 19 µs of CPU; statistics cost half as much again and other row groups up to a fifth.
    """
    buffer = BytesIO()
    table.write_parquet(
        buffer,
        compression="zstd",
        compression_level=1,
        statistics=False,
        row_group_size=ROW_GROUP,
        metadata={**stamp, "rows": str(table.height), "format": str(FORMAT)},
    )
    return buffer.getbuffer()


def folder_named(out: str | Path) -> RunFolder:
    """Return the run's folder of a path.

    Raises
    ------
    ConfigError
        If the path is empty.
    """
    if not str(out):
        raise ConfigError("out = '' names no folder", "leave it out, or give one, such as data/runs/a")
    return RunFolder(Path(out).absolute())


@contextmanager
def storing(path: Path, *drafts: Path) -> Iterator[None]:
    """Turn what the system or Polars says of a failed write into a `StoreError`, the drafts removed."""
    try:
        yield
    except (OSError, pl.exceptions.PolarsError) as error:
        for draft in drafts:
            draft.unlink(missing_ok=True)
        reason = error.strerror if isinstance(error, OSError) else str(error).splitlines()[0]
        raise StoreError(f"cannot write {path}: {reason}") from error


def _write(path: Path, content: bytes | memoryview) -> None:
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _sync(folder: Path) -> None:
    """Bring a folder's renames to disk, where the system can."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
