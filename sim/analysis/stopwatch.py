"""Timing every query that is asked of a run, whoever asks it, while a program or a notebook runs."""

import re
import resource
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import duckdb

from ..arena.run import Run
from .query import NAMES

_SOURCE = re.compile(r"\b(?:FROM|JOIN)\s+(\w+)", re.IGNORECASE)
_NEW_VIEW = re.compile(r"\bCREATE\b[^(]*?\bVIEW\s+(\w+)", re.IGNORECASE)


class Asked(NamedTuple):
    """A query that was asked: by what part of a program, of which tables and views, and the seconds it took."""

    where: str
    tables: tuple[str, ...]
    seconds: float


class Stopwatch:
    """Notes of the queries asked.

    Attributes
    ----------
    where : str
        What part of the program is at work; set by whoever runs it.
    asked : list of Asked
    """

    def __init__(self) -> None:
        self.where = ""
        self.asked: list[Asked] = []
        self.views: dict[str, tuple[str, ...]] = {}

    @contextmanager
    def running(self) -> Iterator["Stopwatch"]:
        """Time the queries on every connection that any run makes in the block."""
        untimed = Run.connect

        def connect(run: Run) -> Any:
            return _Timed(untimed(run), self)

        Run.connect = connect  # type: ignore[assignment, method-assign]
        try:
            yield self
        finally:
            Run.connect = untimed  # type: ignore[method-assign]

    def note(self, query: str, seconds: float) -> None:
        """Note a query. A view that it made stands for what it asks."""
        words = [word for each in _SOURCE.findall(query) for word in self.views.get(each, (each,))]
        tables = tuple(name for name in NAMES if name in words)
        if made := _NEW_VIEW.search(query):
            self.views[made[1]] = tables
        self.asked.append(Asked(self.where, tables, seconds))


class _Timed:
    """A connection whose queries are timed to their last row; everything else is passed on to it."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, watch: Stopwatch) -> None:
        self.connection, self.watch = connection, watch

    def execute(self, query: str, *args: Any, **kwargs: Any) -> Any:
        with self.timed(query):
            return self.connection.execute(query, *args, **kwargs)

    def sql(self, query: str, *args: Any, **kwargs: Any) -> Any:
        with self.timed(query):
            answer: Any = self.connection.sql(query, *args, **kwargs)
            if answer is None:
                return None
            return answer.materialize() if hasattr(answer, "materialize") else answer.execute()  # before DuckDB 2

    @contextmanager
    def timed(self, query: str) -> Iterator[None]:
        began = time.perf_counter()
        yield
        self.watch.note(query, time.perf_counter() - began)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.connection, name)

    def __enter__(self) -> "_Timed":
        return self

    def __exit__(self, *error: object) -> None:
        self.connection.close()


def peak_megabytes() -> float:
    """Return the peak memory of this process so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1024**2)
