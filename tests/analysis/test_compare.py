"""Comparisons that are played: the same for any number of jobs, mirrored, reproducible, said in plain words."""

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner

import sim
from sim.analysis.compare import Comparison, compare
from sim.analysis.pairings import pairing_table
from sim.analysis.samples import samples
from sim.commands.compare import compare as verb
from sim.errors import ConfigError, RunError, SpecError, StrategyFault
from tests.arena.fellows import Careless, Passer, Steady
from tests.arena.zoo import Hoarder, Killer, Leaver, Looper, Spinner, Tame

RULES = sim.Rules(hand_sizes=[5, 4, 3])
SMALL = {"budget": 4000, "batch": 200, "seed": 7, "rules": RULES}


@pytest.fixture(scope="module")
def found() -> Comparison:
    return compare(Steady(), "random_legal", difference=3, **SMALL)


def test_a_player_who_counts_beats_chance(found: Comparison) -> None:
    assert found.verdict == "better"
    assert 0 < found.margin.low < found.margin.mean < found.margin.high
    assert found.matches == 2 * found.shuffles and found.shuffles % 100 == 0


@pytest.mark.slow
def test_the_number_of_jobs_does_not_matter(found: Comparison) -> None:
    assert compare(Steady(), "random_legal", difference=3, **SMALL, jobs=2) == found
    near = {"difference": 2, "budget": 3000, "batch": 400, "seed": 1, "rules": RULES}
    assert compare("random_legal", "random_legal", **near) == compare("random_legal", "random_legal", **near, jobs=2)


def test_b_against_a_mirrors_a_against_b(found: Comparison) -> None:
    back = compare("random_legal", Steady(), difference=3, **SMALL)
    assert (back.first, back.second, back.verdict) == ("random_legal", "steady", "worse")
    assert back.outcome == found.outcome.mirrored()
    assert back.run_id == found.run_id


def test_what_is_stored_are_the_same_matches(found: Comparison, tmp_path: Path) -> None:
    again = compare(Steady(), "random_legal", difference=3, **SMALL, out=tmp_path / "run")
    run = sim.open_run(tmp_path / "run")
    with pytest.raises(RunError, match="holds a run already"):
        compare(Steady(), "random_legal", out=tmp_path / "run")
    assert again == found and run.manifest["run_id"] == found.run_id
    cell = pairing_table(samples(run)).cell("steady", "random_legal")
    assert cell is not None
    assert (cell.margin.mean, cell.shuffles) == (found.margin.mean, found.shuffles)


def test_equals_without_chance_are_undecided() -> None:
    level = compare(Steady(), Steady(), budget=400, batch=100, seed=1, rules=RULES)
    assert level.verdict == "undecided" and level.margin.mean == 0 and level.deviation == 0
    assert "every shuffle has the same margin" in level.to_text()
    assert level.to_dict()["margin"] == {"mean": 0.0, "low": None, "high": None}


def test_a_spent_budget_is_undecided() -> None:
    found = compare("random_legal", "random_legal", difference=0.01, budget=130, batch=100, seed=1, rules=RULES)
    assert (found.verdict, found.matches) == ("undecided", 130)
    assert "the budget is spent" in found.to_text()


def test_partners_are_sides_too() -> None:
    found = compare("random_legal", (Steady(), Passer()), budget=100, batch=100, seed=1, rules=RULES)
    assert found.second == "steady+passer"


def test_it_says_all_that_makes_it_again(found: Comparison) -> None:
    text = found.to_text()
    assert text.startswith("steady against random_legal: better\n")
    assert "(95 %)" in text and "seed 7" in text and found.run_id in text
    assert found.command.endswith("--budget 4000 --batch 200 --seed 7 --hand-sizes 5,4,3")
    said = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert said["verdict"] == "better" and said["budget"] == 4000 and said["shuffles"] == found.shuffles


def test_a_drawn_seed_is_told() -> None:
    found = compare("random_legal", "random_legal", budget=64, rules=RULES)
    assert f"--seed {found.seed}" in found.command
    assert compare("random_legal", "random_legal", budget=64, rules=RULES).seed != found.seed


