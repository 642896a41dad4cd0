"""Finding strategies by what users write.

A spec names a class, then its parameters, each after a colon: ``counter:margin=0.5``. The class is a label of the
library (a file of `strategies`), an entry point in the group ``backalley.strategies``, ``package.module:Class`` or
``path/to/file.py:Class``.
"""

import importlib
import os
import pkgutil
import sys
from collections.abc import Iterable
from difflib import get_close_matches
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any, TypeGuard

import numpy as np

import strategies

from ..errors import SpecError
from .method_check import check_methods
from .provenance import class_path, describe
from .strategy import Strategy, fields, snake_case
from .strategy_files import load_file

__all__ = ["class_path", "describe", "find", "library", "load", "split_field", "split_side"]

ENTRY_POINTS = "backalley.strategies"
_MOST_SHOWN = 8
_SEPARATORS = "a path may not hold a comma, a plus or a colon"


def load(spec: str | type[Strategy] | Strategy) -> Strategy:
    """Return the strategy that a spec, a class or an instance stands for.

    Raises
    ------
    SpecError
        If nothing answers to the spec (near matches are listed) or a parameter is not taken.
    CompileError
        If the class lacks a method, or one of its methods assigns to ``self``.
    """
    if isinstance(spec, Strategy):
        return spec
    if isinstance(spec, str):
        name, parameters = _split(spec)
        strategy = find(name)
    elif _is_strategy(spec):
        strategy, parameters = spec, {}
    else:
        raise SpecError(
            f"{spec!r} is no strategy: give a spec, a class that inherits from sim.Strategy, or an instance"
        )
    check_methods(strategy)
    return strategy(**{key: _value(strategy, key, text) for key, text in parameters.items()})


def split_field(text: str) -> list[str]:
    """Return the sides of a comma-separated field: ``"counter,bold+gambler"``.

    Raises
    ------
    SpecError
        If nothing stands before, between or behind its commas.
    """
    sides = [side.strip() for side in text.split(",")]
    if "" in sides and sides != [""]:
        raise SpecError(f"{text!r} names no strategy before, between or behind its commas: write them as a,b,c")
    return [side for side in sides if side]


def split_side(text: str) -> list[str]:
    """Return the one or two specs of a side: ``a+b`` seats a North (or East) and b South (or West).

    Raises
    ------
    SpecError
        If there are more than two, or one is empty.
    """
    parts = [part.strip() for part in text.split("+")]
    if len(parts) > 2 or not all(parts):
        raise SpecError(f"{text!r} is no side: write one strategy, or two partners as a+b")
    return parts


def library() -> dict[str, type[Strategy]]:
    """Return the strategies of the library by label, in alphabetical order."""
    return {name: _from_library(name) for name in _library_names()}


def plug_ins() -> dict[str, tuple[type[Strategy] | SpecError, str]]:
    """Return what installed distributions bring, by label: the class, or why it cannot be had, and the distribution."""
    found: dict[str, tuple[type[Strategy] | SpecError, str]] = {}
    for entry_point in sorted(metadata.entry_points(group=ENTRY_POINTS), key=lambda point: point.name):
        home = entry_point.dist
        try:
            strategy: type[Strategy] | SpecError = _from_entry_point(entry_point)
        except SpecError as error:
            strategy = error
        found.setdefault(entry_point.name, (strategy, f"{home.name} {home.version}" if home else "unknown"))
    return {name: plug_in for name, plug_in in found.items() if name not in _library_names()}


def find(name: str) -> type[Strategy]:
    """Return the class that the first part of a spec names.

    Raises
    ------
    SpecError
        If there is none.
    """
    source, colon, attribute = name.partition(":")
    if source.endswith(".py"):
        return _member(_file(source), attribute, source)
    if name in _library_names():
        return _from_library(name)
    if colon:
        return _member(_module(source), attribute, source)
    for entry_point in metadata.entry_points(group=ENTRY_POINTS):
        if entry_point.name == name:
            return _from_entry_point(entry_point)
    raise SpecError(_unknown(name))


def _split(spec: str) -> tuple[str, dict[str, str]]:
    """Split a spec into the name of the class and its parameters' texts."""
    head, *rest = [part.strip() for part in spec.split(":")]
    if rest and "=" not in rest[0]:
        head += ":" + rest.pop(0)
    parameters = {}
    for part in rest:
        key, equals, value = (word.strip() for word in part.partition("="))
        if not equals or not key or key in parameters:
            what = "is there twice" if key in parameters else "is no parameter=value"
            raise SpecError(f"{spec!r}: {part!r} {what}", f"Write name:parameter=value:parameter=value; {_SEPARATORS}.")
        parameters[key] = value
    return head, parameters


