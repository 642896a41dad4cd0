"""A hash over the rows of a table: equal for equal runs, whatever their shards, jobs and machine."""

from collections.abc import Iterable
from hashlib import sha256
from itertools import chain

import polars as pl

from .reading import read_part
from .run import Run
from .schema import TABLES, TEXT


def rows_hash(run: Run, table: str, shards: Iterable[int] | None = None) -> str:
    """Return the SHA-256 of a table's sorted rows.

    Column by column, the values of all parts in order: numbers as little-endian bytes of the column's width with 0 for
    null, text as UTF-8 and a zero byte; then the column's nulls, a byte a row; last, over the digests of all columns.

    Parameters
    ----------
    run : Run
    table : {"matches", "deals", "tricks"}
    shards : iterable of int, optional
        Of these shards alone, in order; by default of all that are there.

    Raises
    ------
    RunError
        If a part cannot be read.
    """
    columns = TABLES[table]
    values, nulls = [sha256() for _ in columns], [sha256() for _ in columns]
    for shard in run.shards_present if shards is None else shards:
        frame = read_part(run, table, shard)
        for column, content, absent in zip(columns, values, nulls, strict=True):
            content.update(_bytes_of(frame[column.name]))
            absent.update(_bytes_of(frame[column.name].is_null().cast(pl.UInt8)))
    digests = chain.from_iterable(zip(values, nulls, strict=True))
    return sha256(b"".join(digest.digest() for digest in digests)).hexdigest()


def _bytes_of(series: pl.Series) -> bytes:
    if series.dtype == TEXT:
        return "".join(f"{text}\0" for text in series.fill_null("")).encode()
    return series.fill_null(0).to_numpy().tobytes()
