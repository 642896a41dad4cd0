"""How far a run is, told while it plays: a bar on a terminal, else a line now and then. All of it on standard error."""

import sys
import time
from collections import deque
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

SECONDS_BETWEEN_LINES = 10.0
LAST_SHARDS = 10
"""What a rate is taken over: matches a second, from the first of so many shards in a row coming in to the last."""


class Silent:
    """Tells nothing. The others tell the same things aloud.

    Parameters
    ----------
    total : int
        Matches of the run.
    done : int
        Matches that were there before.
    """

    def __init__(self, total: int, done: int) -> None:
        self.total, self.done = total, done
        self.came_in: deque[tuple[float, int]] = deque(maxlen=LAST_SHARDS)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        pass

    def advance(self, matches: int, seconds: float) -> None:
        """Count matches as played and stored, in so many seconds."""
        now = time.monotonic()
        if not self.came_in:
            self.came_in.append((now - seconds, self.done))
        self.done += matches
        self.came_in.append((now, self.done))

    @property
    def rate(self) -> float:
        """Matches a second over the last shards, as `status` tells it too; the starting of workers does not count."""
        if not self.came_in:
            return 0.0
        (began, before), (now, done) = self.came_in[0], self.came_in[-1]
        return (done - before) / max(now - began, 1e-9)


class Lines(Silent):
    """A plain line at the first result, about every ten seconds, and at the end."""

    said_at = float("-inf")

    def advance(self, matches: int, seconds: float) -> None:
        """Count matches, and say so when it is time."""
        super().advance(matches, seconds)
        if self.done == self.total or time.monotonic() - self.said_at >= SECONDS_BETWEEN_LINES:
            self.said_at = time.monotonic()
            left = (self.total - self.done) / self.rate
            done = f"{self.done:,} of {self.total:,} matches"
            print(f"{done}, {self.rate:,.0f} a second, {left:.0f} s left", file=sys.stderr)


class Bar(Silent):
    """A bar with matches done, rate and time left."""

    def __init__(self, total: int, done: int) -> None:
        super().__init__(total, done)
        rate = TextColumn("matches, {task.fields[rate]:,.0f} a second, left")
        columns = (BarColumn(), MofNCompleteColumn(), rate, TimeRemainingColumn(compact=True))
        self.bar = Progress(*columns, console=Console(stderr=True), refresh_per_second=4)
        self.task = self.bar.add_task("", total=total, completed=done, rate=0.0)

    def __enter__(self) -> Self:
        self.bar.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.bar.stop()

    def advance(self, matches: int, seconds: float) -> None:
        """Count matches and draw the bar."""
        super().advance(matches, seconds)
        self.bar.update(self.task, completed=self.done, rate=self.rate)


def telling(show: bool | None) -> type[Silent]:
    """Return how to tell of progress: `show` or not, or by default only on a terminal."""
    terminal = sys.stderr.isatty()
    if show is False or (show is None and not terminal):
        return Silent
    return Bar if terminal else Lines


def say(show: bool | None, text: str) -> None:
    """Tell one thing on a line of its own, where progress is told."""
    if telling(show) is not Silent:
        print(text, file=sys.stderr)
