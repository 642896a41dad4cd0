"""Pictures of board claims: how often they are made, when they succeed, and what they bring.

What they risk is in `board_risk`. Each function takes a table with the columns it names and draws what is in it; the
intervals are worked out before, by `with_intervals`. An interval that is NaN is not drawn.
"""

from math import ceil, floor, log10

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.ticker import LogLocator, NullLocator

from .heat import heat
from .layout import broken, captioned, nothing_yet
from .picture import GOOD, Picture, in_style, picture

MAP = "cividis"
"""Matplotlib's name of a map of colours that rises evenly in brightness, for any kind of colour vision."""

PERCENT = (-3, 103)
"""Ends of an axis of per cent, with room for the dots at 0 and 100."""

_RATES = (
    ("rate", "claims in\n100 hands", 100, None),
    ("success", "made, %", 100, 50),
    ("points", "points\na claim", 1, 0),
)


_ABSCISSAE = {"hand_size": "hand size, cards a player", "board_level": "level of the claim"}


@in_style
def board_rates(table: pl.DataFrame, by: str = "hand_size", note: str = "") -> Picture:
    """Draw how often each strategy claims board, how often it makes it, and what a claim brings.

    A row for each strategy, in the order of the table, so that strategies that do alike do not hide each other.

    Parameters
    ----------
    table : DataFrame
        ``strategy``, the column named by `by`, and for each of ``rate`` (claims a hand, 0 to 1), ``success`` (0 to 1)
        and ``points`` (a claim) the mean and its ``_low`` and ``_high``.
    by : {"hand_size", "board_level"}
    note : str
        What it rests on: shuffles and run id.
    """
    title = "Board claims by " + by.replace("_", " ").replace("board level", "level")
    strategies = list(dict.fromkeys(table["strategy"]))
    if not strategies:
        return nothing_yet(title, note)
    figure, axes = picture(len(strategies), 3, height=1.1 + 1.15 * len(strategies), sharex=True, sharey="col")
    for row, strategy in enumerate(strategies):
        own = table.filter(strategy=strategy)
        for axis, (name, label, scale, line) in zip(axes[3 * row : 3 * row + 3], _RATES, strict=True):
            dots(axis, own[by].to_numpy(), own, name, scale)
            axis.set_ylabel(label, fontsize=8.5)
            line_at(axis, level=line)
        axes[3 * row].set_title(broken(strategy, 90), fontsize=9.5, fontweight="normal")
    axes[0].set_yscale("log", nonpositive="clip")
    axes[0].set_ylim(_decades(100 * numbers(table, "rate")))
    axes[0].yaxis.set_major_formatter("{x:g}")
    axes[0].yaxis.set_major_locator(LogLocator(numticks=9))
    axes[0].yaxis.set_minor_locator(NullLocator())
    axes[1].set_ylim(PERCENT)
    first, last = int(table[by].min()), int(table[by].max())  # type: ignore[arg-type]
    axes[0].set(xlim=(first - 0.6, last + 0.6), xticks=range(first, last + 1, 1 if last - first < 8 else 2))
    axes[-2].set_xlabel(_ABSCISSAE[by])
    return captioned(figure, title, f"Lines: 95 % intervals over shuffles. Points: of the claimer's side.\n{note}")


@in_style
def board_facts(table: pl.DataFrame, note: str = "") -> Picture:
    """Draw how often claims succeed by each thing that the claimer knew.

    Parameters
    ----------
    table : DataFrame
        ``hands`` (a heading; a column of axes for each), ``fact``, ``value``, ``claims``, ``success``,
        ``success_low``, ``success_high``; in the order in which to draw.
    note : str
        As in `board_rates`.
    """
    title = "When board claims succeed"
    headings = list(dict.fromkeys(table["hands"]))
    if not headings:
        return nothing_yet(title, note)
    tallest = max(_lines(table.filter(hands=heading)) for heading in headings)
    figure, axes = picture(1, len(headings), height=1.2 + 0.19 * tallest, sharex=True)
    for axis, heading in zip(axes, headings, strict=True):
        own = table.filter(hands=heading)
        names, labels, heights = _fact_lines(own)
        across(axis, heights, own, "success", 100)
        axis.set_yticks(range(len(labels)), labels, fontsize=8.5)
        for name in names:
            axis.get_yticklabels()[name].set_fontweight("bold")
        axis.set(ylim=(tallest - 0.4, -0.6), xlim=PERCENT, xlabel="made, % of the claims")
        axis.set_title(heading, fontsize=9.5, fontweight="normal")
        line_at(axis, vertical=50)
    return captioned(figure, title, f"In brackets: claims. Lines: 95 % intervals over shuffles.\n{note}")


