"""Heat maps: a table of numbers as coloured cells with the number in each. Which numbers is for the caller to say."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh


def heat(
    axes: Axes,
    values: np.ndarray,
    x: Sequence[float],
    y: Sequence[float],
    text: Callable[[float], str],
    fontsize: float,
    below: np.ndarray | None = None,
    **colours: Any,
) -> QuadMesh:
    """Draw a heat map and return its cells. A cell that is NaN stays empty.

    Parameters
    ----------
    axes : Axes
    values : float64[y, x]
    x, y : sequence of float
        Where the columns and rows of cells are, one apart.
    text : function
        Gives what stands in a cell from its value.
    fontsize : float
        Of that, points; 0 for none.
    below : int64[y, x], optional
        Numbers that stand on a second line of the cells.
    **colours
        As for Matplotlib's ``Axes.pcolormesh``: ``cmap``, ``vmin``, ``vmax``.
    """
    across, up = ([*(place - 0.5 for place in places), places[-1] + 0.5] for places in (x, y))
    cells = axes.pcolormesh(across, up, np.ma.masked_invalid(values), edgecolors="white", linewidth=0.5, **colours)
    axes.grid(visible=False)
    for row, column in zip(*np.nonzero(np.isfinite(values)), strict=True) if fontsize else ():
        dark = np.dot(cells.to_rgba(values[row, column])[:3], (0.3, 0.59, 0.11)) < 0.5
        written = text(float(values[row, column])) + (f"\n{below[row, column]:,}" if below is not None else "")
        axes.text(
            x[column], y[row], written, ha="center", va="center", fontsize=fontsize, linespacing=0.95,
            color="white" if dark else "0.1",
        )  # fmt: skip
    return cells
