"""How strong each player is, by one fit over all matches of a run, and whether the margins add up at all.

The model: the margin of side A against side B is strength A less strength B, and the strength of a side ``a+b`` is the
mean of its two players'. It is a batch fit, so the order of matches does not matter, and a player who won or lost
every match has a finite strength like any other. Where sides beat each other in a ring, or one fares better against
the weak than the others do, no strengths can say so: the fit looks for that (Jiang, Lim, Yao and Ye 2011) and warns.
"""

from dataclasses import dataclass

import numpy as np

from .linear import LinearFit, fit, interval
from .samples import Samples
from .stats import Estimate


@dataclass(frozen=True)
class Strength:
    """One player's strength, a margin a match against the mean of the field; all NaN if the pairings do not tell it."""

    player: str
    strength: Estimate


@dataclass(frozen=True)
class Misfit:
    """How much more `first` wins by against `second`, points a match, than the sides' strengths say."""

    first: str
    second: str
    excess: Estimate


@dataclass(frozen=True)
class Strengths:
    """The players of a run by strength.

    Attributes
    ----------
    run_id : str
    shuffles : int
        The samples.
    players : tuple of Strength
        Strongest first.
    misfits : tuple of Misfit
        Of every pairing of two sides, in the run's order; the intervals hold together at 95 % (Dunn 1961).
    ring : tuple of three str, optional
        Three sides of which each beat the next and the last the first, the clearest such ring.
    """

    run_id: str
    shuffles: int
    players: tuple[Strength, ...]
    misfits: tuple[Misfit, ...]
    ring: tuple[str, str, str] | None

    @property
    def adds_up(self) -> bool:
        """Whether every margin is the difference of two strengths, but for noise; wrong of 5 % where it is."""
        return not self._beyond_noise

    @property
    def cyclic(self) -> bool:
        """Whether the margins do not add up and some sides beat each other in a ring."""
        return not self.adds_up and self.ring is not None

    @property
    def warning(self) -> str | None:
        """What to say beside the strengths when the margins do not add up, else None."""
        if self.adds_up:
            return None
        worst = max(self._beyond_noise, key=lambda each: max(each.excess.low, -each.excess.high))
        by = f"{abs(worst.excess.mean):.1f} ± {worst.excess.half_width:.1f} points a match"
        more = "more" if worst.excess.mean > 0 else "less"
        a, b, c = self.ring or ("", "", "")
        ring = f"; {a} beat {b}, {b} beat {c}, and {c} beat {a}" if self.ring else ""
        return (
            f"The margins do not add up: {worst.first} wins by {by} {more} against {worst.second} than their strengths "
            f"say{ring}. Read the pairing matrix instead."
        )

    @property
    def _beyond_noise(self) -> list[Misfit]:
        return [each for each in self.misfits if each.excess.leaves_out_zero]


def strengths(samples: Samples) -> Strengths:
    """Fit the strengths of a run's players, partners apart."""
    sides = side_design(samples)
    players = fit(samples, sides @ _partnerships(samples))
    fitted = [Strength(player, _against_the_field(players, place)) for place, player in enumerate(samples.players)]
    return Strengths(
        run_id=samples.run_id,
        shuffles=len(samples.shuffle_ids),
        players=tuple(sorted(fitted, key=_strongest_first)),
        misfits=tuple(_misfits(samples, fit(samples, sides))),
        ring=_ring(samples),
    )


def side_design(samples: Samples) -> np.ndarray:
    """Return what each side's strength counts in each pairing's margin, float64[pairings, sides]."""
    first, second = _places(samples)
    everyone = np.eye(len(samples.sides))
    design: np.ndarray = everyone[first] - everyone[second]
    return design


def _places(samples: Samples) -> tuple[list[int], list[int]]:
    """Return the place among the sides of each pairing's first side, and of its second."""
    place = {side: place for place, side in enumerate(samples.sides)}
    return [place[first] for first, _ in samples.pairings], [place[second] for _, second in samples.pairings]


def _partnerships(samples: Samples) -> np.ndarray:
    """Return what each player counts in each side's strength, float64[sides, players]."""
    shares = np.zeros((len(samples.sides), len(samples.players)))
    for place, side in enumerate(samples.sides):
        for player in _partners(side, samples.players):
            shares[place, samples.players.index(player)] += 0.5
    return shares


def _partners(side: str, players: tuple[str, ...]) -> tuple[str, str]:
    """Return the two players of a side; a label may itself hold a plus, as in ``counter:margin=1e+20``."""
    if side in players:
        return side, side
    splits = ((side[:at], side[at + 1 :]) for at, sign in enumerate(side) if sign == "+")
    return next(pair for pair in splits if set(pair) <= set(players))


def _against_the_field(fitted: LinearFit, place: int) -> Estimate:
    """Return a strength less the mean of all those that the pairings make comparable with it."""
    everyone = np.eye(len(fitted.strengths))
    comparable = np.array([fitted.tells(everyone[place] - other) for other in everyone])
    if comparable.sum() == 1 and len(everyone) > 1:
        return Estimate(np.nan, np.nan, np.nan)
    return fitted.contrast(everyone[place] - comparable / comparable.sum())


def _misfits(samples: Samples, fitted: LinearFit) -> list[Misfit]:
    meetings = [place for place, (first, second) in enumerate(samples.pairings) if first != second]
    counted = samples.counted.sum(axis=0)
    excess = [
        interval(fitted.misfit[place], fitted.misfit_influence[:, place], int(counted[place]), len(meetings))
        for place in meetings
    ]
    return [Misfit(*samples.pairings[place], each) for place, each in zip(meetings, excess, strict=True)]


def _ring(samples: Samples) -> tuple[str, str, str] | None:
    """Return the ring of three whose narrowest mean margin is the widest."""
    sides, (first, second) = samples.sides, _places(samples)
    means = samples.margins.sum(axis=0) / np.maximum(samples.counted.sum(axis=0), 1)
    margin = np.zeros((len(sides), len(sides)))
    margin[first, second], margin[second, first] = means, -means
    widest, ring = 0.0, None
    for a in range(len(sides)):
        narrowest = np.minimum(np.minimum(margin[a][:, None], margin), margin[:, a])
        b, c = np.unravel_index(narrowest.argmax(), narrowest.shape)
        if narrowest[b, c] > widest:
            widest, ring = narrowest[b, c], (sides[a], sides[b], sides[c])
    return ring


def _strongest_first(player: Strength) -> tuple[bool, float, str]:
    known = not np.isnan(player.strength.mean)
    return not known, -player.strength.mean if known else 0.0, player.player
