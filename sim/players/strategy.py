"""What a strategy is: a class with `bid` and `play` and typed fields as parameters.

What a field takes is in `fields`, how a class is checked in `method_check` and compiled in `compile`.
"""

import contextlib
import inspect
import re
from collections.abc import Callable
from difflib import get_close_matches
from functools import cache
from typing import Any, ClassVar

from ..errors import SpecError
from .fields import Field, convert, field_type, is_default, show
from .view import View


class StrategyClass(type):
    """The class of strategy classes: by it, compiled code knows one that it meets by name (see `class_type`)."""


class Strategy(metaclass=StrategyClass):
    """A policy for one seat: what to bid and which card to play. Subclass it and define both methods.

    Annotated class attributes are the strategy's parameters: ``int``, ``float``, ``bool``, or a NumPy array of fixed
    shape. Give each a default; ``Counter(margin=0.5)`` or the spec ``counter:margin=0.5`` sets it. Plain attributes are
    constants. A strategy keeps no state: an instance cannot be assigned to, and what it decides may depend only on the
    view.

    Methods are compiled with Numba, unless the class says ``compiled = False``: then they are ordinary Python and may
    use any library, about a hundred times slower.

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

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        with contextlib.suppress(SpecError):  # a copy in another process cannot look up what an annotation names
            cls.__annotations__ = _annotations(cls)

    def __init__(self, **parameters: Any) -> None:
        known = fields(type(self))
        for name in parameters:
            if name not in known:
                raise SpecError(_unknown_parameter(type(self), name))
        for name, field in known.items():
            vars(self)[name] = convert(type(self), field, parameters.get(name, field.default))

    def bid(self, view: View) -> int:
        """Return PASS (0), a number of tricks from 1 to ``view.hand_size - 1``, or BOARD (99)."""
        raise NotImplementedError(f"{type(self).__name__} does not say how to bid")

    def play(self, view: View) -> int:
        """Return the code of one card of ``view.legal``."""
        raise NotImplementedError(f"{type(self).__name__} does not say how to play")

    @property
    def parameters(self) -> dict[str, Any]:
        """The value of each field, in field order."""
        return {name: vars(self)[name] for name in fields(type(self))}

    @property
    def label(self) -> str:
        """The class name in snake case and what differs from the defaults: ``counter:margin=0.5``."""
        known = fields(type(self))
        changed = [name for name, value in self.parameters.items() if not is_default(known[name], value)]
        return snake_case(type(self).__name__) + "".join(f":{name}={show(vars(self)[name])}" for name in changed)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(
            f"{type(self).__name__} assigns to self.{name}, but a strategy keeps no state: "
            "its decision may depend on the view and its parameters only"
        )

    def __delattr__(self, name: str) -> None:
        self.__setattr__(name, None)

    def __reduce__(self) -> tuple[Callable[..., "Strategy"], tuple[Any, ...]]:
        return _again, (type(self), self.parameters)

    def __repr__(self) -> str:
        values = (f"{name}={value!r}" for name, value in self.parameters.items())
        return f"{type(self).__name__}({', '.join(values)})"


def family(strategy: type[Strategy]) -> list[type]:
    """Return the classes that say what a strategy does: its own and its bases, but for `Strategy` itself."""
    return [base for base in strategy.__mro__ if base not in Strategy.__mro__]


@cache
def fields(strategy: type[Strategy]) -> dict[str, Field]:
    """Return the parameters of a strategy class by name, a base class's first.

    Raises
    ------
    SpecError
        If an annotated attribute has no default or is of a type that no parameter can have.
    """
    types: dict[str, type] = {}
    for base in reversed(family(strategy)):
        for name, annotation in _annotations(base).items():
            if name != "compiled" and not str(annotation).startswith(("typing.ClassVar", "typing.Final")):
                types[name] = field_type(strategy, name, annotation)
    found = {}
    for name, kind in types.items():
        default = inspect.getattr_static(strategy, name)
        found[name] = Field(name, kind, convert(strategy, Field(name, kind, None), default))
    return found


def snake_case(name: str) -> str:
    """Return a class name as a label: ``RandomLegal`` becomes ``random_legal``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def _again(strategy: type[Strategy], parameters: dict[str, Any]) -> Strategy:
    """Make an instance again in another process, its arrays as read-only as they were."""
    return strategy(**parameters)


def _annotations(base: type) -> dict[str, Any]:
    try:
        return inspect.get_annotations(base, eval_str=True)
    except Exception as error:
        raise SpecError(f"{base.__name__}: an annotation of the class cannot be understood: {error}") from None


def _unknown_parameter(strategy: type[Strategy], name: str) -> str:
    known = list(fields(strategy))
    near = get_close_matches(name, known, n=1)
    if near:
        return f"{strategy.__name__} has no parameter {name!r}: did you mean {near[0]!r}?"
    has = f"its parameters are {', '.join(known)}" if known else "it has none"
    return f"{strategy.__name__} has no parameter {name!r}: {has}"
