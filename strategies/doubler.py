from sim import BOARD
from .gambler import Gambler
from .passer import at

class Doubler(Gambler):
    sure: float = 1.0

    def bid(self, view) -> int:
        partner = at(view.board_level, view.seat + 2)
        opponents = max(at(view.board_level, view.seat + 1), at(view.board_level, view.seat + 3))
        if partner > opponents:
            return BOARD
        if opponents and self.likely_tricks(view) >= self.sure * view.hand_size:
            return BOARD
        return Gambler.bid(self, view)
