"""A digest of what a function does: its bytecode and, through every name it uses, all that it can reach.

Compiled code is kept on disk by this digest, so an edit anywhere, in an imported module too, is another digest. What
cannot be followed is not guessed at: such a function is compiled anew each time.
"""

import enum
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

PACKAGE = Path(__file__).parents[1]
_SETTLED = ("numba", "numpy", "math", "builtins", "operator", "llvmlite", "sim", "typing")


class Unfollowable(Exception):
    """A function reaches something whose content has no digest."""


def digest_of(*roots: Any) -> str:
    """Return a digest (32 hex digits) of functions, classes and values and all that they reach.

    Raises
    ------
    Unfollowable
        If something reached is of a kind that has no digest.
    """
    walk = _Walk()
    for root in roots:
        walk.visit(root)
    return walk.hash.hexdigest()[:32]


def names_in(code: CodeType) -> set[str]:
    """Return all names that a code object, functions nested in it included, looks up in a module or on an object."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= names_in(constant)
    return names


@cache
def package_digest() -> str:
    """Return a digest of this package's own sources that go into compiled code."""
    digest = sha256()
    for room in ("game", "players", "arena"):
        for path in sorted((PACKAGE / room).glob("*.py")):
            digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:32]


class _Walk:
    """One walk through the values that a function reaches, each visited once."""

    def __init__(self) -> None:
        self.hash = sha256()
        self.seen: dict[int, Any] = {}

    def note(self, *words: Any) -> None:
        self.hash.update("\x1f".join(map(str, words)).encode() + b"\x1e")

    def visit(self, value: Any, names: Iterable[str] = ()) -> None:
        if isinstance(value, (int, float, complex, str, bytes, type(None), np.generic, enum.Enum)):
            self.note(type(value).__name__, repr(value))
        elif isinstance(value, np.ndarray):
            self.note(value.dtype, value.shape, sha256(np.ascontiguousarray(value)).hexdigest())
        elif isinstance(value, (tuple, list)):
            self.note(type(value).__name__, len(value))
            for item in value:
                self.visit(item, names)
        elif isinstance(value, dict):
            self.visit([pair for pair in sorted(value.items())])
        elif isinstance(value, (staticmethod, classmethod)):
            self.visit(value.__func__, names)
        else:
            self.visit_named(value, names)

    def visit_named(self, value: Any, names: Iterable[str]) -> None:
        """Visit something that has a module and a name; of the settled modules the versions stand elsewhere."""
        module = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
        function = getattr(value, "py_func", value)
        if (module or "").split(".")[0] in _SETTLED and hasattr(function, "__name__"):
            self.note(module, function.__name__)
        elif isinstance(value, ModuleType) or isinstance(value, type):
            self.visit_holder(value, names)
        elif isinstance(function, FunctionType):
            self.visit_function(function)
        elif isinstance(value, BuiltinFunctionType):
            self.note(module, value.__qualname__)
        elif str(module).startswith("numba") or type(value).__module__.startswith("numba"):
            self.note(repr(value))
        else:
            raise Unfollowable(f"{type(value).__name__} {value!r}")

    def visit_holder(self, holder: Any, names: Iterable[str]) -> None:
        """Visit those members of a module or a class that the code names."""
        self.note(type(holder).__name__, holder.__name__)
        for name in sorted(names):
            if hasattr(holder, name) and not name.startswith("__"):
                key = hash((id(holder), name))
                if key not in self.seen:
                    self.seen[key] = holder
                    self.visit(getattr(holder, name), names)

    def visit_function(self, function: FunctionType) -> None:
        if id(function) in self.seen:
            return
        self.seen[id(function)] = function
        code = function.__code__
        self.visit_code(code)
        self.visit(function.__defaults__ or ())
        names = names_in(code)
        for name in sorted(names):
            if name in function.__globals__:
                self.note(name)
                self.visit(function.__globals__[name], names)
        for cell in function.__closure__ or ():
            self.visit(cell.cell_contents, names)

    def visit_code(self, code: CodeType) -> None:
        self.note(code.co_name, code.co_code.hex(), code.co_names, code.co_varnames, code.co_freevars, code.co_flags)
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                self.visit_code(constant)
            elif isinstance(constant, frozenset):
                self.note("frozenset", sorted(map(repr, constant)))
            else:
                self.visit(constant)
