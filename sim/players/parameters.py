"""A strategy's parameters in memory: one block of 64-bit words that its compiled methods read by address."""

from functools import cache
from typing import Any, NamedTuple

import numba
import numpy as np
from numba import types
from numba.np.arrayobj import make_array, populate_array

from .strategy import Strategy, fields
from .view_type import WORD, load_word


class Parameter(NamedTuple):
    """Where a field lies in the parameter block: its Numba type and its first 64-bit word."""

    type: types.Type
    start: int
    shape: tuple[int, ...] = ()


@cache
def lay_out(strategy: type[Strategy]) -> dict[str, Parameter]:
    """Return where each field of a strategy lies in its parameter block."""
    places, start = {}, 0
    for name, field in fields(strategy).items():
        if field.type is np.ndarray:
            array = types.Array(numba.from_dtype(field.default.dtype), field.default.ndim, "C", readonly=True)
            places[name] = Parameter(array, start, field.default.shape)
            start += -(-field.default.nbytes // 8)
        else:
            places[name] = Parameter({int: types.int64, float: types.float64, bool: types.boolean}[field.type], start)
            start += 1
    return places


def parameter_block(strategy: Strategy) -> np.ndarray:
    """Return a strategy's parameters as int64[words], in field order; one word if it has none."""
    block = b""
    for value in map(np.asarray, strategy.parameters.values()):
        word = value if value.ndim or value.dtype != bool else value.astype(np.int64)
        block += word.tobytes() + bytes(-word.nbytes % 8)
    return np.frombuffer(block or bytes(8), dtype=np.int64).copy()


def read_parameter(context: Any, builder: Any, parameter: Parameter, address: Any) -> Any:
    """Emit the reading of a parameter from the block at an address."""
    if isinstance(parameter.type, types.Array):
        return _read_array(context, builder, parameter, address)
    if parameter.type is types.float64:
        return load_word(builder, address, parameter.start, context.get_value_type(types.float64))
    word = load_word(builder, address, parameter.start)
    return word if parameter.type is types.int64 else builder.icmp_signed("!=", word, WORD(0))


def _read_array(context: Any, builder: Any, parameter: Parameter, address: Any) -> Any:
    array = make_array(parameter.type)(context, builder)
    element = context.get_data_type(parameter.type.dtype)
    itemsize = context.get_abi_sizeof(element)
    strides = [itemsize * int(np.prod(parameter.shape[axis + 1 :], dtype=int)) for axis in range(len(parameter.shape))]
    lengths, steps = ([context.get_constant(types.intp, n) for n in part] for part in (parameter.shape, strides))
    at = builder.inttoptr(builder.add(address, WORD(8 * parameter.start)), element.as_pointer())
    size = context.get_constant(types.intp, itemsize)
    populate_array(array, data=at, shape=lengths, strides=steps, itemsize=size, meminfo=None)
    return array._getvalue()
