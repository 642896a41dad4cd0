"""C functions for the engine to call by address, from the disk or compiled."""

from collections.abc import Callable
from typing import Any, NamedTuple

from numba import types
from numba.core.ccallback import CFunc
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target

from .code_cache import CodeCache

ENTRY = types.int64(types.int64, types.int64)
"""What the engine calls: from the addresses of parameter block and view to a bid or a card."""


class CFunction(NamedTuple):
    """A C function's address, and what keeps its code alive."""

    address: int
    alive: Any


def c_function(key: str | None, source: Callable[[], Any]) -> CFunction:
    """Return the C function that the cache has under a key, else the one that the function from `source` becomes."""
    with global_compiler_lock:
        cache = CodeCache(key)
        compiled = cache.load_overload(ENTRY, cpu_target.target_context)
        if compiled is None:
            compiled = CFunc(source(), (ENTRY.args, ENTRY.return_type), {}, {})._compile_uncached()
            cache.save_overload(ENTRY, compiled)
        address = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_cfunc_wrapper_name)
        return CFunction(address, compiled)
