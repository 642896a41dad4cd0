"""A run is its rules, its seed and its strategies: how it is worked through, and by which process, changes no row."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sim.arena.rows_hash import rows_hash
from sim.arena.run import Run
from sim.arena.runner import play
from sim.arena.schema import TABLES
from sim.arena.tournament import Tournament
from sim.game.house import Rules

ROOT = Path(__file__).parents[2]
FIELD = ["random_legal", f"{ROOT / 'tests/arena/fellows.py'}:Steady", f"{ROOT / 'tests/arena/fellows.py'}:Drifter"]
SETTINGS: dict[str, Any] = {"matches": 60, "seed": 2**62 + 1}
RULES = Rules(hand_sizes=(6, 1, 3))
Hashes = dict[str, str]

IN_ANOTHER_PROCESS = """
import sys
from tests.arena.test_reproducible import hashes, played
print(*hashes(played(sys.argv[1])).values())
"""


def played(path: Path | str, jobs: int = 1, **settings: Any) -> Run:
    return play(Tournament(FIELD, rules=RULES, **SETTINGS | settings), path, jobs)


def hashes(run: Run) -> Hashes:
    return {table: rows_hash(run, table) for table in TABLES}


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> Hashes:
    """The hashes of the run in one process, in shards of the usual size."""
    return hashes(played(tmp_path_factory.mktemp("runs") / "usual"))


@pytest.mark.slow
def test_two_processes_write_the_rows_of_one(usual: Hashes, tmp_path: Path) -> None:
    assert hashes(played(tmp_path, jobs=2)) == usual


@pytest.mark.parametrize("shuffles", [1, 7, 30])
def test_shards_of_any_size_hold_the_same_rows(usual: Hashes, tmp_path: Path, shuffles: int) -> None:
    assert hashes(played(tmp_path, shard_shuffles=shuffles)) == usual


@pytest.mark.slow
@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_the_order_of_sets_changes_no_row(usual: Hashes, tmp_path: Path, hash_seed: str) -> None:
    environment = os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", IN_ANOTHER_PROCESS, str(tmp_path / "run")]
    out = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True, timeout=120)
    assert out.stdout.split() == list(usual.values())


@pytest.mark.parametrize("change", [{"seed": 2**62 + 2}, {"duplicate": False}, {"format": "gauntlet"}])
def test_another_tournament_has_other_rows(usual: Hashes, tmp_path: Path, change: dict[str, Any]) -> None:
    assert hashes(played(tmp_path, **change))["deals"] != usual["deals"]
