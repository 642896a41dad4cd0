"""The margin as a run goes on: its mean and interval after so many shuffles."""

from collections.abc import Sequence

import numpy as np
from matplotlib.ticker import StrMethodFormatter

from ..samples import Samples
from ..stats import t_quantile
from .layout import basis, captioned, nothing_yet, panels
from .picture import Picture, in_style, looks

MOST_POINTS = 300
_TITLE = "Running margin: the mean and its 95 % interval as shuffles come in"
_CAUTION = (
    "Each interval is right for one look, at a number of shuffles fixed before. Looking again and again until one "
    "leaves 0 out is no test: chance alone will do that. `backalley compare` stops early and rightly."
)


@in_style
def running_margin(samples: Samples, names: Sequence[str] = ()) -> Picture:
    """Draw each side's margin against its field after 2, 3, … shuffles; of a single pairing, the first side's.

    The last point is the league's figure. Of many shuffles, `MOST_POINTS` are drawn, close together at the beginning.

    Parameters
    ----------
    samples : Samples
        As ``sim.samples(run)`` gives them.
    names : sequence of str
        Those of the whole report, in the order that gives them their looks; the run's sides if none.
    """
    note = f"{basis(len(samples.shuffle_ids), samples.run_id)}. {_CAUTION}"
    single = len(samples.pairings) == 1
    found = {side: running(samples.of_side(side)[:, 1]) for side in samples.sides[: 1 if single else None]}
    found = {side: columns for side, columns in found.items() if len(columns[0])}
    if not found:
        return nothing_yet(_TITLE, note)
    look = looks(names or samples.sides)
    figure, axes_of = panels(list(found), "shuffles", "margin, points a match", height=1.7, sharey=False)
    for side, axes in axes_of.items():
        shuffles, means, low, high = found[side]
        colour, _, line, _ = look[side]
        axes.axhline(0, color="0.35", linewidth=0.8)
        axes.fill_between(shuffles, low, high, color=colour, alpha=0.25, linewidth=0)
        axes.plot(shuffles, means, color=colour, linestyle=line, linewidth=1.5, gid=f"running {side}")
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
        axes.set_ylim(*_window(means, low, high))
    if single:
        axes.set_title(" against ".join(samples.pairings[0]), fontsize=9, fontweight="normal")
    return captioned(figure, _TITLE, note)


def running(margins: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return counts of samples, and the mean and interval of the first so many, at most `MOST_POINTS` of each.

    Parameters
    ----------
    margins : float64[shuffles]
        NaN where a shuffle does not count.
    """
    kept = margins[~np.isnan(margins)]
    if len(kept) < 2:
        return (np.array([]),) * 4
    counts = np.unique(np.rint(np.geomspace(2, len(kept), MOST_POINTS)).astype(np.int64))
    total, squares = (np.cumsum(kept**power)[counts - 1] for power in (1, 2))
    means = total / counts
    variance = np.maximum(squares - means * total, 0) / (counts - 1)
    reach = t_quantile(counts) * np.sqrt(variance / counts)
    return counts, means, means - reach, means + reach


def _window(means: np.ndarray, low: np.ndarray, high: np.ndarray) -> tuple[float, float]:
    """Return the range to show: all means, and zero if it is near, but not the very wide first intervals."""
    settled = len(low) // 4
    least, most = min(means.min(), low[settled:].min()), max(means.max(), high[settled:].max())
    if max(least, -most) < most - least:
        least, most = min(least, 0.0), max(most, 0.0)
    spare = 0.05 * (most - least) or 1.0
    return least - spare, most + spare
