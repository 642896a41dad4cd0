"""Strategies in files of their own: neighbours in reach, same names in two folders, edits seen at once."""

import sys

import cloudpickle
import pytest

import sim
from sim.errors import SpecError
from sim.players import registry
from tests.players.kit import ask, words_of

MINE = """
import sim
import helping
from helping import STEP, strength


class Mine(sim.Strategy):
    compiled = {compiled}

    def bid(self, view):
        return strength(view) + helping.MORE + STEP

    def play(self, view):
        return sim.cards.lowest(view.legal)
"""
HELPING = """
import sim

STEP, MORE = {step}, 100


@sim.helper
def strength(view):
    return view.seat
"""


@pytest.fixture(params=[True, False], ids=["compiled", "interpreted"])
def folder(request, tmp_path, monkeypatch):
    """Two folders, ``a`` and ``b``, with files of the same names that bid differently."""
    monkeypatch.chdir(tmp_path)
    for name, step in (("a", 10), ("b", 20)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "mine.py").write_text(MINE.format(compiled=request.param))
        (tmp_path / name / "helping.py").write_text(HELPING.format(step=step))
    return tmp_path


def bid_of(spec):
    return ask(registry.load(spec), words=words_of(seat=1))


def sha_of(spec):
    return registry.describe(registry.load(spec))["source_sha256"]


def test_files_in_two_folders_have_each_their_own_neighbour(folder):
    assert [bid_of(f"{name}/mine.py:Mine") for name in "abab"] == [111, 121, 111, 121]
    assert "helping" not in sys.modules and str(folder / "a") not in sys.path
    assert sha_of("a/mine.py:Mine") != sha_of("b/mine.py:Mine")


def test_a_module_that_is_loaded_already_is_not_taken_for_the_neighbour(folder, monkeypatch):
    other = type(sys)("helping")
    monkeypatch.setitem(sys.modules, "helping", other)
    assert bid_of("a/mine.py:Mine") == 111 and sys.modules["helping"] is other


def test_what_a_strategy_is_does_not_depend_on_where_the_process_works(folder, monkeypatch):
    strategy = registry.load("a/mine.py:Mine")
    described = registry.describe(strategy)
    monkeypatch.chdir(folder / "b")
    assert registry.describe(strategy) == described


def test_a_file_is_loaded_once(folder):
    assert type(registry.load("a/mine.py:Mine")) is type(registry.load("a/mine.py:Mine"))
    assert sha_of("a/mine.py:Mine") == sha_of("a/mine.py:Mine")


@pytest.mark.parametrize("edited", ["helping.py", "mine.py"])
def test_an_edit_is_seen_at_once_and_is_another_source(folder, edited):
    assert bid_of("a/mine.py:Mine") == 111
    before, path = sha_of("a/mine.py:Mine"), folder / "a" / edited
    text = path.read_text()
    path.write_text(text.replace("MORE = 10, 100", "MORE = 10, 200").replace("MORE + STEP", "MORE * 2 + STEP"))
    assert bid_of("a/mine.py:Mine") == 211 and sha_of("a/mine.py:Mine") != before
    path.write_text(text)
    assert bid_of("a/mine.py:Mine") == 111 and sha_of("a/mine.py:Mine") == before


def test_a_package_beside_the_file_is_a_neighbour_too(folder):
    (folder / "a" / "parts").mkdir()
    (folder / "a" / "parts" / "__init__.py").write_text("from .deep import STEP\n")
    (folder / "a" / "parts" / "deep.py").write_text("STEP = 7\n")
    (folder / "a" / "helping.py").write_text(
        HELPING.format(step=1).replace("STEP, MORE", "from parts import STEP\n_, MORE")
    )
    assert bid_of("a/mine.py:Mine") == 108
    assert not {"parts", "parts.deep"} & set(sys.modules)


def test_a_class_that_the_file_has_from_its_neighbour_is_found_by_the_file(folder):
    (folder / "a" / "more.py").write_text("from mine import Mine\n\n\nclass More(Mine):\n    pass\n")
    for name in ("Mine", "More"):
        strategy = registry.load(f"a/more.py:{name}")
        assert (
            registry.class_path(type(strategy)) == f"a/more.py:{name}" and ask(strategy, words=words_of(seat=1)) == 111
        )


def test_a_copy_by_value_bids_the_same_and_knows_its_file(folder):
    sent = cloudpickle.dumps(registry.load("a/mine.py:Mine"))
    for name in [name for name in sys.modules if name.startswith("backalley_file_")]:
        del sys.modules[name]
    copy = cloudpickle.loads(sent)
    assert ask(copy, words=words_of(seat=1)) == 111
    assert registry.class_path(type(copy)) == "a/mine.py:Mine"


def test_what_is_installed_below_the_folder_is_no_neighbour(folder):
    deep = folder / "a" / "env" / "site-packages"
    deep.mkdir(parents=True)
    (deep / "installed_below.py").write_text("STEP = 3\n")
    text = f"import sys\nsys.path.append({str(deep)!r})\nimport installed_below\n"
    (folder / "a" / "mine.py").write_text(text + (folder / "a" / "mine.py").read_text())
    assert bid_of("a/mine.py:Mine") == 111 and "installed_below" in sys.modules
    del sys.modules["installed_below"]
    sys.path.remove(str(deep))


def test_a_file_in_the_projects_own_folder_leaves_the_project_alone(folder):
    (folder / "sim").mkdir()
    (folder / "sim" / "__init__.py").write_text("raise RuntimeError('not this one')\n")
    (folder / "top.py").write_text((folder / "a" / "mine.py").read_text())
    (folder / "helping.py").write_text(HELPING.format(step=5))
    before = sim
    assert bid_of("top.py:Mine") == 106 and sys.modules["sim"] is before


def test_a_file_that_fails_is_tried_again_and_leaves_nothing_behind(folder):
    (folder / "a" / "helping.py").write_text("1 / 0\n")
    before = set(sys.modules)
    with pytest.raises(SpecError, match=r"importing a/mine.py fails in line 3: ZeroDivisionError"):
        bid_of("a/mine.py:Mine")
    assert set(sys.modules) == before and str(folder / "a") not in sys.path
    (folder / "a" / "helping.py").write_text(HELPING.format(step=10))
    assert bid_of("a/mine.py:Mine") == 111
