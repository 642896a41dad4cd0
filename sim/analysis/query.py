"""What an analyst asks with SQL: one DuckDB connection over one run or several, and what there is to ask on it.

The views and macros themselves are in the arena's `views`. How an answer is printed is in `answers`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from ..arena import views
from ..arena.database import open_database
from ..arena.run import Run, open_run
from ..arena.schema import TABLES
from ..errors import ConfigError, QueryError, RunError

NAMES = (*TABLES, *views.VIEWS)
"""The tables, as stored, and the views, in the order of the data dictionary."""

_MACROS = """
SELECT function_name || '(' || array_to_string(parameters, ', ') || ')' AS call
FROM duckdb_functions() WHERE function_type = 'macro' AND NOT internal ORDER BY call
"""


def connect(*runs: Run | str | Path) -> duckdb.DuckDBPyConnection:
    """Return a DuckDB connection with the tables, views and macros of data/README.md over one run or several.

    Over one run it is `Run.connect`. Over several, every table and view has a first column more, `run`, the run's id.
    The numbers of a match mean nothing outside its run: join by `run` as well.

    Parameters
    ----------
    *runs : Run or path
        Finished or not; empty ones too.

    Raises
    ------
    ConfigError
        If no run is given.
    RunError
        If there is no run in a folder, or two have the same id.
    """
    opened = [run if isinstance(run, Run) else open_run(run) for run in runs]
    if not opened:
        raise ConfigError("no run is given: connect needs one at least")
    if len(opened) == 1:
        return opened[0].connect()
    _refuse_twins(opened)
    connection = open_database()
    views.register_macros(connection)
    for run in opened:
        connection.execute(f"CREATE SCHEMA {_schema(run)}")
        run.put_on(connection, _schema(run))
    for name in NAMES:
        each = (f"SELECT '{run.manifest['run_id']}' AS run, * FROM {_schema(run)}.{name}" for run in opened)
        connection.execute(f"CREATE VIEW {name} AS {' UNION ALL '.join(each)}")
    return connection


def ask(connection: duckdb.DuckDBPyConnection, query: str) -> duckdb.DuckDBPyConnection:
    """Execute one query, of the kind that only reads, and return what its rows are to be fetched from.

    Raises
    ------
    QueryError
        If it is no such query, or DuckDB refuses it; in DuckDB's words.
    """
    with in_plain_words():
        return connection.execute(only_query(connection, query))


@contextmanager
def in_plain_words() -> Iterator[None]:
    """Turn what DuckDB raises into a QueryError of two lines at most: its message and its hint.

    An interrupt becomes the KeyboardInterrupt that it was.
    """
    try:
        yield
    except (duckdb.Error, RuntimeError) as error:
        if "interrupted" in str(error).lower():
            raise KeyboardInterrupt from None
        if not isinstance(error, duckdb.Error):
            raise
        raise QueryError(*str(error).strip().partition("\n\n")[0].splitlines()[:2]) from None


def catalog(connection: duckdb.DuckDBPyConnection) -> list[tuple[str, str | None, str]]:
    """Return what there is to ask: of each table and view its columns and their types, then the macros."""
    columns = [
        (name, column, kind) for name in NAMES for column, kind, *_ in connection.execute(f"DESCRIBE {name}").fetchall()
    ]
    return columns + [(macro, None, "macro") for (macro,) in connection.execute(_MACROS).fetchall()]


def only_query(connection: duckdb.DuckDBPyConnection, query: str) -> str:
    """Return the one query in a text, after a look at whether it only reads.

    The connection's settings are locked from then on, since some functions that a query may call would change them.

    Raises
    ------
    QueryError
        If there is none, more than one, or another statement.
    """
    statements = connection.extract_statements(query)
    if len(statements) == 1 and statements[0].type == duckdb.StatementType.SELECT:
        connection.execute("SET python_enable_replacements = false")  # a name is a table, no variable of this program
        connection.execute("SET lock_configuration = true")
        return str(statements[0].query)
    raise QueryError(
        "there is no query" if not statements else "this is not one query that only reads",
        "give one, such as SELECT …, FROM …, WITH … SELECT, DESCRIBE … or SUMMARIZE …; runs are never written to",
    )


def _refuse_twins(runs: list[Run]) -> None:
    seen: dict[str, Run] = {}
    for run in runs:
        twin = seen.setdefault(run.manifest["run_id"], run)
        if twin is not run:
            raise RunError(
                f"{twin.path} and {run.path} are the same run, {run.manifest['run_id']}", "give each run once"
            )


def _schema(run: Run) -> str:
    return f'"run {run.manifest["run_id"]}"'
