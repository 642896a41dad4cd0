"""The cache of compiled code: a second process has a hit for every function, and nothing makes it give a wrong one.

Most tests run processes of their own, as the cache is about those.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sim.players import code_cache, compile
from sim.players.code_cache import CodeCache, cache_key
from tests.players.kit import Passer, ask, words_of

ASK = """
import json, sys
from sim.players import code_cache
from sim.players.registry import load
from tests.players.kit import ask, words_of

answers = [ask(load(spec), words=words_of(seat=1)) for spec in sys.argv[1:]]
print(json.dumps({"answers": answers, **code_cache.counts}))
"""
HELPED = """
import sim
from {module} import strength


class Mine(sim.Strategy):
    def bid(self, view):
        return strength(view)

    def play(self, view):
        return sim.cards.lowest(view.legal)
"""
HELPER = """
import sim

STEP = {step}


@sim.helper
def strength(view):
    return view.seat + STEP
"""


LARGE = """
import sim

STEP = {step}


@sim.helper
def strength(view):
    return twice(view, 5) + twice(view, 6)


@sim.helper
def twice(view, by):
    total = 0
    for card in range(54):
        if view.hand >> card & 1:
            for seat in range(4):
                if view.played[seat] >> card & 1:
                    total += 3 * (view.bids[seat] if view.bids[seat] > 2 else view.tricks_won[seat])
                else:
                    total ^= view.void[seat] * (card % 7) + sim.cards.pick(view.legal | 1, view.random) * by
    if total > 100000:
        raise ValueError("large")
    return view.seat + STEP + total % 100000
"""
RECURSIVE = """
import sim


@sim.helper
def strength(view):
    return fibonacci(view, view.seat + 9)


@sim.helper
def fibonacci(view, number):
    return number if number < 2 else before(view, number) + fibonacci(view, number - 2)


@sim.helper
def before(view, number):
    return fibonacci(view, number - 1)
"""

ALGEBRA = """
import numpy as np
import sim


@sim.helper
def strength(view):
    return int(np.dot(np.array([1.0, 2.0]), np.array([3.0, 1.0 + view.seat])))
