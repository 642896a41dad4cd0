"""Back Alley: a laboratory for a partnership trick-taking game.

Strategies, notebooks and programs import from here alone. Names are looked up when they are first used, so that the
command line answers at once.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOME = {
    "BOARD": "game.record",
    "PASS": "game.record",
    "Deal": "game.record",
    "Record": "game.record",
    "Rules": "game.house",
    "helper": "game.helper",
    "Strategy": "players.strategy",
    "View": "players.view",
    "Tournament": "arena.tournament",
    "Run": "arena.run",
    "Report": "arena.check",
    "assert_conforms": "arena.check",
    "check_strategy": "arena.check",
    "compare": "analysis.compare",
    "connect": "analysis.query",
    "league": "analysis.league",
    "report": "analysis.report",
    "sample_run": "analysis.checkout",
    "open_run": "arena.run",
    "all_pairs": "analysis.allpairs",
    "controls": "analysis.controls",
    "duplicate_luck": "analysis.luck",
    "pairing_table": "analysis.pairings",
    "plan": "analysis.planning",
    "rank_shares": "analysis.ranks",
    "samples": "analysis.samples",
    "strengths": "analysis.strength",
    "with_intervals": "analysis.intervals",
    "plots": "analysis",
    "status": "arena.status",
    "verify": "arena.verify",
    "play": "arena.runner",
    "resume": "arena.runner",
    "play_deal": "arena.single",
    "cards": "game",
    "referee": "game",
    "errors": "",
}

if TYPE_CHECKING:
    from . import errors
    from .analysis import plots
    from .analysis.allpairs import all_pairs
    from .analysis.checkout import sample_run
    from .analysis.compare import compare
    from .analysis.controls import controls
    from .analysis.intervals import with_intervals
    from .analysis.league import league
    from .analysis.luck import duplicate_luck
    from .analysis.pairings import pairing_table
    from .analysis.planning import plan
    from .analysis.query import connect
    from .analysis.ranks import rank_shares
    from .analysis.report import report
    from .analysis.samples import samples
    from .analysis.strength import strengths
    from .arena.check import Report, assert_conforms, check_strategy
    from .arena.run import Run, open_run
    from .arena.runner import play, resume
    from .arena.single import play_deal
    from .arena.status import status
    from .arena.tournament import Tournament
    from .arena.verify import verify
    from .game import cards, referee
    from .game.helper import helper
    from .game.house import Rules
    from .game.record import BOARD, PASS, Deal, Record
    from .players.strategy import Strategy
    from .players.view import View

__all__ = [
    "BOARD",
    "PASS",
    "Deal",
    "Record",
    "Report",
    "Rules",
    "Run",
    "Strategy",
    "Tournament",
    "View",
    "all_pairs",
    "assert_conforms",
    "cards",
    "check_strategy",
    "compare",
    "connect",
    "controls",
    "duplicate_luck",
    "errors",
    "helper",
    "league",
    "open_run",
    "pairing_table",
    "plan",
    "play",
    "play_deal",
    "plots",
    "rank_shares",
    "referee",
    "report",
    "resume",
    "sample_run",
    "samples",
    "status",
    "strengths",
    "verify",
    "with_intervals",
]


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'sim' has no attribute {name!r}")
    if home in ("", "game", "analysis"):
        value = import_module(f".{home}.{name}" if home else f".{name}", __name__)
    else:
        value = getattr(import_module(f".{home}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*(name for name in globals() if name.startswith("__")), *__all__})
