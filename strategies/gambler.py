"""Claiming board on strength."""

from sim import BOARD, View

from . import _card_sense as sense
from .counter import Counter


class Gambler(Counter):
    """Claims board when the side seems good for a large share of the tricks; else bids as Counter does.

    The grand slam of bridge, shooting the moon in Hearts: all or nothing, at ten points a card. The side's strength is
    the hand's likely tricks and half of what the partner bid. A large share is far easier to hold in two cards than in
    ten, so nearly all of its boards come when few cards are dealt.

    Parameters
    ----------
    threshold : float
        The share of the tricks, 1 being all of them, that the side must seem good for.
    """

    threshold: float = 0.7

    def bid(self, view: View) -> int:
        if view.hand_size > 1 and max(view.board_level) == 0:
            partner = max(sense.at(view.bids, view.seat + 2), 0)
            if self.likely_tricks(view) + partner / 2 >= self.threshold * view.hand_size:
                return BOARD
        return Counter.bid(self, view)
