"""The global generators of random numbers, which no strategy may touch: Python's, NumPy's, and Numba's of both."""

import pickle
import random

import numpy as np
from numba import _helperlib

GENERATORS = ("random", "numpy.random", "random, compiled", "numpy.random, compiled")


def states() -> tuple[bytes, ...]:
    """Return the states of the global generators, in the order of `GENERATORS`."""
    compiled = (_helperlib.rnd_get_py_state_ptr(), _helperlib.rnd_get_np_state_ptr())
    of_numba = (_helperlib.rnd_get_state(state) for state in compiled)
    return tuple(map(pickle.dumps, (random.getstate(), np.random.get_state(), *of_numba)))
