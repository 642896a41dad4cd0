"""Two simple strategies for whole matches, loaded by path. `test_match` gives the referee's players the same bids."""

from sim import BOARD, PASS, Strategy, cards

ACES = cards.to_set("AC AD AH AS")


class Passer(Strategy):
    """Always passes, and plays its lowest card."""

    compiled = False

    def bid(self, view) -> int:
        return PASS

    def play(self, view) -> int:
        return cards.lowest(view.legal)


class Acer(Strategy):
    """Bids one on an ace, board at one card, and plays its lowest card."""

    compiled = False

    def bid(self, view) -> int:
        if not view.hand & ACES:
            return PASS
        return 1 if view.hand_size > 1 else BOARD

    def play(self, view) -> int:
        return cards.lowest(view.legal)
