"""What tests of the library share: its labels, its strategies interpreted, and the view at any point of a deal."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import strategies
from sim import Deal, Rules, Strategy, View
from sim.game.match import Match
from sim.game.referee import Table
from sim.players import registry
from sim.players.view import SLOTS
from tests.arena.onlooker import sight
from tests.players.kit import words_of

LABELS = sorted(path.stem for path in Path(strategies.__path__[0]).glob("*.py") if path.stem[0] != "_")


def interpreted(label: str) -> Strategy:
    """A strategy of the library as ordinary Python: the same class name, so the same label and chance."""
    of = type(registry.load(label))
    return type(of.__name__, (of,), {"compiled": False})()


def view_at(deal: Deal, moves: Sequence[int] = (), rules: Rules | None = None, **otherwise: Any) -> View:
    """What the player to act sees after four bids and some cards, or fewer moves, with some fields otherwise."""
    rules = Rules.from_dict((rules or Rules()).to_dict() | {"hand_sizes": [deal.hand_size]})
    table = Table(deal, rules)
    for move in moves:
        table.play(move) if len(table.bids) == 4 else table.bid(move)
    return View(tuple(words_of(**sight(table, Match(deal.dealer, rules)) | otherwise).tolist()))


def changed(view: View, **otherwise: Any) -> View:
    """The same view with some fields otherwise."""
    return View(tuple(words_of(**{name: getattr(view, name) for name in SLOTS} | otherwise).tolist()))
