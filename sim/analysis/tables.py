"""Numbers and tables as people read them in a terminal: aligned, right for numbers, an interval behind each mean."""

from collections.abc import Container, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .stats import Estimate


def aligned(rows: Sequence[Sequence[str]], left: int | Container[int] = 1) -> list[str]:
    """Return rows of cells as lines of aligned columns, the first `left` to the left and the others to the right.

    Instead of how many are to the left it can be told which, by their places from 0.
    """
    to_the_left = range(left) if isinstance(left, int) else left
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = (
            cell.ljust(width) if place in to_the_left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        lines.append("  ".join(cells).rstrip())
    return lines


def plus_minus(estimate: "Estimate", signed: bool = False, percent: bool = False) -> str:
    """Return an estimate as ``12.3 ± 0.4``, or of a share ``50.0 ± 0.4 %``; a dash where there is nothing to say.

    The interval of a share may reach beyond 0 or 1, where no share is: then its ends are written, those cut,
    ``90.0 (62.3 to 100) %``.
    """
    scale, unit = (100, " %") if percent else (1, "")
    if percent and (estimate.low < 0 or estimate.high > 1):
        low, high = (f"{100 * end:.1f}" if 0 < end < 1 else f"{100 * min(max(end, 0), 1):.0f}" for end in estimate[1:])
        return f"{100 * estimate.mean:.1f} ({low} to {high}){unit}"
    mean = f"{scale * estimate.mean:{'+' if signed else ''},.1f}"
    reach = f"{scale * estimate.half_width:,.1f}"
    return "–" if "nan" in mean else f"{mean} ± {reach.replace('nan', '–')}{unit}"


def share(part: int, whole: int) -> str:
    """Return a part of a whole as a percentage; a dash where there is no whole."""
    return f"{100 * part / whole:.1f} %" if whole else "–"
