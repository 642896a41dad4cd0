"""How every picture of ours looks: a figure that notebooks show as SVG, the same bytes each time, and its colours.

Colours are those of Okabe and Ito (2008), told apart by readers with any kind of colour vision; each comes with a
marker, a line style and a hatch of its own, so that a print in black and white can be read too. Nothing here touches
pyplot or changes Matplotlib's settings for others.
"""

from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

STYLE: Any = {
    "axes.axisbelow": True,
    "axes.edgecolor": "0.35",
    "axes.grid": True,
    "axes.labelcolor": "0.15",
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "figure.dpi": 100,
    "figure.facecolor": "white",
    "font.family": "DejaVu Sans",  # comes with Matplotlib, so a picture is the same on every machine
    "font.size": 10,
    "grid.color": "0.9",
    "legend.frameon": False,
    "savefig.dpi": 200,
    "svg.fonttype": "path",
    "svg.hashsalt": "backalley",
    "xtick.color": "0.35",
    "xtick.labelcolor": "0.15",
    "ytick.color": "0.35",
    "ytick.labelcolor": "0.15",
}


in_style = mpl.rc_context(STYLE)
"""Decorator of a function that draws: our style while it runs, Matplotlib's own again afterwards."""


class Look(NamedTuple):
    """What tells one strategy from the others in a picture: Matplotlib's names of colour, marker, line and hatch."""

    colour: str
    marker: str
    line: str
    hatch: str


LOOKS = (
    Look("#0072B2", "o", "-", ""),
    Look("#D55E00", "s", "--", "///"),
    Look("#009E73", "^", "-.", "--"),
    Look("#CC79A7", "D", ":", "xxx"),
    Look("#E69F00", "v", (0, (5, 1, 1, 1, 1, 1)), "\\\\\\"),  # type: ignore[arg-type]
    Look("#56B4E9", "P", (0, (7, 2)), "//"),  # type: ignore[arg-type]
    Look("#000000", "X", (0, (1, 3)), "++"),  # type: ignore[arg-type]
)
GOOD, BAD, NEUTRAL = "#0072B2", "#D55E00", "#8A8A8A"
"""Points won, points lost, and neither."""

DIVERGING = "PuOr"
"""Matplotlib's name of a map of colours with a white middle: orange below zero, purple above."""


def looks(names: Iterable[str]) -> dict[str, Look]:
    """Return a look for each name, in their order.

    A strategy looks the same in all pictures that are given the same names. When the colours begin again, markers,
    lines and hatches are shifted against them, so that 49 names all look different.
    """
    found = {}
    for place, name in enumerate(dict.fromkeys(names)):
        colour, shifted = LOOKS[place % len(LOOKS)], LOOKS[(place + place // len(LOOKS)) % len(LOOKS)]
        found[name] = shifted._replace(colour=colour.colour)
    return found


class Picture(Figure):
    """A Matplotlib figure that notebooks show by themselves, without pyplot or a magic, as SVG of the same bytes."""

    def to_svg(self) -> str:
        """Return the picture as SVG, the same text for the same picture."""
        return self._written("svg").decode()

    def to_file(self, path: str | Path) -> None:
        """Write the picture as a file; the ending of its name says how: ``.svg``, ``.png`` or ``.pdf``.

        Raises
        ------
        ValueError
            If the ending is none of these.
        """
        form = Path(path).suffix.removeprefix(".").lower()
        if form not in ("svg", "png", "pdf"):
            raise ValueError(f"cannot write {path}: name it .svg, .png or .pdf")
        Path(path).write_bytes(self._written(form))

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def _written(self, form: str) -> bytes:
        """Return the file's bytes, without the date or anything else that changes from one time to the next."""
        undated = {"svg": {"Date": None}, "png": {"Software": None}, "pdf": {"CreationDate": None}}[form]
        written = BytesIO()
        with mpl.rc_context(STYLE):
            self.savefig(written, format=form, metadata=undated)
        self.set_layout_engine("none")  # laid out again, everything would move a little
        return written.getvalue()


@in_style
def picture(
    rows: int = 1, columns: int = 1, width: float = 7.5, height: float = 4.0, **subplots: Any
) -> tuple[Picture, list[Axes]]:
    """Return an empty picture and its axes, row by row.

    Parameters
    ----------
    rows, columns : int
        Of axes.
    width, height : float
        Of the picture, inches. A page of a report is 7.5 wide.
    **subplots
        As for Matplotlib's ``Figure.subplots``: ``sharex``, ``sharey``, ``width_ratios`` and so on.
    """
    figure = Picture(figsize=(width, height), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False, **subplots)
    return figure, list(axes.flat)
