"""A comparison's live line: how far it is and where its two tests stand. On standard error, and only for people."""

import sys
import time

from ..arena.progress import SECONDS_BETWEEN_LINES, Silent, telling
from .sequential import Design, Sums, log_likelihood_ratio


class LiveLine:
    """One line: drawn over itself on a terminal, else written about every ten seconds.

    Parameters
    ----------
    design : Design
    show : bool, optional
        Whether to show it; by default only on a terminal.
    """

    def __init__(self, design: Design, show: bool | None) -> None:
        self.design = design
        self.shown = telling(show) is not Silent
        self.terminal = sys.stderr.isatty()
        self.written_at = float("-inf")

    def look(self, sums: Sums) -> None:
        """Show what the tests see."""
        if not self.shown or (not self.terminal and time.monotonic() - self.written_at < SECONDS_BETWEEN_LINES):
            return
        self.written_at = time.monotonic()
        opening, end = ("\r\x1b[K", "") if self.terminal else ("", "\n")
        print(f"{opening}{self._text(sums)}", end=end, file=sys.stderr, flush=True)

    def close(self) -> None:
        """Take the line off the terminal."""
        if self.shown and self.terminal:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def _text(self, sums: Sums) -> str:
        design, done = self.design, f"{sums.tables * sums.shuffles:,} of {sums.tables * self.design.budget:,} matches"
        if not sums.variance:
            return f"{done}: margin {sums.mean:+,.1f} on every shuffle"
        better, worse = (log_likelihood_ratio(sums, margin) for margin in (design.difference, -design.difference))
        return (
            f"{done}: margin {sums.mean:+,.1f}; log likelihood ratios: better {better:+.1f}, worse {worse:+.1f}, "
            f"decided at {design.rejects:+.1f}, dropped at {design.accepts:.1f}"
        )
