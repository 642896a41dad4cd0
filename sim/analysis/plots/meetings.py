"""Who beats whom, and who comes where: the heat maps of the pairing table and of the rank shares."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from ..pairings import PairingTable
from ..ranks import Ranks
from .heat import heat
from .layout import basis, broken, captioned, nothing_yet, with_minus
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
        f"itself, includes 0. Empty: they did not meet."
    )
    margins = table.matrix()
    if not np.isfinite(margins).any():
        return nothing_yet(_PAIRINGS, note)
    open_, most = _open(table), np.nanmax(np.abs(margins)) or 1.0
    figure, (axes,) = picture(height=1.9 + 0.34 * max(len(table.sides), 3))
    places, size = range(len(table.sides)), _size(len(table.sides))

    text = _margins(margins, open_)
    cells = heat(
        axes, np.where(open_, np.nan, margins), places, places, text, size, cmap=DIVERGING, vmin=-most, vmax=most
    )
    grey = np.where(open_, 0.0, np.nan)
    heat(axes, grey, places, places, text, size, cmap="Greys", vmin=-0.12, vmax=1)
    _name_sides(axes, table.sides)
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
    if not np.isfinite(shares.shares).any():
        return nothing_yet(_RANKS, note)
    order = sorted(
        range(len(shares.sides)), key=lambda side: (shares.shares[side] @ np.arange(len(shares.sides)), side)
    )
    percent = 100 * shares.shares[order]
    figure, (axes,) = picture(height=1.7 + 0.3 * max(len(order), 3))
    places = range(len(order))

    text = np.vectorize(lambda share: f"{share:.0f}" if share >= 1 else "·" if share else "")(percent)
    heat(axes, percent, places, places, text, _size(len(order)), cmap="Blues", vmin=0, vmax=100)
    axes.set_yticks(places, [broken(shares.sides[side], 30) for side in order], fontsize=9)
    axes.set_xticks(places, [str(place + 1) for place in places], fontsize=9)
    axes.invert_yaxis()
    axes.set_xlabel("rank by strength; cells: percent of the draws")
    return captioned(figure, _RANKS, note)


def _open(table: PairingTable) -> np.ndarray:
    """Return which cells' intervals do not leave 0 out, bool[sides, sides]."""
    found = np.zeros((len(table.sides),) * 2, bool)
    place = {side: place for place, side in enumerate(table.sides)}
    for each in (*table.mirrored, *table.pairings):
        found[place[each.first], place[each.second]] = not (each.margin.low > 0 or each.margin.high < 0)
    return found


def _margins(margins: np.ndarray, bracketed: np.ndarray) -> np.ndarray:
    """Return the margins as text, str[sides, sides], in brackets where said."""
    text = np.vectorize(lambda margin: with_minus(f"{margin:+,.0f}"))(margins)
    return np.where(bracketed, np.char.add(np.char.add("(", text), ")"), text)


def _name_sides(axes: Axes, sides: Sequence[str]) -> None:
    """Name the rows; the columns too if there is room, else number both."""
    places, numbered = range(len(sides)), max(map(len, sides)) > 14
    names = [f"{broken(side, 30)}  {place + 1}" if numbered else side for place, side in enumerate(sides)]
    axes.set_yticks(places, names, fontsize=9)
    across = [str(place + 1) for place in places] if numbered else sides
    axes.set_xticks(places, across, fontsize=9, rotation=0 if numbered else 40, ha="center" if numbered else "left")
    axes.tick_params(length=0, top=False, labeltop=True, bottom=False, labelbottom=False)
    if not numbered:
        axes.tick_params(axis="x", pad=0)
    axes.invert_yaxis()


def _size(sides: int) -> float:
    return 9 if sides <= 8 else 8 if sides <= 12 else 6
