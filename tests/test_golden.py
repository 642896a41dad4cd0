"""Golden matches: what was played once is played again, by the referee line by line and by the engine from the seed."""

import re
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from sim.game.house import CHOICES, Rules
from sim.game.match import Match
from sim.game.record import Record, read_records
from sim.game.referee import Table
from tests.golden.make import FOLDER, VALUES, cases, matters, text_of

ROOT = Path(__file__).parents[1]
CASES = list(cases())
NAMES = [name for name, _, _ in CASES]


def read(name: str) -> tuple[dict[str, Any], list[Record]]:
    """Return a file's settings and result, and its hands."""
    text = (FOLDER / name).read_text(encoding="utf-8")
    told = "\n".join(line[2:] for line in text.partition("\n\n")[0].splitlines())
    return tomllib.loads(told), read_records(text)


@pytest.mark.parametrize("name", NAMES)
def test_the_referee_plays_it_line_by_line(name: str) -> None:
    told, hands = read(name)
    rules = Rules.from_dict({field.name: told[field.name] for field in fields(Rules)})
    match = Match(told["first_dealer"], rules)
    for hand in hands:
        assert (hand.deal.hand_size, hand.deal.dealer) == (match.hand_size, match.dealer)
        seen = play_again(hand, rules)
        assert match.enter(seen) == hand.outcome
        assert seen.to_text().replace("thrown-in", hand.outcome) == hand.to_text()
    assert (match.finished, match.score, match.winner) == (True, told["score"], told["winner"])


def play_again(hand: Record, rules: Rules) -> Record:
    """Play a hand at the referee's table, who leads and who wins compared trick by trick."""
    table = Table(hand.deal, rules)
    while len(table.bids) < 4:
        table.bid(hand.bids[table.to_act])
    for number, (leader, cards, winner) in enumerate(hand.tricks):
        assert table.leader == leader
        for card in cards:
            table.play(card)
        assert table.tricks[number].winner == winner
    return table.result()


@pytest.mark.parametrize(("name", "setting", "rules"), CASES, ids=NAMES)
def test_the_engine_plays_it_from_the_seed(name: str, setting: str, rules: Rules) -> None:
    seed = read(name)[0]["seed"]
    assert text_of(rules, seed) == (FOLDER / name).read_text(encoding="utf-8")
    assert matters(setting, rules, seed)


def test_every_house_setting_has_a_match_for_each_of_its_values() -> None:
    assert set(VALUES) == {field.name for field in fields(Rules)}
    for setting, values in VALUES.items():
        assert getattr(Rules(), setting) in values and len(values) > 1
        assert set(CHOICES.get(setting, values)) == set(values)
    assert sorted(NAMES) == sorted(path.name for path in FOLDER.glob("*.txt"))


def test_the_rules_page_names_the_same_settings_and_values() -> None:
    page = (ROOT / "sim" / "RULES.md").read_text(encoding="utf-8")
    listed = dict(re.findall(r"^\| `(\w+)` \|(.*)$", page, flags=re.MULTILINE))
    assert set(listed) == set(VALUES)
    for setting, values in CHOICES.items():
        assert re.findall(r'"([\w-]+)"', listed[setting])[1:] == list(values)
