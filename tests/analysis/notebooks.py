"""The notebooks' own code, cell by cell, so that tests hold what readers see."""

import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import MagicMock, patch

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


def frames(name: str, run: sim.Run) -> dict[str, pl.DataFrame]:
    """Run a whole notebook on a run, without its pictures, and return all tables that have a name of their own."""
    display, no_pictures = ModuleType("IPython.display"), MagicMock()
    display.__dict__.update(display=lambda *shown: None, Markdown=str)
    no_pictures.basis = sim.plots.basis
    names: dict[str, Any] = {}
    with patch.dict(sys.modules, {"IPython.display": display}), patch.object(sim, "plots", no_pictures):
        for cell in json.loads((NOTEBOOKS / name).read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "code":
                exec(compile("".join(cell["source"]), f"{name}:{cell['id']}", "exec"), names)
            if "parameters" in cell["metadata"].get("tags", []):
                names["RUN"] = run.path
    names["db"].close()
    return {name: value for name, value in names.items() if isinstance(value, pl.DataFrame)}
