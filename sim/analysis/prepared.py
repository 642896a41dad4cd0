"""The prepared queries: every SQL text of the notebooks, and a few over all the cards, asked of a run and timed.

The notebooks are read, not run: their SQL stands in plain sight, as texts given to the connection `db`.
"""

import ast
import json
import resource
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import duckdb

from ..arena.run import Run
from .controls import controls
from .league import league
from .pairings import pairing_table
from .query import NAMES
from .samples import samples

SECONDS = {"plays": 45, "tricks": 45, "bids": 8, "deals": 2, "seats": 2, "matches": 2}
"""What a query may take on a million matches and two cores, by the largest table it names."""

OVER_ALL_CARDS = {
    "tricks won by card and place": """
        SELECT card, play_order, count(*) AS times, avg(won::INTEGER) AS won FROM plays GROUP BY ALL ORDER BY ALL""",
    "trumps by trick and strategy": """
        SELECT strategy, trick, count(*) AS times, avg(is_trump::INTEGER) AS trumps FROM plays
        GROUP BY ALL ORDER BY ALL""",
}


class Prepared(NamedTuple):
    """One SQL text: the notebook it is from, the name it is given there, and itself."""

    notebook: str
    name: str
    text: str

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables and views that it names."""
        words = {word.strip('(),;"') for word in self.text.split()}
        return tuple(name for name in NAMES if name in words)

    @property
    def limit(self) -> int | None:
        """Seconds that it may take on a million matches, by the largest table it names; None if it names none."""
        return max((SECONDS[table] for table in self.tables), default=None)


@dataclass(frozen=True)
class Timing:
    """What one query, or one function of the library, took.

    Attributes
    ----------
    where, what : str
        The notebook, or where else it is from, and its name.
    tables : tuple of str
        The tables and views that it names.
    seconds : float
    limit : int or None
        Seconds that it may take on a million matches and two cores.
    """

    where: str
    what: str
    tables: tuple[str, ...]
    seconds: float
    limit: int | None


def prepared(folder: Path) -> list[Prepared]:
    """Return the SQL texts of a folder's notebooks, by notebook and in the order they stand in.

    They are the texts in ``name = db.sql("…")`` and ``db.execute("…")``.
    """
    return [query for path in sorted(folder.glob("*.ipynb")) for query in _of_notebook(path)]


def timings(run: Run, queries: list[Prepared]) -> Iterator[Timing]:
    """Ask a run the prepared queries, those over all cards, and the library's tables; yield what each took."""
    for notebook in dict.fromkeys(query.notebook for query in queries):
        with run.connect() as connection:
            for query in (query for query in queries if query.notebook == notebook):
                yield _timed(connection, query)
    with run.connect() as connection:
        for name, text in OVER_ALL_CARDS.items():
            yield _timed(connection, Prepared("all cards", name, text))
    for function in (league, controls, lambda run: pairing_table(samples(run))):
        began = time.perf_counter()
        function(run)
        name = "pairing_table" if function.__name__ == "<lambda>" else function.__name__
        yield Timing("library", name, (), time.perf_counter() - began, None)


def peak_megabytes() -> float:
    """Return the peak memory of this process so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1024**2)


def _timed(connection: duckdb.DuckDBPyConnection, query: Prepared) -> Timing:
    began = time.perf_counter()
    connection.execute(query.text).fetchall()
    return Timing(query.notebook, query.name, query.tables, time.perf_counter() - began, query.limit)


def _of_notebook(path: Path) -> Iterator[Prepared]:
    """Yield the SQL texts of a notebook."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    for cell in (cell for cell in cells if cell["cell_type"] == "code"):
        tree = ast.parse("".join(cell["source"]))
        names = {id(call): name for name, call in _assigned(tree)}
        calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
        for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
            match call:
                case ast.Call(
                    func=ast.Attribute(value=ast.Name(id="db"), attr="sql" | "execute"),
                    args=[ast.Constant(value=str(text)), *_],
                ):
                    yield Prepared(path.stem, names.get(id(call), f"line {call.lineno} of {cell.get('id')}"), text)


def _assigned(tree: ast.Module) -> Iterator[tuple[str, ast.Call]]:
    """Yield each name that is assigned, with every call in what it is assigned."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield from ((name, call) for call in ast.walk(value) if isinstance(call, ast.Call))
