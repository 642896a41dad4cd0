"""Playing one shard: strategies made ready for the engine, its rows taken out, a fault put into words."""

import os
import time
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

from ..errors import StrategyFault
from ..game import cards, seeding
from ..game.record import BOARD, SEATS
from ..players.code_digest import PACKAGE
from ..players.compile import Entry, Interpreted, entry_of, read_view
from ..players.registry import class_path
from ..players.strategy import Strategy
from . import engine, log, table
from .plan import Plan

STEP = 256
"""Matches played between two looks at the keyboard: a few hundredths of a second."""


@dataclass(frozen=True)
class ShardTables:
    """A shard's rows: for each table, its columns as arrays, sorted, codes and nulls as `log` says."""

    columns: log.Columns


def prepare(plan: Plan) -> float:
    """Compile whatever a plan needs that is not compiled yet, and return the seconds it took.

    Raises
    ------
    CompileError
        If a strategy's method does not compile.
    """
    start = time.perf_counter()
    for strategy in plan.strategies:
        entry_of(strategy)
    Play(plan, 0, 0).run()
    return time.perf_counter() - start


def play_shard(plan: Plan, number: int) -> ShardTables:
    """Play shard `number` of a plan.

    Raises
    ------
    StrategyFault
        Under ``on_fault = "stop"``, at the first illegal or failing decision.
    KeyboardInterrupt
        If the user interrupts an interpreted strategy.
    """
    first, shuffles = plan.shard_range(number)
    play = Play(plan, first, shuffles * plan.matches_per_shuffle)
    play.run()
    return ShardTables(play.columns())


