"""``self`` as compiled strategies see it: the address of a block of parameters, with what the class says around it.

``self.margin`` reads a parameter, ``self.REACH`` is a constant, ``self.strength(view)`` calls another method, and
``Counter.bid(self, view)`` a base class's. Two classes that give a method the same of all this share its compiled code.
"""

import inspect
from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any, NamedTuple

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core.extending import intrinsic, lower_builtin, models, register_model, typeof_impl
from numba.core.imputils import lower_constant, lower_getattr_generic
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr
from numba.np.arrayobj import make_array, populate_array

from .code_digest import Unfollowable, digest_of, names_in
from .strategy import Strategy, _StrategyMeta, fields
from .view_type import load_word


class Parameter(NamedTuple):
    """Where a field lies in the parameter block: its Numba type and its first 64-bit word."""

    type: types.Type
    start: int
    shape: tuple[int, ...] = ()


class SelfType(types.Type):
    """The Numba type of ``self`` in one method: `members` are the parameters, constants and functions it can reach."""

    def __init__(self, members: dict[str, Any]) -> None:
        self.members = members
        try:
            name = digest_of(members)
        except Unfollowable:
            name = f"at {id(members)}"
        super().__init__(name=f"Strategy({name})")


def self_type(strategy: type[Strategy], method: str) -> SelfType:
    """Return the type of ``self`` for one method of a strategy class.

    It leaves out what every class of a family says anew, the bidding of a method that plays and the defaults of
    parameters, so that `play` compiles once for a whole family of bidders.
    """
    bases = strategy.__mro__[: strategy.__mro__.index(Strategy)]
    functions = [member for base in bases for member in vars(base).values() if isinstance(member, FunctionType)]
    named = set().union(*(names_in(function.__code__) for function in functions))
    members: dict[str, Any] = dict(lay_out(strategy))
    for name in sorted({name for base in bases for name in vars(base)}):
        if name not in members and not name.startswith("__") and (name not in ("bid", "play") or name in named):
            members[name] = inspect.getattr_static(strategy, name)
    return SelfType(members)


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
    """Return a strategy's parameters as the bytes that compiled methods read, 64-bit words in field order."""
    block = b""
    for name, field in fields(type(strategy)).items():
        value = np.asarray(getattr(strategy, name))
        if field.type is bool:
            value = value.astype(np.int64)
        block += value.tobytes() + bytes(-value.nbytes % 8)
    return np.frombuffer(block or bytes(8), dtype=np.int64).copy()


@cache
def jitted(function: Callable[..., Any]) -> Any:
    """Return the one dispatcher of a method's function."""
    return numba.njit(function)


@register_model(SelfType)
class _SelfModel(models.PrimitiveModel):
    def __init__(self, manager: Any, numba_type: SelfType) -> None:
        super().__init__(manager, numba_type, ir.IntType(64))


def as_self(of: SelfType) -> Any:
    """Return the compiled function that takes a parameter block's address for ``self``."""

    @intrinsic
    def take(typingctx: Any, address: Any) -> Any:
        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return args[0]

        return of(types.int64), emit

    return take


def _method_template(dispatcher: Any, of: types.Type) -> type[AbstractTemplate]:
    class Method(AbstractTemplate):
        key = (of, dispatcher)

        def generic(self, args: Any, kws: Any) -> Any:
            call = types.Dispatcher(dispatcher).get_call_type(self.context, (of, *args), kws)
            signature = call.as_method()
            _call_method(signature, dispatcher)
            return signature

    return Method


def _call_method(signature: Any, dispatcher: Any) -> None:
    """Register how a call of a method is compiled: as the call of its function with ``self`` in front."""

    def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        callee = types.Dispatcher(dispatcher)
        plain = callee.get_call_type(context.typing_context, sig.args, {})
        return context.get_function(callee, plain)(builder, args)

    key = (signature.recvr, dispatcher)
    lower_builtin(key, signature.recvr, *signature.args)(emit)


