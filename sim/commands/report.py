"""The verb `report`. It belongs to the command line, see `cli`."""

import sys

import click

from . import one_polars_thread


@click.command()
@click.argument("run", metavar="RUN")
@click.option(
    "--notebook", default="bidding_policies", show_default=True, metavar="NAME|FILE.ipynb", help="What is asked."
)
@click.option("--out", metavar="FILE", help="The page; <notebook>-<run folder's name>.html here by default.")
@click.option("--code", is_flag=True, help="Show the code and its SQL too.")
@click.option("--time-limit", type=float, default=600, show_default=True, metavar="SECONDS", help="For the notebook.")
@click.option("--allow-mismatch", is_flag=True, help="Report data that are not what they were, saying so at the top.")
def report(run: str, notebook: str, out: str | None, code: bool, time_limit: float, allow_mismatch: bool) -> None:
    """Execute a notebook over a run and write its prose, tables and pictures as one HTML file.

    The notebooks are bidding_policies, board_claim_risk and write_a_strategy; one of your own is named by its file.
    The same run gives the same bytes, with the commands that make it again. A run is refused if its files, settings or
    strategies are not what they were when it was played. If a cell fails, the notebook is kept as far as it came.

    \b
    Examples:
      backalley report data/sample
      backalley report data/runs/a --notebook board_claim_risk --code --out boards.html
    """  # noqa: D301
    one_polars_thread()
    sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]  # JupyterLab's; 3 s to read, for nothing here
    from ..analysis.report import report as make

    written = make(run, notebook, out, code, time_limit, allow_mismatch, progress=True)
    click.echo(written)
