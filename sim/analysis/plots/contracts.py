"""What contracts come to: tricks won against tricks bid, and how often each contract is made."""

from collections.abc import Sequence

import numpy as np
import polars as pl
from matplotlib.ticker import MaxNLocator

from .heat import heat
from .layout import captioned, nothing_yet, panels
from .picture import NEUTRAL, Picture, in_style, looks

_CALIBRATION = "Calibration: tricks won at each contract"
_COLUMNS = ("contract", "tricks", "low", "high")
_MAKE_RATES = "How often contracts are made, by contract and hand size"


@in_style
def calibration(table: pl.DataFrame, names: Sequence[str], note: str = "") -> Picture:
    """Draw the tricks that each side wins at each contract beside the line where it wins what it bid.

    Parameters
    ----------
    table : DataFrame
        A row a side and contract: `side`, `contract` (a side's two numbers added), `tricks` (mean won), and the
        95 % interval of that, `low` and `high`, null or NaN where it is open.
    names : sequence of str
        Those of the whole report, in the order that gives them their looks.
    note : str
        What it rests on: shuffles and run id.
    """
    sides = _there(table, "side", names)
    if not sides:
        return nothing_yet(_CALIBRATION, note)
    figure, axes_of = panels(sides, "contract, tricks bid by the side", "tricks won, mean")
    top = float(np.nanmax(table.select("contract", "tricks").to_numpy())) + 0.5
    for side, axes in axes_of.items():
        rows = table.filter(pl.col("side") == side).sort("contract")
        colour, marker, *_ = looks(names)[side]
        contract, tricks, low, high = (rows[name].cast(pl.Float64).to_numpy() for name in _COLUMNS)
        axes.plot([0, top], [0, top], color=NEUTRAL, linewidth=1, linestyle="--")
        axes.vlines(contract, low, high, color=colour, linewidth=1.2)
        axes.plot(contract, tricks, color=colour, marker=marker, markersize=4, linestyle="", gid=f"calibration {side}")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=7))
        axes.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=7))
    first = axes_of[sides[0]]
    first.set(xlim=(-0.5, top), ylim=(-0.5, min(top, float(np.nanmax(table["tricks"].to_numpy())) + 1.5)))
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
    sides = _there(table, "side", names)
    if not sides:
        return nothing_yet(_MAKE_RATES, note)
    sizes, contracts = (_steps(table[name]) for name in ("hand_size", "contract"))
    figure, axes_of = panels(sides, "hand size, cards a player", "contract, tricks", height=2.2, widest=2)
    for side, axes in axes_of.items():
        rates = np.full((len(contracts), len(sizes)), np.nan)
        rows = table.filter(pl.col("side") == side).select("contract", "hand_size", "made", "deals")
        for contract, size, made, deals in rows.iter_rows():
            rates[contract - contracts[0], size - sizes[0]] = 100 * made / deals
        cells = heat(
            axes, rates, sizes, contracts, np.vectorize("{:.0f}".format)(rates),
            6 if len(contracts) <= 14 else 5, cmap="cividis", vmin=0, vmax=100,
        )  # fmt: skip
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    figure.colorbar(cells, ax=list(axes_of.values()), label="made, percent of deals", shrink=0.7, aspect=30)
    how = f"Cells: percent made. Empty: fewer than {fewest} deals. Contracts above the hand size cannot be made."
    return captioned(figure, _MAKE_RATES, f"{how}\n{note}")


def _there(table: pl.DataFrame, column: str, names: Sequence[str]) -> list[str]:
    """Return those of the names that a table has rows of, in their order."""
    present = set(table[column])
    return [name for name in dict.fromkeys(names) if name in present]


def _steps(column: pl.Series) -> list[int]:
    """Return all whole numbers from a column's smallest to its largest."""
    return list(range(int(column.min()), int(column.max()) + 1))  # type: ignore[arg-type]
