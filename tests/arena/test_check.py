"""The conformance kit: the library passes it, and what breaks the contract fails the check that says how."""

import json
from dataclasses import fields
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from sim.arena import checks
from sim.arena.check import Report, assert_conforms, check_strategy
from sim.arena.counter_example import after_moves, so_far
from sim.arena.hidden import moves_of
from sim.arena.trials import LINE_UPS, trials
from sim.cli import backalley
from sim.game.house import CHOICES, RANGES, Rules
from sim.game.record import Record, read_records
from sim.players import registry
from tests import generators
from tests.arena import offenders
from tests.game.golden import TEXT

QUICK = 120
FILE = offenders.__file__
UNFINISHED = TEXT.partition("3          West")[0].replace("played", "unfinished").replace("S  KH   West", "S  -    -")
Played = tuple[Record, Rules, list[int]]
NAMES = [check.__name__ for check in checks.CHECKS]


@pytest.mark.slow
@pytest.mark.parametrize("label", registry.library())
def test_the_library_conforms(label: str) -> None:
    assert_conforms(label, QUICK)


@pytest.mark.parametrize("innocent", [offenders.Cautious, offenders.Compiled, offenders.Searching])
def test_who_does_nothing_wrong_passes(innocent: type) -> None:
    report = check_strategy(innocent, QUICK)
    assert report.ok and report.failed is None and [v.check for v in report.verdicts] == NAMES


OFFENDERS = [
    (offenders.PastTheTuple, "bounds", "reads past the end of an array or a tuple"),
    (offenders.PastTheArray, "bounds", "reads past the end of an array or a tuple"),
    (offenders.Leaving, "bounds", "its process left with code 7"),
    (offenders.Devouring, "bounds", "it ran out of memory"),
    (offenders.Revoking, "legal", "revoke"),
    (offenders.Thirteen, "legal", "bid-illegal"),
    (offenders.Dicing, "chances", "global generator of random"),
    (offenders.Seeding, "chances", "global generator of numpy.random"),
    (offenders.CompiledDicing, "chances", "global generator of numpy.random, compiled"),
    (offenders.Clock, "repeats", "same seed, other moves"),
    (offenders.Hashing, "repeats", "same seed, other moves"),
    (offenders.Addresses, "repeats", "same seed, other moves"),
    (offenders.Unseeded, "repeats", "same seed, other moves"),
    (offenders.Peeking, "blind", "decides by cards that it has not seen"),
    (offenders.Counting, "state", "in another order"),
    (offenders.Remembering, "state", "in another order"),
    (offenders.Telling, "state", "in another order"),
    (offenders.Hoarding, "state", "changes Hoarding.seen"),
    (offenders.Wrapping, "twin", "when interpreted"),
    (offenders.Whole, "twin", "when interpreted"),
]


@pytest.mark.slow
@pytest.mark.parametrize("offender, check, said", OFFENDERS, ids=lambda value: getattr(value, "__name__", ""))
def test_who_breaks_the_contract_fails_the_check_that_says_how(offender: type, check: str, said: str) -> None:
    report = check_strategy(offender, QUICK)
    assert report.failed == check and said in report.verdicts[-1].said, report.to_text()
    if offender is not offenders.Hoarding:
        assert_shown(report)


def assert_shown(report: Report) -> None:
    """The counter-example is a text record that `show` reads and draws."""
    assert report.counter_example
    text = report.counter_example.to_text()
    assert report.to_text().endswith(text.rstrip())
    assert read_records(text) == [report.counter_example.record]
    shown = CliRunner().invoke(backalley, ["show", "-"], input=text)
    assert shown.exit_code == 0 and "The deal stops here." in shown.stdout


@pytest.mark.slow
def test_a_strategy_that_never_decides_is_stopped_and_its_view_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "LIMIT", 10.0)
    report = check_strategy(offenders.Looping, QUICK)
    assert report.failed == "bounds" and report.verdicts[-1].said == "it was at it for 10 s and was stopped"
    assert report.counter_example and report.counter_example.record.deal.hand_size == 7
    assert_shown(report)


def test_a_counter_example_says_who_did_what_and_what_was_legal() -> None:
    report = check_strategy(offenders.Thirteen, QUICK)
    assert report.counter_example
    who, what, where, legal, rules = report.counter_example.lines
    assert who.startswith("thirteen (tests.arena.offenders:Thirteen), ") and who.endswith(", bidding")
    assert what == "it returned 13"
    assert legal == "legal: pass (0), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, board (99)"
    assert where.startswith("deal 1 of 13, 12, 11, 10, 9 cards, attempt 1, seed 1") and rules.startswith("rules: ")


