"""Bits of a card set, alike in compiled code and in plain Python.

The few bit operations under every card question live here, each twice: once in Python, once as the processor's
instruction. What the bits mean is said in `cards`.
"""

from typing import Any

from llvmlite import binding, ir
from numba import types
from numba.core import cgutils
from numba.core.extending import intrinsic, overload

from .helper import helper as helper


def count(cards: int) -> int:
    """Return how many cards a set holds (0 … 54)."""
    return int(cards).bit_count()


def lowest(cards: int) -> int:
    """Return the code of the lowest card of a set, −1 if it is empty.

    Within one suit, jokers above their trump suit, this is the lowest in rank.
    """
    cards = int(cards)
    return (cards & -cards).bit_length() - 1


def highest(cards: int) -> int:
    """Return the code of the highest card of a set, −1 if it is empty."""
    return int(cards).bit_length() - 1


def scale(random: int, n: int) -> int:
    """Return ``random * n / 2**63``, rounded down: 63 random bits spread over 0 … n − 1."""
    return (int(random) * int(n)) >> 63


def select(cards: int, k: int) -> int:
    """Return the code of the k-th lowest card of a set, k from 0 to ``count(cards) - 1``."""
    cards = int(cards)
    for _ in range(int(k)):
        cards &= cards - 1
    return lowest(cards)


_I64 = ir.IntType(64)
_I128 = ir.IntType(128)


@intrinsic
def _popcount(typingctx: Any, cards: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), emit


@intrinsic
def _trailing_zeros(typingctx: Any, cards: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), emit


@intrinsic
def _leading_zeros(typingctx: Any, cards: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), emit


@intrinsic
def _scale(typingctx: Any, random: Any, n: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        product = builder.mul(builder.zext(args[0], _I128), builder.zext(args[1], _I128))
        return builder.trunc(builder.lshr(product, ir.Constant(_I128, 63)), _I64)

    return types.int64(types.int64, types.int64), emit


@overload(count)
def _compiled_count(cards):
    return lambda cards: _popcount(cards)


@overload(lowest)
def _compiled_lowest(cards):
    return lambda cards: _trailing_zeros(cards) if cards else -1


@overload(highest)
def _compiled_highest(cards):
    return lambda cards: 63 - _leading_zeros(cards)


@overload(scale)
def _compiled_scale(random, n):
    return lambda random, n: _scale(random, n)


@intrinsic
def _deposit(typingctx: Any, bits: Any, places: Any) -> Any:
    """Spread the low bits of `bits` over the set bits of `places`: one instruction where the processor has it."""

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        function = ir.FunctionType(_I64, [_I64, _I64])
        return builder.call(cgutils.get_or_insert_function(builder.module, function, "llvm.x86.bmi.pdep.64"), args)

    return types.int64(types.int64, types.int64), emit


@overload(select)
def _compiled_select(cards, k):
    """Without a jump that depends on the cards: a mispredicted one costs more than all of this arithmetic."""

    def deposit(cards, k):
        return _trailing_zeros(_deposit(1 << k, cards))

    def descend(cards, k):
        code = 0
        for width in (32, 16, 8, 4, 2, 1):
            below = _popcount(cards & ((1 << width) - 1))
            step = -(k >= below)
            k -= below & step
            code += width & step
            cards >>= width & step
        return code

    return deposit if binding.get_host_cpu_features().get("bmi2") else descend
