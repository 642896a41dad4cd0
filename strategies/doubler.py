"""Raising boards: the partner's always, the opponents' on a hand that takes everything."""

from sim import BOARD, View

from . import _card_sense as sense
from .gambler import Gambler


class Doubler(Gambler):
    """A Gambler who adds a board to one already claimed, as doubling does in bridge and backgammon.

    A partner's board stands on better than even odds, so a second claim, which doubles its points, pays on any hand; a
    number would be void anyhow. One trick breaks an opponents' board, but a board over it needs them all and stakes
    double: claimed only on a hand that seems to take every trick unaided.

    Parameters
    ----------
    sure : float
        The share of the tricks that the own hand must be good for to claim board over an opponents' board.
    """

    sure: float = 0.95

    def bid(self, view: View) -> int:
        partner, opponents = sense.boards(view)
        takes_all = self.likely_tricks(view) >= self.sure * view.hand_size
        if partner > opponents or (opponents > 0 and takes_all):
            return BOARD
        return Gambler.bid(self, view)
