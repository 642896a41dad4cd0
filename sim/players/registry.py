"""Finding strategies by what users write, and describing them for a run's manifest.

A spec names a class, then its parameters, each after a colon: ``counter:margin=0.5``. The class is a label of the
library (a file of `strategies`), an entry point in the group ``backalley.strategies``, ``package.module:Class`` or
``path/to/file.py:Class``.
"""

import importlib
import importlib.util
import inspect
import pkgutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from functools import cache
from hashlib import sha256
from importlib import metadata
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import cloudpickle
import numpy as np

import strategies

from ..errors import SpecError
from .code_digest import Unfollowable, digest_of
from .strategy import Strategy, fields, snake_case

ENTRY_POINTS = "backalley.strategies"
_FILE_MODULE = "backalley_file_"


def load(spec: str | type[Strategy] | Strategy) -> Strategy:
    """Return the strategy that a spec, a class or an instance stands for.

    Raises
    ------
    SpecError
        If nothing answers to the spec (near matches are listed) or a parameter is not taken.
    """
    if isinstance(spec, Strategy):
        return spec
    if isinstance(spec, type) and issubclass(spec, Strategy):
        return spec()
    if not isinstance(spec, str):
        raise SpecError(f"{spec!r} is no strategy: give a spec, a class that inherits from sim.Strategy, or an instance")
    name, parameters = _split(spec)
    strategy = find(name)
    return strategy(**{key: _value(strategy, key, text) for key, text in parameters.items()})


def split_field(text: str) -> list[str]:
    """Return the sides of a comma-separated field: ``"counter,bold+gambler"``."""
    return [side.strip() for side in text.split(",") if side.strip()]


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
    names = sorted(module.name for module in pkgutil.iter_modules(strategies.__path__) if module.name[0] != "_")
    return {name: _from_library(name) for name in names}


@cache
def find(name: str) -> type[Strategy]:
    """Return the class that the first part of a spec names.

    Raises
    ------
    SpecError
        If there is none.
    """
    source, _, attribute = name.partition(":")
    if source.endswith(".py"):
        return _from_file(source, attribute)
    if attribute:
        return _from_module(source, attribute)
    if importlib.util.find_spec(f"strategies.{name}") if name.isidentifier() else None:
        return _from_library(name)
    for entry_point in metadata.entry_points(group=ENTRY_POINTS):
        if entry_point.name == name:
            return _checked(entry_point.load(), name)
    raise SpecError(_unknown(name))


def describe(strategy: Strategy) -> dict[str, Any]:
    """Return a strategy's entry in a run's manifest.

    The source hash covers the modules of the class and its bases and, for a compiled strategy, all code that its
    methods reach.
    """
    return {
        "label": strategy.label,
        "class": class_path(type(strategy)),
        "parameters": {key: _plain(value) for key, value in strategy.parameters.items()},
        "compiled": strategy.compiled,
        "source_sha256": _source_sha256(type(strategy)),
        "distribution": _distribution(type(strategy)),
    }


def class_path(strategy: type[Strategy]) -> str:
    """Return how a spec names a class: ``strategies.counter:Counter`` or ``path/to/file.py:Class``."""
    module = sys.modules.get(strategy.__module__)
    path = getattr(module, "__spec_path__", strategy.__module__)
    return f"{path}:{strategy.__qualname__}"


def _split(spec: str) -> tuple[str, dict[str, str]]:
    """Split a spec into the name of the class and its parameters' texts."""
    head, *rest = [part.strip() for part in spec.split(":")]
    if rest and "=" not in rest[0]:
        head += ":" + rest.pop(0)
    parameters = {}
    for part in rest:
        key, equals, value = part.partition("=")
        if not equals or not key or key in parameters:
            raise SpecError(
                f"{spec!r}: {part!r} is no new parameter",
                "Write name:parameter=value:parameter=value; a path may not hold a comma, a plus or a colon.",
            )
        parameters[key.strip()] = value.strip()
    return head, parameters


def _value(strategy: type[Strategy], key: str, text: str) -> Any:
    """Return a parameter's text as a value of its field's type; what is unknown is refused by the class."""
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


def _from_library(name: str) -> type[Strategy]:
    module = importlib.import_module(f"strategies.{name}")
    for value in vars(module).values():
        if _is_strategy(value) and value.__module__ == module.__name__ and snake_case(value.__name__) == name:
            return value
    raise SpecError(f"strategies/{name}.py holds no class whose label is {name!r}")


