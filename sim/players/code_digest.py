"""A digest of what a function does: its bytecode and, through every name it uses, all that it can reach.

Compiled code is kept by this digest, so an edit anywhere, in an imported module too, is another digest. What cannot be
followed is not guessed at: such a function is compiled anew each time. (Not looked for: a module that teaches Numba new
methods or attributes of Numba's own types.)
"""

import dis
import enum
import inspect
from collections.abc import Callable, Iterable
from functools import cache
from hashlib import sha256
from itertools import chain
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
from numba import types
from numba.core.dispatcher import Dispatcher
from numba.core.extending import _Intrinsic
from numba.core.registry import cpu_target
from numba.core.typing.templates import builtin_registry

from .refresh import refresh

PACKAGE = Path(__file__).parents[1]
_ROOMS = ("game", "players")
_OUTSIDE = frozenset({"numba", "numpy", "math", "builtins", "operator", "llvmlite", "typing"})
_PLAIN = frozenset({int, float, complex, bool, str, bytes, type(None), type(...)})


class Unfollowable(Exception):
    """A function reaches something whose content has no digest."""


def digest_of(*roots: Any) -> str:
    """Return a digest (32 hex digits) of functions, classes and values and all that they reach.

    Raises
    ------
    Unfollowable
        If something reached is of a kind that has no digest.
    """
    walk = Walk()
    walk.start(roots)
    if walk.lost:
        raise Unfollowable(walk.lost[0])
    return walk.hash.hexdigest()[:32]


def loose_digest_of(*roots: Any) -> str:
    """Return a digest of what `digest_of` can follow; the rest counts by its type alone."""
    walk = Walk()
    walk.start(roots)
    return walk.hash.hexdigest()[:32]


def source_digest(roots: Any, is_settled: Callable[[str], bool]) -> str:
    """Return a digest of the sources of all that some values reach, the same whatever the version of Python.

    What cannot be followed counts by its type alone, and by its name what stands in a module whose package (the first
    word of its name) `is_settled`.
    """
    walk = Walk(_source_of, lambda module: is_settled(module.split(".")[0]))
    walk.start([roots])
    return walk.hash.hexdigest()


@cache
def names_in(code: CodeType) -> frozenset[str]:
    """Return all names that a code object, functions nested in it included, looks up in a module or on an object."""
    return frozenset(code.co_names).union(*map(names_in, _nested(code)))


@cache
def package_digest() -> str:
    """Return a digest of this package's sources that go into every strategy's compiled code."""
    digest = sha256()
    for path in chain(*(sorted((PACKAGE / room).glob("*.py")) for room in _ROOMS)):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def _is_settled(module: str) -> bool:
    """Return whether a module's content stands in every key already: by its version, or in `package_digest`."""
    top, *rest = module.split(".")
    return top in _OUTSIDE or (top == "sim" and rest[:1] != [] and rest[0] in _ROOMS)


