"""The memory that the compiled engine works on: one table's state, what is shown to the player to act, where rows go.

All three are records, reached by one address each. (An array inside a tuple would cost Numba a reference count at every
touch: that made a match three times as long.)
"""

from typing import Any, NamedTuple

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core.extending import intrinsic

from ..players.view import SLOTS

DECIDED, FAULTED, STOPPED = 0, 1, 2
"""How a decision, a trick, a hand, a match came out: well, with a fault, or by the user's interrupt."""

part = numba.njit(nogil=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)
"""Marks a part of the engine: compiled into it, not called from Python."""

Record = Any
"""A record as compiled code sees it, its fields as attributes. Type checkers know of no such thing."""

_WORD = np.int64

TABLE = np.dtype(
    [
        ("deck", _WORD, 54),
        ("hands", _WORD, 4),
        ("bids", _WORD, 4),
        ("levels", _WORD, 4),
        ("tricks_won", _WORD, 4),
        ("trick_cards", _WORD, 4),
        ("score", _WORD, 2),
        ("bid_entry", _WORD, 4),
        ("play_entry", _WORD, 4),
        ("parameters", _WORD, 4),
        ("fault_reason", _WORD),
        ("fault_seat", _WORD),
        ("fault_value", _WORD),
        ("matches_done", _WORD),
        ("hands_done", _WORD),
        ("tricks_done", _WORD),
    ]
)
"""The table at which a shard's matches are played one after the other. Arrays are by seat or side; the counts at the
end say how many matches, hands and tricks are logged, and so where play goes on."""

SHOWN = np.dtype([(name, _WORD, slot.length) if slot.length > 1 else (name, _WORD) for name, slot in SLOTS.items()])
"""What the player to act is shown: the fields of `players.view`, in a buffer with nothing else in it."""


class Schedule(NamedTuple):
    """Who plays whom in a shard, and from which secrets its cards and decisions come.

    Match number i of the shard is ``(shuffle * pairings + pairing) * tables + table``, shuffles counted from
    `first_shuffle`.
    """

    first_shuffle: int
    pairings: int
    tables: int
    seating: np.ndarray
    """int64[pairings, tables, 4]: the strategy in each seat."""
    entries: np.ndarray
    """int64[strategies, 3]: addresses of bid, play and parameter block."""
    shuffle_key: np.ndarray
    decision_keys: np.ndarray
    """uint64[2] and uint64[pairings, 2]."""
    given_deck: np.ndarray
    """int64[54], or empty: cards to deal in place of a shuffle."""
    given_dealer: int
    forfeit: bool


def columns_of(log: NamedTuple) -> np.void:
    """Return the addresses of a log's columns as a record, under the names of its fields."""
    fields: list[tuple[Any, ...]] = []
    addresses: list[Any] = []
    for name, column in zip(log._fields, log, strict=True):
        if column.ndim == 1:
            fields.append((name, _WORD))
            addresses.append(column.ctypes.data)
        else:
            fields.append((name, _WORD, len(column)))
            addresses.append([row.ctypes.data for row in column])
    return np.array([tuple(addresses)], dtype=fields)[0]


def new_record(dtype: np.dtype) -> np.void:
    """Return one empty record in memory of its own."""
    return np.zeros(1, dtype)[0]


@intrinsic
def call(typingctx: Any, address: Any, parameters: Any, shown: Any) -> Any:
    """Call a strategy's C function by its address, with its parameter block's and the shown view's."""

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word = ir.IntType(64)
        function = builder.inttoptr(args[0], ir.FunctionType(word, [word, word]).as_pointer())
        return builder.call(function, [args[1], builder.ptrtoint(args[2], word)])

    return types.int64(types.int64, types.int64, shown), emit


def _store(bits: int) -> Any:
    """Return the compiled function that stores a value in a row of a column of so many bits, given by its address."""

    @intrinsic
    def store(typingctx: Any, column: Any, row: Any, value: Any) -> Any:
        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            element = ir.IntType(bits)
            offset = builder.mul(args[1], ir.Constant(ir.IntType(64), bits // 8))
            place = builder.inttoptr(builder.add(args[0], offset), element.as_pointer())
            narrow = args[2] if bits == 64 else builder.trunc(args[2], element)
            builder.store(narrow, place)
            return context.get_dummy_value()

        return types.void(types.int64, types.int64, types.int64), emit

    return store


store_8, store_16, store_32, store_64 = map(_store, (8, 16, 32, 64))
