"""Strategies that behave until they do not, most of them interpreted. They bid cheap and play low."""

import os
import random
import sys
import time

import numpy as np

from sim import Strategy, cards


class Tame(Strategy):
    """Does nothing wrong."""

    compiled = False
    rare: int = 500

    def bid(self, view):
        if view.random % self.rare == 0:
            return self.misbehave(view)
        return 1 if view.hand_size > 1 else 0

    def play(self, view):
        return cards.lowest(view.legal)

    def misbehave(self, view):
        return 1 if view.hand_size > 1 else 0


class Boaster(Tame):
    """Bids more tricks than there are."""

    def misbehave(self, view):
        return 13


RUBBISH = [None, True, 2.0, float("nan"), "1", b"1", [1], {}, object, 1j, np.array([1]), np.float64(1), np.True_]


class Babbler(Tame):
    """Returns what is no integer."""

    what: int = 0

    def misbehave(self, view):
        return RUBBISH[self.what]


class Revoker(Tame):
    """Does not follow suit."""

    def play(self, view):
        wrong = view.hand & ~view.legal
        return cards.lowest(wrong) if wrong else cards.lowest(view.legal)


class Conjurer(Tame):
    """Plays a card that it does not hold."""

    def play(self, view):
        return cards.lowest(~view.hand & cards.ALL)


class Leaver(Tame):
    """Leaves the process."""

    def misbehave(self, view):
        sys.exit(3)


class Killer(Tame):
    """Kills the process."""

    def misbehave(self, view):
        os.kill(os.getpid(), 9)


class Quitter(Tame):
    """Ends the process without any ado."""

    def misbehave(self, view):
        os._exit(0)


class Sleeper(Tame):
    """Takes its time."""

    rare: int = 1

    def misbehave(self, view):
        time.sleep(0.01)
        return super().misbehave(view)


class Unwieldy(Exception):
    """An exception that does not survive pickling."""

    def __init__(self, one, two):
        super().__init__(one)


class Thrower(Tame):
    """Raises."""

    def misbehave(self, view):
        raise Unwieldy("oops", 2)


class Looper(Tame):
    """Never comes back."""

    def misbehave(self, view):
        while True:
            pass


class Clinger(Tame):
    """Never comes back, and never lets go of the interpreter."""

    def misbehave(self, view):
        return pow(3, 10**9)


class Hoarder(Tame):
    """Takes memory without end."""

    def misbehave(self, view):
        taken = []
        while True:
            taken.append(bytearray(10**7))
            time.sleep(0.001)


class Gulper(Tame):
    """Takes much memory at one stroke, and nothing else runs meanwhile."""

    def misbehave(self, view):
        return [0] * (3 * 10**8)


class Greedy(Tame):
    """Asks for more memory than any machine has."""

    def misbehave(self, view):
        return bytearray(2**60)


class Scribbler(Tame):
    """Writes into the view."""

    def misbehave(self, view):
        view.hand = 0


class Misspeller(Tame):
    """Asks the view for what it does not have."""

    def misbehave(self, view):
        return view.handsize - 1


class Rememberer(Tame):
    """Keeps state in its class, behind the back of whoever looks for that."""

    def misbehave(self, view):
        change = setattr
        change(self, "seen", view.hand)


class Walker(Tame):
    """Looks for hidden cards wherever attributes lead from the view."""

    def misbehave(self, view):
        found, todo = {id(view)}, [view]
        while todo:
            value = todo.pop()
            near = [getattr(value, name, None) for name in dir(value)]
            new = [each for each in near if type(each).__module__ != "builtins" and id(each) not in found]
            found |= set(map(id, new))
            todo += new
        return super().misbehave(view)


class Seeder(Tame):
    """Seeds the generators that all share, and bids by them."""

    rare: int = 1

    def misbehave(self, view):
        random.seed(1)
        np.random.seed(1)
        return super().misbehave(view)


class Roller(Tame):
    """Draws from the generators that all share, and minds not what."""

    rare: int = 2

    def misbehave(self, view):
        random.random(), np.random.random()
        return super().misbehave(view)


class Spinner(Strategy):
    """Never comes back, compiled."""

    rare: int = 500

    def bid(self, view):
        number = view.random
        while number % self.rare == 0:
            number += self.rare
        return 1 if view.hand_size > 1 else 0

    def play(self, view):
        return cards.lowest(view.legal)


class Overreacher(Strategy):
    """Reads beyond the ends of an array, compiled."""

    rare: int = 1

    def bid(self, view):
        table = np.zeros(3, np.int64)
        return 1 + 0 * table[view.hand_size + 1000] if view.hand_size > 1 else 0

    def play(self, view):
        return cards.lowest(view.legal)