class Walk:
    """One walk through the values that a function reaches, each function looked at once.

    Attributes
    ----------
    hash : hashlib object
        Of all that was met, in an order that depends on names alone.
    functions : list of function
        The functions met, but for those whose modules are settled.
    dispatchers : list of Dispatcher
        Those of them that ``@njit`` has wrapped.
    lost : list of str
        What could not be followed.
    """

    def __init__(
        self,
        code_of: Callable[[FunctionType], object] = lambda function: function.__code__,
        is_settled: Callable[[str], bool] = _is_settled,
    ) -> None:
        self.code_of = code_of
        self.is_settled = is_settled
        self.hash = sha256()
        self.functions: list[FunctionType] = []
        self.dispatchers: list[Any] = []
        self.lost: list[str] = []
        self._alive: list[Any] = []
        self._seen: dict[Any, int] = {}

    def start(self, roots: Iterable[Any]) -> None:
        """Walk through everything that some values reach."""
        _hear_of_overloads()
        for root in roots:
            try:
                self._visit(root, frozenset())
            except Exception:  # from a value's own code, or without an end
                self._lose(root)

    def _note(self, *words: Any) -> None:
        self.hash.update("\x1f".join(map(str, words)).encode(errors="surrogatepass") + b"\x1e")

    def _lose(self, value: Any) -> None:
        self._note("lost", type(value).__qualname__)
        self.lost.append(type(value).__qualname__)

    def _met(self, key: Any, value: Any) -> bool:
        """Note a value's number, given when first met, and return whether it was met before."""
        number = self._seen.setdefault(key, len(self._seen))
        self._note("number", number)
        if number < len(self._alive):
            return True
        self._alive.append(value)
        return False

    def _visit(self, value: Any, names: frozenset[str]) -> None:
        """Visit a value; of a module or a class, the members that `names` names."""
        if type(value) in _PLAIN:
            self._note(type(value).__name__, repr(value))
        elif isinstance(value, enum.Enum):
            self._note("enum", type(value).__qualname__, value.name)
            self._visit(value.value, names)
        elif isinstance(value, (np.ndarray, np.generic)):
            self._visit_array(np.asarray(value))
        elif isinstance(value, (np.dtype, types.Type)):
            self._note(type(value).__name__, repr(value))
        elif isinstance(value, (tuple, list, frozenset, set, dict)):
            self._visit_container(value, names)
        elif isinstance(value, (staticmethod, classmethod, property)):
            self._note(type(value).__name__)
            self._visit(value.fget if isinstance(value, property) else value.__func__, names)
        elif isinstance(value, CodeType):
            self._visit_code(value)
        else:
            self._visit_named(value, names)

    def _visit_array(self, array: np.ndarray) -> None:
        if array.dtype.hasobject:
            self._lose(array)
        else:
            self._note("array", repr(array.dtype), array.shape, sha256(array.tobytes()).hexdigest())

    def _visit_container(self, value: Any, names: frozenset[str]) -> None:
        self._note(type(value).__qualname__, len(value), getattr(value, "_fields", ""))
        if isinstance(value, dict):
            value = sorted(value.items(), key=repr)
        elif isinstance(value, (frozenset, set)):
            value = sorted(value, key=repr)
        for item in value:
            self._visit(item, names)

    def _visit_named(self, value: Any, names: frozenset[str]) -> None:
        self._visit_overloads(value)
        module = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None) or ""
        if self.is_settled(module) and hasattr(value, "__name__"):
            self._note(module, value.__name__)
        elif isinstance(value, ModuleType) or (isinstance(value, type) and not _is_numbas(type(value))):
            self._visit_holder(value, names)
        elif isinstance(value, FunctionType):
            self._visit_function(value)
        elif isinstance(value, Dispatcher):
            self._note("njit", sorted(value.targetoptions.items(), key=repr))
            self.dispatchers.append(value)
            self._visit_function(value.py_func)
        elif isinstance(value, _Intrinsic):
            self._note("intrinsic")
            self._visit_function(value._defn)
        elif isinstance(value, BuiltinFunctionType):
            self._note(module, value.__qualname__)
        else:
            self._lose(value)

    def _visit_overloads(self, value: Any) -> None:
        """Visit what other modules have told Numba to compile in a function's place."""
        if not callable(value):
            return
        for template in _templates(value):
            overload = getattr(template, "_overload_func", None)
            if isinstance(overload, FunctionType) and not self.is_settled(overload.__module__ or ""):
                self._note("overload")
                self._visit_function(overload)

    def _visit_holder(self, holder: Any, names: frozenset[str]) -> None:
        """Visit those members of a module or a class that the code names."""
        fields = getattr(holder, "_fields", ())
        self._note(type(holder).__name__, holder.__name__, fields)
        if self._met((id(holder), names), holder):
            return
        if holder.__name__.startswith("sim."):
            self._note(_text_digest(holder.__file__))
        for name in sorted(names):
            if hasattr(holder, name) and name not in fields:
                self._note(name)
                self._visit(getattr(holder, name), names)

    def _visit_function(self, function: FunctionType) -> None:
        self._note("function", function.__qualname__)
        if self._met(id(function), function):
            return
        self.functions.append(function)
        if (function.__module__ or "").startswith("sim."):
            self._note(_text_digest(function.__code__.co_filename))
        self._visit(self.code_of(function), frozenset())
        names = names_in(function.__code__)
        for part in (function.__defaults__, function.__kwdefaults__):
            self._visit(part, names)
        for name in sorted(_globals_in(function.__code__)):
            if name in function.__globals__:
                self._note("global", name)
                self._visit(function.__globals__[name], names)
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            self._note("closure", name)
            self._visit_cell(cell, names)

    def _visit_cell(self, cell: Any, names: frozenset[str]) -> None:
        try:
            content = cell.cell_contents
        except ValueError:
            self._lose(cell)
        else:
            self._visit(content, names)

    def _visit_code(self, code: CodeType) -> None:
        self._note(
            code.co_name, code.co_code.hex(), code.co_exceptiontable.hex(), code.co_flags,
            code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount,
            code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars,
        )  # fmt: skip
        for constant in code.co_consts:
            self._visit(constant, frozenset())


def _is_numbas(kind: type) -> bool:
    return kind.__module__.startswith("numba.")


_heard_of = 0


def _hear_of_overloads() -> None:
    """Let Numba take in what has been registered with it since the last time."""
    global _heard_of
    if _heard_of != len(builtin_registry.globals):
        _heard_of = len(builtin_registry.globals)
        refresh(cpu_target.typing_context)


def _templates(function: Any) -> Iterable[Any]:
    return getattr(cpu_target.typing_context._lookup_global(function), "templates", ())


def _text_digest(file: str) -> str:
    return sha256(Path(file).read_bytes()).hexdigest()


def _source_of(function: FunctionType) -> object:
    try:
        return inspect.getsource(function)
    except (OSError, TypeError):
        return function.__code__


def _nested(code: CodeType) -> list[CodeType]:
    return [constant for constant in code.co_consts if isinstance(constant, CodeType)]


@cache
def _globals_in(code: CodeType) -> frozenset[str]:
    """Return the names that a code object and those nested in it look up in their module."""
    own = frozenset(i.argval for i in dis.get_instructions(code) if i.opname in ("LOAD_GLOBAL", "LOAD_NAME"))
    return own.union(*map(_globals_in, _nested(code)))
