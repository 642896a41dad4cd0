"""The command line: what it prints where, what it refuses, and with which exit code it ends."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from sim.cli import RULE_HELP, TOURNAMENT_KEYS, backalley

ROOT = Path(__file__).parents[1]
ZOO = ROOT / "tests" / "arena" / "zoo.py"
QUICK = ("--hand-sizes", "3,1,2", "--seed", "7")


def call(*arguments: object) -> Result:
    return CliRunner().invoke(backalley, [str(argument) for argument in arguments])


def refused(*arguments: object, code: int = 2) -> str:
    """Return the error of a call that must fail with a few plain lines."""
    result = call(*arguments)
    assert result.exit_code == code, result.output
    assert result.stdout == "" and "Traceback" not in result.stderr
    error = result.stderr[result.stderr.index("error: ") :]
    assert len(error.splitlines()) <= 7
    return error


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "self"
    result = call("run", "--strategies", "random_legal", "--format", "self", "--matches", 64, "--out", folder, *QUICK)
    assert result.exit_code == 0, result.output
    (folder.parent / "out.txt").write_text(result.stdout)
    (folder.parent / "err.txt").write_text(result.stderr)
    return folder


def test_run_prints_the_league_and_says_what_next_on_standard_error(run: Path) -> None:
    out, err = ((run.parent / name).read_text() for name in ("out.txt", "err.txt"))
    assert "seed 7: self, one pairing of 64 matches" in out and "random_legal" in out
    assert f"backalley verify {run}" in err and "64 of 64 matches" in err
    assert call("league", run).stdout == out


def test_league_prints_json_too(run: Path) -> None:
    said = json.loads(call("league", run, "--json").stdout)
    assert said["standings"][0]["strategy"] == "random_legal"
    assert said["standings"][0]["margin"] == {"mean": 0, "low": 0, "high": 0}


def test_status_says_what_is_there(run: Path) -> None:
    assert ": complete\n1 of 1 shards, 64 matches\n0 faults, 0 stalled deals, 0.0" in call("status", run).stdout
    assert json.loads(call("status", run, "--json").stdout)["state"] == "complete"


def test_resume_of_a_complete_run_says_so(run: Path) -> None:
    result = call("resume", run)
    assert result.exit_code == 0 and "nothing is missing" in result.stderr


def test_options_override_the_file(tmp_path: Path) -> None:
    config = tmp_path / "t.toml"
    config.write_text(
        '[tournament]\nstrategies = ["random_legal"]\nformat = "self"\nmatches = 200\nseed = 1\n'
        '[rules]\nhand_sizes = [2]\nblooper_partner = "free"\n'
    )
    out = tmp_path / "run"
    options = ("--matches", 6, "--no-duplicate", "--hand-sizes", "1,2", "--no-little-blooper-forces", "--json")
    result = call("run", config, *options, "--out", out)
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["matches"] == 6
    manifest = json.loads((out / "run.json").read_text())
    assert {key: manifest["tournament"][key] for key in ("matches", "duplicate", "seed")} == {
        "matches": 6, "duplicate": False, "seed": 1,
    }  # fmt: skip
    rules = manifest["rules"]
    assert (rules["hand_sizes"], rules["blooper_partner"], rules["little_blooper_forces"]) == ([1, 2], "free", False)


def test_every_key_of_the_file_is_an_option() -> None:
    options = {option for parameter in backalley.commands["run"].params for option in parameter.opts}
    assert {"--" + key.replace("_", "-") for key in (*TOURNAMENT_KEYS, *RULE_HELP)} <= options


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run"], "no strategies: give at least two"),
        (["run", "--strategies", "countr,random_legal"], "unknown strategy 'countr'"),
        (["run", "--strategies", "random_legal:deep=3,random_legal"], "has no parameter 'deep'"),
        (["run", "--strategies", "random_legal"], "needs at least two strategies"),
        (["run", "--strategies", "random_legal", "--format", "self", "--matches", "7"], "must be even when duplicate"),
        (["run", "--strategies", "random_legal", "--hand-sizes", "3;2"], "--hand-sizes 3;2 is refused"),
        (["run", "--strategies", "random_legal", "--hand-sizes", "3,14"], "deal 2 has 14 cards a player, which"),
        (["run", "--strategies", "random_legal,passer,"], "names no strategy before, between or behind its commas"),
        (["run", "--strategies", "random_legal,passer", "--out", ""], "out = '' names no folder"),
        (
            ["run", "--strategies", "random_legal,passer", "--jobs", "-7"],
            "jobs = -7 is refused: it must be a number of",
        ),
        (["run", "--strategies", "random_legal,passer", "--memory-limit", "1"], "memory_limit = 1 is refused"),
        (["compare", "random_legal", "passer", "--out", ""], "out = '' names no folder"),
        (["compare", "random_legal", "passer", "--jobs", "-7"], "jobs = -7 is refused"),
        (["compare", "random_legal", "passer", "--memory-limit", "1"], "memory_limit = 1 is refused"),
        (["run", "--strategies", "random_legal", "--jobs", "0", "--format", "self"], "jobs = 0 is refused"),
        (["run", "nowhere.toml"], "cannot read nowhere.toml"),
        (["league", "nowhere"], "there is no run in"),
        (["status", "nowhere"], "there is no run in"),
        (["resume", "nowhere"], "there is no run in"),
        (["league", __file__], "is a file: a run is a folder\ngive the folder of a run, such as data/runs/a"),
        (["strategies", "show", "nobody"], "unknown strategy 'nobody'"),
    ],
    ids=lambda value: " ".join(value)[:60] if isinstance(value, list) else "",
)
def test_what_is_wrong_before_the_first_match_ends_with_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert message in refused(*arguments)
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_key_of_the_file_is_named_with_a_near_one(tmp_path: Path) -> None:
    (tmp_path / "t.toml").write_text('[tournament]\nstrategy = ["a"]\n')
    assert "unknown key 'strategy' in [tournament]: did you mean 'strategies'?" in refused("run", tmp_path / "t.toml")


def test_a_folder_in_use_ends_with_2(run: Path) -> None:
    same = ("run", "--strategies", "random_legal", "--format", "self", "--matches", 64, "--out", run, *QUICK)
    assert "holds this run already, complete" in refused(*same)
    assert "holds another run" in refused(*same, "--seed", 8)


def test_a_fault_in_play_ends_with_1(tmp_path: Path) -> None:
    strategies = f"{ZOO}:Boaster,{ZOO}:Tame"
    error = refused("run", "--strategies", strategies, "--out", tmp_path / "run", *QUICK, code=1)
    assert "boaster" in error and "shards are finished and kept in" in error


def test_debug_shows_the_error_as_it_was_raised() -> None:
    assert type(call("--debug", "league", "nowhere").exception).__name__ == "RunError"


def test_rules_prints_the_rules_page() -> None:
    assert call("rules").stdout == (ROOT / "sim" / "RULES.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("arguments", [["strategies"], ["strategies", "list"]])
def test_strategies_lists_the_library(arguments: list[str]) -> None:
    listed = call(*arguments).stdout.splitlines()
    assert listed[0].split() == ["strategy", "from", "parameters", "compiled", "idea"]
    assert any(line.startswith("random_legal ") and "Picks evenly" in line for line in listed)


def test_strategies_list_names_plug_ins_with_their_distribution(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    points = "timid = tests.arena.zoo:Tame\ngone = tests.arena.zoo:Gone\npasser = tests.arena.zoo:Tame\n"
    (tmp_path / "theirs-1.2.dist-info").mkdir()
    (tmp_path / "theirs-1.2.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.2\n")
    (tmp_path / "theirs-1.2.dist-info" / "entry_points.txt").write_text(f"[backalley.strategies]\n{points}")
    monkeypatch.syspath_prepend(str(tmp_path))
    lines = {line.split()[0]: line.split(None, 1)[1] for line in call("strategies", "list").stdout.splitlines()}
    assert lines["timid"].split() == ["theirs", "1.2", "rare=500", "no", "Does", "nothing", "wrong."]
    assert "the entry point gone (tests.arena.zoo:Gone) cannot be loaded: AttributeError" in lines["gone"]
    assert lines["passer"].startswith("library ")


def test_strategies_show_tells_all_of_one() -> None:
    shown = call("strategies", "show", f"{ZOO}:Tame:rare=3").stdout
    assert "tame:rare=3" in shown and "Does nothing wrong." in shown
    assert "parameters: rare=3" in shown and "played: interpreted" in shown and f"source: {ZOO}" in shown


@pytest.mark.parametrize("name", backalley.commands)
def test_every_verb_explains_itself_with_an_example(name: str) -> None:
    lines = call(name, "--help").stdout.splitlines()
    assert backalley.commands[name].help
    assert name == "rules" or any(line.startswith(f"    backalley {name}") for line in lines)


def test_help_does_not_wait_for_numba_or_polars() -> None:
    script = "import sys, sim.cli; print([name for name in ('numba', 'polars', 'duckdb') if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True).stdout == "[]\n"


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_keeps_what_is_finished_and_ends_with_its_code(tmp_path: Path, number: signal.Signals) -> None:
    out = tmp_path / "run"
    arguments = ["--strategies", f"{ZOO}:Sleeper", "--format", "self", "--matches", "4000", "--shard-shuffles", "1"]
    command = [sys.executable, "-m", "sim.cli", "run", *arguments, "--out", str(out), *QUICK]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) as process:
        while not (out / "matches").is_dir() or not os.listdir(out / "matches"):
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(number)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert f"stopped by {number.name}" in err and f"go on with: backalley resume {out}" in err
    assert sorted(path.name for path in out.iterdir()) == ["deals", "matches", "run.json", "tmp", "tricks"]
    assert call("status", out).stdout.split("\n")[0].endswith(": interrupted")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_in_the_middle_of_an_import_ends_at_once_with_its_code(number: signal.Signals, tmp_path: Path) -> None:
    hit = f"    os.kill(os.getpid(), {int(number)})"
    lines = ("import os, time", "try:", hit, "    time.sleep(9)", "except BaseException:", "    os.abort()")
    (tmp_path / "duckdb.py").write_text("\n".join(lines))
    environment = os.environ | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{os.getcwd()}"}
    done = subprocess.run(
        [sys.executable, "-m", "sim.cli", "league", "data/sample"], env=environment, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (128 + number, f"stopped by {number.name}\n")
