"""The matches a strategy is tried in: a few deals each, under all house rules, in any of the seats.

How they are played is in `notes`, what is looked at in `checks`.
"""

from dataclasses import dataclass, fields
from random import Random
from typing import cast

import numpy as np

from ..game.cards import LITTLE_BLOOPER
from ..game.house import CHOICES, RANGES, Rules
from ..players import registry
from ..players.strategy import Strategy
from .decks import decks_of
from .plan import Plan

LineUp = tuple[int, int, int, int]

DEALS = 5
"""Deals in a match."""
LINE_UPS = ((0, 0, 0, 0), (0, 1, 0, 1), (1, 0, 1, 0), (0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0))
"""Who sits where, by seat: 0 the strategy that is tried, 1 the company it has in that match."""
COMPANY = ("random_legal", "passer")
"""By turns: one who does anything, and one with whom hands are thrown in."""
_FEW_REDEALS = (1, 2, 20)
_AMONG = 300


@dataclass(frozen=True)
class Trial:
    """One match: its plan, the shuffle it is played on, and by seat who plays, 0 being the strategy that is tried."""

    plan: Plan
    shuffle_id: int
    line_up: LineUp


def trials(strategy: Strategy, deals: int, seed: int) -> list[Trial]:
    """Return the matches of at least so many deals in which a strategy is tried, the same for a seed."""
    players = strategy, *map(registry.load, COMPANY)
    random = Random(seed)
    return [_trial(players, number, seed, random) for number in range(-(-deals // DEALS))]


def _trial(players: tuple[Strategy, ...], number: int, seed: int, random: Random) -> Trial:
    sizes = tuple(13 - (DEALS * number + place) % 13 for place in range(DEALS))
    company = 1 + number // len(LINE_UPS) % len(COMPANY)
    line_up = north, east, south, west = cast(
        LineUp, tuple(company * other for other in LINE_UPS[number % len(LINE_UPS)])
    )
    names = [player.label for player in players]
    plan = Plan(
        rules=some_rules(random, sizes),
        seed=seed,
        strategies=players,
        pairings=(((north, south), (east, west)),),
        pairing_names=((f"{names[north]}+{names[south]}", f"{names[east]}+{names[west]}"),),
        tables=1,
        shuffles=2**31,
        shard_shuffles=1,
        on_fault="stop",
    )
    return Trial(plan, _shuffle_with_a_joker(plan, number) if number % 2 else _AMONG * number, line_up)


def some_rules(random: Random, hand_sizes: tuple[int, ...]) -> Rules:
    """Return house rules at random: of a range its ends and the default, but few redeals."""
    drawn = {}
    for setting in fields(Rules):
        values: tuple[object, ...] = CHOICES.get(setting.name, (False, True))
        if setting.name in RANGES:
            values = (*RANGES[setting.name], setting.default)
        drawn[setting.name] = random.choice(_FEW_REDEALS if setting.name == "max_redeals" else values)
    return Rules(**drawn | {"hand_sizes": hand_sizes})  # type: ignore[arg-type]


def _shuffle_with_a_joker(plan: Plan, number: int) -> int:
    """Return a shuffle whose first deal turns a joker up."""
    ids = np.arange(_AMONG * number, _AMONG * (number + 1))
    decks, _ = decks_of(plan.seed, ids, np.ones_like(ids), np.ones_like(ids))
    turned = decks[:, 4 * plan.rules.hand_sizes[0]]
    return int(ids[np.argmax(turned >= LITTLE_BLOOPER)])
