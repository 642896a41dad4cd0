"""What a strategy is: a class with `bid` and `play` and typed fields as parameters. How it is compiled is in `compile`."""

import inspect
import re
from difflib import get_close_matches
from functools import cache
from hashlib import blake2b
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..errors import SpecError
from .view import View


class Field(NamedTuple):
    """A parameter of a strategy: its name, its type (int, float, bool or np.ndarray) and its default."""

    name: str
    type: type
    default: Any


class _StrategyMeta(type):
    """The class of strategy classes: by it, compiled code knows one it meets by name (see `self_type`)."""


class Strategy(metaclass=_StrategyMeta):
    """A policy for one seat: what to bid and which card to play. Subclass it and define both methods.

    Annotated class attributes are the strategy's parameters: ``int``, ``float``, ``bool``, or a NumPy array of fixed
    shape. Give each a default; ``Counter(margin=0.5)`` or the spec ``counter:margin=0.5`` sets it. Plain attributes are
    constants. A strategy keeps no state: an instance cannot be assigned to, and what it decides may depend only on the
    view.

    Methods are compiled with Numba, unless the class says ``compiled = False``: then they are ordinary Python and may use
    any library, about a hundred times slower.

    Parameters
    ----------
    **parameters
        Values for the fields, by name.

    Raises
    ------
    SpecError
        If a name is no field or a value is not of the field's type.

    Examples
    --------
    >>> class Timid(Strategy):
    ...     reach: int = 1
    ...     def bid(self, view):
    ...         return min(self.reach, view.hand_size - 1)
    ...     def play(self, view):
    ...         return cards.lowest(view.legal)
    >>> Timid(reach=2).label
    'timid:reach=2'
    """

    compiled: ClassVar[bool] = True

    def __init__(self, **parameters: Any) -> None:
        known = fields(type(self))
        for name in parameters:
            if name not in known:
                raise SpecError(_unknown_parameter(type(self), name))
        for name, field in known.items():
            value = parameters.get(name, field.default)
            self.__dict__[name] = _convert(type(self), field, value)

    def bid(self, view: View) -> int:
        """Return PASS (0), a number of tricks from 1 to ``view.hand_size - 1``, or BOARD (99)."""
        raise NotImplementedError(f"{type(self).__name__} does not say how to bid")

    def play(self, view: View) -> int:
        """Return the code of one card of ``view.legal``."""
        raise NotImplementedError(f"{type(self).__name__} does not say how to play")

    @property
    def parameters(self) -> dict[str, Any]:
        """The value of each field, in field order."""
        return {name: self.__dict__[name] for name in fields(type(self))}

    @property
    def label(self) -> str:
        """The class name in snake case and what differs from the defaults: ``counter:margin=0.5``."""
        changed = (
            f":{name}={_show(self.__dict__[name])}"
            for name, field in fields(type(self)).items()
            if not np.array_equal(self.__dict__[name], field.default)
        )
        return snake_case(type(self).__name__) + "".join(changed)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(
            f"{type(self).__name__} assigns to self.{name}, but a strategy keeps no state: "
            "its decision may depend on the view and its parameters only"
        )

    def __delattr__(self, name: str) -> None:
        self.__setattr__(name, None)

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={_show(value)}" for name, value in self.parameters.items())
        return f"{type(self).__name__}({shown})"


@cache
def fields(strategy: type[Strategy]) -> dict[str, Field]:
    """Return the parameters of a strategy class, a base class's first.

    Raises
    ------
    SpecError
        If an annotated attribute has no default or is of a type that no parameter can have.
    """
    found: dict[str, Field] = {}
    for base in reversed(strategy.__mro__):
        if base is object or base is Strategy:
            continue
        for name, annotation in _annotations(base).items():
            if annotation is ClassVar or str(annotation).startswith(("typing.ClassVar", "ClassVar")):
                continue
            found[name] = _field(strategy, name, annotation)
    for name in found:
        default = inspect.getattr_static(strategy, name)
        found[name] = found[name]._replace(default=_convert(strategy, found[name], default))
    return found


def snake_case(name: str) -> str:
    """Return a class name as a label: ``RandomLegal`` becomes ``random_legal``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def _annotations(base: type) -> dict[str, Any]:
    try:
        return inspect.get_annotations(base, eval_str=True)
    except Exception as error:
        raise SpecError(f"{base.__name__}: an annotation of the class cannot be understood: {error}") from None


def _field(strategy: type[Strategy], name: str, annotation: Any) -> Field:
    kind = getattr(annotation, "__origin__", annotation)
    if kind not in (int, float, bool, np.ndarray):
        raise SpecError(
            f"{strategy.__name__}.{name} is annotated {getattr(annotation, '__name__', annotation)}, "
            "but a parameter is an int, a float, a bool or a NumPy array (a constant needs no annotation)"
        )
    if not hasattr(strategy, name):
        raise SpecError(f"{strategy.__name__}.{name} needs a default: {name}: {kind.__name__} = …")
    return Field(name, kind, None)


def _convert(strategy: type[Strategy], field: Field, value: Any) -> Any:
    """Return a value as the field's type, refusing what would lose something."""
    if field.type is np.ndarray:
        return _convert_array(strategy, field, value)
    accepted: dict[type, tuple[type, ...]] = {
        int: (int, np.integer),
        float: (int, float, np.integer, np.floating),
        bool: (bool, np.bool_),
    }
    is_bool = isinstance(value, (bool, np.bool_))
    fits = isinstance(value, accepted[field.type]) and is_bool == (field.type is bool)
    if not fits or value != value:
        raise SpecError(f"{strategy.__name__}.{field.name} = {value!r} is refused: it must be {_needs(field.type)}")
    if field.type is int and not -(2**63) <= int(value) < 2**63:
        raise SpecError(f"{strategy.__name__}.{field.name} = {value} does not fit 64 bits")
    return field.type(value)


def _convert_array(strategy: type[Strategy], field: Field, value: Any) -> np.ndarray:
    array = np.array(value, order="C") if field.default is None else np.array(value, field.default.dtype, order="C")
    if array.dtype.kind not in "biuf":
        raise SpecError(f"{strategy.__name__}.{field.name} must be an array of numbers, not of {array.dtype}")
    if field.default is not None and array.shape != field.default.shape:
        raise SpecError(
            f"{strategy.__name__}.{field.name} has shape {array.shape}; its default has {field.default.shape}"
        )
    array.setflags(write=False)
    return array


def _needs(kind: type) -> str:
    return {int: "an integer", float: "a number", bool: "true or false"}[kind]


def _show(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return "#" + blake2b(value.tobytes(), digest_size=4).hexdigest()
    return str(value).lower() if isinstance(value, bool) else repr(value)


def _unknown_parameter(strategy: type[Strategy], name: str) -> str:
    known = list(fields(strategy))
    near = get_close_matches(name, known, n=1)
    if near:
        return f"{strategy.__name__} has no parameter {name!r}: did you mean {near[0]!r}?"
    has = f"its parameters are {', '.join(known)}" if known else "it has none"
    return f"{strategy.__name__} has no parameter {name!r}: {has}"
