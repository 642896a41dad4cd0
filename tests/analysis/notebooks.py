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


def frames(name: str, run: sim.Run) -> dict[str, pl.DataFrame]:
    """Run a whole notebook on a run, without its pictures, and return all tables that have a name of their own."""
    display, no_pictures = ModuleType("IPython.display"), MagicMock()
    display.__dict__.update(display=lambda *shown: None, Markdown=str)
    no_pictures.basis = sim.plots.basis
    names: dict[str, Any] = {}
    own = {"IPython.display": display}
    with pl.Config(), patch.dict(sys.modules, own), patch.object(sim, "plots", no_pictures):
        for cell in json.loads((NOTEBOOKS / name).read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "code":
                exec(compile("".join(cell["source"]), f"{name}:{cell['id']}", "exec"), names)
            if "parameters" in cell["metadata"].get("tags", []):
                names["RUN"] = run.path
    names["db"].close()
    return {name: value for name, value in names.items() if isinstance(value, pl.DataFrame)}
