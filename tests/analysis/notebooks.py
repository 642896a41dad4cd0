"""The notebooks' own code, cell by cell, so that tests hold what readers see."""

import json
from pathlib import Path
from typing import Any

import polars as pl

import sim

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


def tables(name: str, run: sim.Run, *cells: str) -> dict[str, Any]:
    """Run cells of a notebook on a run, and return all names they leave behind. What they display goes nowhere."""
    samples = sim.samples(run)
    names: dict[str, Any] = {
        "sim": sim,
        "pl": pl,
        "run": run,
        "db": run.connect(),
        "samples": samples,
        "shuffles": len(samples.shuffle_ids),
        "names": list(samples.sides),
        "basis": sim.plots.basis(len(samples.shuffle_ids), samples.run_id),
        "folded": lambda table: table,
        "display": lambda *shown: None,
        "Markdown": str,
    }
    by_id = {cell["id"]: cell for cell in json.loads((NOTEBOOKS / name).read_text(encoding="utf-8"))["cells"]}
    for cell in cells:
        exec(compile("".join(by_id[cell]["source"]), f"{name}:{cell}", "exec"), names)
    return names
