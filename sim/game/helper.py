"""`helper`, the mark of a function that plain Python and compiled code can both call, and what compiles such functions.

Numba meets a marked function by name as it meets one under ``@njit``. The mark is on the function itself, so a copy of
it in another process has it too.
"""

import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar

import numba
from numba import types
from numba.core.extending import typeof_impl

F = TypeVar("F", bound=Callable[..., object])

_MARK = "__sim_helper__"
_INSIDE = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}  # called by compiled code alone
_dispatchers: dict[FunctionType, Any] = {}


def helper(function: F) -> F:
    """Mark a module function as usable from compiled strategies and rules.

    In plain Python the function stays what it is. Called from compiled code it is compiled with its caller.

    Parameters
    ----------
    function : callable
        A function of integers, floats, card sets and other compiled values; of a strategy's ``self`` and ``view`` too.

    Returns
    -------
    callable
        The same function.

    Raises
    ------
    TypeError
        If it is no function written in Python.

    Examples
    --------
    >>> @helper
    ... def twice(n):
    ...     return 2 * n
    >>> twice(3)
    6
    """
    if not isinstance(function, FunctionType):
        raise TypeError(f"helper marks a function written in Python, not {function!r}")
    vars(function)[_MARK] = True
    return function


def is_helper(function: object) -> bool:
    """Return whether a value is a function that `helper` has marked."""
    return isinstance(function, FunctionType) and _MARK in vars(function)


def dispatcher_of(function: FunctionType) -> Any:
    """Return Numba's one dispatcher of a helper or a strategy's method.

    What comes from outside this package has its places in arrays checked: an index out of range is an exception there,
    where compiled code would read whatever lies beside the array.
    """
    if function not in _dispatchers:
        ours = (function.__module__ or "").startswith("sim.")
        options = _INSIDE if ours else _INSIDE | {"boundscheck": True}
        _dispatchers[function] = numba.njit(**options)(_at_home(function))
    return _dispatchers[function]


def _at_home(function: FunctionType) -> FunctionType:
    """Return a function, or a copy of it in this module if its own is not there: Numba then loses it in recursion."""
    if function.__module__ in sys.modules:
        return function
    copy = FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    copy.__qualname__, copy.__kwdefaults__, copy.__module__ = function.__qualname__, function.__kwdefaults__, __name__
    return copy


def forget(function: FunctionType) -> None:
    """Drop what is compiled of a function, whose constants may since have changed."""
    _dispatchers.pop(function, None)


@typeof_impl.register(FunctionType)
def _type_of_function(function: FunctionType, context: object) -> types.Dispatcher | None:
    """Tell Numba how to take a function met by name: a helper is compiled, any other stays unknown to it."""
    return types.Dispatcher(dispatcher_of(function)) if is_helper(function) else None
