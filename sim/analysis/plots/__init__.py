"""Pictures of a run: ``sim.plots``. Each takes a result of ours or a table as SQL gives it, and returns a `Picture`.

`names` is the list of all sides and strategies of a report: a name looks the same in each picture that is given it.
"""

from .bidding import bids
from .board_risk import board_break_even, board_failures, board_pairs, board_spread
from .boards import board_facts, board_hands, board_rates
from .contracts import calibration, make_rates
from .distributions import distribution
from .forest import league, strengths
from .layout import basis
from .meetings import pairings, ranks
from .picture import Picture
from .points import points_by_source
from .running import running_margin

__all__ = [
    "Picture",
    "basis",
    "bids",
    "board_break_even",
    "board_facts",
    "board_failures",
    "board_hands",
    "board_pairs",
    "board_rates",
    "board_spread",
    "calibration",
    "distribution",
    "league",
    "make_rates",
    "pairings",
    "points_by_source",
    "ranks",
    "running_margin",
    "strengths",
]
