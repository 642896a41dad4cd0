"""Strategies in files of their own, ``path/to/file.py:Class``: each file a module apart, its neighbours in reach.

A file imports the other modules of its folder as a script does. They are forgotten afterwards, so that another folder's
file of the same name is another module; workers get all of it by value, as it was here.
"""

import importlib
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import cloudpickle

from ..errors import SpecError
from .strategy import Strategy, StrategyClass

_NAME = "backalley_file_"
_ORIGIN = "__sim_file__"
_SHARED = frozenset({"sim", "strategies"}) | sys.stdlib_module_names


class _Origin(NamedTuple):
    """Where a class's file is: as it was written, and wherever the process works.

    Each class has one of its own: cloudpickle leaves out what a base class has too.
    """

    path: str
    place: Path


class _Loaded(NamedTuple):
    """A file's module, the names of it and of the neighbours that it imports, and what was in their files."""

    module: ModuleType
    names: frozenset[str]
    texts: dict[Path, bytes]


_loaded: dict[Path, _Loaded] = {}


def load_file(path: Path) -> ModuleType:
    """Return a file as a module, the same one as long as neither it nor what it imports from its folder is edited.

    Raises
    ------
    SpecError
        If the file cannot be read, or importing it raises.
    """
    place = path.resolve()
    known = _loaded.get(place)
    if known is None or any(_read(file) != text for file, text in known.texts.items()):
        _loaded[place] = known = _load(path, place)
    for value in vars(known.module).values():
        if isinstance(value, StrategyClass) and value.__module__ in known.names:
            type.__setattr__(value, _ORIGIN, _Origin(path.as_posix(), place))
    return known.module


def file_of(strategy: type[Strategy]) -> str | None:
    """Return the file that a strategy was loaded from by its path, as that was written; None for any other."""
    origin: _Origin | None = vars(strategy).get(_ORIGIN)
    return origin.path if origin else None


def texts_of(strategy: type[Strategy]) -> list[bytes]:
    """Return the texts of the files that a strategy loaded by its path is made of."""
    origin: _Origin | None = vars(strategy).get(_ORIGIN)
    known = _loaded.get(origin.place) if origin else None
    return list(known.texts.values()) if known else []


def _load(path: Path, place: Path) -> _Loaded:
    text = _read(place)
    module = ModuleType(_NAME + sha256(str(place).encode() + text).hexdigest()[:16])
    module.__file__ = str(place)
    sys.modules[module.__name__] = module
    cloudpickle.register_pickle_by_value(module)
    with _neighbours_in_reach(place.parent) as neighbours:
        try:
            exec(compile(text, str(place), "exec"), vars(module))
        except (Exception, SystemExit) as error:
            del sys.modules[module.__name__]
            raise SpecError(f"{_where(path, place, error)}: {type(error).__name__}: {error}") from error
    texts = {place: text} | {file: _read(file) for file in neighbours.values()}
    return _Loaded(module, frozenset({module.__name__, *neighbours}), texts)


def _where(path: Path, place: Path, error: BaseException) -> str:
    """Return the file, and the line where the error came up, as far as it is known."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(place)]
    if isinstance(error, SyntaxError) and error.filename == str(place):
        lines.append(error.lineno)
    return f"importing {path} fails" + (f" in line {lines[-1]}" if lines else "")


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise SpecError(f"{file} cannot be read: {error.strerror}") from None


@contextmanager
def _neighbours_in_reach(folder: Path) -> Iterator[dict[str, Path]]:
    """Let a folder's modules be imported, all of them afresh. What was, by name and file, is there at the end."""
    neighbours: dict[str, Path] = {}
    hidden = {name: module for name, module in sys.modules.items() if _has_its_own(folder, name, module)}
    for name in hidden:
        del sys.modules[name]
    writes, sys.dont_write_bytecode = sys.dont_write_bytecode, True  # else an edit within the second goes unseen
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    before = set(sys.modules)
    try:
        yield neighbours
    finally:
        sys.path.remove(str(folder))
        sys.dont_write_bytecode = writes
        for name in set(sys.modules) - before:
            file = getattr(sys.modules[name], "__file__", None)
            if file and _stands_in(folder, name, Path(file)):
                neighbours[name] = Path(file)
                del sys.modules[name]
        sys.modules.update(hidden)


def _has_its_own(folder: Path, name: str, module: ModuleType) -> bool:
    """Return whether a folder has a module under the name of one that is loaded, of whatever folder."""
    top = name.split(".")[0]
    if top in _SHARED or "site-packages" in str(getattr(module, "__file__", "")):
        return False
    return (folder / f"{top}.py").is_file() or (folder / top / "__init__.py").is_file()


def _stands_in(folder: Path, name: str, file: Path) -> bool:
    """Return whether a module is one of a folder's own, not merely of something installed below it."""
    top = name.split(".")[0]
    own = file.is_relative_to(folder) and file.relative_to(folder).parts[0] in (top, f"{top}.py")
    return own and top not in _SHARED
