"""What a report must show beside its results: signs that the run itself was fair and whole."""

from dataclasses import dataclass
from math import nan

import numpy as np

from ..arena.run import Run
from ..game.record import SEATS
from .linear import interval
from .samples import Samples, samples
from .stats import Estimate
from .tables import plus_minus

_FIRST_HANDS = """
SELECT count(DISTINCT (north_hand, east_hand, south_hand, west_hand, turned)) FROM deals WHERE deal = 1 AND attempt = 1
"""
_DEALERS = """
SELECT first_dealer, count(DISTINCT shuffle_id) FROM matches GROUP BY first_dealer ORDER BY first_dealer
"""
_SEATS = "SELECT strategy, seat, count(*) FROM ({}) GROUP BY ALL ORDER BY ALL".format(
    " UNION ALL ".join(
        f"SELECT {seat.lower()} AS strategy, {place} AS seat FROM matches" for place, seat in enumerate(SEATS)
    )
)
_FAULTS = "SELECT fault, count(*) FROM matches WHERE fault IS NOT NULL GROUP BY fault ORDER BY fault"
_STALLED = "SELECT coalesce(sum(stalled), 0)::BIGINT, coalesce(sum(thrown_in), 0)::BIGINT FROM matches"


@dataclass(frozen=True)
class SelfMatch:
    """A side against itself.

    Attributes
    ----------
    side : str
    margin : Estimate
        Of the first pair of seats against the second, the tables averaged: 0 but for chance.
    largest : float
        The largest margin of any shuffle, its sign left out. Exactly 0 for players that draw no random numbers.
    """

    side: str
    margin: Estimate
    largest: float


@dataclass(frozen=True)
class Controls:
    """The controls of a run.

    Attributes
    ----------
    run_id : str
    shuffles, shuffles_expected : int
        Different shuffle ids that are there, and those of the whole run.
    first_hands : int
        Different first deals among them: as many as shuffles, unless hands are small.
    matches : int
        Matches that are there.
    self_matches : tuple of SelfMatch
        Of each pairing of a side with itself.
    seats : dict of str to tuple of four int
        How often each player sat North, East, South and West: alike in North and East, and in South and West, when
        duplicate.
    dealers : tuple of four int
        Shuffles on which each seat deals first.
    seat_margin : Estimate
        Points a match that North and South have more than East and West, all pairings of a shuffle averaged: what is
        left of the luck of the seats.
    faults : dict of str to int
        Matches that ended by a fault, by reason.
    left_out : int
        Shuffles that left a pairing's statistics on that account, summed over the pairings.
    stalled, thrown_in : int
        Deals stalled (RULES B6) and hands thrown in.
    """

    run_id: str
    shuffles: int
    shuffles_expected: int
    first_hands: int
    matches: int
    self_matches: tuple[SelfMatch, ...]
    seats: dict[str, tuple[int, ...]]
    dealers: tuple[int, ...]
    seat_margin: Estimate
    faults: dict[str, int]
    left_out: int
    stalled: int
    thrown_in: int

    def facts(self) -> dict[str, str]:
        """Return them all to read, by what each is."""
        played = (
            f"{each.side} {plus_minus(each.margin, signed=True)} (largest {each.largest:g})"
            for each in self.self_matches
        )
        faults = (f"{reason} {count:,}" for reason, count in sorted(self.faults.items()))
        return {
            "shuffles there, of those planned": f"{self.shuffles:,} of {self.shuffles_expected:,}",
            "different first deals": f"{self.first_hands:,}",
            "matches": f"{self.matches:,}",
            "sides against themselves, margin": "; ".join(played) or "none in this run",
            "North-South against East-West, margin": plus_minus(self.seat_margin, signed=True),
            "first dealer North, East, South, West": ", ".join(f"{count:,}" for count in self.dealers),
            **{
                f"{player} in North, East, South, West": ", ".join(f"{count:,}" for count in times)
                for player, times in sorted(self.seats.items())
            },
            "faults": ", ".join(faults) or "none",
            "shuffles left out on account of faults": f"{self.left_out:,}",
            "deals stalled": f"{self.stalled:,}",
            "hands thrown in": f"{self.thrown_in:,}",
        }


def controls(run: Run) -> Controls:
    """Work out the controls of a run from the shards that are there."""
    there = samples(run)
    with run.asked() as connection:
        first_hands, dealers, seats, faults, stalled = (
            connection.execute(query).fetchall() for query in (_FIRST_HANDS, _DEALERS, _SEATS, _FAULTS, _STALLED)
        )
    by_seat: dict[str, list[int]] = {}
    for player, seat, times in seats:
        by_seat.setdefault(player, [0] * 4)[seat] = times
    first_dealers = dict(dealers)
    return Controls(
        run_id=there.run_id,
        shuffles=len(np.unique(there.shuffle_ids)),
        shuffles_expected=run.manifest["tournament"]["shuffles"],
        first_hands=first_hands[0][0],
        matches=there.counted.size * there.tables,
        self_matches=tuple(_self_matches(there)),
        seats={player: tuple(times) for player, times in by_seat.items()},
        dealers=tuple(first_dealers.get(seat, 0) for seat in range(4)),
        seat_margin=_seat_margin(there),
        faults=dict(faults),
        left_out=int((~there.counted).sum()),
        stalled=stalled[0][0],
        thrown_in=stalled[0][1],
    )


def _self_matches(there: Samples) -> list[SelfMatch]:
    found = []
    for place, (first, second) in enumerate(there.pairings):
        if first == second:
            totals = there.table_margins[:, place].sum(axis=1)
            largest = float(np.abs(totals).max(initial=0)) / there.tables
            found.append(SelfMatch(first, there.mean(place, lambda ours, theirs: ours - theirs), largest))
    return found


def _seat_margin(there: Samples) -> Estimate:
    margins = there.table_margins * np.array([1, -1])[: there.tables]
    pairings = there.counted.sum(axis=1)
    kept = pairings > 0
    if not kept.any():
        return Estimate(nan, nan, nan)
    means = margins.sum(axis=(1, 2))[kept] / (pairings[kept] * there.tables)
    return interval(means.mean(), means - means.mean(), len(means))
