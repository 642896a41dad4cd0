"""`backalley show` and `backalley verify`: what they print, and with which exit code they end."""

import json
import shutil
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner, Result

from sim.arena.run import Run
from sim.arena.runner import play
from sim.arena.tournament import Tournament
from sim.arena.verify import verify
from sim.cli import backalley
from sim.game.house import Rules
from sim.game.record import read_records
from tests.game.golden import PICTURE, TEXT

FELLOWS = Path(__file__).parents[1] / "arena" / "fellows.py"
SCORECARD = """\
Match 1: pairing 0, shuffle 0, table 1
NS: North claimer, South claimer
EW: East random_legal, West random_legal
First dealer: {dealer}
"""


def call(*arguments: object, stdin: str | None = None) -> Result:
    return CliRunner().invoke(backalley, [str(argument) for argument in arguments], input=stdin)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    settings = {"matches": 20, "seed": 4, "rules": Rules(hand_sizes=(3, 1, 1, 2))}
    return play(Tournament(["random_legal", f"{FELLOWS}:Claimer"], **settings), tmp_path_factory.mktemp("runs") / "run")


def test_verify_prints_what_it_looked_at_and_the_hashes(run: Run) -> None:
    result, found = call("verify", run.path), verify(run)
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        f"run {run.manifest['run_id']}: 1 of 1 shards",
        f"checked  20 matches, {found.deals} hands, 140 tricks: every row",
        "replayed 20 of 20 matches by the referee",
        *(f"{table:<8} {found.hashes[table]}" for table in ("matches", "deals", "tricks")),
        f"run      {found.run_hash}",
        "no fault",
    ]
    assert json.loads(call("verify", run.path, "--json").stdout) == found.to_dict()


def test_verify_ends_with_1_and_names_faults(run: Run, tmp_path: Path) -> None:
    shutil.copytree(run.path, copy := tmp_path / "copy")
    part = copy / "matches" / "part-00000.parquet"
    stamp = {key: value for key, value in pl.read_parquet_metadata(part).items() if key != "ARROW:schema"}
    pl.read_parquet(part).with_columns(ns_score=pl.lit(0, pl.Int32)).write_parquet(part, metadata=stamp)
    result = call("verify", copy)
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert "matches: match 0: ns_score is 0, must be " in lines[-21]
    assert lines[-1].startswith("and ") and lines[-1].endswith(" more")
    found = json.loads(call("verify", copy, "--json").stdout)
    assert (found["ok"], len(found["findings"]), found["faults"] > 20) == (False, 20, True)
    assert found["findings"][0]["rule"] == "S4"


def test_show_prints_the_scorecard_of_a_match(run: Run) -> None:
    shown = call("show", run.path, 1).stdout
    row = run.match_row(1)
    dealer = ("North", "East", "South", "West")[row["first_dealer"]]
    assert shown.startswith(SCORECARD.format(dealer=dealer))
    card = shown.splitlines()[5:-2]
    assert len(card) == 1 + len(run.match(1))
    assert card[-1].split()[-2:] == [f"{row['ns_score']:+}", f"{row['ew_score']:+}"]
    assert shown.splitlines()[-1] == f"{row['winner']} won: {row['ns_score']:+} to {row['ew_score']:+}"


def test_show_marks_thrown_in_hands_and_board_levels(tmp_path: Path) -> None:
    settings = {"matches": 2, "seed": 1, "rules": Rules(hand_sizes=(2, 1), max_redeals=2)}
    claims = Tournament([f"{FELLOWS}:Passer", f"{FELLOWS}:Claimer"], **settings)
    shown = call("show", play(claims, tmp_path / "claims").path, 0).stdout
    assert "board" in shown and "double" in shown
    passes = Tournament([f"{FELLOWS}:Passer"], format="self", **settings)
    lines = call("show", play(passes, tmp_path / "passes").path, 0).stdout.splitlines()
    assert [line.split()[-1] for line in lines[6:8]] == ["thrown-in", "stalled"]
    assert lines[-1] == "A tie: +0 to +0"


def test_show_says_how_a_match_was_forfeited(tmp_path: Path) -> None:
    tournament = Tournament([f"{FELLOWS}:Careless"], format="self", matches=2, seed=1, on_fault="forfeit")
    last = call("show", play(tournament, tmp_path / "run").path, 0).stdout.splitlines()[-1]
    assert last.startswith("Ended by a fault in deal 1: ") and last.endswith(("trump-led", "revoke", "forced-trump"))


def test_show_draws_one_deal(run: Run) -> None:
    record = run.deal(7, 4)
    assert call("show", run.path, 7, 4).stdout == record.pretty()
    assert call("show", run.path, 7, 4, "--text").stdout == record.to_text()


def test_the_text_of_a_match_is_read_back_and_drawn(run: Run, tmp_path: Path) -> None:
    text = call("show", run.path, 7, "--text").stdout
    assert text.startswith("# match 7, deal 1, attempt 1\ndealer ")
    assert read_records(text) == run.match(7)
    (tmp_path / "match.txt").write_text(text, encoding="utf-8")
    drawn = "\n".join(record.pretty() for record in run.match(7))
    assert call("show", tmp_path / "match.txt").stdout == drawn
    assert call("show", "-", stdin=text).stdout == drawn


def test_show_draws_a_record_from_anywhere() -> None:
    assert call("show", "-", stdin=TEXT).stdout == PICTURE
    assert call("show", "-", "--text", stdin="# from a bug report\n\n" + TEXT).stdout == TEXT


def test_what_cannot_be_shown_is_said(run: Run, tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("eggs\n")
    (tmp_path / "nothing.txt").write_text("# nothing\n")
    (tmp_path / "bytes.txt").write_bytes(b"dealer \xff")
    refusals = {
        (run.path,): f"which match? Give its number, such as: backalley show {run.path} 0",
        (run.path, 20): "there is no match 20: the run's matches are 0 to 19",
        (run.path, 2, 5): "match 2 has no deal 5: it has 1 to 4",
        (tmp_path, 1): f"there is no run in {tmp_path}: it has no run.json",
        (tmp_path / "none.txt",): f"cannot read {tmp_path / 'none.txt'}: No such file or directory",
        (tmp_path / "list.txt",): f"{tmp_path / 'list.txt'} is no file of text records: line 1, eggs: ",
        (tmp_path / "nothing.txt",): f"{tmp_path / 'nothing.txt'} holds no text record",
        (tmp_path / "bytes.txt",): f"{tmp_path / 'bytes.txt'} is no file of text records: 'utf-8' codec",
    }
    for arguments, error in refusals.items():
        result = call("show", *arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith(f"error: {error}")
