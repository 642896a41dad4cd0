"""``self`` as compiled strategies see it: the address of a block of parameters, with what the class says around it.

``self.margin`` reads a parameter, ``self.REACH`` is a constant and ``self.strength(view)`` calls another method. A type
holds only what one method can reach, so two classes that give it the same of all this share its compiled code.
"""

import inspect
import itertools
from types import FunctionType
from typing import Any, NamedTuple, cast

from numba import types
from numba.core.errors import TypingError
from numba.core.extending import models, register_model
from numba.core.imputils import lower_getattr_generic, lower_setattr_generic
from numba.core.typing.templates import AttributeTemplate, infer_getattr

from ..game.helper import dispatcher_of
from .code_digest import Unfollowable, Walk, digest_of, names_in
from .parameters import Parameter, lay_out, read_parameter
from .strategy import Strategy, family
from .view_type import WORD

_numbers = itertools.count()


class SelfType(types.Type):
    """The Numba type of ``self`` in one method: `members` are the parameters, constants and functions it can reach."""

    def __init__(self, members: dict[str, Any]) -> None:
        self.members = members
        try:
            name = digest_of(members)
        except Unfollowable:
            name = f"number {next(_numbers)}"
        super().__init__(name=f"Strategy({name})")


class Reach(NamedTuple):
    """What one method can reach.

    `members` are those of its class, by name. `digest` is of their content and all that they reach, None where
    something in it has none: with the same digest, the method decides the same.
    """

    members: dict[str, Any]
    digest: str | None


def reach_of(strategy: type[Strategy], method: str) -> Reach:
    """Return what one method of a strategy class can reach, found in one walk."""
    there = {name: inspect.getattr_static(strategy, name) for base in family(strategy) for name in vars(base)}
    there |= lay_out(strategy)
    walk = Walk()
    walk.start([getattr(strategy, method)])
    members: dict[str, Any] = {}
    while new := sorted((_names_looked_up(walk) & there.keys()) - members.keys()):
        for name in new:
            members[name] = there[name]
            walk.start([name, there[name]])
    return Reach(members, None if walk.lost else walk.hash.hexdigest())


def _names_looked_up(walk: Walk) -> set[str]:
    """Return every name that the functions a walk has met look up on something, but for Python's own."""
    names = set().union(*(names_in(function.__code__) for function in walk.functions))
    return {name for name in names if not name.startswith("__")}


class MethodType(types.Callable, types.Opaque):
    """The Numba type of ``self.strength``: a function whose first argument is there already."""

    def __init__(self, of: SelfType, function: FunctionType) -> None:
        self.of = of
        self.function = types.Dispatcher(dispatcher_of(function))
        super().__init__(name=f"method {function.__name__} of {of} at {id(self.function.dispatcher)}")

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        """Return the signature of a call."""
        return self.function.get_call_type(context, (self.of, *args), kws).as_method()

    def get_call_signatures(self) -> Any:
        """Return the signatures compiled so far."""
        return self.function.get_call_signatures()

    def get_impl_key(self, signature: Any) -> Any:
        """Return what the compiled function is known by."""
        return self.function.get_impl_key(signature)


@register_model(SelfType)
@register_model(MethodType)
class _AddressModel(models.PrimitiveModel):
    def __init__(self, manager: Any, numba_type: types.Type) -> None:
        super().__init__(manager, numba_type, WORD)


@infer_getattr
class _SelfMembers(AttributeTemplate):
    key = SelfType

    def generic_resolve(self, of: SelfType, name: str) -> types.Type:
        if name not in of.members:
            raise TypingError(f"self has no attribute {name!r}")
        member = of.members[name]
        if isinstance(member, Parameter):
            return member.type
        if isinstance(member, FunctionType):
            return MethodType(of, member)
        return type_of_member(self.context, member, f"self.{name}")


@lower_getattr_generic(SelfType)
def _read_member(context: Any, builder: Any, of: SelfType, address: Any, name: str) -> Any:
    member = of.members[name]
    if isinstance(member, Parameter):
        return read_parameter(context, builder, member, address)
    if isinstance(member, FunctionType):
        return address
    return emit_member(context, builder, member)


@lower_setattr_generic(SelfType)
def _refuse_write(context: Any, builder: Any, signature: Any, args: Any, name: str) -> Any:
    raise TypingError(f"self.{name} cannot be assigned to: a strategy keeps no state")


def type_of_member(context: Any, member: Any, name: str) -> types.Type:
    """Return the type of what a class holds beside its methods: a static method or a constant.

    Raises
    ------
    TypingError
        If it is neither.
    """
    kind = type(member).__name__
    if isinstance(member, staticmethod):
        return types.Dispatcher(dispatcher_of(cast(FunctionType, member.__func__)))
    if isinstance(member, (property, classmethod)):
        raise TypingError(f"{name} is a {kind}, which cannot be compiled: make it a method that takes self")
    try:
        if not isinstance(member, (list, set, dict)):
            return context.resolve_value_type(member)
    except ValueError:
        pass
    raise TypingError(f"{name} is a {kind}, which cannot be compiled: make it a tuple or a NumPy array")


def emit_member(context: Any, builder: Any, member: Any) -> Any:
    """Emit the reading of a static method or a constant."""
    if isinstance(member, (FunctionType, staticmethod)):
        return context.get_dummy_value()
    return context.get_constant_generic(builder, context.typing_context.resolve_value_type(member), member)
