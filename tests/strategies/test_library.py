"""What every strategy of the library must pass: found, explained, faultless, alike compiled and interpreted."""

import inspect

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim import Rules, Strategy, Tournament, View
from sim.arena.shard import play_shard
from sim.players import registry
from sim.players.strategy import fields
from tests import generators
from tests.strategies.library import LABELS, interpreted

SEEDS = st.integers(0, 2**63 - 1)
SIZES = st.lists(st.integers(1, 13), min_size=1, max_size=6)


def rows_of(*strategies: Strategy, **settings: object):
    """The rows of a tournament played as one shard."""
    plan = Tournament(strategies, shard_shuffles=1000, **settings).plan()
    return play_shard(plan, 0).columns


def assert_equal(one, other) -> None:
    for table, columns in one.items():
        for name, column in columns.items():
            assert np.array_equal(column, other[table][name]), f"{table}.{name}"


def test_the_library_is_there() -> None:
    assert {
        "random_legal", "passer", "counter", "cautious", "bold", "gambler", "doubler", "clockwatch"
    } <= set(LABELS)  # fmt: skip


@pytest.mark.parametrize("label", LABELS)
def test_is_found_by_its_label_and_explained(label: str) -> None:
    strategy = registry.load(label)
    assert strategy.label == label and strategy.compiled
    explanation = inspect.cleandoc(vars(type(strategy))["__doc__"])
    own = [name for name in fields(type(strategy)) if name in vars(type(strategy)).get("__annotations__", {})]
    inherited = [base for base in type(strategy).__mro__[1:] if set(own) & set(vars(base))]
    assert len(explanation) > 60
    assert inherited or all(f"{name} : " in explanation for name in own), "a parameter is not explained"


@pytest.mark.parametrize("label", LABELS)
@settings(max_examples=12, deadline=None)
@given(rules=generators.rules(hand_sizes=SIZES), seed=SEEDS)
def test_plays_hundreds_of_matches_without_a_fault_under_any_house_rules(label: str, rules: Rules, seed: int) -> None:
    field = [registry.load(name) for name in dict.fromkeys((label, "random_legal", "gambler"))]
    rows = rows_of(*field, matches=40, seed=seed, rules=rules)
    assert (rows["matches"]["fault"] == 255).all()


@pytest.mark.parametrize("label", LABELS)
@settings(max_examples=6, deadline=None)
@given(rules=generators.rules(hand_sizes=SIZES, max_redeals=st.integers(1, 20)), seed=SEEDS)
def test_decides_alike_compiled_and_interpreted(label: str, rules: Rules, seed: int) -> None:
    against = registry.load("random_legal")
    field = (registry.load(label), against) if label != against.label else (against,)
    form = "round-robin" if len(field) > 1 else "self"
    settings = {"format": form, "matches": 20, "seed": seed, "rules": rules}
    assert_equal(rows_of(*field, **settings), rows_of(interpreted(label), *field[1:], **settings))


@pytest.mark.parametrize("label", LABELS)
def test_decides_alike_compiled_and_interpreted_in_whole_matches_among_its_own(label: str) -> None:
    settings = {"format": "self", "matches": 10, "seed": 3}
    assert_equal(rows_of(registry.load(label), **settings), rows_of(interpreted(label), **settings))


@pytest.mark.parametrize("label", LABELS)
def test_plays_the_same_rows_from_the_same_seed(label: str) -> None:
    settings = {"format": "self", "matches": 200, "seed": 5}
    assert_equal(rows_of(registry.load(label), **settings), rows_of(type(registry.load(label))(), **settings))


@pytest.mark.parametrize("label", LABELS)
def test_decides_by_the_view_alone(label: str) -> None:
    asked: list[tuple[str, View, int]] = []

    class Recorded(type(registry.load(label))):
        compiled = False

        def bid(self, view):
            asked.append(("bid", view, strategy.bid(view)))
            return asked[-1][2]

        def play(self, view):
            asked.append(("play", view, strategy.play(view)))
            return asked[-1][2]

    strategy = interpreted(label)
    rows_of(Recorded(), format="self", matches=2, seed=9)
    assert len(asked) > 1500
    fresh = interpreted(label)
    assert all(getattr(fresh, method)(view) == decision for method, view, decision in reversed(asked))
