"""Pictures of what a board claim risks: its chance against the break-even, its spread, and the matches lost with it.

Each function takes a table with the columns it names and draws what is in it, as those in `boards` do.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from .boards import PERCENT, across, line_at, numbers
from .layout import broken, captioned, nothing_yet, with_minus
from .picture import BAD, GOOD, LOOKS, NEUTRAL, Picture, in_style, picture

_SCALE = "Points beyond ±20 are drawn closer together."


@in_style
def board_break_even(table: pl.DataFrame, note: str = "") -> Picture:
    """Draw the chance that a claim is made and what it brings, against what must be beaten.

    Parameters
    ----------
    table : DataFrame
        A row of the picture each: ``strategy``, ``hand_size``, ``claims``; ``success`` (0 to 1) and ``points`` (a
        claim) with their ``_low`` and ``_high``; ``other_points`` with ``_low`` and ``_high``, what hands of the same
        kind brought without a claim, and ``break_even`` (0 to 1), the chance from which a claim brings more than that.
    note : str
        What it rests on: shuffles and run id.
    """
    title = "Board claims against their break-even"
    if table.is_empty():
        return nothing_yet(title, note)
    rows = table.select("strategy", "hand_size", "claims").iter_rows()
    labels = [f"{broken(strategy, 26)}, {_cards(size)} ({claims:,})" for strategy, size, claims in rows]
    figure, (chance, points) = _rows(labels, 2)
    heights = np.arange(len(table))
    across(chance, heights, table, "success", 100)
    even = 100 * numbers(table, "break_even")
    chance.plot(even, heights, linestyle="", marker="D", markeredgecolor=BAD, markersize=5.5, markerfacecolor="white")
    across(points, heights - 0.15, table, "points")
    across(points, heights + 0.15, table, "other_points", colour=BAD, marker="D")
    chance.set(xlim=PERCENT, xlabel="chance that the claim is made, %")
    points.set_xlabel("points a hand, mean")
    line_at(chance, vertical=50)
    line_at(points, vertical=0)
    _points_scale(points)
    _legend(chance, {"board claimed": ("o", GOOD), "to beat: hands of the same kind, no board": ("D", BAD)})
    return captioned(figure, title, f"In brackets: claims. Lines: 95 % intervals over shuffles. {_SCALE}\n{note}")


@in_style
def board_pairs(table: pl.DataFrame, note: str = "") -> Picture:
    """Draw what claiming brought more than not claiming, on the same cards in the same seat after the same bids.

    Parameters
    ----------
    table : DataFrame
        A row of the picture each: ``claimer``, ``hand_size``, ``board_level``, ``pairs``; ``points`` (own) and
        ``margin`` (own less the other side's) with their ``_low`` and ``_high``, points a deal.
    note : str
        As in `board_break_even`.
    """
    title = "A claim less no claim: same cards, same seat, same bids before"
    if table.is_empty():
        return nothing_yet(title, note)
    rows = table.select("claimer", "hand_size", "board_level", "pairs").iter_rows()
    labels = [f"{broken(name, 26)}, {_cards(size)}, level {level} ({pairs:,})" for name, size, level, pairs in rows]
    figure, axes = _rows(labels, 2)
    for axis, name, what in zip(axes, ("points", "margin"), ("own points", "margin, points"), strict=True):
        across(axis, np.arange(len(table)), table, name)
        line_at(axis, vertical=0)
        _points_scale(axis)
        axis.set_xlabel(f"{what} a deal")
    how = f"In brackets: pairs. Margin: own points less the other side's. Lines: 95 % intervals over shuffles. {_SCALE}"
    return captioned(figure, title, f"{how}\n{note}")


@in_style
def board_spread(table: pl.DataFrame, note: str = "") -> Picture:
    """Draw how far the points of a deal spread, on board and not.

    Parameters
    ----------
    table : DataFrame
        ``side``, ``on_board`` (bool), and in points: ``worst_5``, ``lower_quarter``, ``median``, ``upper_quarter``,
        ``best_5`` (quantiles), ``mean_of_worst_5``.
    note : str
        As in `board_break_even`.
    """
    title = "Points of a deal, on board and not"
    sides = list(dict.fromkeys(table["side"]))
    if not sides:
        return nothing_yet(title, note)
    figure, (axis,) = _rows([broken(side, 30) for side in sides], 1)
    for row in table.iter_rows(named=True):
        _box(axis, sides.index(row["side"]) + (-0.2 if row["on_board"] else 0.2), row)
    line_at(axis, vertical=0)
    axis.set_xlabel("points of the side in a deal")
    boxes = {"on board": ("s", GOOD), "not on board": ("s", NEUTRAL), "mean of the worst 5 %": ("X", BAD)}
    _legend(axis, boxes)
    how = "Box: the middle half of the deals, thick line: median. The lines leave out the worst and the best 5 %."
    return captioned(figure, title, f"{how}\n{note}")


@in_style
def board_failures(table: pl.DataFrame, note: str = "") -> Picture:
    """Draw the share of matches lost by how many boards failed in them.

    Parameters
    ----------
    table : DataFrame
        ``side``, ``failed`` (0, 1, 2; 3 for more as well), and ``lost_share`` (0 to 1) with ``_low`` and ``_high``.
    note : str
        As in `board_break_even`.
    """
    title = "Matches lost, by how many of the side's boards failed"
    sides = list(dict.fromkeys(table["side"]))
    if not sides:
        return nothing_yet(title, note)
    figure, (axis,) = _rows([broken(side, 30) for side in sides], 1, tall=0.6)
    legend = {}
    for failed, look in enumerate(LOOKS[:4]):
        own = table.filter(failed=failed)
        heights = np.array([sides.index(side) for side in own["side"]]) + 0.2 * (failed - 1.5)
        across(axis, heights, own, "lost_share", 100, look.colour, look.marker)
        legend[("none failed", "1 failed", "2 failed", "3 or more")[failed]] = (look.marker, look.colour)
    axis.set(xlim=PERCENT, xlabel="lost, % of the matches with so many failed boards")
    line_at(axis, vertical=50)
    _legend(axis, legend)
    return captioned(figure, title, f"Lines: 95 % intervals over shuffles; none where it is one shuffle.\n{note}")


def _cards(size: int) -> str:
    return f"{size} card{'s' * (size != 1)}"


def _rows(labels: Sequence[str], columns: int, tall: float = 0.3) -> tuple[Picture, list[Axes]]:
    """Return a picture with labelled rows from the top down, each at least so many inches tall."""
    lines = [label.count("\n") + 1 for label in labels]
    tall = max(tall, *(0.085 * (upper + lower) for upper, lower in pairwise([1, *lines, 1])))
    figure, axes = picture(1, columns, height=1.7 + len(labels) * tall, sharey=True)
    axes[0].set_yticks(range(len(labels)), labels, fontsize=9)
    axes[0].set_ylim(len(labels) - 0.45, -0.55)
    if columns == 1:
        _apart(axes[0], len(labels))
    return figure, axes


def _points_scale(axis: Axes) -> None:
    """Let an axis of points show small gains beside large losses: even up to 20 points, in powers beyond."""
    low, high = axis.get_xlim()
    axis.set_xscale("symlog", linthresh=20, linscale=0.7)
    low, high = min(low, -20), max(high, 20)
    axis.set_xlim(low, high)
    steps = (10, 20, 50) if max(-low, high) < 80 else (20, 100, 500)
    ticks = [0, *(sign * step for step in steps for sign in (-1, 1) if low <= sign * step <= high)]
    axis.set_xticks(ticks, [with_minus(str(tick)) for tick in ticks])
    axis.minorticks_off()


def _apart(axis: Axes, rows: int) -> None:
    """Draw lines between the rows instead of through them, where each holds several marks."""
    axis.grid(visible=False, axis="y")
    axis.tick_params(axis="y", length=0)
    for row in range(1, rows):
        axis.axhline(row - 0.5, color="0.8", linewidth=0.8, zorder=0)


def _box(axis: Axes, height: float, row: dict[str, Any]) -> None:
    colour = GOOD if row["on_board"] else NEUTRAL
    axis.plot([row["worst_5"], row["best_5"]], [height] * 2, color=colour, linewidth=1.4)
    width = row["upper_quarter"] - row["lower_quarter"]
    axis.barh(height, width, 0.3, row["lower_quarter"], facecolor="white", edgecolor=colour, linewidth=1.4, zorder=2)
    axis.plot([row["median"]] * 2, [height - 0.15, height + 0.15], color=colour, linewidth=2.6)
    axis.plot([row["mean_of_worst_5"]], [height], marker="X", markersize=6.5, color=BAD, linestyle="")


def _legend(axis: Axes, entries: dict[str, tuple[str, str]]) -> None:
    """Say above a panel what its markers are; an empty title keeps the room, so that the panel keeps its width."""
    handles = [Line2D([], [], linestyle="", marker=marker, color=colour) for marker, colour in entries.values()]
    axis.set_title(" ", fontsize=11)
    place: dict[str, Any] = {"loc": "lower left", "bbox_to_anchor": (0, 1), "borderpad": 0.1}
    axis.legend(handles, list(entries), ncols=len(entries), fontsize=9, handletextpad=0.2, **place).set_in_layout(False)
