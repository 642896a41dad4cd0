"""From a strategy to the addresses that the engine calls: a C function a method, compiled or entering Python."""

import ctypes
import dis
import linecache
import re
from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.core.ccallback import CFunc
from numba.core.errors import NumbaError, TypingError
from numba.core.extending import intrinsic

from ..errors import CompileError
from .code_cache import CodeCache, cache_key
from .self_type import SelfType, as_self, jitted, parameter_block, self_type
from .strategy import Strategy
from .view import LENGTH, View
from .view_type import VIEW, as_view

RAISED = -(2**63)
NOT_AN_INTEGER = -(2**63) + 1
STOPPED = -(2**63) + 2
"""What an entry returns instead of a bid or a card; STOPPED is the user's Ctrl-C, no fault of the strategy's."""

METHODS = ("bid", "play")
_ENTRY = types.int64(types.int64, types.int64)
_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)
_WORDS = ctypes.c_int64 * LENGTH


class Entry(NamedTuple):
    """What the engine calls for one strategy: two code addresses and the parameter block's, and what keeps them alive."""

    bid: int
    play: int
    parameters: int
    alive: Any


class Interpreted:
    """The way from the engine into an interpreted strategy's method. It keeps what came back that was no bid or card."""

    def __init__(self, strategy: Strategy, method: str) -> None:
        self.decide: Callable[[View], Any] = getattr(strategy, method)
        self.returned: Any = None
        self.error: BaseException | None = None
        self.callback = _CALLBACK(self)
        self.address = ctypes.cast(self.callback, ctypes.c_void_p).value or 0

    def __call__(self, parameters: int, view: int) -> int:
        try:
            value = self.decide(read_view(view))
        except KeyboardInterrupt as error:
            self.error = error
            return STOPPED
        except BaseException as error:
            self.error = error
            return RAISED
        if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
            return max(-(2**62), min(int(value), 2**62))
        self.returned = value
        return NOT_AN_INTEGER


def read_view(address: int) -> View:
    """Return a copy of the view in the buffer at an address."""
    return View(tuple(_WORDS.from_address(address)))


def entry_of(strategy: Strategy) -> Entry:
    """Return what the engine calls for a strategy, compiling its methods if they are not compiled yet.

    Raises
    ------
    CompileError
        If a method assigns to ``self``, does not compile, or does not return an integer.
    """
    check_source(type(strategy))
    if not strategy.compiled:
        bid, play = (Interpreted(strategy, method) for method in METHODS)
        return Entry(bid.address, play.address, 0, (bid, play))
    block = parameter_block(strategy)
    bid_address, play_address = (compiled_method(type(strategy), method).address for method in METHODS)
    return Entry(bid_address, play_address, block.ctypes.data, block)


@cache
def check_source(strategy: type[Strategy]) -> None:
    """Refuse what no strategy may do, and what a compiled one cannot, by a look at the methods' code.

    Raises
    ------
    CompileError
        Naming class, line and what to write instead.
    """
    for base in strategy.__mro__[: strategy.__mro__.index(Strategy)]:
        for function in vars(base).values():
            if isinstance(function, FunctionType):
                _check_function(strategy, function)


def _check_function(strategy: type[Strategy], function: FunctionType) -> None:
    previous = None
    for instruction in dis.get_instructions(function):
        on_self = previous is not None and previous.argval == "self" and previous.opname.startswith("LOAD_FAST")
        if instruction.opname in ("STORE_ATTR", "DELETE_ATTR") and on_self:
            line = previous.positions.lineno if previous and previous.positions else None
            raise _error(strategy, function, line, f"assigns to self.{instruction.argval}", _NO_STATE)
        previous = instruction
    if strategy.compiled and "super" in function.__code__.co_names:
        base = strategy.__mro__[1].__name__
        line = function.__code__.co_firstlineno
        way = f"Name the class instead: {base}.{function.__name__}(self, view) works compiled and interpreted."
        raise _error(strategy, function, line, "calls super(), which cannot be compiled", way)


