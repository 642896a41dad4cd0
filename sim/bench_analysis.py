"""How long the prepared queries take on a run, and how much memory: `backalley bench --analysis`. See `bench`."""

import json
from dataclasses import asdict
from pathlib import Path

import click

from .errors import ConfigError


def bench_analysis(folder: str, as_json: bool) -> None:
    """Print the seconds of the prepared queries on a run, and this process's peak memory."""
    from .analysis.prepared import peak_megabytes, prepared, timings
    from .arena.run import open_run

    run = open_run(folder)
    measured = []
    for each in timings(run, prepared(_notebooks())):
        click.echo(f"{each.where}: {each.what}: {each.seconds:.2f} s", err=True)
        measured.append(each)
    peak = peak_megabytes()
    if as_json:
        found = {"run_id": run.manifest["run_id"], "queries": [asdict(each) for each in measured]}
        click.echo(json.dumps(found | {"peak_memory_mb": peak}, indent=1))
        return
    from .analysis.tables import aligned

    rows = [("from", "query", "asks", "seconds", "of, on a million matches")]
    rows += [
        (each.where, each.what, ", ".join(each.tables), f"{each.seconds:.2f}", str(each.limit or "–"))
        for each in measured
    ]
    click.echo("\n".join([*aligned(rows, left=3), "", f"peak memory {peak:,.0f} MB"]))


def _notebooks() -> Path:
    """Return the folder of the notebooks: in the package, or beside it in the source tree."""
    here = Path(__file__).parent
    for folder in (here / "_notebooks", here.parent / "notebooks"):
        if folder.is_dir():
            return folder
    raise ConfigError("there are no notebooks beside the package: their queries cannot be timed")
