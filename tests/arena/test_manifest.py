"""The manifest names a run by its content, and a run goes on only as it began."""

import json
from pathlib import Path
from typing import Any

import pytest

from sim.arena import manifest
from sim.arena.manifest import new_manifest, plan_again, read_manifest, run_id, write_manifest
from sim.arena.store import RunFolder
from sim.arena.tournament import Tournament
from sim.errors import RunError
from sim.game.house import Rules

MINE = '''
from sim import Strategy

class Mine(Strategy):
    """Mine."""
    compiled = False
    margin: float = 1.0

    def bid(self, view):
        return 0

    def play(self, view):
        return 0
'''


@pytest.fixture
def mine(tmp_path: Path) -> str:
    (tmp_path / "mine.py").write_text(MINE)
    return f"{tmp_path / 'mine.py'}:Mine"


def of(*strategies: Any, **settings: Any) -> dict[str, Any]:
    tournament = Tournament(strategies, **{"seed": 7, "matches": 10} | settings)
    return json.loads(json.dumps(new_manifest(tournament, tournament.plan())))


def test_it_says_all_there_is_to_say(mine: str) -> None:
    said = of(f"{mine}:margin=0.5", "random_legal", f"{mine}+random_legal", rules=Rules(all_pass="score-zero"))
    assert list(said) == [
        "format", "run_id", "created", "finished", "status", "tournament", "rules", "strategies", "pairings",
        "software", "git",
    ]  # fmt: skip
    assert said["tournament"] == {
        "format": "round-robin", "matches": 10, "duplicate": True, "seating": "sides", "seed": 7, "on_fault": "stop",
        "shuffles": 5, "shard_shuffles": 5,
    }  # fmt: skip
    assert said["rules"] == Rules(all_pass="score-zero").to_dict()
    assert [entry["label"] for entry in said["strategies"]] == ["mine:margin=0.5", "random_legal", "mine"]
    assert said["strategies"][0]["parameters"] == {"margin": 0.5}
    assert said["pairings"][1] == ["mine:margin=0.5", "mine+random_legal"]
    assert {"backalley", "python", "numba", "polars"} <= set(said["software"])
    assert (said["format"], said["status"], said["finished"]) == (1, "playing", None)


def test_equal_runs_have_equal_ids() -> None:
    assert of("random_legal", format="self")["run_id"] == of("random_legal", format="self")["run_id"]
    assert len(of("random_legal", format="self")["run_id"]) == 16


def test_whatever_rows_depend_on_changes_the_id(mine: str, tmp_path: Path) -> None:
    runs = [
        of("random_legal", mine),
        of(mine, "random_legal"),
        of("random_legal", f"{mine}:margin=2"),
        of("random_legal", mine, seed=8),
        of("random_legal", mine, matches=12),
        of("random_legal", mine, duplicate=False),
        of("random_legal", mine, on_fault="forfeit"),
        of("random_legal", mine, rules=Rules(max_redeals=19)),
        of("random_legal", mine, shard_shuffles=1),
        of("random_legal", mine, format="self"),
        of("random_legal", f"{mine}+random_legal"),
        of(f"random_legal+{mine}", mine),
    ]
    (tmp_path / "mine2.py").write_text(MINE.replace("return 0", "return 1"))
    runs.append(of("random_legal", f"{tmp_path / 'mine2.py'}:Mine"))
    assert len({run["run_id"] for run in runs}) == len(runs)


@pytest.mark.parametrize("format", ["round-robin", "gauntlet", "self"])
def test_the_plan_comes_back_from_the_manifest(mine: str, format: str) -> None:
    strategies = ("random_legal", f"{mine}+random_legal", f"{mine}:margin=0.5")
    tournament = Tournament(strategies, format, 10, seed=7, rules=Rules(hand_sizes=(2, 1)), on_fault="forfeit")
    plan = tournament.plan()
    again = plan_again(json.loads(json.dumps(new_manifest(tournament, plan))))
    assert again.labels == plan.labels
    for name in ("rules", "seed", "pairings", "pairing_names", "tables", "shuffles", "shard_shuffles", "on_fault"):
        assert getattr(again, name) == getattr(plan, name)


def test_a_changed_source_is_named(tmp_path: Path) -> None:
    source = tmp_path / "changing.py"
    source.write_text(MINE)
    said = of("random_legal", f"{source}:Mine")
    said["strategies"][1]["source_sha256"] = "0" * 64
    said["run_id"] = run_id(said)
    with pytest.raises(
        RunError, match=r"cannot go on as it began:\nmine: source_sha256 was 0000.*, is .*\n.*--overwrite"
    ):
        plan_again(said)


def test_an_edited_manifest_is_noticed() -> None:
    said = of("random_legal", format="self")
    said["rules"]["points_per_bid_trick"] = 7
    with pytest.raises(RunError, match=r"run\.json was edited"):
        plan_again(said)


def test_changed_versions_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    said = of("random_legal", format="self")
    monkeypatch.setattr(manifest, "software", lambda: said["software"] | {"numba": "9.9"})
    with pytest.raises(RunError, match=r"numba was .*, is 9\.9"):
        plan_again(said)


def test_a_long_list_of_changes_stays_short(monkeypatch: pytest.MonkeyPatch) -> None:
    said = of("random_legal", format="self")
    monkeypatch.setattr(manifest, "software", lambda: dict.fromkeys("abcdefg", "1"))
    with pytest.raises(RunError, match="and 4 more changes") as raised:
        plan_again(said)
    assert len(raised.value.args) <= 6


def test_a_strategy_that_is_gone_can_be_handed_over(mine: str) -> None:
    said = of("random_legal", mine)
    said["strategies"][1]["class"] = "gone.py:Mine"
    said["run_id"] = run_id(said)
    with pytest.raises(RunError, match=r"strategy mine of this run is not found(.|\n)*sim\.resume"):
        plan_again(said)


def test_a_strategy_handed_over_is_used(mine: str) -> None:
    said = of("random_legal", mine)
    assert plan_again(said, [mine]).labels == ("random_legal", "mine")


def test_it_is_read_as_it_was_written(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    folder.make()
    said = of("random_legal", format="self")
    write_manifest(folder, said)
    assert read_manifest(folder) == said


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "there is no run in"),
        ("{", "is not the manifest of a run"),
        ("[]", "is not the manifest of a run"),
        ('{"format": 2}', "a run of format 2; this version reads format 1"),
    ],
)
def test_what_is_no_manifest_is_said(tmp_path: Path, text: str | None, message: str) -> None:
    if text is not None:
        (tmp_path / "run.json").write_text(text)
    with pytest.raises(RunError, match=message):
        read_manifest(RunFolder(tmp_path))
