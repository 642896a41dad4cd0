"""The prepared queries, timed on a run: those of each notebook as its report asks them, and some over all the cards."""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..arena.run import Run
from .report_kernel import execute
from .stopwatch import Asked, Stopwatch, peak_megabytes

if TYPE_CHECKING:
    from nbformat import NotebookNode

SECONDS = {"plays": 45, "tricks": 45, "bids": 8, "deals": 2, "seats": 2, "matches": 2}
"""What a query may take on a million matches and two cores, by the largest table it names, largest first."""

OVER_ALL_CARDS = {
    "tricks won by card and place": """
        SELECT card, play_order, count(*) AS times, avg(won::INTEGER) AS won FROM plays GROUP BY ALL ORDER BY ALL""",
    "trumps by trick and strategy": """
        SELECT strategy, trick, count(*) AS times, avg(is_trump::INTEGER) AS trumps FROM plays
        GROUP BY ALL ORDER BY ALL""",
}
TIME_LIMIT = 3600.0

_START = """
from sim.analysis import stopwatch as _timing
_watch = _timing.Stopwatch()
_timed = _watch.running()
_timed.__enter__()
"""
_END = "import json\nprint(json.dumps([_watch.asked, _timing.peak_megabytes()]))"


class Timing(NamedTuple):
    """What the queries of one kind took in one place.

    Attributes
    ----------
    where, table : str
        A cell of the notebook by its id, or what else asks; and the largest table or view that they name, or ``–``.
    queries : int
    slowest : float
        Seconds of the slowest of them.
    limit : int or None
        Seconds that it may take on a million matches and two cores.
    """

    where: str
    table: str
    queries: int
    slowest: float
    limit: int | None


@dataclass(frozen=True)
class Work:
    """A piece of work timed as a whole, in a process of its own if it is a notebook.

    Attributes
    ----------
    what : str
        A notebook, or ``all cards``.
    seconds : float
    peak_megabytes : float
        Of the process that asked.
    timings : tuple of Timing
    """

    what: str
    seconds: float
    peak_megabytes: float
    timings: tuple[Timing, ...]


def works(run: Run, notebooks: Mapping[str, Path], say: Callable[[str], None] = lambda text: None) -> Iterator[Work]:
    """Do each notebook's work on a run, then ask the queries over all cards; yield what each took.

    Parameters
    ----------
    run : Run
    notebooks : mapping of str to Path
        By name.
    say : callable
        Told what is timed next.

    Raises
    ------
    ReportError
        If a notebook fails.
    """
    for name, path in notebooks.items():
        say(f"the notebook {name}")
        yield _notebook(run, name, path)
    say("the queries over all cards")
    yield _all_cards(run)


def _notebook(run: Run, name: str, path: Path) -> Work:
    import nbformat

    node = nbformat.read(path, as_version=4)
    node.cells = list(_watched(node.cells))
    began = time.perf_counter()
    execute(node, run.manifest["run_id"], run.path, TIME_LIMIT, lambda number, cell: None)
    seconds = time.perf_counter() - began
    asked, peak = json.loads(node.cells[-1].outputs[-1].text)
    return Work(name, seconds, peak, _summed(Asked(where, tuple(tables), each) for where, tables, each in asked))


def _watched(cells: "list[NotebookNode]") -> "Iterator[NotebookNode]":
    """Yield a notebook's cells, each of code behind one that says where the notebook is."""
    from nbformat.v4 import new_code_cell

    yield new_code_cell(_START)
    for cell in cells:
        if cell.cell_type == "code":
            yield new_code_cell(f"_watch.where = {cell.get('id', '')!r}")
        yield cell
    yield new_code_cell(_END)


def _all_cards(run: Run) -> Work:
    watch, began = Stopwatch(), time.perf_counter()
    with watch.running(), run.connect() as connection:
        for watch.where, query in OVER_ALL_CARDS.items():
            connection.execute(query).fetchall()
    return Work("all cards", time.perf_counter() - began, peak_megabytes(), _summed(watch.asked))


def _summed(asked: "Iterator[Asked] | list[Asked]") -> tuple[Timing, ...]:
    """Put the queries of one place and one largest table together, in the order in which they were first asked."""
    together: dict[tuple[str, str], list[float]] = {}
    for query in asked:
        table = next((name for name in SECONDS if name in query.tables), "–")
        together.setdefault((query.where, table), []).append(query.seconds)
    return tuple(
        Timing(where, table, len(seconds), max(seconds), SECONDS.get(table))
        for (where, table), seconds in together.items()
    )
