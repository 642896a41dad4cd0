"""Bidding by counting tricks: the honest player whom the others vary."""

from sim import BOARD, PASS, cards, helper

from .passer import Passer, above, at, unseen

_ACES = cards.to_set("AC AD AH AS")
_KINGS = cards.to_set("KC KD KH KS")
_QUEENS = cards.to_set("QC QD QH QS")


class Counter(Passer):
    """Bids its likely tricks less a margin, and plays its cards as Passer does."""

    margin: float = 1.0

    def bid(self, view) -> int:
        if view.hand_size == 1:
            return self.bid_on_one_card(view)
        if max(view.board_level) > 0:
            return PASS
        tricks = self.likely_tricks(view) - self.reserve(view) / 2
        partner = at(view.bids, view.seat + 2)
        if partner == PASS:
            tricks += 0.7
        tricks -= surplus(at(view.bids, view.seat + 1), view.hand_size) + surplus(at(view.bids, view.seat + 3), view.hand_size)
        return min(max(int(tricks + 0.5), PASS), view.hand_size - 1)

    def reserve(self, view):
        return self.margin

    def likely_tricks(self, view):
        trump_set = cards.trumps(view.trump)
        trumps, plain = view.hand & trump_set, view.hand & ~trump_set
        aces, kings, queens = cards.count(plain & _ACES), cards.count(plain & _KINGS), cards.count(plain & _QUEENS)
        if view.trump == cards.NO_TRUMP:
            return 0.1 + 0.08 * view.hand_size + 0.7 * aces + 0.5 * kings + 0.3 * queens
        high = cards.count(trumps & (_QUEENS | _KINGS | _ACES | cards.JOKERS))
        big = trumps >> cards.BIG_BLOOPER
        side = view.hand_size * (0.05 * aces + 0.025 * kings)
        return 0.3 + 0.45 * cards.count(trumps) + 0.25 * high + 0.3 * big + side

    def bid_on_one_card(self, view):
        partner = at(view.board_level, view.seat + 2)
        opponents = max(at(view.board_level, view.seat + 1), at(view.board_level, view.seat + 3))
        if partner > opponents:
            return BOARD
        trump_set = cards.trumps(view.trump)
        card = cards.highest(view.hand)
        suit = trump_set if cards.contains(trump_set, card) else cards.lane(card // 13)
        better = cards.count(unseen(view) & (suit & above(card) | trump_set & ~suit))
        passes = 0
        for bid in view.bids:
            passes += bid == PASS
        bearable = 7 if opponents else 10 + 6 * passes
        return BOARD if better <= bearable else PASS


@helper
def surplus(bid, hand_size):
    return 0.25 * (bid + 0.5 - hand_size / 4) if bid >= 0 else 0.0
