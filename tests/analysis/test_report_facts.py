"""What a report says of its run makes the run again, and names no place of one machine."""

import json
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import sim
from sim.analysis.report_facts import facts_of, run_command
from sim.arena.manifest import new_manifest
from sim.arena.run import Run
from sim.cli import backalley
from sim.game.house import Rules
from tests.arena.test_runner import ZOO, cut_short, random_self

SHORT = Rules(hand_sizes=(2, 1), little_blooper_forces=False, blooper_partner="free", max_redeals=3)

TOURNAMENTS: dict[str, tuple[tuple, dict[str, Any]]] = {
    "the usual": (("counter", "counter:margin=0.5"), {}),
    "partners and house rules": (("counter+bold", "cautious"), {"rules": SHORT, "on_fault": "forfeit"}),
    "a gauntlet at one table": (("random_legal", "counter", "bold"), {"format": "gauntlet", "duplicate": False}),
    "each against itself, in small shards": (("random_legal", "bold"), {"format": "self", "shard_shuffles": 1}),
}


def manifest(strategies: tuple, **settings: Any) -> dict[str, Any]:
    tournament = sim.Tournament(strategies, **{"matches": 64, "seed": 3} | settings)
    return json.loads(json.dumps(new_manifest(tournament, tournament.plan())))


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_the_command_plays_the_run_again(name: str, tmp_path: Path) -> None:
    strategies, settings = TOURNAMENTS[name]
    about = manifest(strategies, **{"rules": Rules(hand_sizes=(1,))} | settings, matches=4)
    program, *arguments = shlex.split(run_command(about, "again"))
    assert program == "backalley"
    result = CliRunner().invoke(backalley, [*arguments, "--out", str(tmp_path / "run")])
    assert result.exit_code == 0, result.output
    assert sim.open_run(tmp_path / "run").manifest["run_id"] == about["run_id"]


def test_only_what_is_not_as_usual_is_in_it() -> None:
    assert run_command(manifest(("counter", "bold")), "again") == (
        "backalley run --strategies counter,bold --matches 64 --seed 3 --out again"
    )


def test_a_file_elsewhere_is_named_without_its_folders() -> None:
    about = manifest((f"{ZOO}:Tame", "random_legal"))
    assert "--strategies zoo.py:Tame,random_legal " in run_command(about, "again")
    facts = facts_of(Run(Path("/there/r1"), about), "asks")
    assert "zoo.py:Tame" in str(facts) and str(ZOO.parent) not in str(facts) and "/there" not in str(facts)


def test_what_no_command_can_name_is_said() -> None:
    class Table(sim.Strategy):
        """Has an array."""

        table: np.ndarray = np.zeros(2)
        compiled = False

        def bid(self, view) -> int:
            return 0

        def play(self, view) -> int:
            return 0

    assert run_command(manifest((Table, Table(table=np.ones(2)))), "again").startswith("# played from Python")


def test_an_unfinished_run_says_how_much_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cut_short(tmp_path / "half", random_self(), monkeypatch, after=3)
    facts = facts_of(sim.open_run(tmp_path / "half"), "asks", ("--code",))
    assert facts.so_far == "so far 3 of 8 shards"
    assert facts.commands[1] == "backalley report half --notebook asks --code"


def test_it_tells_rules_that_are_not_the_standard_ones() -> None:
    rows = dict(facts_of(Run(Path("r"), manifest(("counter", "bold"), rules=SHORT)), "asks").rows)
    assert rows["rules"] == (
        "hand_sizes = 2, 1; max_redeals = 3 (standard 20); blooper_partner = free (standard forced); "
        "little_blooper_forces = False (standard True)"
    )
    assert dict(facts_of(Run(Path("r"), manifest(("counter", "bold"))), "asks").rows)["rules"] == "the standard ones"
