"""Strategies that break the contract, each in one way that is easy to overlook. `check` must name the way."""

import os
import random
import sys
import time

import numba
import numpy as np

from sim import BOARD, PASS, Strategy, cards


class Cautious(Strategy):
    """Does nothing wrong: the others change one method of it."""

    compiled = False

    def bid(self, view):
        return PASS if view.random & 1 else 1 if view.hand_size > 1 else BOARD

    def play(self, view):
        return cards.lowest(view.legal)


class Compiled(Cautious):
    """Does nothing wrong, compiled."""

    compiled = True


CALLS = [0]


class Counting(Cautious):
    """Keeps a count in a global of its module."""

    def play(self, view):
        CALLS[0] += 1
        return cards.select(view.legal, CALLS[0] % cards.count(view.legal))


class Remembering(Cautious):
    """Keeps what it saw last in an attribute of its class."""

    seen = [0]  # noqa: RUF012

    def play(self, view):
        last = self.seen.pop()
        self.seen.append(view.hand)
        return cards.highest(view.legal) if last & view.hand else cards.lowest(view.legal)


class Hoarding(Cautious):
    """Keeps what it saw in its class, and makes no use of it."""

    seen = [0]  # noqa: RUF012

    def play(self, view):
        self.seen.append(view.hand)
        return cards.lowest(view.legal)


HANDS = {}


class Telling(Cautious):
    """Tells its partner its hand, by a global of its module that is cleared for every deal."""

    def play(self, view):
        if view.trick == 1 and view.position == 0:
            HANDS.clear()
        HANDS[view.seat] = view.hand
        return cards.select(view.legal, HANDS.get((view.seat + 2) % 4, 0) % cards.count(view.legal))


class Dicing(Cautious):
    """Uses Python's global generator."""

    def play(self, view):
        return random.choice(cards.to_codes(view.legal))


class Seeding(Cautious):
    """Seeds NumPy's global generator and so repeats itself."""

    def play(self, view):
        np.random.seed(view.random % 2**32)
        return cards.select(view.legal, np.random.randint(cards.count(view.legal)))


class CompiledDicing(Compiled):
    """Uses the global generator of compiled code."""

    def play(self, view):
        return cards.select(view.legal, np.random.randint(0, cards.count(view.legal)))


class Unseeded(Cautious):
    """Uses a generator of its own, seeded by the system."""

    def play(self, view):
        return cards.select(view.legal, np.random.default_rng().integers(cards.count(view.legal)))


class Clock(Cautious):
    """Reads the clock."""

    def play(self, view):
        return cards.select(view.legal, time.perf_counter_ns() % cards.count(view.legal))


class Hashing(Cautious):
    """Depends on the hash seed of the process."""

    def play(self, view):
        return cards.select(view.legal, hash(str(view.hand)) % cards.count(view.legal))


class Addresses(Cautious):
    """Reads where an object lies in memory."""

    def play(self, view):
        return cards.select(view.legal, (id(view) >> 12) % cards.count(view.legal))


class PastTheTuple(Compiled):
    """Reads past a tuple of the view."""

    def play(self, view):
        return cards.lowest(view.legal) if view.bids[view.seat + 1] else cards.highest(view.legal)


TABLE = np.arange(13)


@numba.njit
def place_after(n):
    return TABLE[n]


class PastTheArray(Compiled):
    """Reads past an array, where Numba does not look by itself."""

    def bid(self, view):
        return PASS if place_after(view.hand_size) else 1


class Revoking(Compiled):
    """Takes "free" for more than it is."""

    def play(self, view):
        return cards.lowest(view.hand if view.blooper_partner == 1 else view.legal)


class Thirteen(Compiled):
    """Bids all the tricks of the longest hands."""

    def bid(self, view):
        return 13 if view.hand_size == 13 else PASS


class Wrapping(Compiled):
    """Counts on 64 bits."""

    def bid(self, view):
        return (view.random << 3) % view.hand_size


class Whole(Compiled):
    """Shifts a bit out of 64, which interpreted stays there."""

    def play(self, view):
        return cards.lowest(view.legal) if view.random << 1 >> 1 == view.random else cards.highest(view.legal)


class Leaving(Cautious):
    """Leaves its process in a no-trump deal."""

    def bid(self, view):
        if view.trump == cards.NO_TRUMP:
            os._exit(7)
        return PASS


class Looping(Compiled):
    """Never comes to a decision in a deal of 7 cards."""

    def bid(self, view):
        n = view.hand_size
        while n == 7:
            n |= view.hand_size
        return PASS


class Peeking(Cautious):
    """Finds the engine's table by its caller's caller, and plays by the hand of the next."""

    def play(self, view):
        frame = sys._getframe()
        while frame and not hasattr(frame.f_locals.get("self"), "trick_log"):
            frame = frame.f_back
        hands = frame.f_locals["self"].table["hands"] if frame else (0, 0, 0, 0)
        return cards.select(view.legal, int(hands[(view.seat + 1) % 4]) % cards.count(view.legal))


class Searching(Cautious):
    """Walks all that can be reached from the view, for cards that it should not know. There are none."""

    def play(self, view):
        known = view.hand | view.played[0] | view.played[1] | view.played[2] | view.played[3]
        for name in object.__dir__(view):
            value = getattr(view, name, None)
            for word in value if isinstance(value, tuple) else (value,):
                if (
                    isinstance(word, int)
                    and 0 < word & ~known < 1 << 54
                    and cards.count(word) == cards.count(view.hand)
                ):
                    return cards.select(view.legal, word % cards.count(view.legal))
        return cards.lowest(view.legal)


class Devouring(Cautious):
    """Asks for more memory than there is."""

    def bid(self, view):
        return len(bytearray(1 << 62))
