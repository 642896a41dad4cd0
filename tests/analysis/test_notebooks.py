"""Every notebook of ours, found by itself: committed bare, and executed from a fresh kernel on the sample run."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import sim
from sim.analysis.checkout import notebooks
from tests.arena.test_runner import cut_short, random_self

pytest.importorskip("nbclient", reason="reports need the extra `notebooks`")
pytest.importorskip("nbconvert", reason="reports need the extra `notebooks`")

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


def test_a_checkouts_own_notebooks_are_found() -> None:
    assert NOTEBOOKS and list(notebooks().values()) == NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_is_committed_bare_and_takes_a_run(path: Path) -> None:
    made = read(path)
    assert (made["nbformat"], made["nbformat_minor"]) == (4, 5)
    code = [cell for cell in made["cells"] if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)
    names = [cell["id"] for cell in made["cells"]]
    assert all(name == name.lower() and not name.isdigit() for name in names) and len({*names}) == len(names)
    (parameters,) = (cell for cell in code if "parameters" in cell["metadata"].get("tags", []))
    assert "".join(parameters["source"]).startswith("RUN = None")


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_reports_the_sample_run_with_the_same_bytes_from_anywhere(path: Path, tmp_path: Path) -> None:
    page = sim.report(sim.sample_run(), path.stem, out=tmp_path / "here.html").read_bytes()
    command = [sys.executable, "-m", "sim.cli", "report", str(sim.sample_run()), "--notebook", path.stem]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "7"}
    there = subprocess.run([*command, "--out", tmp_path / "there.html"], cwd="/", env=environment, capture_output=True)
    assert there.returncode == 0, there.stderr.decode()
    assert (tmp_path / "there.html").read_bytes() == page
    assert str(ROOT).encode() not in page and str(tmp_path).encode() not in page


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bidding_policies", "board_claim_risk"])
def test_one_that_asks_reports_a_run_that_has_only_begun(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut_short(tmp_path / "run", random_self(), monkeypatch, after=0)
    assert b"so far 0 of 8 shards" in sim.report(tmp_path / "run", name, out=tmp_path / "page.html").read_bytes()
