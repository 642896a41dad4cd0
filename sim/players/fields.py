"""What a parameter of a strategy is: its type, the values it takes, and how a label shows them."""

from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np

from ..errors import SpecError

_ACCEPTED: dict[type, tuple[type, ...]] = {
    int: (int, np.integer),
    float: (int, float, np.integer, np.floating),
    bool: (bool, np.bool_),
}
_NEEDED = {int: "an integer", float: "a number", bool: "true or false"}
_ELEMENTS = frozenset(
    {"bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"}
)
_TAKEN = ("bid", "play", "label", "parameters")


class Field(NamedTuple):
    """A parameter of a strategy: its name, its type (int, float, bool or np.ndarray) and its default."""

    name: str
    type: type
    default: Any


def field_type(owner: type, name: str, annotation: Any) -> type:
    """Return the type of the field that an annotated class attribute stands for.

    Raises
    ------
    SpecError
        If it has no default, or is of a type or a name that no parameter can have.
    """
    kind = getattr(annotation, "__origin__", annotation)
    if kind not in (int, float, bool, np.ndarray):
        raise SpecError(
            f"{owner.__name__}.{name} is annotated {getattr(annotation, '__name__', annotation)}, "
            "but a parameter is an int, a float, a bool or a NumPy array (a constant needs no annotation)"
        )
    if name in _TAKEN:
        raise SpecError(f"{owner.__name__}.{name} cannot be a parameter: the name is taken, choose another")
    if not hasattr(owner, name):
        raise SpecError(f"{owner.__name__}.{name} needs a default: {name}: {kind.__name__} = …")
    return kind


def convert(owner: type, field: Field, value: Any) -> Any:
    """Return a value as the field's type.

    Raises
    ------
    SpecError
        If the value is of another kind, or would lose something.
    """
    what = f"{owner.__name__}.{field.name}"
    if field.type is np.ndarray:
        return _array(what, value, field.default)
    is_bool = isinstance(value, (bool, np.bool_))
    fits = isinstance(value, _ACCEPTED[field.type]) and is_bool == (field.type is bool)
    if not fits or value != value:
        raise SpecError(f"{what} = {value!r:.100} is refused: it must be {_NEEDED[field.type]}")
    try:
        taken = field.type(value)
        if field.type is int and not -(2**63) <= taken < 2**63:
            raise OverflowError
    except OverflowError:
        raise SpecError(f"{what} = {value!r:.100} is refused: it does not fit 64 bits") from None
    return taken


def is_default(field: Field, value: Any) -> bool:
    """Return whether a parameter has its field's default value."""
    if field.type is np.ndarray:
        return bool(value.tobytes() == field.default.tobytes())
    return bool(value == field.default)


def show(value: Any) -> str:
    """Return a parameter's value as a spec writes it; an array as a short hash of its content."""
    if isinstance(value, np.ndarray):
        return "#" + blake2b(value.tobytes(), digest_size=4).hexdigest()
    if isinstance(value, float):
        return repr(value).replace("e+", "e")  # a plus joins two partners
    return str(value).lower()


def _array(what: str, value: Any, default: np.ndarray | None) -> np.ndarray:
    """Return an array of a field's element type and shape, in memory of its own that cannot be written."""
    try:
        given = np.array(value)
    except ValueError as error:
        raise SpecError(f"{what} is refused: {error}") from None
    dtype = (given if default is None else default).dtype.newbyteorder("=")
    if dtype.name not in _ELEMENTS:
        raise SpecError(f"{what} must be an array of numbers, not of {dtype}")
    if default is not None and given.shape != default.shape:
        raise SpecError(f"{what} has shape {given.shape}; its default has {default.shape}")
    if not np.can_cast(given.dtype, dtype, "same_kind"):
        raise SpecError(f"{what} is an array of {given.dtype}; its default is one of {dtype}")
    array = given.astype(dtype, order="C")
    if dtype.kind != "f" and not np.array_equal(array, given):
        raise SpecError(f"{what} has numbers that do not fit {dtype}")
    array.setflags(write=False)
    return array
