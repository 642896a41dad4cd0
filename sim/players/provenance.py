"""What a strategy was, for a run's manifest: where its class is found, its parameters, and a hash of its sources."""

import sys
import sysconfig
from functools import cache
from hashlib import sha256
from importlib import metadata
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

from .code_digest import source_digest
from .strategy import Strategy, family
from .strategy_files import file_of, texts_of


def describe(strategy: Strategy) -> dict[str, Any]:
    """Return a strategy's entry in a run's manifest.

    The source hash covers the modules of the class and its bases, the files that a file strategy imports from its
    folder, and whatever functions and constants its methods reach outside installed packages.
    """
    return {
        "label": strategy.label,
        "class": class_path(type(strategy)),
        "parameters": {key: _plain(value) for key, value in strategy.parameters.items()},
        "compiled": strategy.compiled,
        "source_sha256": _source_sha256(type(strategy)),
        "distribution": _distribution(type(strategy).__module__.split(".")[0]),
    }


def class_path(strategy: type[Strategy]) -> str:
    """Return how a spec names a class: ``strategies.counter:Counter`` or ``path/to/file.py:Class``."""
    return f"{file_of(strategy) or strategy.__module__}:{strategy.__qualname__}"


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else value


def _source_sha256(strategy: type[Strategy]) -> str:
    bases = family(strategy)
    digest = sha256()
    for text in (*texts_of(strategy), *map(_module_text, bases)):
        digest.update(sha256(text).digest())
    own = frozenset(base.__module__.split(".")[0] for base in bases)
    members = [{name: value for name, value in vars(base).items() if _says_something(name, value)} for base in bases]
    digest.update(source_digest(members, lambda module: _is_installed(module) and module not in own).encode())
    return digest.hexdigest()


def _module_text(base: type) -> bytes:
    """Return the text of the module that a class stands in; nothing for a script's or a notebook's."""
    module = sys.modules.get(base.__module__)
    file = getattr(module, "__file__", None)
    return Path(file).read_bytes() if file and base.__module__ != "__main__" else b""


def _says_something(name: str, value: object) -> bool:
    return not name.startswith("__") or isinstance(value, FunctionType)


@cache
def _is_installed(top: str) -> bool:
    """Return whether a top-level module is Python's own or an installed package's: told by versions, not by content."""
    if top in sys.stdlib_module_names or top == "sim":
        return True
    file = getattr(sys.modules.get(top), "__file__", None) or ""
    return any(Path(file).is_relative_to(sysconfig.get_path(where)) for where in ("purelib", "platlib"))


@cache
def _distribution(top: str) -> str | None:
    """Return the name and version of the installed distribution that a top-level module belongs to."""
    if top == "__main__" or top not in sys.modules:
        return None
    names = ["backalley"] if top == "strategies" else metadata.packages_distributions().get(top, [])
    try:
        return f"{names[0]} {metadata.version(names[0])}" if names else None
    except metadata.PackageNotFoundError:
        return None