def _value(strategy: type[Strategy], key: str, text: str) -> Any:
    """Return a parameter's text as a value of its field's type; what cannot be one is left for the class to refuse."""
    field = fields(strategy).get(key)
    if field is None:
        return text
    if field.type is np.ndarray:
        raise SpecError(f"{strategy.__name__}.{key} is an array: set it in Python, {strategy.__name__}({key}=…)")
    if field.type is bool:
        return {"true": True, "false": False}.get(text.lower(), text)
    try:
        return field.type(text)
    except ValueError:
        return text


def _library_names() -> list[str]:
    return sorted(module.name for module in pkgutil.iter_modules(strategies.__path__) if module.name[0] != "_")


def _from_library(name: str) -> type[Strategy]:
    module = _module(f"strategies.{name}")
    for value in vars(module).values():
        if _is_strategy(value) and value.__module__ == module.__name__ and snake_case(value.__name__) == name:
            return value
    raise SpecError(f"strategies/{name}.py holds no class whose label is {name!r}")


def _from_entry_point(entry_point: metadata.EntryPoint) -> type[Strategy]:
    try:
        value = entry_point.load()
    except Exception as error:
        what = f"{type(error).__name__}: {error}"
        raise SpecError(f"the entry point {entry_point.name} ({entry_point.value}) cannot be loaded: {what}") from error
    return _checked(value, entry_point.value)


def _file(source: str) -> ModuleType:
    if "," in source or "+" in source:
        raise SpecError(f"{source} is refused: {_SEPARATORS}")
    if not Path(source).is_file():
        raise SpecError(f"no file {source} ({_SEPARATORS})")
    return load_file(Path(source))


def _module(source: str) -> ModuleType:
    """Import a module, from the working directory too, as Python itself does when it runs a script there."""
    if not {"", os.getcwd()} & set(sys.path):
        sys.path.append(os.getcwd())
    try:
        return sys.modules["__main__"] if source == "__main__" else importlib.import_module(source)
    except Exception as error:
        if isinstance(error, ModuleNotFoundError) and error.name and f"{source}.".startswith(f"{error.name}."):
            if source in _library_names():
                raise SpecError(
                    f"{source} takes parameters as {source}:name=value, after a comma another strategy"
                ) from None
            raise SpecError(f"no module {source!r}: a spec is a label, module:Class or file.py:Class") from None
        raise SpecError(f"importing {source} fails: {type(error).__name__}: {error}") from error


def _member(module: ModuleType, attribute: str, source: str) -> type[Strategy]:
    names = [name for name, value in vars(module).items() if _is_strategy(value) and value is not Strategy]
    if not attribute:
        raise SpecError(f"{source}: name the class, as in {source}:{names[-1] if names else 'Class'}")
    if not hasattr(module, attribute):
        raise SpecError(f"{source} has no {attribute!r}" + (_hint(attribute, names) if names else " nor any strategy"))
    return _checked(getattr(module, attribute), f"{source}:{attribute}")


def _hint(attribute: str, names: list[str]) -> str:
    """Return a guess at the class that was meant, and what the file has: all of it, or so much that it fits a line."""
    near = get_close_matches(attribute, names, n=1)
    shown = [*names[:_MOST_SHOWN], *(["among others"] if len(names) > _MOST_SHOWN else [])]
    return (f": did you mean {near[0]}? It has " if near else ": it has ") + ", ".join(shown)


def _checked(value: Any, name: str) -> type[Strategy]:
    if not _is_strategy(value) or value is Strategy:
        raise SpecError(f"{name} is no strategy: a strategy is a class that inherits from sim.Strategy")
    return value


def _is_strategy(value: Any) -> TypeGuard[type[Strategy]]:
    return isinstance(value, type) and issubclass(value, Strategy)


def _unknown(name: str) -> str:
    labels: Iterable[str] = [*_library_names(), *(found.name for found in metadata.entry_points(group=ENTRY_POINTS))]
    near = get_close_matches(name, labels, n=3)
    hint = f"did you mean {' or '.join(near)}?" if near else "see them all with: backalley strategies"
    return f"unknown strategy {name!r}: {hint}"