@pytest.mark.parametrize(
    "wrong",
    [
        {"budget": 3},
        {"budget": 0},
        {"batch": 7},
        {"jobs": 0},
        {"jobs": -7},
        {"time_limit": 0},
        {"seed": -1},
        {"difference": 0},
        {"alpha": 2},
    ],
)
def test_what_makes_no_sense_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match="refused"):
        compare("random_legal", "random_legal", **({"rules": RULES} | wrong))


def test_two_strategies_of_one_label_are_not_taken_for_one() -> None:
    class Passer(Steady):
        """Another of that name."""

    with pytest.raises(ConfigError, match="have the label passer"):
        compare(Passer(), globals()["Passer"](), rules=RULES)


def test_faults_end_it() -> None:
    with pytest.raises(StrategyFault, match="careless"):
        compare(Careless(), Passer(), budget=64, seed=1, rules=RULES)
    with pytest.raises(StrategyFault, match="SystemExit"):
        compare(Leaver(rare=3), Passer(), budget=64, seed=1, rules=RULES)
    with pytest.raises(SpecError, match="random_legal"):
        compare("random_lega", "random_legal")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("player", "limits", "cause", "where", "jobs"),
    [
        (Looper(rare=3), {"time_limit": 2}, "shard 0 took more than its time limit of 2 s", "zoo.py, line", 1),
        (Spinner(rare=3), {"time_limit": 2}, "shard 0 took more than its time limit of 2 s", "", 2),
        (
            Hoarder(rare=3),
            {"memory_limit": 500},
            "shard 0 took more than a worker's memory limit of 500 MB",
            "zoo.py",
            2,
        ),
        (Killer(rare=3), {}, "the worker process that played shard 0 died, and so did the next one", "", 1),
    ],
)
def test_who_hangs_or_takes_its_process_down_ends_it_and_is_named(
    player: sim.Strategy, limits: dict[str, int], cause: str, where: str, jobs: int
) -> None:
    with pytest.raises(StrategyFault) as caught:
        compare(player, Passer(), budget=4, batch=4, seed=1, rules=RULES, jobs=jobs, **limits)
    assert str(caught.value).startswith(cause)
    name = type(player).__name__
    assert f"{name.lower()}:rare=3 (tests.arena.zoo:{name})" in str(caught.value) and where in str(caught.value)


@pytest.mark.slow
def test_a_worker_that_dies_once_does_no_harm(tmp_path: Path) -> None:
    mark = tmp_path / "died"

    class Once(Tame):
        """Kills its process the first time."""

        def misbehave(self, view: sim.View) -> int:
            if not mark.exists():
                mark.touch()
                os._exit(1)
            return 0

    played = compare(Once(rare=3), "random_legal", budget=64, batch=32, seed=1, rules=RULES, jobs=2)
    assert mark.exists()
    again = compare(Once(rare=3), "random_legal", budget=64, batch=32, seed=1, rules=RULES)
    assert played.outcome == again.outcome


def test_the_verb_prints_text_or_json() -> None:
    words = ["random_legal", "random_legal", "--budget", "200", "--batch", "100", "--seed", "3"]
    said = CliRunner().invoke(verb, words)
    assert said.exit_code == 0 and "again with: backalley compare random_legal random_legal" in said.stdout
    told = json.loads(CliRunner().invoke(verb, [*words, "--json"]).stdout)
    assert told["seed"] == 3 and told["command"] in said.stdout


def test_the_live_line_tells_where_the_tests_stand(capsys: pytest.CaptureFixture[str]) -> None:
    compare("random_legal", "random_legal", budget=64, seed=1, rules=RULES, progress=True)
    told = capsys.readouterr()
    assert told.out == "" and "64 of 64 matches: margin" in told.err
    compare("random_legal", "random_legal", budget=64, seed=1, rules=RULES)
    assert capsys.readouterr().err == ""
