"""Who beats whom, and who comes where: the heat maps of the pairing table and of the rank shares."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap

from ..pairings import PairingTable
from ..ranks import Ranks
from .heat import heat
from .layout import MANY, basis, broken, captioned, nothing_yet, with_minus
from .picture import DIVERGING, Picture, in_style, picture

_PAIRINGS = "Pairings: mean margin of the row's side against the column's"
_RANKS = "Ranks: how often each side would come first, second, …"


@in_style
def pairings(table: PairingTable) -> Picture:
    """Draw the mean margin of each side against each other, grey and in brackets where the interval includes 0.

    Parameters
    ----------
    table : PairingTable
        As ``sim.pairing_table(samples)`` gives it.
    """
    shuffles = max((pairing.shuffles for pairing in table.pairings), default=0)
    note = (
        f"{basis(shuffles, table.run_id)}. Points a match. Grey and in brackets: the pairing's 95 % interval, each for "
        "itself, includes 0. Empty: they did not meet. k: thousands."
    )
    margins = table.matrix()
    if not np.isfinite(margins).any():
        return nothing_yet(_PAIRINGS, note)
    unsure, most = _unsure(table), float(np.nanmax(np.abs(margins))) or 1.0
    figure, (axes,) = picture(height=1.9 + 0.34 * max(len(table.sides), 2))
    places, bracketed = range(len(table.sides)), "({})".format
    size = min(9, 5 * 72 / (0.62 * len(table.sides) * max(len(bracketed(_written(most))), 5)))
    sure = np.where(unsure, np.nan, margins)
    cells = heat(axes, sure, places, places, _written, size, cmap=DIVERGING, vmin=-most, vmax=most)
    rest = np.where(unsure, margins, np.nan)
    heat(axes, rest, places, places, lambda margin: bracketed(_written(margin)), size, cmap=ListedColormap(["0.93"]))
    _name_sides(axes, table.sides)
    if len(table.sides) <= MANY:
        figure.colorbar(cells, ax=axes, label="margin, points a match", shrink=0.9)
    return captioned(figure, _PAIRINGS, note)


@in_style
def ranks(shares: Ranks) -> Picture:
    """Draw the share of bootstrap draws in which each side takes each rank.

    Parameters
    ----------
    shares : Ranks
        As ``sim.rank_shares(samples)`` gives it.
    """
    note = f"{basis(shares.shuffles, shares.run_id)}, drawn again {shares.draws:,} times. A dot: less than 1 %."
    if shares.shuffles < 2 or not np.isfinite(shares.shares).any():
        return nothing_yet(_RANKS, note)
    order = sorted(
        range(len(shares.sides)), key=lambda side: (shares.shares[side] @ np.arange(len(shares.sides)), side)
    )
    percent = 100 * shares.shares[order]
    figure, (axes,) = picture(height=1.5 + 0.3 * len(order))
    places = range(len(order))

    heat(axes, percent, places, places, _share, _size(len(order)), cmap="Blues", vmin=0, vmax=100)
    axes.set_yticks(places, [broken(shares.sides[side], 30) for side in order], fontsize=9)
    axes.set_xticks(places, [str(place + 1) for place in places], fontsize=9)
    axes.invert_yaxis()
    axes.set_xlabel("rank by strength; cells: percent of the draws")
    return captioned(figure, _RANKS, note)


def _unsure(table: PairingTable) -> np.ndarray:
    """Return which cells' intervals do not leave 0 out, bool[sides, sides]."""
    found = np.zeros((len(table.sides),) * 2, bool)
    place = {side: place for place, side in enumerate(table.sides)}
    for each in (*table.mirrored, *table.pairings):
        found[place[each.first], place[each.second]] = not each.margin.leaves_out_zero
    return found


def _written(margin: float) -> str:
    return with_minus(f"{margin / 1000:+,.0f}k" if abs(margin) >= 9999.5 else f"{margin:+,.0f}")


def _name_sides(axes: Axes, sides: Sequence[str]) -> None:
    """Name the rows; the columns too if there is room, else number both."""
    places, numbered = range(len(sides)), max(map(len, sides)) > 14
    names = [f"{broken(side, 24)}  {place + 1}" if numbered else side for place, side in enumerate(sides)]
    axes.set_yticks(places, names, fontsize=9)
    across = [str(place + 1) for place in places] if numbered else sides
    axes.set_xticks(places, across, fontsize=9, rotation=0 if numbered else 40, ha="center" if numbered else "left")
    axes.tick_params(length=0, top=False, labeltop=True, bottom=False, labelbottom=False)
    if not numbered:
        axes.tick_params(axis="x", pad=0)
    axes.invert_yaxis()


def _share(percent: float) -> str:
    return f"{percent:.0f}" if percent >= 1 else "·" if percent else ""


def _size(sides: int) -> float:
    return 9 if sides <= 8 else 8 if sides <= 12 else 6
