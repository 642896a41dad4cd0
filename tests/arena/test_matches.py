"""Whole matches under every house setting: the referee plays each again, and every stored field is as it must be."""

from dataclasses import fields
from random import Random

import pytest

from sim.arena.finding import Finding, Rows
from sim.arena.match_checks import check_schedule
from sim.arena.plan import Plan
from sim.arena.replay import replay
from sim.arena.schema import TABLES
from sim.arena.verify import check_rows
from sim.game.house import CHOICES, RANGES, Rules
from tests.arena.fellows import Claimer, Passer, Steady
from tests.arena.rows import Tables, plan_of, tables_of

SETTINGS = {name: CHOICES.get(name, RANGES.get(name, (False, True))) for name in (f.name for f in fields(Rules))}


def rule_sets(count: int) -> list[Rules]:
    """Return house rules drawn from a fixed seed, the choices and the ends of each range taken in turn."""
    random = Random(1862)
    drawn = []
    for turn in range(count):
        values = {name: choices[(turn + random.randrange(2)) % len(choices)] for name, choices in SETTINGS.items()}
        sizes = [random.randint(1, 13) for _ in range(random.randint(1, 6))]
        drawn.append(Rules(**values | {"hand_sizes": sizes, "max_redeals": random.choice((1, 2, 20, 250))}))
    return drawn


RULE_SETS = rule_sets(36)


def test_the_rule_sets_have_every_value_of_every_setting() -> None:
    for name, choices in SETTINGS.items():
        if name not in ("hand_sizes", "max_redeals"):
            assert {getattr(rules, name) for rules in RULE_SETS} == set(choices)
    assert {size for rules in RULE_SETS for size in rules.hand_sizes} == set(range(1, 14))


def findings(plan: Plan, tables: Tables) -> list[Finding]:
    rows = {table: Rows(table, tables[table], plan.labels) for table in TABLES}
    matches = tables["matches"]["match_id"].to_list()
    return [*check_schedule(rows["matches"], plan, 0), *check_rows(**rows, plan=plan), *replay(tables, plan, matches)]


@pytest.mark.parametrize("rules", RULE_SETS, ids=[f"rules {n}" for n in range(len(RULE_SETS))])
def test_the_referee_finds_no_fault_under_any_house_rules(rules: Rules) -> None:
    plan = plan_of("random_legal", format="self", rules=rules, matches=24)
    assert findings(plan, tables_of(plan)) == []


def test_the_referee_finds_no_fault_in_a_field_of_several() -> None:
    plan = plan_of("random_legal", Steady, Claimer, (Passer, Steady(less=0)), matches=40)
    assert findings(plan, tables_of(plan)) == []


def test_the_referee_finds_no_fault_in_whole_standard_matches() -> None:
    plan = plan_of("random_legal", Steady, rules=Rules(), matches=10)
    assert findings(plan, tables_of(plan)) == []