def test_the_matches_have_every_value_of_every_setting_every_hand_size_and_every_seat() -> None:
    tried = trials(registry.load("random_legal"), QUICK, 1)
    rules = [trial.plan.rules for trial in tried]
    for setting in (field.name for field in fields(Rules)):
        if setting not in ("hand_sizes", "max_redeals"):
            values = CHOICES.get(setting) or RANGES.get(setting) or (False, True)
            assert set(values) <= {getattr(each, setting) for each in rules}
    assert {size for each in rules for size in each.hand_sizes} == set(range(1, 14))
    assert {tuple(map(bool, trial.line_up)) for trial in tried} == {tuple(map(bool, seats)) for seats in LINE_UPS}


def test_the_matches_have_hands_thrown_in_no_trump_and_swaps() -> None:
    subject = checks.Subject(registry.load(offenders.Compiled), QUICK, 1)
    notes = checks.Notes()
    assert checks.play_all(subject.trials, notes) is None
    own = [decision for decision in notes.decisions if checks.is_own(subject.trials, decision)]
    assert max(decision.get("attempt") for decision in own) > 1
    assert {decision.get("trump") for decision in own} == {0, 1, 2, 3, 4}
    assert len({decision.get("swap_seat") for decision in own}) > 2


@pytest.mark.slow
def test_a_seed_makes_the_same_report() -> None:
    one, two = (check_strategy(offenders.Revoking, QUICK, seed=5) for _ in range(2))
    assert one.to_text() == two.to_text() != check_strategy(offenders.Revoking, QUICK, seed=6).to_text()


def test_assert_conforms_tells_what_check_strategy_reports() -> None:
    with pytest.raises(AssertionError, match=r"FAILED  legal .*(\n.*)*outcome    unfinished"):
        assert_conforms(offenders.Revoking, QUICK)


def call(*arguments: str) -> Result:
    return CliRunner().invoke(backalley, ["strategies", "check", *arguments])


def test_the_command_prints_a_line_a_check_and_ends_with_0() -> None:
    result = call("random_legal", "--deals", "40")
    assert result.exit_code == 0
    label, *lines = result.stdout.splitlines()
    assert label == "random_legal" and [line.split()[:2] for line in lines] == [["ok", name] for name in NAMES]


@pytest.mark.slow
def test_the_command_ends_with_1_and_the_counter_example() -> None:
    result = call(f"{FILE}:Thirteen", "--deals", "40")
    assert result.exit_code == 1
    assert result.stdout.startswith("thirteen\nok      loads ") and "\nFAILED  legal " in result.stdout
    assert result.stdout.endswith("outcome    unfinished\n")
    said = json.loads(call(f"{FILE}:Thirteen", "--deals", "40", "--json").stdout)
    assert not said["ok"] and read_records(said["counter_example"]) == read_records(result.stdout.partition("\n\n")[2])


@pytest.mark.parametrize("spec", ["nobody", f"{Path(offenders.__file__).with_name('fellows.py')}:Nobody"])
def test_the_command_ends_with_2_when_nothing_can_be_tried(spec: str) -> None:
    result = call(spec)
    assert result.exit_code == 2 and result.stdout == "" and result.stderr.startswith("error: ")


@given(generators.played_deals(), st.integers(0, 55))
def test_an_unfinished_record_survives_its_text_and_has_a_picture(played: Played, cut: int) -> None:
    record, rules, _ = played
    moves = moves_of(record)[1]
    unfinished = so_far(after_moves(record.deal, rules, moves[: min(cut, len(moves) - 1)]))
    text = unfinished.to_text()
    assert Record.from_text(text) == unfinished and Record.from_text(text).to_text() == text
    assert unfinished.pretty().endswith("The deal stops here.\n")


def test_what_is_not_yet_stands_only_at_the_end_of_an_unfinished_deal() -> None:
    assert Record.from_text(UNFINISHED).to_text() == UNFINISHED
    for old, new in (
        ("outcome    unfinished", "outcome    thrown-in"),
        ("East pass", "East -"),
        ("1          North BB", "1          North -"),
    ):
        with pytest.raises(ValueError, match="line"):
            Record.from_text(UNFINISHED.replace(old, new))
