"""How far a report is, told cell by cell on standard error: a bar on a terminal, else a line a cell."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from ..arena.progress import Lines, Silent, telling

if TYPE_CHECKING:
    from nbformat import NotebookNode

LONGEST = 60


@contextmanager
def cells_told(show: bool | None, cells: int) -> Iterator[Callable[[int, "NotebookNode"], None]]:
    """Give a function that is told of each cell as it begins, by its number from 1."""
    kind = telling(show)
    if kind is Silent:
        yield lambda number, cell: None
    elif kind is Lines:
        yield lambda number, cell: print(f"cell {number} of {cells}: {_first_line(cell)}", file=sys.stderr)
    else:
        columns = (
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.description}", markup=False),
        )
        with Progress(*columns, console=Console(stderr=True), refresh_per_second=4) as bar:
            task = bar.add_task("", total=cells)
            yield lambda number, cell: bar.update(task, completed=number - 1, description=_first_line(cell))
            bar.update(task, completed=cells, description="")


def _first_line(cell: "NotebookNode") -> str:
    first = next((line.strip("# ") for line in cell.source.splitlines() if line.strip("# ")), "")
    return first if len(first) <= LONGEST else first[: LONGEST - 1] + "…"
