"""What tests of the plug-in contract share: a view with any values, and asking a strategy as the engine does."""

import ctypes
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import sim
from sim.errors import CompileError
from sim.players.compile import Entry, entry_of
from sim.players.view import FLAGS, LENGTH, SLOTS, View

CALL = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)


class Passer(sim.Strategy):
    """What most tests change one method of."""

    def bid(self, view):
        return 0

    def play(self, view):
        return sim.cards.lowest(view.legal)


def words_of(**values: Any) -> np.ndarray:
    """The engine's buffer with some fields filled, the others zero."""
    words = np.zeros(LENGTH, np.int64)
    for name, value in values.items():
        slot = SLOTS[name]
        words[slot.start : slot.start + slot.length] = value
    return words


def some_words(seed: int) -> np.ndarray:
    """A buffer with a different value in every word, and truth values where they are due."""
    chance = random.Random(seed)
    words = np.array([chance.getrandbits(62) - 2**61 for _ in range(LENGTH)], np.int64)
    for name in FLAGS:
        words[SLOTS[name].start] = chance.getrandbits(1)
    return words


def ask_entry(entry: Entry, method: str, words: np.ndarray) -> int:
    """The answer of a strategy's entry to a view, as the engine gets it."""
    return int(CALL(getattr(entry, method))(entry.parameters, words.ctypes.data))


def ask(strategy: sim.Strategy, method: str = "bid", words: np.ndarray | None = None) -> int:
    """Compile a strategy and ask it."""
    return ask_entry(entry_of(strategy), method, words_of() if words is None else words)


def both(
    bid: Callable[..., Any], words: np.ndarray | None = None, base: type[sim.Strategy] = Passer, **members: Any
) -> int:
    """What a bidding method returns, which must be the same compiled and interpreted."""
    strategy = type("Both", (base,), {"bid": bid, **members})
    words = words_of() if words is None else words
    answer = ask(strategy(), "bid", words)
    assert strategy().bid(View(tuple(words.tolist()))) == answer
    return answer


def refusal(strategy: type[sim.Strategy]) -> list[str]:
    """The lines of the error that a strategy class gets in place of an entry."""
    with pytest.raises(CompileError) as refused:
        entry_of(strategy())
    lines = str(refused.value).splitlines()
    assert len(lines) <= 6 and all(len(line) < 300 for line in lines)
    return lines
