"""How long the reports and the prepared queries take on a run: `backalley bench --analysis`. See `bench`."""

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from ..analysis.prepared import Work


def bench_analysis(folder: str, as_json: bool) -> None:
    """Print the seconds of each notebook, of the queries in it, and of those over all cards; and peak memory."""
    from ..analysis.report import look_for_the_extra
    from ..arena.run import open_run

    look_for_the_extra()
    from ..analysis.checkout import notebooks
    from ..analysis.prepared import works

    run = open_run(folder)
    done = []
    for work in works(run, notebooks(), say=lambda text: click.echo(f"timing {text}", err=True)):
        done.append(work)
        if not as_json:
            click.echo(_told(work))
    if as_json:
        works_done = [asdict(work) | {"timings": [each._asdict() for each in work.timings]} for work in done]
        click.echo(json.dumps({"run_id": run.manifest["run_id"], "works": works_done}, indent=1))


def _told(work: "Work") -> str:
    from ..analysis.tables import aligned

    rows = [("cell or query", "asks", "queries", "slowest, s", "limit, s")]
    for each in work.timings:
        rows.append((each.where, each.table, str(each.queries), f"{each.slowest:.2f}", str(each.limit or "–")))
    title = f"{work.what}: {work.seconds:.1f} s in all, peak memory {work.peak_megabytes:,.0f} MB"
    return "\n".join([title, *(f"  {line}" for line in aligned(rows, left=2)), ""])
