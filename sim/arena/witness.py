"""Asking a strategy by hand as the engine asks it, and a witness in its seat who notes all that it is asked."""

import ctypes
from collections.abc import Callable
from typing import Any

from ..players.compile import NOT_AN_INTEGER, RAISED, STOPPED, entry_of
from ..players.strategy import Strategy
from ..players.view import LENGTH, SLOTS, View

Words = tuple[int, ...]
"""A view as the words of its buffer."""

_CALL = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)
_BUFFER = ctypes.c_int64 * LENGTH
_TRICK = SLOTS["trick"].start


class Asked:
    """A strategy to be asked outside a match, through the same entry as in one.

    Parameters
    ----------
    strategy : Strategy

    Raises
    ------
    CompileError
        If it does not compile.
    """

    def __init__(self, strategy: Strategy) -> None:
        self.strategy = strategy
        self.entry = entry_of(strategy)
        self.methods = _CALL(self.entry.bid), _CALL(self.entry.play)

    def __call__(self, view: Words) -> int:
        """Return the answer to a view: a bid, a card, or the code of what it did instead.

        Raises
        ------
        KeyboardInterrupt, MemoryError
            If the user interrupts it, or it runs out of memory: no fault to be noted.
        """
        buffer = _BUFFER(*view)
        answer = self.methods[view[_TRICK] > 0](self.entry.parameters, ctypes.addressof(buffer))
        if answer == STOPPED:
            raise self.entry.alive[view[_TRICK] > 0].error or KeyboardInterrupt
        return answer

    def pass_on(self, view: View, answer: int) -> Any:
        """Return what the strategy returned, or raise what it raised, given its answer to the view."""
        playing = view.trick > 0
        if not self.strategy.compiled and answer in (RAISED, NOT_AN_INTEGER):
            method = self.entry.alive[playing]
            if answer == RAISED:
                raise method.error
            return method.returned
        if answer == RAISED:
            self.strategy.play(view) if playing else self.strategy.bid(view)
            raise RuntimeError("compiled, it raised an exception that does not come again in Python")
        return answer


def witness(strategy: Strategy, before: Callable[[Words], None], after: Callable[[int], None]) -> Strategy:
    """Return a strategy that plays as another does, and tells of each view before and each answer after."""
    asked = Asked(strategy)

    def decide(self: Strategy, view: View) -> Any:
        before(view._words)
        answer = asked(view._words)
        after(answer)
        return asked.pass_on(view, answer)

    return alike(strategy, bid=decide, play=decide)


def alike(strategy: Strategy, **members: Any) -> Strategy:
    """Return an interpreted strategy of the same name, parameters and methods, but for the members given."""
    kind = type(strategy)
    same = {"compiled": False, "__module__": kind.__module__, "__qualname__": kind.__qualname__}
    return type(kind.__name__, (kind,), same | members)(**strategy.parameters)
