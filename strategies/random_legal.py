"""Chance as a player: the floor that every idea must beat, and the exerciser of every rule."""

from sim import BOARD, Strategy, View, cards


class RandomLegal(Strategy):
    """Picks evenly among the legal bids and among the legal cards.

    It claims board as often as it bids any one number, at every hand size, and loses a thousand points a match for it:
    a baseline for strategies, and the player that finds the gaps in an engine, as it tries all that is legal.
    """

    def bid(self, view: View) -> int:
        choice = cards.below(view.random, view.hand_size + 1)
        return choice if choice < view.hand_size else BOARD

    def play(self, view: View) -> int:
        return cards.pick(view.legal, view.random)
