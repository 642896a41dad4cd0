"""The house is in order, and the guards that say so can fail: on a tree with one fault planted, each names it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import project_guards as guards

ROOT = Path(__file__).parents[1]
PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "sim/RULES.md")
FILES = (*PAGES, "Makefile", "pyproject.toml", "constraints.txt")
NOTEBOOK = json.dumps({"cells": [{"cell_type": "code", "source": ["%time\n", "import sim.arena.store"]}]})

PLANTED = [
    (guards.imports_run_one_way, "sim/game/x.py", "from ..players import view"),
    (guards.imports_run_one_way, "sim/game/deep/x.py", "from ...arena.store import write"),
    (guards.imports_run_one_way, "sim/players/x.py", "def f():\n    import sim.arena.engine"),
    (guards.imports_run_one_way, "sim/arena/x.py", "from sim import analysis"),
    (guards.imports_run_one_way, "sim/arena/x.py", "import sim"),
    (guards.imports_run_one_way, "sim/arena/x.py", "from ..bench import floor"),
    (guards.imports_run_one_way, "sim/analysis/x.py", "from .. import cli"),
    (guards.imports_run_one_way, "sim/errors.py", "from .game import cards"),
    (guards.referee_shares_no_rule_code, "sim/game/referee.py", "from .rules import legal"),
    (guards.referee_shares_no_rule_code, "sim/game/referee.py", "from . import cards, seeding"),
    (guards.outsiders_use_the_public_face, "strategies/x.py", "from sim.game import cards"),
    (guards.outsiders_use_the_public_face, "strategies/x.py", "from sim import players"),
    (guards.outsiders_use_the_public_face, "notebooks/x.ipynb", NOTEBOOK),
    (guards.files_stay_short, "tests/test_x.py", "x = 1\n" * 401),
    (guards.files_say_what_they_are, "sim/game/x.py", "x = 1"),
    (guards.files_say_what_they_are, "strategies/x.py", '"""Text."""\nclass X: pass'),
    (guards.public_functions_are_typed, "sim/game/x.py", "def f(x) -> int: ..."),
    (guards.public_functions_are_typed, "sim/game/x.py", "class X:\n    def f(self, x: int): ..."),
    (guards.no_file_says_what_it_should_not, "data/x.md", "see " + "/home" + "/me/run"),
    (guards.no_file_says_what_it_should_not, "constraints.txt", "--index" + "-url https://x"),
    (guards.no_file_says_what_it_should_not, "Makefile", "# the dum" + "my's hand"),
    (guards.rules_page_is_complete, "sim/RULES.md", "**T1 — Seats.**\n\n## Worked cases\n1. One."),
    (guards.make_targets_agree, "README.md", "make tournament\nmake test\nmake tea"),
    (guards.make_targets_agree, "README.md", "make test"),
    (guards.make_targets_agree, "Makefile", "tournament: x\ntest: ## Test\n"),
    (guards.changelog_opens_with_the_version, "CHANGELOG.md", "## 0.0.9\n"),
    (guards.constraints_keep_the_bounds, "constraints.txt", "numpy==1.2"),
    (guards.constraints_keep_the_bounds, "constraints.txt", "numpy"),
]
GUARDS = list(dict.fromkeys(guard for guard, _, _ in PLANTED))

Guard = Callable[[Path], guards.Faults]


@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.__name__)
def test_the_house_is_in_order(guard: Guard) -> None:
    assert list(guard(ROOT)) == []


@pytest.mark.parametrize(("guard", "path", "text"), PLANTED, ids=lambda value: getattr(value, "__name__", ""))
def test_a_planted_fault_is_named(tmp_path: Path, guard: Guard, path: str, text: str) -> None:
    for name in (*FILES, path):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    assert list(guard(tmp_path)) == []
    (tmp_path / path).write_text(text, encoding="utf-8")
    assert list(guard(tmp_path)) != []
