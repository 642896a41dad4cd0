"""Before a report: what of a run is not as it was is said, each thing by name, and nothing of a sound one."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import sim
from sim.analysis.report_check import mismatches
from sim.arena.manifest import run_id
from sim.errors import RunError
from tests.arena.test_runner import cut_short

MINE = '''
from sim import Strategy, cards

class Mine(Strategy):
    """Mine."""
    compiled = False

    def bid(self, view):
        return 0

    def play(self, view):
        return cards.lowest(view.legal)
'''

Edit = Callable[[Path], None]


def tournament(**settings: object) -> sim.Tournament:
    usual: dict = {"matches": 16, "seed": 7, "rules": sim.Rules(hand_sizes=(2, 1)), "shard_shuffles": 2}
    return sim.Tournament(["random_legal"], "self", **usual | settings)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sim.play(tournament(), tmp_path_factory.mktemp("runs") / "whole").path


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    return shutil.copytree(whole, tmp_path / "run")


def said(folder: Path) -> list[str]:
    return mismatches(sim.open_run(folder))


def edit(folder: Path, change: Callable[[dict], object], honest: bool = False) -> None:
    """Change the manifest; an honest change brings the run id along."""
    about = json.loads((folder / "run.json").read_text())
    change(about)
    if honest:
        about["run_id"] = run_id(about)
    (folder / "run.json").write_text(json.dumps(about))


def flip(path: Path, place: int) -> None:
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(content)


def test_a_sound_run_has_none(whole: Path) -> None:
    assert said(whole) == []


def test_a_run_without_digests_has_none(folder: Path) -> None:
    edit(folder, lambda about: about.pop("files"))
    assert said(folder) == []


def test_other_versions_are_none(folder: Path) -> None:
    edit(folder, lambda about: about["software"].update(polars="0.1", backalley="0.0.1"))
    edit(folder, lambda about: about["strategies"][0].update(distribution="backalley 0.0.1"), honest=True)
    for part in folder.glob("*/part-*.parquet"):
        part.unlink()
    edit(folder, lambda about: about.update(status="playing"))
    assert said(folder) == []


EDITS: dict[str, tuple[Edit, str]] = {
    "a changed byte": (
        lambda folder: flip(folder / "deals" / "part-00001.parquet", 20),
        "the files of deals are not those that were written: their digest is not the one in run.json",
    ),
    "an edited setting": (
        lambda folder: edit(folder, lambda about: about["rules"].update(points_per_bid_trick=6)),
        "run.json was edited: its settings do not give its run id",
    ),
    "a missing part": (
        lambda folder: (folder / "tricks" / "part-00002.parquet").unlink(),
        "tricks/part-00002.parquet is missing",
    ),
    "a part that is none": (
        lambda folder: (folder / "tricks" / "part-00002.parquet").write_text("?"),
        "tricks/part-00002.parquet cannot be read",
    ),
    "missing shards": (
        lambda folder: (folder / "matches" / "part-00003.parquet").unlink(),
        "the run is finished, but 3 of its 4 shards are there",
    ),
}


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_is_named(name: str, folder: Path) -> None:
    spoil, line = EDITS[name]
    spoil(folder)
    assert line in said(folder)


def test_a_part_of_another_run_is_named(folder: Path, tmp_path: Path) -> None:
    other = sim.play(tournament(seed=8), tmp_path / "other")
    shutil.copy(other.folder.part("deals", 1), folder / "deals")
    assert f"deals/part-00001.parquet carries run id {other.manifest['run_id']}" in said(folder)


def test_a_long_list_of_parts_is_cut(folder: Path) -> None:
    edit(folder, lambda about: about.update(run_id="0" * 16))
    assert "and 7 more parts" in said(folder)


def test_a_changed_source_is_named_and_one_that_is_gone(tmp_path: Path) -> None:
    source = tmp_path / "mine.py"
    source.write_text(MINE)
    rules = sim.Rules(hand_sizes=(2, 1))
    run = sim.play(sim.Tournament([f"{source}:Mine"], "self", matches=2, seed=1, rules=rules), tmp_path / "run")
    assert mismatches(run) == []
    source.write_text(MINE.replace("lowest", "highest"))
    (line,) = mismatches(run)
    assert line.startswith("mine: source_sha256 was ")
    source.unlink()
    (line,) = mismatches(run)
    assert line.startswith("strategy mine of this run is not found: no file ")


def test_an_unfinished_run_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cut_short(tmp_path / "run", tournament(), monkeypatch, after=2)
    assert said(tmp_path / "run") == []


def test_a_damaged_manifest_is_an_error(folder: Path) -> None:
    edit(folder, lambda about: about["strategies"][0].pop("class"))
    with pytest.raises(RunError, match=r"run\.json is damaged"):
        said(folder)