_NO_STATE = "A strategy keeps no state: decide from the view and the parameters alone."
_OPT_OUT = "To run the class as ordinary Python, a hundred times slower, write: compiled = False"


def compiled_method(strategy: type[Strategy], method: str) -> CFunc:
    """Return the compiled C function of one method, shared by all classes that give it the same ``self``."""
    return _compiled(strategy, getattr(strategy, method), self_type(strategy, method))


@intrinsic
def _integer(typingctx: Any, value: Any) -> Any:
    """Widen an integer to 64 bits. Anything else does not compile, where a cast would turn 2.0 into 2 and True into 1."""
    if not isinstance(value, types.Integer):
        raise TypingError("not an integer")

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.cast(builder, args[0], signature.args[0], types.int64)

    return types.int64(value), emit


_done: dict[tuple[Any, SelfType], CFunc] = {}


def _compiled(strategy: type[Strategy], function: Callable[..., Any], of: SelfType) -> CFunc:
    if (function, of) not in _done:
        key = cache_key("entry", function, of.members)
        code = CFunc(_entry_function(strategy, function, of, key), (_ENTRY.args, _ENTRY.return_type), {}, {})
        code._cache = CodeCache(key)
        try:
            code.compile()
        except NumbaError as error:
            raise _explained(strategy, function, of, error) from error
        _done[function, of] = code
    return _done[function, of]


def _entry_function(strategy: type[Strategy], function: Callable[..., Any], of: SelfType, key: str | None) -> Any:
    """Return the function to compile for the engine: never raising, always a 64-bit integer."""
    decide, take_self = jitted(function), as_self(of)

    def entry(self_address, view_address):
        try:
            return _integer(decide(take_self(self_address), as_view(view_address)))
        except Exception:
            return RAISED

    entry.__name__ = entry.__qualname__ = f"{function.__name__}_{key or id(of)}"
    return entry


def _explained(strategy: type[Strategy], function: Any, of: SelfType, error: NumbaError) -> CompileError:
    """Turn Numba's report into class, line, reason and the way out."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    try:
        dispatcher = jitted(function)
        dispatcher.compile((of, VIEW))
    except NumbaError:
        return _error(strategy, function, _line(function, text), f"does not compile: {_reason(text)}", _OPT_OUT)
    returned = dispatcher.overloads[of, VIEW].signature.return_type
    what = f"returns {_plain(returned)} where an integer is due"
    way = "Every path must return an integer: a bid (PASS, a number, BOARD) or a card's code."
    return _error(strategy, function, function.__code__.co_firstlineno, what, way)


def _plain(returned: types.Type) -> str:
    """Return the name of a return type in an author's words."""
    if isinstance(returned, types.Optional):
        return f"{_plain(returned.type)} on one path and None on another"
    names = {types.boolean: "a bool", types.float64: "a float", types.none: "None"}
    return names.get(types.unliteral(returned), str(returned))


def _line(function: Any, text: str) -> int:
    """Return the line of a method that Numba's report names, else its first."""
    path = function.__code__.co_filename
    lines = [int(line) for file, line in re.findall(r'File "([^"]+)", line (\d+)', text) if path.endswith(file.lstrip("./"))]
    return lines[-1] if lines else function.__code__.co_firstlineno


def _reason(text: str) -> str:
    """Return the first telling line of Numba's report."""
    lines = [line.strip(" -") for line in text.splitlines()]
    telling = [
        line for line in lines if line and not line.startswith(("Failed in", "Internal error", "Unsupported use", "During"))
    ]
    reason = telling[0] if telling else lines[0]
    if reason.endswith("found for signature:"):
        call = next((line for line in telling if line.startswith(">>>")), "")
        reason = f"no such operation: {call.removeprefix('>>>').strip()}"
    return reason.rstrip(".:")


def _error(strategy: type[Strategy], function: Any, line: int | None, what: str, way: str) -> CompileError:
    path = function.__code__.co_filename
    source = linecache.getline(path, line).strip() if line else ""
    where = f"  {path}, line {line}" + (f":  {source}" if source else "")
    return CompileError(f"{strategy.__name__}.{function.__name__} {what}\n{where}\n{way}")
