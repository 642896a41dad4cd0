"""Classes of a notebook or a script: what is defined anew is what decides, here and in workers."""

import json
import os
import subprocess
import sys
from types import ModuleType

import cloudpickle
import pytest

from sim.players import registry
from sim.players.code_digest import Walk
from sim.players.compile import entry_of
from tests.players.kit import ask, words_of

CLASS = """
class Mine(sim.Strategy):
    STEP = 0

    def bid(self, view):
        return strength(view) + self.STEP

    def play(self, view):
        return sim.cards.lowest(view.legal)
"""
HELPERS = """
K = 1

@sim.helper
def deep(view):
    return view.seat + K

@sim.helper
def strength(view):
    return deep(view)
"""

RECURSIVE = """
import sim


@sim.helper
def passes(view, number):
    return view.hand_size > 1 if number == 0 else fails(view, number - 1) == 0


@sim.helper
def fails(view, number):
    return view.hand_size == 1 if number == 0 else passes(view, number - 1) == 0
"""
TABLED = """
class Mine(sim.Strategy):
    table: np.ndarray = np.array([[10, 11]])

    def bid(self, view):
        return self.table[0, view.seat] + passes(view, 3)

    def play(self, view):
        return sim.cards.lowest(view.legal)
"""


@pytest.fixture
def notebook(monkeypatch):
    """A function that runs cells one after the other, as a notebook does, and returns what the strategy then bids."""
    space = ModuleType("notebook")
    monkeypatch.setitem(sys.modules, "notebook", space)
    exec("import sim\nimport numba\nimport numpy as np", vars(space))

    def run(*cells):
        for cell in cells:
            exec(cell, vars(space))
        described = registry.describe(space.Mine())
        return ask(space.Mine(), words=words_of(seat=1)), described["source_sha256"]

    return run


EDITS = {
    "a class": (CLASS.replace("STEP = 0", "STEP = 10"), 12),
    "a method": (CLASS.replace("return strength", "return 10 + strength"), 12),
    "a helper that the class calls": ("@sim.helper\ndef strength(view): return 12", 12),
    "a helper that a helper calls": ("@sim.helper\ndef deep(view): return 12", 12),
    "a constant of a helper": ("K = 11", 12),
}


@pytest.mark.parametrize("edit", EDITS)
def test_what_is_defined_anew_decides(notebook, edit):
    cell, bid = EDITS[edit]
    first, source = notebook(HELPERS, CLASS)
    assert first == 2
    again, same = notebook()
    assert (again, same) == (first, source)
    edited, other = notebook(cell)
    assert edited == bid and other != source


def test_a_constant_changed_back_and_forth(notebook):
    notebook(HELPERS, CLASS)
    assert [notebook(f"K = {k}")[0] for k in (1, 5, 1, 5, 7)] == [2, 6, 2, 6, 8]


def test_a_compiled_function_sees_its_constant_change(notebook):
    cells = HELPERS.replace("@sim.helper\ndef deep", "@numba.njit\ndef deep")
    assert [notebook(cell)[0] for cell in (cells + CLASS, "K = 5", "K = 1")] == [2, 6, 2]


def test_a_constant_that_the_class_reads_itself(notebook):
    notebook("LIMIT = 1; LADDER = np.array([5, 6])", CLASS.replace("strength(view)", "LIMIT + LADDER[view.seat]"))
    assert notebook("LIMIT = 2")[0] == 8
    assert notebook("LADDER = np.array([5, 7])")[0] == 9
    assert notebook("LADDER[1] = 8")[0] == 10


def test_what_is_not_edited_is_looked_through_once_and_compiled_no_more(notebook, monkeypatch):
    notebook(HELPERS, CLASS)
    walks = []
    monkeypatch.setattr("sim.players.self_type.Walk", lambda: walks.append(Walk()) or walks[-1])
    monkeypatch.setattr("sim.players.compile._compiled", None)
    strategy = sys.modules["notebook"].Mine()
    assert entry_of(strategy)[:2] == entry_of(strategy)[:2]
    assert len(walks) == 4  # two methods, twice


def test_a_copy_in_another_process_compiles_there_where_there_is_no_cache(notebook, tmp_path):
    expected, _ = notebook("from __future__ import annotations\n" + RECURSIVE, TABLED)
    made = sys.modules["notebook"]
    cloudpickle.register_pickle_by_value(made)
    (tmp_path / "strategy").write_bytes(cloudpickle.dumps(made.Mine(table=[[3, 4]])))
    cloudpickle.unregister_pickle_by_value(made)
    (tmp_path / "cache").touch()
    program = """
import pickle
from tests.players.kit import ask, words_of
strategy = pickle.load(open("strategy", "rb"))
print(ask(strategy, words=words_of(seat=1, hand_size=5)), strategy.label, strategy.table.flags.writeable)
"""
    environment = os.environ | {"PYTHONPATH": os.getcwd(), "BACKALLEY_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120)
    assert done.stdout.split() == ["5", made.Mine(table=[[3, 4]]).label, "False"], done.stderr
    assert expected == 12


SCRIPT = """
from __future__ import annotations

import json
import sys

import numpy as np
import polars

import sim
from sim import cards

STEP = 1


@sim.helper
def strength(view, table):
    return min(int(table[view.trump]) + STEP, view.hand_size - 1)


class Mine(sim.Strategy):
    table: np.ndarray = np.zeros(5)
    brave: bool = False

    def bid(self, view) -> int:
        return strength(view, self.table) if view.hand_size > 1 else sim.BOARD

    def play(self, view) -> int:
        return cards.pick(view.legal, view.random)


class Slow(Mine):
    compiled = False


def rows(name, jobs, *strategies):
    tournament = sim.Tournament(strategies=list(strategies), matches=64, seed=5, shard_shuffles=8)
    run = sim.play(tournament, out=name, jobs=jobs, progress=False)
    return polars.read_parquet(run.folder.path / "matches").sort("match_id").select("match_id", "ns_score").rows()


def main():
    players = Mine(table=np.arange(5.0)), Slow(brave=True), "own/mine.py:Mine", "random_legal"
    one, two = rows("one", 1, *players), rows("two", 2, *players)

    class Again(Mine):
        def play(self, view) -> int:
            return cards.highest(view.legal)

    Again.__name__ = "Mine"
    changed = rows("three", 2, Again(table=np.arange(5.0)), *players[1:])
    changed_here = rows("four", 1, Again(table=np.arange(5.0)), *players[1:])
    print(json.dumps([one == two, changed != two, changed == changed_here]))


if __name__ == "__main__":
    main()
"""
FILE = """
import sim
from helping import passes


class Mine(sim.Strategy):
    def bid(self, view):
        return 0 if passes(view, 3) else sim.BOARD

    def play(self, view):
        return sim.cards.lowest(view.legal)
"""


@pytest.mark.slow
def test_a_scripts_classes_play_in_workers_too(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "mine.py").write_text(FILE)
    (tmp_path / "own" / "helping.py").write_text(RECURSIVE)
    environment = os.environ | {"PYTHONPATH": os.getcwd()}
    command = [sys.executable, "script.py"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=400)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [True, True, True]
