"""The sample run is one of today: it verifies, and its strategies are those of the library. Else: `make sample`."""

import re
from pathlib import Path

import pytest

import sim
from sim.analysis import checkout
from sim.analysis.report_check import mismatches
from sim.errors import RunError

MOST_BYTES = 8_000_000


@pytest.fixture(scope="module")
def sample() -> sim.Run:
    return sim.open_run(sim.sample_run())


def test_it_is_what_was_played_by_strategies_of_today(sample: sim.Run) -> None:
    assert mismatches(sample) == [], "play it again with `make sample`, and commit it"
    assert sample.complete and "files" in sample.manifest


@pytest.mark.slow
def test_every_row_is_right(sample: sim.Run) -> None:
    found = sim.verify(sample)
    assert found.ok, found.to_text()


def test_it_is_small_and_yet_enough(sample: sim.Run) -> None:
    settings = sample.manifest["tournament"]
    assert settings["shuffles"] >= 300 and settings["duplicate"] and settings["format"] == "round-robin"
    assert len(sample.manifest["strategies"]) == 5
    assert sum(path.stat().st_size for path in sample.path.rglob("*") if path.is_file()) <= MOST_BYTES


def test_the_pictures_of_the_readme_are_drawn_from_it(sample: sim.Run) -> None:
    shown = re.findall(
        r"\((data/pictures/\w+\.svg)\)", (sample.path.parents[1] / "README.md").read_text(encoding="utf-8")
    )
    drawn = sorted((sample.path.parent / "pictures").iterdir())
    assert sorted(shown) == [path.relative_to(sample.path.parents[1]).as_posix() for path in drawn] != []
    for path in drawn:
        assert f"<!-- run {sample.manifest['run_id']} -->" in path.read_text(encoding="utf-8"), (
            "draw them: `make sample`"
        )


def test_it_is_not_there_where_there_is_no_checkout(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(checkout, "CHECKOUT", tmp_path)
    with pytest.raises(RunError, match=r"the sample run is not here(.|\n)*backalley run"):
        sim.sample_run()
