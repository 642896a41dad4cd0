"""What strategies bid: how often each bid is made, by hand size."""

from collections.abc import Sequence

import numpy as np
import polars as pl
from matplotlib.ticker import MaxNLocator

from ...game.record import BOARD
from .heat import heat
from .layout import MANY, SMALL, captioned, nothing_yet, panels, there
from .picture import Picture, in_style

_TITLE = "Bids, by hand size"


@in_style
def bids(table: pl.DataFrame, names: Sequence[str], note: str = "") -> Picture:
    """Draw the share of each bid among a strategy's bids with hands of each size.

    Parameters
    ----------
    table : DataFrame
        A row a strategy, hand size and bid: `strategy`, `hand_size`, `bid` (0 pass, 1 to 12, 99 board), `hands`.
    names : sequence of str
        Those of the whole report, in their order.
    note : str
        What it rests on: shuffles and run id.
    """
    strategies = there(table["strategy"], names)
    if not strategies:
        return nothing_yet(_TITLE, note)
    sizes = list(range(min(table["hand_size"]), max(table["hand_size"]) + 1))
    most = max([bid for bid in table["bid"] if bid != BOARD], default=0)
    rows_of = {**{bid: bid for bid in range(most + 1)}, BOARD: most + 1}
    labels = ["pass", *map(str, range(1, most + 1)), "board"]
    figure, axes_of = panels(strategies, "hand size, cards", "bid", height=2.2, widest=2)
    for strategy, axes in axes_of.items():
        hands = np.zeros((len(rows_of), len(sizes)))
        of_strategy = table.filter(pl.col("strategy") == strategy).select("bid", "hand_size", "hands")
        for bid, size, count in of_strategy.iter_rows():
            hands[rows_of[bid], size - sizes[0]] += count
        percent = 100 * hands / np.where(hands.sum(axis=0), hands.sum(axis=0), np.nan)
        cells = heat(
            axes, np.where(hands > 0, percent, np.nan), sizes, range(len(rows_of)),
            _short, 0 if len(strategies) > MANY else 6.5, cmap="Blues", vmin=0, vmax=100,
        )  # fmt: skip
        axes.set_yticks(range(len(labels)), labels, fontsize=SMALL)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    figure.colorbar(cells, ax=list(axes_of.values()), label="percent of hands", shrink=0.8, aspect=30)
    how = "Cells: percent of the strategy's hands of that size; a dot: less than 1; empty: never."
    return captioned(figure, _TITLE, f"{how}\n{note}")


def _short(percent: float) -> str:
    return f"{percent:.0f}" if percent >= 1 else "·"
