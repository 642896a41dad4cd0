"""Bidding by counting tricks: the sober player whom the others vary."""

from sim import BOARD, PASS, View, cards, helper

from . import _card_sense as sense
from .passer import Passer

_ACES, _KINGS, _QUEENS = (cards.to_set(f"{rank}C {rank}D {rank}H {rank}S") for rank in "AKQ")


class Counter(Passer):
    """Bids its likely tricks less a margin. Claims board only at one card, where nothing else can be bid.

    Counting trumps and high cards is how Spades and Oh Hell players bid. The margin is the side's, and each partner
    keeps back half of it: one trick more in a contract that is made brings four points, one too many costs ten for each
    trick of the contract. If an opponent has claimed board, or the partner, it passes. Plays its cards as Passer does.

    Parameters
    ----------
    margin : float
        Tricks that the side keeps back.
    """

    margin: float = 1.0

    def bid(self, view: View) -> int:
        if view.hand_size == 1:
            return self.bid_on_one_card(view)
        if max(view.board_level) > 0:
            return PASS
        tricks = self.likely_tricks(view) + told_by_others(view) - self.reserve(view) / 2
        return min(max(int(tricks + 0.5), PASS), view.hand_size - 1)

    def reserve(self, view: View) -> float:
        """Return how many tricks the side should keep back in this deal."""
        return self.margin

    def likely_tricks(self, view: View) -> float:
        """Return how many tricks the own hand is good for, on average.

        A trump is nearly half a trick, from the queen up more than two thirds, the Big Blooper a whole one. Aces and
        kings of other suits are worth more the more cards are dealt, as everyone then has some of their suit. The
        weights are rounded from a fit to the tricks that sides took with this card play.
        """
        trump_set = cards.trumps(view.trump)
        trumps, plain = view.hand & trump_set, view.hand & ~trump_set
        aces, kings = cards.count(plain & _ACES), cards.count(plain & _KINGS)
        if view.trump == cards.NO_TRUMP:
            queens = cards.count(plain & _QUEENS)
            return 0.1 + 0.08 * view.hand_size + 0.7 * aces + 0.5 * kings + 0.3 * queens
        high = cards.count(trumps & (_QUEENS | _KINGS | _ACES | cards.JOKERS))
        big = trumps >> cards.BIG_BLOOPER
        in_trumps = 0.45 * cards.count(trumps) + 0.25 * high + 0.3 * big
        return 0.3 + in_trumps + view.hand_size * (0.05 * aces + 0.025 * kings)

    def bid_on_one_card(self, view: View) -> int:
        """Claim board if the side's chance of the one trick seems better than even; the last to claim leads.

        A partner's claim is raised on any card; over an opponent's it takes a card that seven at most would beat if
        led. To open, ten may, and six more for each player who has passed: the fourth opens on anything.
        """
        partner, opponents = sense.boards(view)
        if partner > opponents:
            return BOARD
        passes = (view.seat - view.dealer - 1) & 3
        bearable = 7 if opponents else 10 + 6 * passes
        better = sense.unseen(view) & sense.beating(cards.highest(view.hand), cards.trumps(view.trump))
        return BOARD if cards.count(better) <= bearable else PASS


@helper
def told_by_others(view: View) -> float:
    """Return how many tricks the bids so far add to the own hand's, or take from them.

    A partner who passed is good for most of a trick nevertheless. Of what an opponent bids above an even share of the
    tricks, a quarter is taken from us; of what is lacking a quarter is ours, up to one trick lacking: a player who
    never bids may hold anything.
    """
    told = 0.7 if sense.at(view.bids, view.seat + 2) == PASS else 0.0
    for opponent in (view.seat + 1, view.seat + 3):
        bid = sense.at(view.bids, opponent)
        if bid >= 0:
            told -= 0.25 * max(bid + 0.5 - view.hand_size / 4, -1.0)
    return told
