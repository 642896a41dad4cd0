"""The course of a match: whose deal it is, how many cards, and the score (RULES D1, D2, B5, B6, S4), in plain Python.

Belongs to the referee's side of the two implementations; one deal is played in `referee`.
"""

from .house import Rules
from .record import SIDES, Record

STANDARD = Rules()


class Match:
    """A match as its deals are entered one after the other.

    Parameters
    ----------
    first_dealer : int
        The seat that deals first.
    rules : Rules

    Attributes
    ----------
    deal, attempt : int
        The deal that comes next, from 1, and how often it will then have been dealt, from 1.
    dealer : int
        The seat that deals next.
    score : list of int
        The totals of NS and EW.
    """

    __slots__ = ("attempt", "deal", "dealer", "rules", "score")

    def __init__(self, first_dealer: int, rules: Rules = STANDARD) -> None:
        self.rules = rules
        self.deal = self.attempt = 1
        self.dealer = first_dealer
        self.score = [0, 0]

    @property
    def finished(self) -> bool:
        """Whether every deal has been entered."""
        return self.deal > len(self.rules.hand_sizes)

    @property
    def hand_size(self) -> int:
        """Cards each player gets in the deal that comes next (D1).

        Raises
        ------
        ValueError
            If the match is over.
        """
        if self.finished:
            raise ValueError(f"the match is over after {self.deal - 1} deals (D1)")
        return self.rules.hand_sizes[self.deal - 1]

    def enter(self, record: Record) -> str:
        """Enter a deal's result, and let the deal pass to the left (D2).

        Returns
        -------
        str
            The outcome in the match: that of the record, or ``stalled`` for the last of `max_redeals` hands
            thrown in (B6).

        Raises
        ------
        ValueError
            If the match is over, or the record is of another dealer or hand size than comes next.
        """
        if record.deal.hand_size != self.hand_size:
            raise ValueError(f"deal {self.deal} has {self.hand_size} cards, not {record.deal.hand_size} (D1)")
        if record.deal.dealer != self.dealer:
            raise ValueError(f"deal {self.deal} is dealt by seat {self.dealer}, not {record.deal.dealer} (D2, B5)")
        self.score = [total + points for total, points in zip(self.score, record.points, strict=True)]
        self.dealer = (self.dealer + 1) % 4
        if record.outcome == "thrown-in" and self.attempt < self.rules.max_redeals:
            self.attempt += 1  # B5: the same hand size again
            return "thrown-in"
        self.deal, self.attempt = self.deal + 1, 1
        return "stalled" if record.outcome == "thrown-in" else record.outcome

    @property
    def winner(self) -> str:
        """The side with the most points so far, ``NS`` or ``EW``, or ``tie`` (S4)."""
        north_south, east_west = self.score
        return "tie" if north_south == east_west else SIDES[north_south < east_west]
