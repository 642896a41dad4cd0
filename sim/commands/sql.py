"""The verb `sql`: a query over runs, and its answer printed or written. It belongs to the command line, see `cli`."""

import os
import secrets
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import ConfigError, QueryError, StoreError

if TYPE_CHECKING:
    import duckdb

    from ..arena.run import Run

SHOWN, COUNTED = 50, 10_000


@click.command()
@click.argument("runs", metavar='RUN… ["QUERY"]', nargs=-1, required=True)
@click.option("--all", "everything", is_flag=True, help=f"Print every row, not only the first {SHOWN}.")
@click.option("--csv", "form", flag_value="csv", help="Print it as CSV.")
@click.option("--json", "form", flag_value="json", help="Print it as JSON, an object a row.")
@click.option("--parquet", metavar="FILE", help="Write it to a Parquet file instead, which must be new.")
def sql(runs: tuple[str, ...], everything: bool, form: str | None, parquet: str | None) -> None:
    """Ask a run, or several, in SQL.

    Without a query it lists the tables, views, columns and macros there are; data/README.md says what they mean. Over
    several runs each has a first column `run`. A query of - is read from standard input. Queries only read: no run is
    ever written to.

    \b
    Examples:
      backalley sql data/runs/a
      backalley sql data/runs/a "SELECT strategy, avg(margin) FROM seats GROUP BY ALL ORDER BY ALL"
      backalley sql data/runs/a data/runs/b "SELECT run, count(*) FROM matches GROUP BY ALL ORDER BY ALL" --csv
      backalley sql data/runs/a "FROM bids WHERE is_board" --parquet boards.parquet
    """  # noqa: D301
    if parquet == "":
        raise ConfigError("--parquet is given no name: name a new file")
    if parquet and (form or everything):
        raise ConfigError("--parquet goes without --all, --csv and --json: it writes every row to the file")
    from ..analysis.query import ask, catalog, connect
    from ..arena.run import open_run

    folders, query = _runs_and_query(runs)
    opened = [open_run(folder) for folder in folders]
    for folder, run in zip(folders, opened, strict=True):
        if not run.complete:
            click.echo(f"{folder}: so far {len(run.shards_present):,} of {run.shards:,} shards", err=True)
    with connect(*opened) as connection, _interruptible(connection):
        if parquet:
            _write(connection, query or "", _new_file(parquet, opened))
        elif query is None:
            _print(["name", "column", "type"], iter(catalog(connection)), form or "all")
        else:
            answer = ask(connection, query)
            _print([column[0] for column in answer.description], _rows(answer), form or ("all" if everything else ""))


@contextmanager
def _interruptible(connection: "duckdb.DuckDBPyConnection") -> Iterator[None]:
    """Let a signal end a query in the block at any moment: DuckDB itself hears none while it waits for its threads."""
    heard, told = os.pipe()
    os.set_blocking(told, False)

    def listen() -> None:
        while os.read(heard, 1):
            connection.interrupt()

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    before = signal.set_wakeup_fd(told, warn_on_full_buffer=False)
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        os.close(told)
        listener.join()
        os.close(heard)


def _runs_and_query(arguments: tuple[str, ...]) -> tuple[tuple[str, ...], str | None]:
    """Tell the query from the runs: it is last, and not one word but for the - of standard input."""
    *runs, last = arguments
    if last == "-":
        query = sys.stdin.read()
    elif not last.strip() or (len(last.split()) > 1 and not Path(last).is_dir()):
        query = last
    elif runs and not Path(last).exists():
        raise ConfigError(f"{last} is neither a run nor a query: a query has two words at least, such as FROM matches")
    else:
        return arguments, None
    if not runs:
        raise ConfigError('no run is given: it stands before the query, as in backalley sql data/runs/a "FROM matches"')
    return tuple(runs), query


def _rows(answer: "duckdb.DuckDBPyConnection") -> Iterator[tuple[Any, ...]]:
    """Yield an answer's rows, fetched bit by bit."""
    from ..analysis.query import in_plain_words

    with in_plain_words():
        while rows := answer.fetchmany(1000):
            yield from rows


def _print(columns: list[str], rows: Iterator[Any], form: str) -> None:
    """Print rows as CSV, JSON or a table of all rows; or, when `form` is empty, of the first ones."""
    from itertools import islice

    from ..analysis.answers import to_json, to_table, write_csv

    if form == "csv":
        write_csv(sys.stdout, columns, rows)
    elif form == "json":
        if len(set(columns)) < len(columns):
            raise QueryError("two columns have the same name, which JSON cannot hold: name them apart with AS")
        for line in to_json(columns, rows):
            click.echo(line)
    else:
        shown = list(rows if form == "all" else islice(rows, SHOWN))
        click.echo("\n".join(to_table(columns, shown)))
        if more := sum(1 for _ in islice(rows, COUNTED)):
            least = "at least " * (more == COUNTED)
            click.echo(f"… and {least}{more:,} more row{'s' * (more > 1)}: --all prints all", err=True)


def _new_file(name: str, runs: "list[Run]") -> Path:
    """Return a path that a file can be written to: new, and in no run's folder."""
    path = Path(name).absolute()
    if path.exists():
        raise ConfigError(f"{name} is there already: remove it, or give another name")
    if not path.parent.is_dir():
        raise ConfigError(f"there is no folder {path.parent} to write {path.name} in")
    if any(path.resolve().is_relative_to(run.path.resolve()) for run in runs):
        raise ConfigError(f"{name} is in a run's folder, which holds nothing else: give another place")
    return path


def _write(connection: "duckdb.DuckDBPyConnection", query: str, path: Path) -> None:
    """Write a query's answer to a Parquet file, whole or not at all."""
    import duckdb

    from ..analysis.query import in_plain_words, only_query

    unfinished = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with in_plain_words():
            answer = connection.sql(only_query(connection, query))
            try:
                answer.write_parquet(str(unfinished), compression="zstd")
            except duckdb.IOException as error:
                raise StoreError(f"cannot write {path}: {str(error).splitlines()[0]}") from None
        os.replace(unfinished, path)
    finally:
        with suppress(FileNotFoundError):
            unfinished.unlink()
