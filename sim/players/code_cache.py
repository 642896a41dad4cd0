"""Compiled code on disk, kept by a digest of all its sources, so that a second start need not compile again.

It stands in for Numba's own file cache, which looks only at the file a function stands in and never finds a generated
wrapper again. A file that is damaged, absent or of another machine is a miss; a folder that cannot be written costs
time and nothing else.
"""

import contextlib
import itertools
import os
import pickle
import secrets
import sys
import tempfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from llvmlite import binding
from numba.core import compiler, config
from numba.core.bytecode import FunctionIdentity

from .code_digest import Unfollowable, digest_of, package_digest

KEPT_FILES = 512
_DIGEST_BYTES = 32

# Numba numbers functions from 1 in every process and puts the number into symbol names. Code from several processes
# meets in one here, so each process starts at a place of its own.
FunctionIdentity._unique_ids = itertools.count(secrets.randbits(48))


def cache_folder() -> Path:
    """Return the folder of compiled code: ``$BACKALLEY_CACHE_DIR``, or ``backalley`` in the user's cache folder."""
    own = os.environ.get("BACKALLEY_CACHE_DIR")
    if own:
        return Path(own)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "backalley"


def cache_key(*roots: Any) -> str | None:
    """Return the key of code made from `roots` here: sources, versions, processor. None: it cannot be kept."""
    machine = (
        sys.version_info[:3],
        numba.__version__,
        llvmlite.__version__,
        np.__version__,
        binding.get_host_cpu_name(),
        binding.get_host_cpu_features().flatten(),
        bool(config.BOUNDSCHECK),
        config.OPT.__str__(),
    )
    try:
        return digest_of(package_digest(), repr(machine), *roots)
    except Unfollowable:
        return None


counts = {"loaded": 0, "compiled": 0}
"""How many functions this process has loaded from the cache, and how many it has compiled."""


class CodeCache:
    """One function's place in the cache, in the form in which Numba's dispatchers and C functions ask for it.

    Parameters
    ----------
    key : str or None
        From `cache_key`; None keeps nothing.
    """

    def __init__(self, key: str | None) -> None:
        self.path = cache_folder() / f"{key}.code" if key else None

    @property
    def cache_path(self) -> str:
        return str(self.path)

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """Return the compiled function, None if it is not there whole."""
        if self.path is None:
            return None
        with contextlib.suppress(OSError):
            data = self.path.read_bytes()
            if sha256(data[_DIGEST_BYTES:]).digest() == data[:_DIGEST_BYTES]:
                target_context.refresh()
                counts["loaded"] += 1
                return compiler.CompileResult._rebuild(target_context, *pickle.loads(data[_DIGEST_BYTES:]))
        return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep a compiled function where it can be kept."""
        counts["compiled"] += 1
        if self.path is None or compiled.lifted or compiled.library.has_dynamic_globals:
            return
        data = pickle.dumps(compiled._reduce(), protocol=pickle.HIGHEST_PROTOCOL)
        with contextlib.suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with _new_file(self.path) as file:
                file.write(sha256(data).digest() + data)
            _drop_oldest(self.path.parent)

    def enable(self) -> None:
        """Do nothing: it is always on."""

    disable = flush = enable


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
    files = sorted(folder.glob("*.code"), key=lambda path: path.stat().st_mtime)
    for path in files[:-KEPT_FILES]:
        path.unlink(missing_ok=True)
