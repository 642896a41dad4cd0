"""How points are spread: a histogram a side, one below the other, drawn from counts."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MaxNLocator

from .layout import SMALL, broken, captioned, nothing_yet, there, with_minus
from .picture import Picture, in_style, looks, picture

MOST_BINS = 60


@in_style
def distribution(
    table: pl.DataFrame, names: Sequence[str], title: str, unit: str, note: str = "", log: bool = False
) -> Picture:
    """Draw the distribution of points, a line of histograms a side, with the mean and the worst 5 %.

    Parameters
    ----------
    table : DataFrame
        A row a side and number of points: `side`, `points`, `count`.
    names : sequence of str
        Those of the whole report, in the order that gives them their looks.
    title : str
        What the points are of.
    unit : str
        What the horizontal axis says, such as ``points a match``.
    note : str
        What it rests on: shuffles and run id.
    log : bool
        Whether heights are drawn by their logarithm, so that rare points show.
    """
    table = table.filter(pl.col("points").is_not_null()).sort("side", "points")
    sides = there(table["side"], names)
    if not sides:
        return nothing_yet(title, note)
    figure, rows = picture(len(sides), height=1.3 + 0.55 * len(sides), sharex=True)
    edges = _edges(int(min(table["points"])), int(max(table["points"])))
    for side, axes in zip(sides, rows, strict=True):
        of_side = table.filter(pl.col("side") == side)
        points, counts = (of_side[name].cast(pl.Float64).to_numpy() for name in ("points", "count"))
        look = looks(names)[side]
        heights = np.histogram(points, edges, weights=counts)[0] / counts.sum()
        axes.stairs(heights, edges, fill=True, color=look.colour, alpha=0.35)
        axes.stairs(heights, edges, color=look.colour, linewidth=1.2, gid=f"distribution {side}")
        _marks(axes, points, counts)
        axes.set_ylabel(broken(side, 22), rotation=0, ha="right", va="center", fontsize=9)
        axes.set(**_scale(heights, log))
        axes.tick_params(axis="y", which="both", left=False, labelleft=False)
        axes.grid(axis="y", visible=False)
        axes.spines["left"].set_visible(False)
    rows[-1].set_xlabel(unit)
    rows[-1].xaxis.set_major_locator(MaxNLocator(7))
    rows[-1].xaxis.set_major_formatter(FuncFormatter(lambda points, _: with_minus(f"{points:,.0f}")))
    how = (
        f"Height: share of the side's points, {edges[1] - edges[0]:,.0f} to a bin{', by its logarithm' * log}. "
        "Solid line: mean. Dotted: 5 % lie there or below."
    )
    return captioned(figure, title, f"{how}\n{note}")


def _scale(heights: np.ndarray, log: bool) -> dict[str, Any]:
    """Return the settings of the vertical axis."""
    if not log:
        return {"ylim": (0, None)}
    return {"yscale": "log", "ylim": (heights[heights > 0].min() / 3, 2 * heights.max())}


def _marks(axes: Axes, points: np.ndarray, counts: np.ndarray) -> None:
    mean = float(points @ counts / counts.sum())
    worst = float(points[np.searchsorted(np.cumsum(counts), 0.05 * counts.sum())])
    axes.axvline(mean, color="black", linewidth=1.2)
    axes.axvline(worst, color="black", linewidth=1.2, linestyle=":")
    said = with_minus(f"mean {mean:,.1f}\n5 % at {worst:,.0f}")
    axes.text(1.01, 0.5, said, transform=axes.transAxes, va="center", fontsize=SMALL)


def _edges(least: int, most: int) -> np.ndarray:
    """Return edges of bins of a round width between whole numbers, so that no number lies on an edge."""
    need = max((most - least + 1) / MOST_BINS, 1)
    width = next(step * 10**power for power in range(12) for step in (1, 2, 5) if step * 10**power >= need)
    first = least // width * width
    return np.arange(first, most + 2 * width, width) - 0.5
