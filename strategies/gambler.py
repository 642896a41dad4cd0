from sim import BOARD
from .counter import Counter
from .passer import at

class Gambler(Counter):
    threshold: float = 0.7

    def bid(self, view) -> int:
        if view.hand_size > 1 and max(view.board_level) == 0:
            partner = max(at(view.bids, view.seat + 2), 0)
            if self.likely_tricks(view) + partner / 2 >= self.threshold * view.hand_size:
                return BOARD
        return Counter.bid(self, view)
