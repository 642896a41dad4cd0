"""From a strategy to the addresses that the engine calls: a C function a method, compiled or asking Python."""

from types import FunctionType
from typing import Any, NamedTuple

from numba import types
from numba.core.caching import NullCache
from numba.core.extending import intrinsic

from ..game.helper import dispatcher_of, forget
from . import class_type as class_type  # makes known to Numba what a strategy class is
from .c_function import ENTRY, CFunction, c_function
from .code_cache import cache_key
from .code_digest import Unfollowable, Walk, digest_of, loose_digest_of
from .diagnosis import explained, not_an_integer
from .interpreted import METHODS, NOT_AN_INTEGER, RAISED, STOPPED, Interpreted, asking, new_block, read_view
from .method_check import check_methods
from .parameters import parameter_block
from .self_type import SelfType, reach_of
from .strategy import Strategy
from .view_type import VIEW, WORD

__all__ = ["NOT_AN_INTEGER", "RAISED", "STOPPED", "Entry", "Interpreted", "compiled_method", "entry_of", "read_view"]

_done: dict[Any, CFunction] = {}
_same: dict[str, CFunction] = {}
"""What each content of a method is compiled to, so that one walk through it is enough to find that again."""
_compiled_as: dict[FunctionType, str] = {}


class Entry(NamedTuple):
    """What the engine calls for a strategy: two code addresses and the parameter block's; and what keeps them alive."""

    bid: int
    play: int
    parameters: int
    alive: Any


def entry_of(strategy: Strategy) -> Entry:
    """Return what the engine calls for a strategy, compiling its methods if they are not compiled yet.

    Raises
    ------
    CompileError
        If a method is missing, assigns to ``self``, does not compile, or does not return an integer.
    """
    check_methods(type(strategy))
    if strategy.compiled:
        block = parameter_block(strategy)
        bid, play = (compiled_method(type(strategy), method).address for method in METHODS)
        return Entry(bid, play, block.ctypes.data, block)
    block = new_block()
    methods = [Interpreted(strategy, method, block) for method in METHODS]
    bid, play = (asking(method).address for method in METHODS)
    return Entry(bid, play, block.ctypes.data, methods)


def compiled_method(strategy: type[Strategy], method: str) -> CFunction:
    """Return the compiled C function of one method, shared by all classes that give it the same ``self``.

    Raises
    ------
    CompileError
        If it does not compile, or does not return an integer.
    """
    members, content = reach_of(strategy, method)
    if content is None or content not in _same:
        compiled = _compiled(strategy, getattr(strategy, method), members)
        if content is None:
            return compiled
        _same[content] = compiled
    return _same[content]


def _compiled(strategy: type[Strategy], function: FunctionType, members: dict[str, Any]) -> CFunction:
    key = cache_key("method", function, members)
    known = key or (strategy, function.__name__, loose_digest_of(function, members))
    if known not in _done:
        _done[known] = c_function(key, lambda: _entry_function(strategy, function, SelfType(members)))
    return _done[known]


def _entry_function(strategy: type[Strategy], function: FunctionType, of: SelfType) -> Any:
    """Return the function to compile for the engine, once the method has compiled by itself."""
    _renew([function, of.members])
    decide = dispatcher_of(function)
    try:
        decide.compile((of, VIEW))
    except Exception as error:
        raise explained(strategy, function, error) from error
    overload = decide.overloads[of, VIEW]
    fault = not_an_integer(strategy, function, overload)
    if fault:
        raise fault
    call = _calling(overload)

    def entry(self_address, view_address):
        return call(self_address, view_address)

    entry.__name__ = entry.__qualname__ = function.__name__
    return entry


def _calling(overload: Any) -> Any:
    """Return the compiled call of a compiled method: it never raises, and its integer has 64 bits."""

    @intrinsic
    def call(typingctx: Any, self_address: Any, view_address: Any) -> Any:
        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            context.active_code_library.add_linking_library(overload.library)
            status, value = context.call_internal_no_propagate(builder, overload.fndesc, overload.signature, args)
            number = context.cast(builder, value, overload.signature.return_type, types.int64)
            return builder.select(status.is_error, WORD(RAISED), number)

        return ENTRY, emit

    return call


def _renew(roots: list[Any]) -> None:
    """See to it that nothing reached is compiled as it was, where it is no longer what it was.

    In a notebook a constant or a helper is often defined anew and its users are not. And what ``@njit(cache=True)`` has
    on disk knows nothing of edits in other files.
    """
    walk = Walk()
    walk.start(roots)
    for function in walk.functions:
        if _compiled_as.setdefault(function, digest := _digest(function)) != digest:
            _compiled_as[function] = digest
            forget(function)
            for dispatcher in [each for each in walk.dispatchers if each.py_func is function]:
                dispatcher.recompile()
    for dispatcher in walk.dispatchers:
        if not isinstance(dispatcher._cache, NullCache):
            dispatcher._cache = NullCache()
            dispatcher.recompile()


def _digest(function: FunctionType) -> str:
    try:
        return digest_of(function)
    except Unfollowable:
        return ""
