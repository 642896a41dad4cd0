"""The way from the engine into an interpreted strategy, and back with a number.

The engine calls a small compiled function, which calls Python and then reads the answer from memory. C hears nothing
from a Python function that an interrupt ends before its first instruction; so the answer is STOPPED before the call,
and is something else only if Python has written it.
"""

import ctypes
import struct
from collections.abc import Generator
from functools import cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core.extending import intrinsic

from .c_function import ENTRY, CFunction, c_function
from .code_cache import cache_key
from .strategy import Strategy
from .view import LENGTH, View
from .view_type import WORD, load_word

RAISED = -(2**63)
NOT_AN_INTEGER = -(2**63) + 1
STOPPED = -(2**63) + 2
"""What a player answers instead of a bid or a card; STOPPED is the user's Ctrl-C or a machine without
memory left, no fault of the strategy's."""

METHODS = ("bid", "play")
_ANSWER = len(METHODS)
_CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_int64)
_WORDS = struct.Struct(f"={LENGTH}q")
_BUFFER = ctypes.c_char * _WORDS.size
_LARGEST = 2**62


def read_view(address: int) -> View:
    """Return a copy of the view in the buffer at an address."""
    return View(_WORDS.unpack_from(_BUFFER.from_address(address)))


class Interpreted:
    """One method of an interpreted strategy as the engine reaches it.

    Parameters
    ----------
    strategy : Strategy
    method : {"bid", "play"}
    block : int64[3]
        Where the methods' addresses and the answer stand.

    Attributes
    ----------
    returned : object
        What the method returned last.
    error : BaseException or None
        What it raised, if it raised.
    """

    def __init__(self, strategy: Strategy, method: str, block: np.ndarray) -> None:
        self.decide = getattr(strategy, method)
        self.returned: Any = None
        self.error: BaseException | None = None
        self.block = block
        answers = self._answers()
        next(answers)
        self.callback = _CALLBACK(answers.send)
        block[METHODS.index(method)] = ctypes.cast(self.callback, ctypes.c_void_p).value

    def _answers(self) -> Generator[None, int, None]:
        """Answer one view after the other; an interrupt, wherever it hits, hits inside the `try`."""
        while True:
            try:
                while True:
                    view = yield
                    self.returned = self.decide(read_view(view))
                    self.block[_ANSWER] = _number(self.returned)
            except GeneratorExit:
                return
            except BaseException as error:
                self.error = error
                self.block[_ANSWER] = STOPPED if isinstance(error, (KeyboardInterrupt, MemoryError)) else RAISED


def new_block() -> np.ndarray:
    """Return the memory in which an interpreted strategy's methods are found and answer."""
    return np.zeros(len(METHODS) + 1, np.int64)


@cache
def asking(method: str) -> CFunction:
    """Return the C function that asks an interpreted strategy, in place of the method itself."""
    return c_function(cache_key("ask", method), lambda: _asking(METHODS.index(method)))


def _asking(place: int) -> Any:
    @intrinsic
    def ask(typingctx: Any, block: Any, view: Any) -> Any:
        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            at = builder.add(args[0], WORD(8 * _ANSWER))
            builder.store(WORD(STOPPED), builder.inttoptr(at, WORD.as_pointer()))
            callback = ir.FunctionType(ir.VoidType(), [WORD]).as_pointer()
            builder.call(builder.inttoptr(load_word(builder, args[0], place), callback), [args[1]])
            return load_word(builder, args[0], _ANSWER)

        return ENTRY, emit

    def entry(block, view):
        return ask(block, view)

    return entry


def _number(value: Any) -> int:
    """Return a decision as the engine takes it; numbers beyond all cards and bids are all alike to it."""
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        return max(-_LARGEST, min(int(value), _LARGEST))
    return NOT_AN_INTEGER
