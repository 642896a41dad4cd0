"""The view as compiled strategies see it: a Numba type with getters and nothing else, so a write does not compile."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core.errors import TypingError
from numba.core.extending import models, register_model
from numba.core.imputils import lower_getattr_generic, lower_setattr_generic
from numba.core.typing.templates import AttributeTemplate, infer_getattr

from .view import FLAGS, SLOTS, unknown_field

WORD = ir.IntType(64)


class ViewType(types.Type):
    """The Numba type of a view: the address of the engine's buffer."""

    def __init__(self) -> None:
        super().__init__(name="View")


VIEW = ViewType()


@register_model(ViewType)
class _ViewModel(models.PrimitiveModel):
    def __init__(self, manager: Any, numba_type: ViewType) -> None:
        super().__init__(manager, numba_type, WORD)


@infer_getattr
class _ViewFields(AttributeTemplate):
    key = ViewType

    def generic_resolve(self, view: ViewType, name: str) -> types.Type:
        slot = SLOTS.get(name)
        if slot is None:
            raise TypingError(unknown_field(name))
        if slot.length > 1:
            return types.UniTuple(types.int64, slot.length)
        return types.boolean if name in FLAGS else types.int64


@lower_getattr_generic(ViewType)
def _read_field(context: Any, builder: Any, view: ViewType, address: Any, name: str) -> Any:
    slot = SLOTS[name]
    words = [load_word(builder, address, slot.start + i) for i in range(slot.length)]
    if slot.length > 1:
        return context.make_tuple(builder, types.UniTuple(types.int64, slot.length), words)
    if name in FLAGS:
        return builder.icmp_signed("!=", words[0], WORD(0))
    return words[0]


@lower_setattr_generic(ViewType)
def _refuse_write(context: Any, builder: Any, signature: Any, args: Any, name: str) -> Any:
    raise TypingError(f"the view is read-only: view.{name} cannot be assigned to")


def load_word(builder: Any, address: Any, index: int, word: Any = WORD) -> Any:
    """Emit the load of 64-bit word `index` of a block of words at an integer address."""
    at = builder.add(address, WORD(8 * index))
    return builder.load(builder.inttoptr(at, word.as_pointer()))
