"""Interpreted strategies that behave until they do not. Bids cheap, plays low."""

import os
import sys
import time

from sim import Strategy, cards


class Tame(Strategy):
    """Does nothing wrong."""

    compiled = False
    rare: int = 500

    def bid(self, view):
        if view.random % self.rare == 0:
            self.misbehave()
        return 1 if view.hand_size > 1 else 0

    def play(self, view):
        return cards.lowest(view.legal)

    def misbehave(self):
        pass


class Boaster(Tame):
    """Bids more tricks than there are."""

    def bid(self, view):
        return 13 if view.random % self.rare == 0 else 0


class Leaver(Tame):
    """Leaves the process."""

    def misbehave(self):
        sys.exit(3)


class Killer(Tame):
    """Kills the process."""

    def misbehave(self):
        os.kill(os.getpid(), 9)


class Sleeper(Tame):
    """Takes its time."""

    rare: int = 1

    def misbehave(self):
        time.sleep(0.01)


class Unwieldy(Exception):
    """An exception that does not survive pickling."""

    def __init__(self, one, two):
        super().__init__(one)


class Thrower(Tame):
    """Raises."""

    def misbehave(self):
        raise Unwieldy(1, 2)
