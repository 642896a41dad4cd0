"""What contracts come to: tricks won against tricks bid, and how often each contract is made."""

from collections.abc import Sequence

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.ticker import MaxNLocator

from .heat import heat
from .layout import MANY, captioned, nothing_yet, panels, there
from .picture import NEUTRAL, Picture, in_style, looks

_CALIBRATION = "Calibration: tricks won at each contract"
_COLUMNS = ("contract", "tricks", "tricks_low", "tricks_high")
_MAKE_RATES = "How often contracts are made, by contract and hand size"


@in_style
def calibration(table: pl.DataFrame, names: Sequence[str], note: str = "") -> Picture:
    """Draw the tricks that each side wins at each contract beside the line where it wins what it bid.

    Parameters
    ----------
    table : DataFrame
        A row a side and contract: `side`, `contract` (a side's two numbers added), `tricks` (mean won), and the
        95 % interval of that, `tricks_low` and `tricks_high`, null or NaN where it is open.
    names : sequence of str
        Those of the whole report, in the order that gives them their looks.
    note : str
        What it rests on: shuffles and run id.
    """
    sides = there(table["side"], names)
    if not sides:
        return nothing_yet(_CALIBRATION, note)
    figure, axes_of = panels(sides, "contract, tricks bid", "tricks won, mean")
    for side, axes in axes_of.items():
        rows = table.filter(pl.col("side") == side).sort("contract")
        colour, marker, *_ = looks(names)[side]
        contract, tricks, low, high = (rows[name].cast(pl.Float64).to_numpy() for name in _COLUMNS)
        axes.axline((0, 0), slope=1, color=NEUTRAL, linewidth=1, linestyle="--")
        axes.vlines(contract, low, high, color=colour, linewidth=1.2)
        axes.plot(contract, tricks, color=colour, marker=marker, markersize=4, linestyle="", gid=f"calibration {side}")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=7))
        axes.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=7))
    most = (float(np.nanmax(table[column].to_numpy(), initial=1)) for column in ("contract", "tricks"))
    axes_of[sides[0]].set(**{f"{axis}lim": (-0.5, end + 0.7) for axis, end in zip("xy", most, strict=True)})
    how = "Dashed: as many won as bid; above it contracts are made, below it the side is set. Lines: 95 % intervals."
    return captioned(figure, _CALIBRATION, f"{how}\n{note}")


@in_style
def make_rates(table: pl.DataFrame, names: Sequence[str], note: str = "", fewest: int = 10) -> Picture:
    """Draw the share of contracts made, by contract and hand size, a panel a side.

    Parameters
    ----------
    table : DataFrame
        A row a side, hand size and contract: `side`, `hand_size`, `contract`, `deals`, `made` (how many of them).
    names, note
        As in `calibration`.
    fewest : int
        Deals below which a cell stays empty.
    """
    table = table.filter((pl.col("deals") >= fewest) & (pl.col("contract") > 0))
    sides = there(table["side"], names)
    if not sides:
        return nothing_yet(_MAKE_RATES, note)
    figure, axes_of = panels(sides, "hand size, cards", "contract, tricks", height=2.2, widest=2, sharey=False)
    for side, axes in axes_of.items():
        cells = _rates(axes, table.filter(pl.col("side") == side), len(sides) <= MANY)
    figure.colorbar(cells, ax=list(axes_of.values()), label="percent made", shrink=0.8, aspect=30)
    how = f"Cells: percent made. Empty: fewer than {fewest} deals. Contracts above the hand size cannot be made."
    return captioned(figure, _MAKE_RATES, f"{how}\n{note}")


def _rates(axes: Axes, rows: pl.DataFrame, numbers: bool) -> QuadMesh:
    """Draw one side's make rates, with their numbers if wanted and if there is room."""
    sizes, contracts = (list(range(min(rows[name]), max(rows[name]) + 1)) for name in ("hand_size", "contract"))
    rates = np.full((len(contracts), len(sizes)), np.nan)
    for contract, size, made, deals in rows.select("contract", "hand_size", "made", "deals").iter_rows():
        rates[contract - contracts[0], size - sizes[0]] = 100 * made / deals
    fontsize = 6.5 if numbers and len(contracts) <= 14 else 0
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    return heat(axes, rates, sizes, contracts, "{:.0f}".format, fontsize, cmap="cividis", vmin=0, vmax=100)
