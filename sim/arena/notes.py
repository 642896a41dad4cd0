"""Trials played with every decision noted, and the way back from a decision to its hand."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..errors import StrategyFault
from ..game.record import Deal
from ..players.view import SLOTS
from .decks import deal_from, decks_of
from .shard import Play
from .trials import Trial
from .witness import Words, witness


class Decision(NamedTuple):
    """One decision of a trial: the view, and the answer as the engine gets it; None where none came."""

    trial: int
    view: Words
    answer: int | None

    def get(self, field: str) -> int:
        """Return a field of the view that is a plain number."""
        return self.view[SLOTS[field].start]


def deal_of(trial: Trial, decision: Decision) -> Deal:
    """Return the deal, all cards of it, that a decision was made in."""
    place = (np.array([number]) for number in (trial.shuffle_id, decision.get("deal"), decision.get("attempt")))
    decks, _ = decks_of(trial.plan.seed, *place)
    return deal_from(decks[0], decision.get("hand_size"), decision.get("dealer"))


def moves_before(decisions: Sequence[Decision], place: int) -> list[int]:
    """Return the bids and cards of a hand before the decision at a place of the list."""
    hand = _hand_of(decisions[place])
    start = place
    while start > 0 and _hand_of(decisions[start - 1]) == hand:
        start -= 1
    return [decision.answer for decision in decisions[start:place] if decision.answer is not None]


def _hand_of(decision: Decision) -> tuple[int, int, int]:
    return decision.trial, decision.get("deal"), decision.get("attempt")


def is_own(trials: Sequence[Trial], decision: Decision) -> bool:
    """Return whether a decision was made by the strategy that is tried."""
    return trials[decision.trial].line_up[decision.get("seat")] == 0


class Notes:
    """A list of decisions, as two witnesses tell of them."""

    def __init__(self) -> None:
        self.trial = 0
        self.decisions: list[Decision] = []

    def before(self, view: Words) -> None:
        """Note what a player is asked."""
        self.decisions.append(Decision(self.trial, view, None))

    def after(self, answer: int) -> None:
        """Note what the player answers."""
        self.decisions[-1] = self.decisions[-1]._replace(answer=answer)


def play_all(trials: Sequence[Trial], notes: Notes) -> StrategyFault | None:
    """Play matches, every decision noted, up to the first fault. Return the fault."""
    seated = tuple(witness(player, notes.before, notes.after) for player in trials[0].plan.strategies)
    for notes.trial, trial in enumerate(trials):
        play = Play(replace(trial.plan, strategies=seated), trial.shuffle_id, 1)
        try:
            play.run()
        except StrategyFault as fault:
            return fault
    return None
