"""Specs: what users write for a strategy, and what they are told when nothing answers to it."""

import sys
from importlib import metadata

import numpy as np
import pytest

from sim.errors import CompileError, SpecError
from sim.players import registry
from tests.players.kit import Passer

TEXT = """
import sim


class Mine(sim.Strategy):
    margin: float = 1.0
    brave: bool = False
    reach: int = 2

    def bid(self, view):
        return 0

    def play(self, view):
        return sim.cards.lowest(view.legal)


class Other(Mine):
    pass
"""


@pytest.fixture
def file(tmp_path, monkeypatch):
    """A file of strategies in the working directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "mine", raising=False)
    (tmp_path / "mine.py").write_text(TEXT)
    return tmp_path / "mine.py"


def test_a_label_of_the_library():
    strategy = registry.load("random_legal")
    assert strategy.label == "random_legal"
    assert registry.class_path(type(strategy)) == "strategies.random_legal:RandomLegal"
    assert registry.library()["random_legal"] is type(strategy)


def test_a_class_in_a_module(file):
    assert registry.load("strategies.random_legal:RandomLegal").label == "random_legal"
    assert registry.load("mine:Mine:margin=2").label == "mine:margin=2.0"  # in the working directory


def test_a_class_in_a_file(file):
    strategy = registry.load("mine.py:Mine:margin=0.5:brave=TRUE:reach=-1")
    assert strategy.label == "mine:margin=0.5:brave=true:reach=-1"
    assert registry.class_path(type(strategy)) == "mine.py:Mine"
    assert registry.load(f"{file}:Other").label == "other"
    assert registry.class_path(type(registry.load(f"{file}:Other"))) == f"{file}:Other"


def test_spaces_around_the_parts_do_not_matter(file):
    assert registry.load(" mine.py : Mine : margin = 0.5 ").label == "mine:margin=0.5"


def test_a_label_is_a_spec_again(file):
    strategy = registry.load("mine.py:Mine:margin=1e20:brave=true")
    _, parameters = strategy.label.split(":", 1)
    assert registry.load(f"mine.py:Mine:{parameters}").parameters == strategy.parameters


def test_an_entry_point(monkeypatch):
    points = {
        "timid": metadata.EntryPoint("timid", "tests.players.kit:Passer", registry.ENTRY_POINTS),
        "gone": metadata.EntryPoint("gone", "tests.players.kit:Gone", registry.ENTRY_POINTS),
        "number": metadata.EntryPoint("number", "math:pi", registry.ENTRY_POINTS),
    }
    monkeypatch.setattr(registry.metadata, "entry_points", lambda group: list(points.values()))
    assert type(registry.load("timid")) is Passer
    with pytest.raises(
        SpecError, match=r"the entry point gone \(tests.players.kit:Gone\) cannot be loaded: AttributeE"
    ):
        registry.load("gone")
    with pytest.raises(
        SpecError, match=r"math:pi is no strategy: a strategy is a class that inherits from sim.Strategy"
    ):
        registry.load("number")
    with pytest.raises(SpecError, match="unknown strategy 'timit': did you mean timid"):
        registry.load("timit")


def test_a_class_or_an_instance_stands_for_itself():
    instance = Passer()
    assert registry.load(instance) is instance and type(registry.load(Passer)) is Passer


@pytest.mark.parametrize(
    "spec, words",
    [
        ("random_lega", "unknown strategy 'random_lega': did you mean random_legal?"),
        ("qqqq", "unknown strategy 'qqqq': see them all with: backalley strategies"),
        ("", "unknown strategy ''"),
        ("random_legal:margin=2", "RandomLegal has no parameter 'margin': it has none"),
        ("mine.py:Mine:marign=2", "Mine has no parameter 'marign': did you mean 'margin'?"),
        ("mine.py:Mine:margin=wide", "Mine.margin = 'wide' is refused: it must be a number"),
        ("mine.py:Mine:margin=nan", "Mine.margin = nan is refused: it must be a number"),
        ("mine.py:Mine:reach=1.5", "Mine.reach = '1.5' is refused: it must be an integer"),
        ("mine.py:Mine:brave=1", "Mine.brave = '1' is refused: it must be true or false"),
        ("mine.py:Mine:margin=1:margin=2", "'margin=2' is there twice"),
        ("mine.py:Mine:margin", "'margin' is no parameter=value"),
        ("mine.py:Mine:=2", "'=2' is no parameter=value"),
        ("mine.py:Min", "mine.py has no 'Min': did you mean Mine? It has Mine, Other"),
        ("mine.py:Quite", "mine.py has no 'Quite': it has Mine, Other"),
        (
            "tests.arena.zoo:Loper",
            "did you mean Looper? It has Tame, Boaster, Babbler, Revoker, Conjurer, Leaver, Killer, "
            "Quitter, among others",
        ),
        ("mine.py:sim", "mine.py:sim is no strategy: a strategy is a class that inherits from sim.Strategy"),
        ("mine.py", "mine.py: name the class, as in mine.py:Other"),
        ("theirs.py:Mine", "no file theirs.py (a path may not hold a comma, a plus or a colon)"),
        ("a:b/mine.py:Mine", "a path may not hold a comma, a plus or a colon"),
        ("nowhere.deep:Mine", "no module 'nowhere.deep': a spec is a label, module:Class or file.py:Class"),
        ("sim.nowhere:Mine", "no module 'sim.nowhere'"),
        ("counter:margin", "counter takes parameters as counter:name=value, after a comma another strategy"),
        ("math:Mine", "math has no 'Mine' nor any strategy"),
        (3, "3 is no strategy: give a spec, a class that inherits from sim.Strategy, or an instance"),
        (int, "<class 'int'> is no strategy"),
    ],
)
def test_what_nothing_answers_to(file, spec, words):
    with pytest.raises(SpecError) as refused:
        registry.load(spec)
    assert words in str(refused.value) and len(str(refused.value).splitlines()) <= 2


@pytest.mark.parametrize("folder", ["a,b", "a+b"])
def test_a_path_with_a_separator_is_refused_though_it_is_there(file, folder):
    (file.parent / folder).mkdir()
    (file.parent / folder / "mine.py").write_text(TEXT)
    with pytest.raises(SpecError, match="is refused: a path may not hold a comma, a plus or a colon"):
        registry.load(f"{folder}/mine.py:Mine")


def test_an_array_is_not_set_by_a_spec():
    class Tabled(Passer):
        table: np.ndarray = np.zeros(3)

    with pytest.raises(SpecError, match=r"Tabled.table is an array: set it in Python, Tabled\(table=…\)"):
        registry._value(Tabled, "table", "[1, 2, 3]")


@pytest.mark.parametrize(
    "text, words",
    [
        ("import sim\n\n1 / 0\n", r"importing bad.py fails in line 3: ZeroDivisionError: division by zero"),
        ("import sim\ndef f(:\n", r"importing bad.py fails in line 2: SyntaxError: invalid syntax"),
        (
            "import nowhere_at_all\n",
            r"importing bad.py fails in line 1: ModuleNotFoundError: No module named 'nowhere_",
        ),
        ("raise SystemExit(3)\n", r"importing bad.py fails in line 1: SystemExit: 3"),
    ],
)
def test_a_file_that_cannot_be_imported(file, text, words):
    (file.parent / "bad.py").write_text(text)
    with pytest.raises(SpecError, match=words) as refused:
        registry.load("bad.py:Mine")
    assert len(str(refused.value).splitlines()) == 1


def test_a_module_that_cannot_be_imported(file):
    (file.parent / "worse.py").write_text("import nowhere_at_all\n")
    with pytest.raises(SpecError, match="importing worse fails: ModuleNotFoundError: No module named 'nowhere_at_all'"):
        registry.load("worse:Mine")


def test_a_class_that_no_run_could_use_is_refused_when_it_is_loaded(file):
    (file.parent / "bad.py").write_text(
        "import sim\n\n\nclass Bad(sim.Strategy):\n    def bid(self, view):\n        return 0\n"
    )
    with pytest.raises(CompileError, match=r"Bad.play is missing: a strategy says how to bid and how to play"):
        registry.load("bad.py:Bad")


def test_sides():
    assert registry.split_field("counter, bold+gambler,x.py:Mine:a=1") == ["counter", "bold+gambler", "x.py:Mine:a=1"]
    assert registry.split_field(" ") == []
    for wrong in ("a,b,", ",a", "a,,b", ","):
        with pytest.raises(SpecError, match="names no strategy before, between or behind its commas"):
            registry.split_field(wrong)
    assert registry.split_side("bold + gambler") == ["bold", "gambler"] and registry.split_side("bold") == ["bold"]
    for text in ("a+b+c", "a+", "+"):
        with pytest.raises(SpecError, match="is no side: write one strategy, or two partners as a"):
            registry.split_side(text)


def test_what_a_manifest_says_of_a_strategy(file):
    described = registry.describe(registry.load("mine.py:Mine:margin=2"))
    assert described == {
        "label": "mine:margin=2.0",
        "class": "mine.py:Mine",
        "parameters": {"margin": 2.0, "brave": False, "reach": 2},
        "compiled": True,
        "source_sha256": described["source_sha256"],
        "distribution": None,
    }
    assert len(described["source_sha256"]) == 64
