"""Numba's contexts, refreshed without what takes a quarter of a process's start: the import of all of scipy.linalg.

Numba does that only to see that BLAS is there. It is, since SciPy comes with us; and code that calls BLAS makes Numba
import it in earnest.
"""

import sys
from types import ModuleType
from typing import Any

_BLAS = "scipy.linalg.cython_blas"


def refresh(context: Any) -> None:
    """Let one of Numba's contexts take in what has been registered with Numba."""
    stand_in = ModuleType(_BLAS)
    sys.modules.setdefault(_BLAS, stand_in)
    try:
        context.refresh()
    finally:
        if sys.modules[_BLAS] is stand_in:
            del sys.modules[_BLAS]