"""


@pytest.fixture
def folder(tmp_path):
    """A folder of strategies to work in, and beside it the cache."""
    (tmp_path / "mine.py").write_text(HELPED.format(module="helping"))
    (tmp_path / "helping.py").write_text(HELPER.format(step=1))
    return tmp_path


def start(folder: Path, *specs: str, program: str = ASK, cache: str | None = None) -> subprocess.Popen:
    environment = os.environ | {"BACKALLEY_CACHE_DIR": cache or str(folder / "cache"), "PYTHONPATH": os.getcwd()}
    command = [sys.executable, "-c", program, *specs]
    return subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def result(process: subprocess.Popen) -> dict:
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    return json.loads(out)


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (folder / "cache").iterdir()}


def test_a_second_process_compiles_nothing_and_adds_no_file(folder):
    specs = ["mine.py:Mine", "random_legal"]
    first = result(start(folder, *specs))
    kept = files(folder)
    second = result(start(folder, *specs))
    assert (first["compiled"], first["loaded"]) == (4, 0) == (len(kept), 0)
    assert (second["compiled"], second["loaded"]) == (0, 4) and files(folder) == kept
    assert first["answers"] == second["answers"] and first["answers"][0] == 2


def test_an_edit_in_an_imported_module_changes_the_answer(folder):
    assert result(start(folder, "mine.py:Mine"))["answers"] == [2]
    (folder / "helping.py").write_text(HELPER.format(step=5))
    edited = result(start(folder, "mine.py:Mine"))
    assert edited["answers"] == [6] and edited["compiled"] == 1
    (folder / "helping.py").write_text(HELPER.format(step=1))
    assert result(start(folder, "mine.py:Mine")) == {"answers": [2], "compiled": 0, "loaded": 2}


@pytest.mark.parametrize(
    "damage", [lambda data: data[:100], lambda data: b"", lambda data: data[:-1] + b"\0", lambda data: b"x" * 9999]
)
def test_a_damaged_file_is_compiled_anew(folder, monkeypatch, damage):
    monkeypatch.setenv("BACKALLEY_CACHE_DIR", str(folder / "cache"))
    assert count_anew() == {"compiled": 2, "loaded": 0}
    assert count_anew() == {"compiled": 0, "loaded": 2}
    whole = files(folder)
    for name, data in whole.items():
        (folder / "cache" / name).write_bytes(damage(data))
    assert count_anew() == {"compiled": 2, "loaded": 0}
    assert count_anew() == {"compiled": 0, "loaded": 2}


class Seated(Passer):
    def bid(self, view):
        return view.seat + 4


def count_anew() -> dict[str, int]:
    """Ask a strategy as a process that has compiled nothing yet, and count what it takes."""
    before, compile._done, compile._same = code_cache.counts.copy(), {}, {}
    assert ask(Seated(), words=words_of(seat=2)) == 6
    return {name: code_cache.counts[name] - before[name] for name in ("compiled", "loaded")}


def test_a_file_that_no_longer_means_anything_is_compiled_anew(folder, monkeypatch):
    monkeypatch.setenv("BACKALLEY_CACHE_DIR", str(folder / "cache"))
    count_anew()
    monkeypatch.setattr(code_cache.pickle, "loads", lambda data: 1 / 0)
    assert count_anew() == {"compiled": 2, "loaded": 0}


def test_without_a_folder_to_write_to_it_is_slower_and_nothing_else(folder, monkeypatch):
    (folder / "cache").write_text("in the way")
    monkeypatch.setenv("BACKALLEY_CACHE_DIR", str(folder / "cache"))
    assert count_anew() == count_anew() == {"compiled": 2, "loaded": 0}
    if os.geteuid():  # to root, every folder is writable
        (folder / "shut").mkdir(mode=0o500)
        monkeypatch.setenv("BACKALLEY_CACHE_DIR", str(folder / "shut"))
        assert count_anew() == count_anew() == {"compiled": 2, "loaded": 0}


def test_what_cannot_be_followed_is_not_kept(monkeypatch):
    assert cache_key(object()) is None
    cache = CodeCache(None)
    assert cache.load_overload("int64(int64)", None) is None


def test_a_signature_of_its_own_is_a_file_of_its_own():
    cache = CodeCache("key")
    assert cache._path("int64(int64)") != cache._path("int64(float64)")


def test_the_least_used_files_go_first(tmp_path, monkeypatch):
    monkeypatch.setattr(code_cache, "KEPT_FILES", 3)
    for age, name in enumerate("abcde"):
        (tmp_path / f"{name}.code").touch()
        os.utime(tmp_path / f"{name}.code", (10**9 - age, 10**9 - age))
    for name, time in (("old.part", 10**9), ("new.part", None)):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, time and (time, time))
    code_cache._drop_oldest(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.code", "b.code", "c.code", "new.part"]


@pytest.mark.slow
def test_processes_that_compile_at_once_do_not_disturb_each_other(folder):
    processes = [start(folder, "mine.py:Mine", "random_legal") for _ in range(3)]
    assert len({tuple(result(process)["answers"]) for process in processes}) == 1
    assert all(name.endswith(".code") for name in files(folder)) and len(files(folder)) == 4
    assert result(start(folder, "mine.py:Mine", "random_legal"))["compiled"] == 0


@pytest.mark.slow
def test_functions_of_one_name_from_several_processes_meet_in_one(tmp_path):
    """Numba numbers its symbols anew in every process. Where they clash, one function is run for another."""
    steps = [1, 20, 300]
    for step in steps:
        (tmp_path / str(step)).mkdir()
        (tmp_path / str(step) / "mine.py").write_text(HELPED.format(module="helping"))
        (tmp_path / str(step) / "helping.py").write_text(LARGE.format(step=step))
    specs = [f"{step}/mine.py:Mine" for step in steps]
    for process in [start(tmp_path, spec) for spec in specs]:
        assert result(process)["compiled"] >= 1
    assert result(start(tmp_path, *specs)) == {"answers": [4, 42, 602], "compiled": 0, "loaded": 4}


def test_functions_that_call_each_other_are_compiled_anew_in_every_process(folder):
    (folder / "helping.py").write_text(RECURSIVE)
    assert result(start(folder, "mine.py:Mine")) == {"answers": [55], "compiled": 2, "loaded": 0}
    assert result(start(folder, "mine.py:Mine")) == {"answers": [55], "compiled": 1, "loaded": 1}


def test_the_folder_is_the_users_own_choice(monkeypatch):
    monkeypatch.setenv("BACKALLEY_CACHE_DIR", "elsewhere")
    assert code_cache.cache_folder() == Path("elsewhere")
    monkeypatch.delenv("BACKALLEY_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", "caches")
    assert code_cache.cache_folder() == Path("caches/backalley")


def test_a_start_reads_no_linear_algebra_and_code_that_needs_some_has_it(folder):
    (folder / "helping.py").write_text(ALGEBRA)
    begun = "import json, sys, sim.arena.worker; before = 'scipy.linalg' in sys.modules\n"
    told = "print(json.dumps([before, ask(load('mine.py:Mine'), words=words_of(seat=1))]))"
    assert result(start(folder, program=begun + ASK.partition("answers = ")[0] + told)) == [False, 7]
