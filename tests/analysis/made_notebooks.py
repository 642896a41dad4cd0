"""Notebooks made for tests: cells of code behind a cell of parameters and one that opens the run."""

from pathlib import Path

from nbformat import v4, write

OPENS = "import sim\nrun = sim.open_run(RUN)\ndb = run.connect()"
TABLE = 'db.sql("SELECT strategy, count(*) AS n, avg(margin) AS m FROM seats GROUP BY strategy ORDER BY strategy").pl()'


def notebook(path: Path, *cells: str, opens: str = OPENS, tags: tuple[str, ...] = ("parameters",)) -> str:
    """Write a notebook whose cells of code are called ``cell-0`` and so on, and return its path."""
    made = v4.new_notebook()
    made.cells = [
        v4.new_markdown_cell("# How many?\n\nSome <b>prose</b>.", id="question"),
        v4.new_code_cell("RUN = None", id="parameters", metadata={"tags": list(tags)}),
        *([v4.new_code_cell(opens, id="open-run")] if opens else []),
        *(v4.new_code_cell(source, id=f"cell-{place}") for place, source in enumerate(cells)),
    ]
    write(made, path)
    return str(path)
