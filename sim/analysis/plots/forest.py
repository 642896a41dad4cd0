"""Forest plots: a line a side, the best at the top, its mean and 95 % interval beside zero, its value at the right."""

from collections.abc import Sequence
from math import floor, isfinite, log10

from ..league import League
from ..stats import Estimate
from ..strength import Strengths
from .layout import SMALL, basis, broken, captioned, nothing_yet, with_minus
from .picture import Picture, in_style, looks, picture

_LEGEND = "Lines are 95 % intervals, each for itself; the sample is the shuffle."


@in_style
def league(table: League, names: Sequence[str] = ()) -> Picture:
    """Draw each side's margin against its field, as a forest plot.

    Parameters
    ----------
    table : League
        As ``sim.league(run)`` gives it.
    names : sequence of str
        Those of the whole report, in the order that gives them their looks; the league's own if none.
    """
    rows = [(each.strategy, each.margin) for each in table.standings if each.shuffles]
    shuffles = max((each.shuffles for each in table.standings), default=0)
    note = f"{basis(shuffles, table.run.manifest['run_id'])}. {_LEGEND}"
    return _forest(rows, names, "League: margin against the field", "margin, points a match (right of 0: wins)", note)


@in_style
def strengths(fitted: Strengths, names: Sequence[str] = ()) -> Picture:
    """Draw each player's strength, as a forest plot, with the warning below if the margins do not add up.

    Parameters
    ----------
    fitted : Strengths
        As ``sim.strengths(samples)`` gives it.
    names : sequence of str
        As in `league`.
    """
    rows = [(each.player, each.strength) for each in fitted.players]
    note = f"{basis(fitted.shuffles, fitted.run_id)}. {_LEGEND}\n{fitted.warning or ''}"
    title = "Strength of each player against the mean of the field"
    return _forest(rows, names, title, "strength, points a match", note)


def _forest(rows: Sequence[tuple[str, Estimate]], names: Sequence[str], title: str, x_label: str, note: str) -> Picture:
    known = [(name, estimate) for name, estimate in rows if isfinite(estimate.mean)]
    if not known:
        return nothing_yet(title, note)
    look = looks(names or sorted(name for name, _ in rows))
    figure, (axes,) = picture(height=1.2 + 0.3 * len(known))
    axes.axvline(0, color="0.35", linewidth=1)
    for place, (name, estimate) in enumerate(known):
        colour, marker, *_ = look[name]
        if isfinite(estimate.low):
            axes.plot([estimate.low, estimate.high], [place, place], color=colour, linewidth=2, gid=f"interval {name}")
        axes.plot([estimate.mean], [place], color=colour, marker=marker, markersize=7, gid=f"mean {name}")
        value = _value(estimate)
        axes.text(1.01, place, value, transform=axes.get_yaxis_transform(), va="center", fontsize=9)
    axes.set_yticks(range(len(known)), [broken(name, 30) for name, _ in known], fontsize=9)
    axes.set_ylim(len(known) - 0.4, -0.6)
    axes.grid(axis="y", visible=False)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel(x_label)
    axes.text(1.01, 1.0, "mean ± half interval", transform=axes.transAxes, va="bottom", fontsize=SMALL, color="0.35")
    return captioned(figure, title, note)


def _value(estimate: Estimate) -> str:
    """Return an estimate as ``+14.2 ± 1.1``, with two figures of a small interval: ``+14.21 ± 0.06``."""
    reach = estimate.half_width
    if not isfinite(reach):
        return with_minus(f"{estimate.mean:+,.1f} ± –")
    digits = min(max(1, 1 - floor(log10(reach))), 4) if reach else 1
    return with_minus(f"{estimate.mean:+,.{digits}f} ± {reach:,.{digits}f}")
