"""How a picture is laid out: its title above, what it rests on in small type below, and a panel for each side."""

import re
from collections.abc import Mapping, Sequence
from textwrap import fill, wrap
from typing import Any

import polars as pl
from matplotlib.artist import Artist
from matplotlib.axes import Axes

from .picture import Picture, in_style, picture

SMALL = 8
MANY = 8
"""Panels from which on there is no room for numbers in their cells."""
_NOTE_WIDTH = 118
"""Letters of small type in a picture of usual width."""


@in_style
def captioned(figure: Picture, title: str, note: str = "", legend: Mapping[str, Artist] | None = None) -> Picture:
    """Return a picture with its title above and, in small type below, what to know: shuffles, run id, how to read.

    Parameters
    ----------
    figure : Picture
    title, note : str
        They are broken into lines as wide as the picture.
    legend : dict of str to Artist, optional
        What is drawn, by what it means, in a row below the title.
    """
    width, height = figure.get_size_inches()
    heading = fill(title, int(82 * width / 7.5))
    if legend:
        figure.legend(
            list(legend.values()), list(legend), loc="upper left", ncols=len(legend), fontsize=SMALL, borderpad=0,
            bbox_to_anchor=(0.01, 1 - (0.1 + 0.19 * len(heading.splitlines())) / height), columnspacing=1.2,
        )  # fmt: skip
        heading += "\n"
    figure.suptitle(heading, x=0.01, ha="left", fontsize=11, fontweight="bold")
    lines = (fill(line, int(_NOTE_WIDTH * width / 7.5), break_on_hyphens=False) for line in note.splitlines() if line)
    figure.supxlabel("\n".join(lines), x=0.01, ha="left", fontsize=SMALL, color="0.35")
    return figure


def there(column: pl.Series, names: Sequence[str]) -> list[str]:
    """Return those of the names that a column holds, in their order."""
    held = set(column)
    return [name for name in dict.fromkeys(names) if name in held]


def with_minus(text: str) -> str:
    """Return a number as Matplotlib writes it on its axes: with the sign that is as wide as a plus."""
    return text.replace("-", "−")


@in_style
def nothing_yet(title: str, note: str = "") -> Picture:
    """Return the picture of what there is no data for."""
    figure, (axes,) = picture(height=1.6)
    axes.set_axis_off()
    axes.text(0.5, 0.5, "nothing here yet", ha="center", va="center", color="0.45", transform=axes.transAxes)
    return captioned(figure, title, note)


def basis(shuffles: int, run_id: str) -> str:
    """Return what an estimate rests on: ``n = 300 shuffles; run 96f9b7982f6f4528``."""
    return f"n = {shuffles:,} shuffle{'s' * (shuffles != 1)}; run {run_id}"


def broken(label: str, width: int) -> str:
    """Return a strategy's label on lines of so many letters, broken between its parts where that can be."""
    parts = re.findall(r"[^:+=]+[:+=]?|[:+=]", label)
    lines = [""]
    for part in (piece for long in parts for piece in wrap(long, width) or [long]):
        if lines[-1] and len(lines[-1] + part) > width:
            lines.append("")
        lines[-1] += part
    return "\n".join(lines)


@in_style
def panels(
    names: Sequence[str], x_label: str, y_label: str, height: float = 2.0, widest: int = 3, **subplots: Any
) -> tuple[Picture, Mapping[str, Axes]]:
    """Return a picture with a panel for each name, their axes alike.

    Parameters
    ----------
    names : sequence of str
        At least one.
    x_label, y_label : str
        What the axes show, with its unit.
    height : float
        Of a row of panels, inches; a row of one is half as high again.
    widest : int
        Panels side by side, at most; 4 of many.
    **subplots
        As for Matplotlib's ``Figure.subplots``.
    """
    widest = max(widest, 4) if len(names) > MANY else 2 if len(names) == 4 else widest
    columns = min(len(names), widest)
    rows = -(-len(names) // columns)
    height *= 1.5 if columns == 1 else 1
    figure, axes = picture(rows, columns, height=0.9 + rows * height, **{"sharex": True, "sharey": True} | subplots)
    for each, name in zip(axes, names, strict=False):
        each.set_title(broken(name, 80 // columns), fontsize=9 if columns < 4 else 7.5, fontweight="normal")
        each.tick_params(labelsize=SMALL)
    for each in axes[len(names) :]:
        each.remove()
    for each in axes[max(len(names) - columns, 0) : len(names)]:
        each.tick_params(labelbottom=True)
    for each in axes[(rows - 1) * columns : len(names)]:
        each.set_xlabel(fill(x_label, 84 // columns), fontsize=9)
    figure.supylabel(y_label, fontsize=9, color="0.15")
    return figure, dict(zip(names, axes, strict=False))
