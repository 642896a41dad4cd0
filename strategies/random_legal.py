"""Chance as a player: the floor that every idea must beat, and the exerciser of every rule."""

from sim import BOARD, Strategy, cards


class RandomLegal(Strategy):
    """Picks evenly among the legal bids and among the legal cards."""

    def bid(self, view) -> int:
        choice = cards.below(view.random, view.hand_size + 1)
        return choice if choice < view.hand_size else BOARD

    def play(self, view) -> int:
        return cards.pick(view.legal, view.random)
