"""Where points come from: contracts, overtricks, sets and boards, by hand size."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from .layout import captioned, nothing_yet, panels, there
from .picture import Picture, in_style

SOURCES = (
    ("contracts", "contracts made", "#0072B2", ""),
    ("overtricks", "overtricks", "#9FD3F2", "..."),
    ("boards_made", "boards made", "#009E73", "///"),
    ("sets", "contracts set", "#E69F00", "\\\\\\"),
    ("boards_failed", "boards failed", "#D55E00", "xxx"),
)
"""Column, what the picture calls it, colour and hatch of each source."""
LOSSES = ("sets", "boards_failed")

_NET = ("hand_size", "net", "net_low", "net_high")
_TITLE = "Where points come from, by hand size"


@in_style
def points_by_source(table: pl.DataFrame, names: Sequence[str], note: str = "") -> Picture:
    """Draw the points a deal that each source gives or takes, stacked from zero up and down, and the net.

    Parameters
    ----------
    table : DataFrame
        A row a side and hand size: `side`, `hand_size`; points a deal, losses below 0, from `contracts` made (without
        overtricks), `overtricks`, `boards_made`, `sets` and `boards_failed`; their sum `net`, and its 95 % interval,
        `net_low` and `net_high`, null or NaN where it is open.
    names : sequence of str
        Those of the whole report, in their order.
    note : str
        What it rests on: shuffles and run id.
    """
    sides = there(table["side"], names)
    if not sides:
        return nothing_yet(_TITLE, note)
    alike = _alike(table)
    figure, axes_of = panels(sides, "hand size, cards", "points a deal", sharey=alike)
    for side, axes in axes_of.items():
        drawn = _draw(axes, table.filter(pl.col("side") == side).sort("hand_size"))
    axes.set_xlim(min(table["hand_size"]) - 0.7, max(table["hand_size"]) + 0.7)
    scales = "" if alike else " Each panel has a scale of its own."
    note = f"Vertical lines on the net: 95 % intervals.{scales}\n{note}"
    return captioned(figure, _TITLE, note, drawn)


def _alike(table: pl.DataFrame) -> bool:
    """Return whether the sides' points are near enough to each other for one scale."""
    gained, lost = (
        pl.sum_horizontal(column for column, *_ in SOURCES if (column in LOSSES) is bad) for bad in (False, True)
    )
    heights = table.group_by("side").agg(height=gained.max() - lost.min())["height"]
    return bool(max(heights) <= 2.5 * float(np.median(heights.to_numpy())))


def _draw(axes: Axes, rows: pl.DataFrame) -> dict[str, Artist]:
    """Draw one side's bars and net, and return what is to be named in the legend."""
    sizes, net, low, high = (rows[name].cast(pl.Float64).to_numpy() for name in _NET)
    ends = {True: np.zeros(len(sizes)), False: np.zeros(len(sizes))}
    drawn: dict[str, Artist] = {}
    for column, label, colour, hatch in SOURCES:
        points, up = rows[column].cast(pl.Float64).to_numpy(), column not in LOSSES
        look: dict[str, Any] = {"color": colour, "hatch": hatch, "edgecolor": "white", "linewidth": 0.3}
        drawn[label] = axes.bar(sizes, points, 0.85, bottom=ends[up], **look)  # type: ignore[assignment]
        ends[up] = ends[up] + points
    axes.axhline(0, color="0.35", linewidth=0.8)
    axes.vlines(sizes, low, high, color="black", linewidth=1)
    drawn["net"] = axes.plot(sizes, net, "D-", color="black", markerfacecolor="white", markersize=3.5, linewidth=1)[0]
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    return drawn
