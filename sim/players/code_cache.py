"""Compiled code on disk, kept by a digest of all its sources, so that a second start need not compile again.

It stands in for Numba's own file cache, which looks only at the file a function stands in and never finds a generated
wrapper again. A file that is damaged, absent or of another machine is a miss; a folder that cannot be written costs
time and nothing else.
"""

import contextlib
import io
import itertools
import os
import pickle
import secrets
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core import compiler, config
from numba.core.bytecode import FunctionIdentity
from numba.core.codegen import RuntimeLinker
from numba.core.environment import Environment, lookup_environment
from numba.core.registry import cpu_target

from .code_digest import Unfollowable, digest_of, package_digest
from .refresh import refresh

KEPT_FILES = 512
_DIGEST_BYTES = 32
_SETTINGS = ("OPT", "BOUNDSCHECK", "LOOP_VECTORIZE", "SLP_VECTORIZE", "DEBUGINFO_DEFAULT")

# Numba numbers functions from 1 in every process and puts the number into symbol names. Code from several processes
# meets in one here, so each process starts at a place of its own.
FunctionIdentity._unique_ids = itertools.count(secrets.randbits(48))

counts = {"loaded": 0, "compiled": 0}
"""How many functions this process has loaded from the cache, and how many it has compiled."""


def cache_folder() -> Path:
    """Return the folder of compiled code: ``$BACKALLEY_CACHE_DIR``, or ``backalley`` in the user's cache folder."""
    own = os.environ.get("BACKALLEY_CACHE_DIR")
    if own:
        return Path(own)
    base = os.environ.get("XDG_CACHE_HOME")
    return Path(base or os.path.expanduser("~/.cache")) / "backalley"


def cache_key(*roots: Any) -> str | None:
    """Return the key of code made from `roots` here: sources, versions, processor. None: it cannot be kept."""
    try:
        return digest_of(package_digest(), _machine(), *roots)
    except Unfollowable:
        return None


@cache
def _machine() -> str:
    versions = (sys.version_info[:3], numba.__version__, llvmlite.__version__, np.__version__)
    settings = [getattr(config, setting, None) for setting in _SETTINGS]
    return repr((versions, settings, cpu_target.target_context.codegen().magic_tuple()))


class CodeCache:
    """One function's place in the cache, in the form in which Numba's dispatchers and C functions ask for it.

    Parameters
    ----------
    key : str or None
        From `cache_key`; None keeps nothing.
    """

    def __init__(self, key: str | None) -> None:
        self.key = key

    @property
    def cache_path(self) -> str:
        """The folder, where Numba asks for it to show it."""
        return str(cache_folder())

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """Return the function as compiled for a signature, None if it is not there whole."""
        if self.key is None:
            return None
        path = self._path(signature)
        with contextlib.suppress(Exception):
            data = path.read_bytes()
            if sha256(data[_DIGEST_BYTES:]).digest() == data[:_DIGEST_BYTES]:
                refresh(target_context)
                found = compiler.CompileResult._rebuild(target_context, *pickle.loads(data[_DIGEST_BYTES:]))
                counts["loaded"] += 1
                with contextlib.suppress(OSError):
                    os.utime(path)
                return found
        return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep a compiled function where it can be kept."""
        counts["compiled"] += 1
        if self.key is None or _is_bound_to_process(compiled):
            return
        path = self._path(signature)
        with contextlib.suppress(Exception):
            data = _pickled(compiled._reduce())
            path.parent.mkdir(parents=True, exist_ok=True)
            with _new_file(path) as file:
                file.write(sha256(data).digest() + data)
            _drop_oldest(path.parent)

    def enable(self) -> None:
        """Do nothing: it is always on."""

    disable = flush = enable

    def _path(self, signature: Any) -> Path:
        return cache_folder() / f"{self.key}-{sha256(str(signature).encode()).hexdigest()[:8]}.code"


def _is_bound_to_process(compiled: Any) -> bool:
    """Return whether code holds addresses of this process, as that of functions that call each other does."""
    if compiled.lifted or compiled.library.has_dynamic_globals:  # this puts the code's last parts in place
        return True
    names = [variable.name for variable in compiled.library._final_module.global_variables]
    return any(name.startswith(RuntimeLinker.PREFIX) for name in names)


def _pickled(value: Any) -> bytes:
    buffer = io.BytesIO()
    _Pickler(buffer, pickle.HIGHEST_PROTOCOL).dump(value)
    return buffer.getvalue()


class _Pickler(pickle.Pickler):
    """Keeps Numba's environments, the globals of a function, without what would import their module on the way back.

    A strategy's module need not be importable by its name, and compiled code asks its environment for nothing.
    """

    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, Environment):
            return _environment, (value.globals.get("__name__"), value.consts, value.env_name)
        return NotImplemented


def _environment(module: str, constants: list[Any], name: str) -> Any:
    """Return the environment of a name, made anew where this process has none."""
    found = lookup_environment(name)
    if found is None:
        found = Environment(vars(sys.modules[module]) if module in sys.modules else {})
        found.consts[:] = constants
        found.env_name = name
        Environment._memo[name] = found
    return found


@contextlib.contextmanager
def _new_file(path: Path) -> Iterator[Any]:
    """Write a file beside its place and move it there whole."""
    handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def _drop_oldest(folder: Path) -> None:
    """Drop the files not used for longest, and what a process left that died while writing."""
    files = sorted(folder.glob("*.code"), key=lambda path: path.stat().st_mtime)
    day_ago = time.time() - 86400
    left = [path for path in folder.glob("*.part") if path.stat().st_mtime < day_ago]
    for path in files[:-KEPT_FILES] + left:
        path.unlink(missing_ok=True)