@dataclass
class Play:
    """The engine's memory for so many matches of a plan from a shuffle on, and the run through them.

    Parameters
    ----------
    plan : Plan
    first_shuffle, matches : int
    deck : sequence of 54 card codes, optional
        Cards to deal in place of a shuffle, to one hand of one match.
    dealer : int
        Its dealer.
    """

    plan: Plan
    first_shuffle: int
    matches: int
    deck: list[int] = field(default_factory=list)
    dealer: int = 0

    def __post_init__(self) -> None:
        sizes = self.plan.rules.hand_sizes
        self.entries = [entry_of(strategy) for strategy in self.plan.strategies]
        self.most_hands = len(sizes) * self.plan.rules.max_redeals
        self.table, self.shown = table.new_record(table.TABLE), table.new_record(table.SHOWN)
        self.match_log = log.match_log(self.matches)
        self.trick_log = log.trick_log(self.matches * sum(sizes))
        self.deal_log = log.deal_log(self.matches * len(sizes) * 17 // 16 + self.most_hands)
        self.hand_sizes = np.array(sizes, np.int64)
        self.house = self.plan.rules.house()
        self.schedule = self._schedule()

    def _schedule(self) -> table.Schedule:
        plan = self.plan
        keys = [seeding.decision_key(plan.seed, *names) for names in plan.pairing_names]
        return table.Schedule(
            first_shuffle=self.first_shuffle,
            pairings=len(plan.pairings),
            tables=plan.tables,
            seating=_seating(plan),
            entries=np.array([entry[:3] for entry in self.entries], np.int64),
            shuffle_key=seeding.shuffle_key(plan.seed),
            decision_keys=np.array(keys, np.uint64),
            given_deck=np.array(self.deck, np.int64),
            given_dealer=self.dealer,
            forfeit=plan.on_fault == "forfeit",
        )

    def run(self) -> None:
        """Play all matches, making room for hands as they come.

        Raises
        ------
        StrategyFault, KeyboardInterrupt, MemoryError
        """
        while True:
            until = min(int(self.table["matches_done"]) + STEP, self.matches)
            state = engine.play_matches(
                self.table, self.shown, self.house, self.hand_sizes, self.schedule,
                *(table.columns_of(part) for part in (self.match_log, self.deal_log, self.trick_log)),
                until, len(self.deal_log.deal),
            )  # fmt: skip
            if state == table.STOPPED:
                raise self.stopped()
            if state == table.FAULTED:
                raise self.fault()
            done = int(self.table["matches_done"])
            if done == self.matches:
                return
            if done < until:
                self.deal_log = log.grown(self.deal_log, 2 * len(self.deal_log.deal))

    def stopped(self) -> BaseException:
        """Return what stopped an interpreted strategy for no fault of its own: no memory left, or an interrupt."""
        asked = [each for entry in self.entries if isinstance(entry.alive, list) for each in entry.alive]
        no_memory = next((each.error for each in asked if isinstance(each.error, MemoryError)), None)
        return no_memory or KeyboardInterrupt()

    def columns(self) -> log.Columns:
        """Return the rows played so far, under the names of the stored columns."""
        done, hands, tricks = (int(self.table[name]) for name in ("matches_done", "hands_done", "tricks_done"))
        first_id = np.uint32(self.first_shuffle * self.plan.matches_per_shuffle)
        match = np.arange(done, dtype=np.uint32)
        per_shuffle = self.plan.matches_per_shuffle
        columns: log.Columns = {
            "matches": {
                "match_id": match + first_id,
                "pairing": (match // self.plan.tables % len(self.plan.pairings)).astype(np.uint16),
                "shuffle_id": (match // per_shuffle + np.uint32(self.first_shuffle)).astype(np.uint32),
                "table": (match % self.plan.tables).astype(np.uint8),
            }
            | log.match_columns(self.match_log, done),
            "deals": log.deal_columns(self.deal_log, hands),
            "tricks": log.trick_columns(self.trick_log, tricks),
        }
        for name in ("deals", "tricks"):
            columns[name]["match_id"] = columns[name]["match_id"] + first_id
        return columns

    def fault(self) -> StrategyFault:
        """Return what the player at fault did, in words."""
        seat, match = int(self.table["fault_seat"]), int(self.table["matches_done"])
        pairing = match // self.plan.tables % len(self.plan.pairings)
        place = int(self.schedule.seating[pairing, match % self.plan.tables, seat])
        number = match + self.first_shuffle * self.plan.matches_per_shuffle
        return describe_fault(self.plan.strategies[place], self.entries[place], self.table, self.shown, number)


def describe_fault(strategy: Strategy, entry: Entry, state: Any, shown: Any, match: int) -> StrategyFault:
    """Return a fault in words: who, where, what it returned or raised, what was legal."""
    reason, value = log.FAULTS[int(state["fault_reason"])], int(state["fault_value"])
    view = read_view(shown.__array_interface__["data"][0])
    bidding = view.trick == 0
    asked: Interpreted | None = None if strategy.compiled else entry.alive[0 if bidding else 1]
    attempt = f" (dealt {view.attempt} times)" if view.attempt > 1 else ""
    lines = [
        f"{strategy.label} ({class_path(type(strategy))}) faulted in {SEATS[view.seat]}'s seat: {reason}",
        f"at match {match}, deal {view.deal}{attempt}, {'bidding' if bidding else f'trick {view.trick}'}",
    ]
    if reason == "raised":
        lines.append(_exception(strategy, view, asked))
    else:
        lines.append(f"it returned {_returned(value, reason, asked, bidding)}")
    lines.append(f"legal was {_legal_bids(view.hand_size) if bidding else cards.names(view.legal)}")
    lines.append(f"its hand: {cards.names(view.hand)}")
    return StrategyFault(*lines)


def _exception(strategy: Strategy, view: Any, asked: Interpreted | None) -> str:
    """Return the exception that a decision raised; a compiled one is taken again, interpreted, to see it."""
    error: BaseException | None = asked.error if asked else None
    if error is None:
        try:
            strategy.bid(view) if view.trick == 0 else strategy.play(view)
        except BaseException as again:
            error = again
    if error is None:
        return "it raised an exception in compiled code that does not come again in Python"
    return f"it raised {type(error).__name__}: {error}"[:400] + f" ({_line_of(error)})"


def _line_of(error: BaseException) -> str:
    """Return the author's line from which an exception came: the innermost that is not this package's own."""
    places = [(_file_of(frame), line) for frame, line in traceback.walk_tb(error.__traceback__)]
    file, line = next((place for place in reversed(places) if not Path(place[0]).is_relative_to(PACKAGE)), places[-1])
    return f"{file}, line {line}"


def _file_of(frame: FrameType) -> str:
    """Return the file of the code that a frame runs; code sent to a worker by value knows it by its globals alone."""
    name = frame.f_code.co_filename
    return name if os.path.exists(name) else str(frame.f_globals.get("__file__", name))


def _returned(value: int, reason: str, asked: Interpreted | None, bidding: bool) -> str:
    if reason == "not-an-integer" and asked is not None:
        return f"{asked.returned!r:.100}, of type {type(asked.returned).__name__}"
    if not bidding and 0 <= value < cards.DECK_SIZE:
        return f"{value} ({cards.name(value)})"
    return f"{(value if asked is None else asked.returned)!s:.100}"


def _legal_bids(hand_size: int) -> str:
    numbers = f", 1 to {hand_size - 1}" if hand_size > 2 else ", 1" if hand_size == 2 else ""
    return f"0 (pass){numbers} or {BOARD} (board)"


def _seating(plan: Plan) -> np.ndarray:
    """Return who sits where, int64[pairings, tables, 4]: the first side NS at table 0, EW at table 1."""
    seating = np.zeros((len(plan.pairings), plan.tables, 4), np.int64)
    for pairing, sides in enumerate(plan.pairings):
        for side_table in range(plan.tables):
            (north, south), (east, west) = sides if side_table == 0 else sides[::-1]
            seating[pairing, side_table] = (north, east, south, west)
    return seating