@in_style
def board_hands(table: pl.DataFrame, note: str = "") -> Picture:
    """Draw how often claims succeed by trumps and jokers held, a map for each hand size; in each cell the claims.

    Parameters
    ----------
    table : DataFrame
        ``hand_size``, ``trump_length`` (jokers included), ``jokers``, ``claims``, ``success`` (0 to 1).
    note : str
        As in `board_rates`.
    """
    title = "Board claims made, by trumps and jokers held"
    sizes = sorted(set(table["hand_size"]))
    if not sizes:
        return nothing_yet(title, note)
    columns = min(len(sizes), 5)
    rows = [sizes[place : place + columns] for place in range(0, len(sizes), columns)]
    longest = [int(table.filter(pl.col("hand_size").is_in(row))["trump_length"].max()) + 1 for row in rows]  # type: ignore[arg-type]
    height = 1.2 + 0.6 * len(rows) + 0.31 * sum(longest)
    figure, axes = picture(len(rows), columns, height=height, sharex=True, sharey="row", height_ratios=longest)
    for axis, size in zip(axes, sizes, strict=False):
        shown = _map(axis, table.filter(hand_size=size), longest[sizes.index(size) // columns])
        axis.set_title(f"{size} card{'s' * (size != 1)}", fontsize=9.5, fontweight="normal")
    for axis in axes[len(sizes) :]:
        axis.remove()
    for place in range(0, len(sizes), columns):
        axes[place].set_ylabel("trumps held")
    for axis in axes[max(len(sizes) - columns, 0) : len(sizes)]:
        axis.set_xlabel("jokers held")
        axis.tick_params(labelbottom=True)
    figure.colorbar(shown, ax=axes[:columns], label="made, %")
    return captioned(
        figure, title, f"In each cell the share made and the number of claims. Trumps count the jokers.\n{note}"
    )


def _decades(rates: np.ndarray) -> tuple[float, float]:
    """Return the powers of ten that rates lie between, for an axis on which rare claims are seen too."""
    some = rates[rates > 0]
    if not some.size:
        return 0.1, 100.0
    return 10.0 ** floor(log10(some.min()) - 0.1), 10.0 ** ceil(log10(some.max()) + 0.1)


def _fact_lines(facts: pl.DataFrame) -> tuple[list[int], list[str], np.ndarray]:
    """Return the lines that name a fact, the text of all lines, and the line of each row of the table."""
    names: list[int] = []
    labels: list[str] = []
    heights: list[int] = []
    last = None
    for fact, value, claims in facts.select("fact", "value", "claims").iter_rows():
        if fact != last:
            names.append(len(labels))
            labels.append(last := fact)
        heights.append(len(labels))
        labels.append(f"{value}  ({claims:,})")
    return names, labels, np.array(heights)


def _map(axis: Axes, cells: pl.DataFrame, lengths: int) -> QuadMesh:
    """Draw one hand size's map: the share made as colour and number, and beneath it the claims."""
    shares, claims = np.full((lengths, 3), np.nan), np.zeros((lengths, 3), np.int64)
    for length, jokers, success, number in cells.select("trump_length", "jokers", "success", "claims").iter_rows():
        shares[length, jokers], claims[length, jokers] = 100 * success, number
    axis.set_xticks(range(3))
    axis.set_yticks(range(lengths))
    return heat(axis, shares, range(3), range(lengths), "{:.0f} %".format, 7, claims, cmap=MAP, vmin=0, vmax=100)


def dots(axis: Axes, x: np.ndarray, table: pl.DataFrame, name: str, scale: float = 1) -> None:
    """Draw estimates as dots with their intervals upright, at the places `x`."""
    mean, ends = _ends(table, name, scale)
    axis.errorbar(x, mean, ends, fmt="o", color=GOOD, markersize=4, elinewidth=1.3, capsize=2)


def across(
    axis: Axes, y: np.ndarray, table: pl.DataFrame, name: str, scale: float = 1, colour: str = GOOD, marker: str = "o"
) -> None:
    """Draw estimates as dots with their intervals across, at the heights `y`."""
    mean, ends = _ends(table, name, scale)
    axis.errorbar(mean, y, xerr=ends, fmt=marker, color=colour, markersize=5, elinewidth=1.4, capsize=2)


def numbers(table: pl.DataFrame, name: str) -> np.ndarray:
    """Return a column as floats, NaN for null."""
    return table[name].cast(pl.Float64).fill_null(np.nan).to_numpy()


def line_at(axis: Axes, level: float | None = None, vertical: float | None = None) -> None:
    """Draw the line that dots are to be read against."""
    if level is not None:
        axis.axhline(level, color="0.3", linewidth=0.9, zorder=1)
    if vertical is not None:
        axis.axvline(vertical, color="0.3", linewidth=0.9, zorder=1)


def _ends(table: pl.DataFrame, name: str, scale: float) -> tuple[np.ndarray, np.ndarray]:
    """Return a column of estimates and how far their intervals reach below and above; 0 where there is none."""
    mean, low, high = (scale * numbers(table, column) for column in (name, f"{name}_low", f"{name}_high"))
    return mean, np.maximum(np.nan_to_num(np.stack([mean - low, high - mean])), 0)


def _lines(facts: pl.DataFrame) -> int:
    """Return how many lines a column of facts takes: one for each value and one for each fact's name."""
    return len(facts) + facts["fact"].n_unique()