@infer_getattr
class _SelfMembers(AttributeTemplate):
    key = SelfType

    def generic_resolve(self, of: SelfType, name: str) -> types.Type | None:
        member = of.members.get(name)
        if isinstance(member, Parameter):
            return member.type
        if isinstance(member, FunctionType):
            return types.BoundFunction(_method_template(jitted(member), of), of)
        return _class_member(self.context, member)


def _class_member(context: Any, member: Any) -> types.Type | None:
    """Return the type of what a class holds beside methods with ``self``: a static method or a constant."""
    if isinstance(member, staticmethod):
        return types.Dispatcher(jitted(member.__func__))
    if isinstance(member, FunctionType):
        return types.Dispatcher(jitted(member))
    return None if member is None else context.resolve_value_type(member)


@lower_getattr_generic(SelfType)
def _read_member(context: Any, builder: Any, of: SelfType, address: Any, name: str) -> Any:
    member = of.members[name]
    if isinstance(member, Parameter):
        return _read_parameter(context, builder, member, address)
    if isinstance(member, FunctionType):
        return address
    return _constant(context, builder, member)


def _constant(context: Any, builder: Any, member: Any) -> Any:
    if isinstance(member, (FunctionType, staticmethod)):
        return context.get_dummy_value()
    return context.get_constant_generic(builder, context.typing_context.resolve_value_type(member), member)


def _read_parameter(context: Any, builder: Any, parameter: Parameter, address: Any) -> Any:
    if isinstance(parameter.type, types.Array):
        return _read_array(context, builder, parameter, address)
    if parameter.type is types.float64:
        return load_word(builder, address, parameter.start, ir.DoubleType())
    word = load_word(builder, address, parameter.start)
    return word if parameter.type is types.int64 else builder.icmp_signed("!=", word, ir.Constant(word.type, 0))


def _read_array(context: Any, builder: Any, parameter: Parameter, address: Any) -> Any:
    array = make_array(parameter.type)(context, builder)
    element = context.get_data_type(parameter.type.dtype)
    at = builder.add(address, ir.Constant(ir.IntType(64), 8 * parameter.start))
    itemsize = context.get_abi_sizeof(element)
    strides = [itemsize * int(np.prod(parameter.shape[axis + 1 :], dtype=int)) for axis in range(len(parameter.shape))]
    constant = [context.get_constant(types.intp, length) for length in (*parameter.shape, *strides)]
    populate_array(
        array,
        data=builder.inttoptr(at, element.as_pointer()),
        shape=constant[: len(parameter.shape)],
        strides=constant[len(parameter.shape) :],
        itemsize=context.get_constant(types.intp, itemsize),
        meminfo=None,
    )
    return array._getvalue()


class StrategyClassType(types.Type):
    """The Numba type of a strategy class met by name, as in ``Counter.bid(self, view)``."""

    def __init__(self, strategy: type[Strategy]) -> None:
        self.strategy = strategy
        super().__init__(name=f"class {strategy.__qualname__} at {id(strategy)}")


register_model(StrategyClassType)(models.OpaqueModel)


@typeof_impl.register(_StrategyMeta)
def _type_of_class(strategy: type[Strategy], context: Any) -> StrategyClassType:
    return StrategyClassType(strategy)


@lower_constant(StrategyClassType)
def _class_constant(context: Any, builder: Any, of: StrategyClassType, strategy: Any) -> Any:
    return context.get_dummy_value()


@infer_getattr
class _ClassMembers(AttributeTemplate):
    key = StrategyClassType

    def generic_resolve(self, of: StrategyClassType, name: str) -> types.Type | None:
        return _class_member(self.context, inspect.getattr_static(of.strategy, name, None))


@lower_getattr_generic(StrategyClassType)
def _read_class_member(context: Any, builder: Any, of: StrategyClassType, value: Any, name: str) -> Any:
    return _constant(context, builder, inspect.getattr_static(of.strategy, name))

