"""A run on disk, as a reader meets it: its manifest, which shards are there, and DuckDB over exactly those."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

from ..game.record import Record
from . import reading, views
from .database import damage_named, open_database
from .manifest import Manifest, read_manifest, stored_plan
from .schema import TABLES
from .store import RunFolder

_SQL_TYPES = {
    pl.UInt8: "UTINYINT",
    pl.UInt16: "USMALLINT",
    pl.UInt32: "UINTEGER",
    pl.UInt64: "UBIGINT",
    pl.Int16: "SMALLINT",
    pl.Int32: "INTEGER",
    pl.String: "VARCHAR",
}


@dataclass(frozen=True)
class Run:
    """A run of a tournament, finished or not.

    Attributes
    ----------
    path : Path
        Its folder, absolute.
    manifest : dict
        ``run.json`` as it was when the run was opened.
    """

    path: Path
    manifest: Manifest

    def __repr__(self) -> str:
        return f"<run {self.manifest['run_id']}, {len(self.shards_present)} of {self.shards} shards>"

    @property
    def folder(self) -> RunFolder:
        """Where its files are."""
        return RunFolder(self.path)

    @property
    def shards(self) -> int:
        """Shards of the whole run."""
        settings = self.manifest["tournament"]
        return -(-settings["shuffles"] // settings["shard_shuffles"])

    @property
    def shards_present(self) -> list[int]:
        """Numbers of the shards that are there."""
        return self.folder.shards()

    @property
    def complete(self) -> bool:
        """Whether every shard is there."""
        return len(self.shards_present) == self.shards

    @property
    def tables(self) -> int:
        """Tables on each shuffle: 2 when duplicate."""
        return 2 if self.manifest["tournament"]["duplicate"] else 1

    def connect(self) -> duckdb.DuckDBPyConnection:
        """Return a DuckDB connection with the views and macros of data/README.md over the shards there are.

        ``matches``, ``deals`` and ``tricks`` as stored; ``seats``, ``bids`` and ``plays`` worked out from them; the
        macros `card_name`, `card_suit`, `card_rank`, `cards`, `set_size`, `ratio` and `ratio_error`. A run without any
        shard has them too, empty. The database is in memory; see `database` for what it may take.

        Raises
        ------
        StoreError
            If a file of the run is missing or cannot be read.
        """
        connection = open_database()
        views.register_macros(connection)
        self.put_on(connection, "main")
        return connection

    @contextmanager
    def asked(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Give such a connection for a while; a file that turns out to be damaged is a StoreError then too."""
        with self.connect() as connection, damage_named(self.path):
            yield connection

    def put_on(self, connection: duckdb.DuckDBPyConnection, schema: str) -> None:
        """Make the run's tables and views in a schema of a connection. Its name is quoted if it must be."""
        shards = self.shards_present
        with damage_named(self.path):
            for table in TABLES:
                parts = [self.folder.part(table, shard) for shard in shards]
                connection.execute(f"CREATE VIEW {schema}.{table} AS {_rows(table, parts)}")
        plan = stored_plan(self.manifest)
        sides = [[[plan.labels[place] for place in side] for side in pairing] for pairing in plan.pairings]
        views.register(connection, schema, sides, plan.tables)

    def deal(self, match_id: int, deal: int, attempt: int | None = None) -> Record:
        """Return one hand of a match: of a deal, the given attempt or else the last, which counted.

        Raises
        ------
        RunError
            If there is no such match, deal or attempt, or the match is not played yet.
        """
        return reading.deal(self, match_id, deal, attempt)

    def match(self, match_id: int) -> list[Record]:
        """Return all hands of a match in the order they were dealt, those thrown in included.

        Raises
        ------
        RunError
            If there is no such match, or it is not played yet.
        """
        return reading.match(self, match_id)

    def match_row(self, match_id: int) -> dict[str, Any]:
        """Return a match's row of ``matches`` by column, None for null.

        Raises
        ------
        RunError
            If there is no such match, or it is not played yet.
        """
        return reading.match_row(self, match_id)


def open_run(path: str | Path) -> Run:
    """Open a run's folder.

    Raises
    ------
    RunError
        If there is no run in it.
    """
    folder = RunFolder(Path(path).absolute())
    return Run(folder.path, read_manifest(folder))


def _rows(table: str, parts: list[Path]) -> str:
    if parts:
        return f"FROM read_parquet([{', '.join(map(_quoted, parts))}])"
    columns = (f'NULL::{_SQL_TYPES[column.dtype]} AS "{column.name}"' for column in TABLES[table])
    return f"SELECT {', '.join(columns)} WHERE false"


def _quoted(path: Path) -> str:
    """Return a path as a text of SQL that DuckDB takes for one file, whatever signs are in it."""
    literal = "".join(f"[{sign}]" if sign in "*?[" else sign for sign in str(path))
    return "'" + literal.replace("'", "''") + "'"