def _from_module(source: str, attribute: str) -> type[Strategy]:
    try:
        module = sys.modules["__main__"] if source == "__main__" else importlib.import_module(source)
    except ModuleNotFoundError as error:
        raise SpecError(f"no module {source!r} ({error}): a spec is a label, module:Class or file.py:Class") from None
    return _member(module, attribute, source)


def _from_file(source: str, attribute: str) -> type[Strategy]:
    path = Path(source)
    if not path.is_file():
        raise SpecError(f"no file {source} (a path may not hold a comma, a plus or a colon)")
    if not attribute:
        names = [name for name, value in vars(_load_file(path)).items() if _is_own_strategy(value)]
        raise SpecError(f"{source}: name the class, as in {source}:{names[0] if names else 'Class'}")
    return _member(_load_file(path), attribute, source)


def _load_file(path: Path) -> ModuleType:
    """Import a file as a module of its own, with its folder's modules in reach as for a script.

    The modules it brings along from its folder are forgotten afterwards, so that another folder's file of the same
    name is another module; workers get all of them by value, as they were here.
    """
    name = _FILE_MODULE + sha256(str(path.resolve()).encode() + path.read_bytes()).hexdigest()[:16]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise SpecError(f"{path} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    module.__spec_path__ = path.as_posix()  # type: ignore[attr-defined]
    sys.modules[name] = module
    with _folder_in_reach(path.resolve().parent):
        try:
            spec.loader.exec_module(module)
        except Exception as error:
            del sys.modules[name]
            line = next((f.lineno for f in reversed(inspect.trace()) if f.filename == str(path)), None)
            where = f"{path}, line {line}" if line else str(path)
            raise SpecError(f"{where}: importing the file raised {type(error).__name__}: {error}") from error
        for value in list(vars(module).values()):
            if _is_own_strategy(value):
                fields(value)
    cloudpickle.register_pickle_by_value(module)
    return module


@contextmanager
def _folder_in_reach(folder: Path) -> Iterator[None]:
    before = set(sys.modules)
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in set(sys.modules) - before:
            file = getattr(sys.modules[name], "__file__", None)
            if not name.startswith(_FILE_MODULE) and file and Path(file).is_relative_to(folder):
                del sys.modules[name]


def _member(module: ModuleType, attribute: str, source: str) -> type[Strategy]:
    if not hasattr(module, attribute):
        names = [name for name, value in vars(module).items() if _is_own_strategy(value)]
        near = get_close_matches(attribute, names, n=3) or names
        raise SpecError(f"{source} has no {attribute!r}" + (f": it has {', '.join(near)}" if near else " nor any strategy"))
    return _checked(getattr(module, attribute), f"{source}:{attribute}")


def _checked(value: Any, name: str) -> type[Strategy]:
    if not _is_own_strategy(value):
        raise SpecError(f"{name} is no strategy: a strategy is a class that inherits from sim.Strategy")
    return value


def _is_strategy(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, Strategy)


def _is_own_strategy(value: Any) -> bool:
    return _is_strategy(value) and value is not Strategy


def _unknown(name: str) -> str:
    labels = [module.name for module in pkgutil.iter_modules(strategies.__path__)]
    labels += [entry_point.name for entry_point in metadata.entry_points(group=ENTRY_POINTS)]
    near = get_close_matches(name, labels, n=3)
    hint = f"did you mean {' or '.join(near)}?" if near else "see them all with: backalley strategies"
    return f"unknown strategy {name!r}: {hint}"


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else value


def _source_sha256(strategy: type[Strategy]) -> str:
    bases = strategy.__mro__[: strategy.__mro__.index(Strategy)]
    digest = sha256()
    for base in bases:
        digest.update(_source_text(base).encode())
    if strategy.compiled:
        methods = [value for base in bases for value in vars(base).values() if isinstance(value, FunctionType)]
        try:
            digest.update(digest_of(methods).encode())
        except Unfollowable as what:
            digest.update(str(type(what)).encode())
    return digest.hexdigest()


def _source_text(base: type) -> str:
    """Return the text of the module that a class stands in; of a notebook's class, its own text."""
    module = sys.modules.get(base.__module__)
    file = getattr(module, "__file__", None)
    if file and base.__module__ != "__main__":
        return Path(file).read_text("utf-8")
    try:
        return inspect.getsource(base)
    except (OSError, TypeError):
        return repr(sorted(vars(base)))


def _distribution(strategy: type[Strategy]) -> str | None:
    top = strategy.__module__.split(".")[0]
    names = metadata.packages_distributions().get(top)
    return f"{names[0]} {metadata.version(names[0])}" if names else None
