"""Where points come from: contracts, overtricks, sets and boards, by hand size."""

from collections.abc import Sequence

import numpy as np
import polars as pl
from matplotlib.ticker import MaxNLocator

from .layout import captioned, nothing_yet, panels
from .picture import Picture, in_style

SOURCES = (
    ("contracts", "contracts made", "#0072B2", ""),
    ("overtricks", "overtricks", "#9FD3F2", "..."),
    ("boards_made", "boards made", "#009E73", "///"),
    ("sets", "contracts set", "#E69F00", "\\\\\\"),
    ("boards_failed", "boards failed", "#D55E00", "xxx"),
)
"""Column, what the picture calls it, colour and hatch of each source."""

_NET = ("hand_size", "net", "low", "high")
_TITLE = "Where points come from, by hand size"


@in_style
def points_by_source(table: pl.DataFrame, names: Sequence[str], note: str = "") -> Picture:
    """Draw the points a deal that each source gives or takes, stacked from zero up and down, and the net.

    Parameters
    ----------
    table : DataFrame
        A row a side and hand size: `side`, `hand_size`; points a deal, losses below 0, from `contracts` made (without
        overtricks), `overtricks`, `boards_made`, `sets` and `boards_failed`; their sum `net`, and its 95 % interval,
        `low` and `high`, null or NaN where it is open.
    names : sequence of str
        Those of the whole report, in their order.
    note : str
        What it rests on: shuffles and run id.
    """
    sides = [name for name in dict.fromkeys(names) if name in set(table["side"])]
    if not sides:
        return nothing_yet(_TITLE, note)
    figure, axes_of = panels(sides, "hand size, cards a player", "points a deal")
    for side, axes in axes_of.items():
        rows = table.filter(pl.col("side") == side).sort("hand_size")
        sizes, net, low, high = (rows[name].cast(pl.Float64).to_numpy() for name in _NET)
        ends = {True: np.zeros(len(sizes)), False: np.zeros(len(sizes))}
        for column, label, colour, hatch in SOURCES:
            points, up = rows[column].cast(pl.Float64).to_numpy(), column not in ("sets", "boards_failed")
            axes.bar(
                sizes, points, 0.85, bottom=ends[up], label=label, color=colour, hatch=hatch, edgecolor="white",
                linewidth=0.3,
            )  # fmt: skip
            ends[up] = ends[up] + points
        axes.axhline(0, color="0.35", linewidth=0.8)
        axes.vlines(sizes, low, high, color="black", linewidth=1)
        axes.plot(sizes, net, "D-", color="black", markerfacecolor="white", markersize=3.5, linewidth=1, label="net")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    handles, labels = axes.get_legend_handles_labels()
    order = [labels.index(label) for label in (*(label for _, label, _, _ in SOURCES), "net")]
    figure.legend(
        [handles[place] for place in order], [labels[place] for place in order], loc="outside upper left", ncols=6,
        fontsize=8, columnspacing=1.2, handlelength=1.6,
    )  # fmt: skip
    return captioned(figure, _TITLE, f"Vertical lines on the net: 95 % intervals.\n{note}")
