"""What goes wrong in play: the reason, who, where, what was legal, and the exception of a compiled method too."""

import pytest

import sim
from sim.arena import engine
from sim.arena.shard import Play
from sim.errors import StrategyFault
from tests.players.kit import Passer


class Bidder(Passer):
    first: int = 0

    def bid(self, view):
        return min(1, view.hand_size - 1) if view.hand_size > 1 else sim.BOARD


def out_of_range(self, view):
    return view.bids[view.seat + 4]  # here


def divides_by_zero(self, view):
    return 10 // (view.trick - view.trick)  # here


@sim.helper
def fail(view):
    if view.hand:
        raise ValueError("no card is good enough")
    return 0


def raises(self, view):
    return 0 if view.hand == 0 else fail(view)  # here


def not_held(self, view):
    return sim.cards.lowest(sim.cards.ALL & ~view.hand)


def out_of_the_pack(self, view):
    return 54


def negative(self, view):
    return -1


def revokes(self, view):
    barred = view.hand & ~view.legal
    return sim.cards.lowest(barred if barred and view.position else view.legal)


def fault_of(method, name, compiled):
    strategy = type("Faulty", (Bidder,), {name: method, "compiled": compiled})
    plan = sim.Tournament(strategies=[strategy], format="self", matches=2, seed=3).plan()
    with pytest.raises(StrategyFault) as fault:
        Play(plan, 0, 2).run()
    lines = str(fault.value).splitlines()
    assert len(lines) <= 6 and lines[0].startswith("faulty (") and "deal 1" in lines[1]
    return lines


@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "interpreted"])
@pytest.mark.parametrize("name", ["bid", "play"])
@pytest.mark.parametrize(
    "method, words",
    [
        (out_of_range, "it raised IndexError: tuple index out of range"),
        (divides_by_zero, "it raised ZeroDivisionError: integer division or modulo by zero"),
        (raises, "it raised ValueError: no card is good enough"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_an_exception_is_named_with_its_line(method, words, name, compiled):
    lines = fault_of(method, name, compiled)
    assert lines[0].endswith(": raised") and words in lines[2]
    line = (fail if method is raises else method).__code__.co_firstlineno + (3 if method is raises else 1)
    assert f"{__file__}, line {line}" in lines[2]


@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "interpreted"])
@pytest.mark.parametrize(
    "method, reason",
    [(not_held, "card-not-held"), (out_of_the_pack, "card-not-held"), (negative, "card-not-held"), (revokes, "revoke")],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_an_illegal_card_is_named_with_what_was_legal(method, reason, compiled):
    lines = fault_of(method, "play", compiled)
    assert lines[0].endswith(f": {reason}") and "trick 1" in lines[1]
    assert lines[2].startswith("it returned ") and lines[3].startswith("legal was ")


def test_the_engine_compiles_once_whatever_the_line_up():
    line_ups = (
        [Bidder],
        [Bidder(first=1), "random_legal"],
        [type("Slow", (Bidder,), {"compiled": False}), "random_legal"],
    )
    for strategies in line_ups:
        for rules in (sim.Rules(), sim.Rules(hand_sizes=[3, 1, 2], joker_turned="burn")):
            for duplicate in (True, False):
                tournament = sim.Tournament(
                    strategies=strategies,
                    format="self" if len(strategies) == 1 else "round-robin",
                    matches=2,
                    seed=1,
                    rules=rules,
                    duplicate=duplicate,
                    on_fault="forfeit",
                )
                Play(tournament.plan(), 0, 2).run()
    assert len(engine.play_matches.signatures) == 1
