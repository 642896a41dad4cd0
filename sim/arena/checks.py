"""The checks of the conformance kit, one function each: what they look at, and what they say.

In which order they are gone through, and what comes of it, is in `check`.
"""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random

import cloudpickle

from ..errors import StrategyFault
from ..game.house import Rules
from ..players import registry
from ..players.compile import entry_of
from ..players.strategy import Strategy, family
from . import chance
from .apart import Testimony, play_apart
from .counter_example import CounterExample, answer_in_words, at_decision, seat_in_words
from .hidden import peeks
from .notes import Notes, is_own, play_all
from .shard import Play
from .trials import Trial, trials
from .witness import Asked, alike

LIMIT = 300.0
"""Seconds that the process apart may take, to compile and to play."""


class Failed(Exception):
    """A check has failed: a line on it, and the counter-example if there is one."""

    def __init__(self, said: str, counter_example: CounterExample | None = None) -> None:
        super().__init__(said)
        self.said, self.counter_example = said, counter_example


@dataclass
class Subject:
    """The strategy that is tried, its matches, and what was seen of it in the process apart."""

    strategy: Strategy
    deals: int
    seed: int
    trials: list[Trial] = field(init=False)
    attributes: dict[str, object] = field(init=False)
    seen: Testimony = field(default_factory=Testimony)

    def __post_init__(self) -> None:
        self.trials = trials(self.strategy, self.deals, self.seed)
        self.attributes = class_attributes(self.strategy)

    @cached_property
    def own(self) -> list[int]:
        """The places of its own decisions among those seen."""
        return [place for place, decision in enumerate(self.seen.decisions) if is_own(self.trials, decision)]

    def at(self, place: int, *lines: str) -> CounterExample:
        """Return the counter-example that a decision is."""
        seen = self.seen.decisions
        who = f"{self.strategy.label} ({registry.class_path(type(self.strategy))}), {seat_in_words(seen[place])}"
        return at_decision(self.trials, seen, place, (who, *lines))


def loads(subject: Subject) -> str:
    """Check that it compiles, or is interpreted by choice."""
    entry_of(subject.strategy)
    return "compiled" if subject.strategy.compiled else "interpreted, by its own choice"


def bounds(subject: Subject) -> str:
    """Check, array bounds checked, that it reads past no array, and that its process lives."""
    subject.seen = seen = play_apart(subject.trials, LIMIT)
    last = len(seen.decisions) - 1
    if seen.ended:
        raise Failed(seen.ended, subject.at(last, "gave no answer") if last >= 0 else None)
    if seen.fault and subject.strategy.compiled and "raised IndexError" in str(seen.fault):
        raise Failed("it reads past the end of an array or a tuple", subject.at(last, *seen.fault.args[2:3]))
    return "reads past no array, in a process apart"


def legal(subject: Subject) -> str:
    """Check that every bid and card is legal, under all house rules."""
    seen = subject.seen
    if seen.fault:
        last = len(seen.decisions) - 1
        raise Failed(seen.fault.args[0].rpartition(": ")[2], subject.at(last, *seen.fault.args[2:3]))
    return f"{len(subject.own):,} decisions in {len(subject.trials):,} matches under as many house rules"


def chances(subject: Subject) -> str:
    """Check that it leaves the global generators of random numbers alone."""
    if subject.seen.drew:
        _find_draw(subject)
    return "draws from view.random alone"


def _find_draw(subject: Subject) -> None:
    asked, before = Asked(subject.strategy), chance.states()
    for place in subject.own:
        asked(subject.seen.decisions[place].view)
        after = chance.states()
        for name, one, two in zip(chance.GENERATORS, before, after, strict=True):
            if one != two:
                raise Failed(f"it uses the global generator of {name}", subject.at(place, f"used {name}"))
    raise Failed("it uses a global generator of random numbers")


def repeats(subject: Subject) -> str:
    """Check that in another process the same seed makes the same moves."""
    notes = Notes()
    play_all(subject.trials, notes)
    for place, (one, two) in enumerate(zip(subject.seen.decisions, notes.decisions, strict=False)):
        if one != two:
            raise Failed("same seed, other moves", _differs(subject, place, two.answer, "in another process"))
    return "same seed, same moves, in another process"


def blind(subject: Subject) -> str:
    """Check that it decides the same whatever the cards it has not seen."""
    hands = max(subject.deals // 10, 13)
    try:
        for example in peeks(subject.strategy, hands, subject.seed):
            raise Failed("it decides by cards that it has not seen", example)
    except StrategyFault as fault:
        raise Failed(", ".join(fault.args)) from fault
    return f"{hands} hands again with other hidden cards, same decisions"


def state(subject: Subject) -> str:
    """Check that it keeps nothing from one decision to the next: asked in another order, it answers the same."""
    order = subject.own.copy()
    Random(subject.seed).shuffle(order)
    _ask_again(subject, Asked(_fresh(subject.strategy)), order, "when asked by itself, in another order")
    now = class_attributes(subject.strategy)
    for name, value in subject.attributes.items():
        if now.get(name) != value:
            raise Failed(f"it changes {name}, an attribute of its class")
    return "decides by the view alone: same answers in another order"


def twin(subject: Subject) -> str:
    """Check that it decides the same compiled and interpreted."""
    if not subject.strategy.compiled:
        return "is interpreted anyway"
    _ask_again(subject, Asked(alike(subject.strategy)), subject.own, "when interpreted")
    return "same decisions compiled and interpreted"


def speed(subject: Subject) -> str:
    """Take the time of a decision, the engine's part included. It never fails."""
    plan = replace(subject.trials[0].plan, rules=Rules(hand_sizes=(7,)), pairings=(((0, 0), (0, 0)),))
    matches, taken = 1, 0.0
    while taken < 0.05:
        play, matches = Play(plan, 0, 2 * matches), 2 * matches
        began = time.process_time()
        play.run()
        taken = time.process_time() - began
    bids_and_cards = matches * 4 * (1 + 7)
    return f"{taken / bids_and_cards * 1e6:,.2f} µs a decision, the engine's part included"


CHECKS: tuple[Callable[[Subject], str], ...] = (
    loads, bounds, legal, chances, repeats, blind, state, twin, speed,
)  # fmt: skip


def _ask_again(subject: Subject, asked: Asked, places: Iterable[int], how: str) -> None:
    for place in places:
        decision = subject.seen.decisions[place]
        if (answer := asked(decision.view)) != decision.answer:
            raise Failed(f"it answers otherwise {how}", _differs(subject, place, answer, how))


def _differs(subject: Subject, place: int, answer: int | None, how: str) -> CounterExample:
    decision = subject.seen.decisions[place]
    one, two = (answer_in_words(a, bidding=decision.get("trick") == 0) for a in (decision.answer, answer))
    return subject.at(place, f"chose {one}, and {two} {how}")


def _fresh(strategy: Strategy) -> Strategy:
    return type(strategy)(**strategy.parameters)


def class_attributes(strategy: Strategy) -> dict[str, object]:
    """Return the content of what a strategy's class and its bases hold, methods apart, by name."""
    held = {}
    for base in family(type(strategy)):
        for name, value in vars(base).items():
            if not name.startswith("__") and not callable(value):
                try:
                    held[f"{base.__name__}.{name}"] = cloudpickle.dumps(value)
                except Exception:
                    held[f"{base.__name__}.{name}"] = value
    return held
