"""Compiled strategies of one trait each, for tests that need players who do just that."""

from sim import BOARD, PASS, Strategy, cards


class Passer(Strategy):
    """Never bids."""

    def bid(self, view):
        return PASS

    def play(self, view):
        return cards.lowest(view.legal)


class Claimer(Strategy):
    """Claims board whatever it holds."""

    def bid(self, view):
        return BOARD

    def play(self, view):
        return cards.highest(view.legal)


class Steady(Strategy):
    """Bids its trumps less some, and plays high. Uses no chance at all."""

    less: int = 1

    def bid(self, view):
        trumps = cards.count(view.hand & cards.trumps(view.trump)) if view.trump < cards.NO_TRUMP else 1
        return min(max(trumps - self.less, 0), view.hand_size - 1)

    def play(self, view):
        return cards.highest(view.legal)


class Careless(Strategy):
    """Bids one, and from one deal on plays what is not legal as soon as it can."""

    since: int = 1

    def bid(self, view):
        return 1 if view.hand_size > 1 else BOARD

    def play(self, view):
        wrong = view.hand & ~view.legal
        return cards.lowest(wrong) if wrong and view.deal >= self.since else cards.lowest(view.legal)


class Drifter(Strategy):
    """Passes, bids and claims board by chance, all three often, and plays by chance."""

    def bid(self, view):
        turn = cards.below(view.random, 3 * view.hand_size)
        if turn < view.hand_size:
            return turn
        return PASS if turn < 2 * view.hand_size else BOARD

    def play(self, view):
        return cards.pick(view.legal, view.random)
