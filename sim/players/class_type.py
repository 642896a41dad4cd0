"""A strategy class met by name in compiled code, as in ``Counter.bid(self, view)`` and ``Counter.REACH``."""

import inspect
from types import FunctionType
from typing import Any

from numba import types
from numba.core.errors import TypingError
from numba.core.extending import models, register_model, typeof_impl
from numba.core.imputils import lower_constant, lower_getattr_generic
from numba.core.typing.templates import AttributeTemplate, infer_getattr

from ..game.helper import dispatcher_of
from .self_type import emit_member, type_of_member
from .strategy import Strategy, StrategyClass, fields


class StrategyClassType(types.Type):
    """The Numba type of one strategy class."""

    def __init__(self, strategy: type[Strategy]) -> None:
        self.strategy = strategy
        super().__init__(name=f"class {strategy.__qualname__} at {id(strategy)}")


register_model(StrategyClassType)(models.OpaqueModel)


@typeof_impl.register(StrategyClass)
def _type_of_class(strategy: type[Strategy], context: Any) -> StrategyClassType:
    return StrategyClassType(strategy)


@lower_constant(StrategyClassType)
def _class_constant(context: Any, builder: Any, of: StrategyClassType, strategy: Any) -> Any:
    return context.get_dummy_value()


@infer_getattr
class _ClassMembers(AttributeTemplate):
    key = StrategyClassType

    def generic_resolve(self, of: StrategyClassType, name: str) -> types.Type:
        where = f"{of.strategy.__name__}.{name}"
        if name in fields(of.strategy):
            raise TypingError(f"{where} is a parameter: read it as self.{name}")
        try:
            member = inspect.getattr_static(of.strategy, name)
        except AttributeError:
            raise TypingError(f"{where} does not exist") from None
        if isinstance(member, FunctionType):
            return types.Dispatcher(dispatcher_of(member))
        return type_of_member(self.context, member, where)


@lower_getattr_generic(StrategyClassType)
def _read_class_member(context: Any, builder: Any, of: StrategyClassType, value: Any, name: str) -> Any:
    return emit_member(context, builder, inspect.getattr_static(of.strategy, name))
