"""Chance as a player: the floor that every idea must beat, and the exerciser of every rule."""

from sim import BOARD, Strategy, View, cards


class RandomLegal(Strategy):
    """Picks evenly among the legal bids and among the legal cards.

    With as many boards as any other bid, at every hand size, it loses points by the hundred: a baseline for strategies
    and, as nothing legal is beneath it, the player that finds the gaps in an engine.
    """

    def bid(self, view: View) -> int:
        choice = cards.below(view.random, view.hand_size + 1)
        return choice if choice < view.hand_size else BOARD

    def play(self, view: View) -> int:
        return cards.pick(view.legal, view.random)
