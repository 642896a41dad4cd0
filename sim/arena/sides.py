"""The sides of a tournament: one strategy or two partners, found by what the user wrote, and told apart by label."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..errors import ConfigError
from ..players import registry
from ..players.strategy import Strategy

Spec = str | type[Strategy] | Strategy
Partners = tuple[Strategy, Strategy]


def entries_of(strategies: Any) -> tuple[Any, ...]:
    """Return what was given for a field of sides as a tuple, unread.

    Raises
    ------
    ConfigError
        If it is no list of strategies, or an empty one.
    """
    if isinstance(strategies, str):
        strategies = registry.split_field(strategies)
    if isinstance(strategies, type) or not isinstance(strategies, Iterable):
        raise ConfigError(f"tournament strategies = {strategies!r} is refused: it must be a list of strategies")
    if not (entries := tuple(strategies)):
        raise ConfigError('no strategies: give at least two, such as strategies = ["counter", "bold"]')
    return entries


def load_side(entry: Spec | tuple[Spec, Spec]) -> Partners:
    """Load the two strategies of a side, the same one twice if it holds both seats.

    Raises
    ------
    SpecError
        If a strategy is not found or refuses a parameter.
    ConfigError
        If the entry is no side.
    """
    parts = registry.split_side(entry) if isinstance(entry, str) else entry if isinstance(entry, tuple) else (entry,)
    if len(parts) not in (1, 2):
        raise ConfigError(f"{entry!r} is no side: a side is one strategy, or two that share it")
    loaded = [registry.load(part) for part in parts]
    return loaded[0], loaded[-1]


def name_of(side: Partners) -> str:
    """Return a side's name: ``counter``, or ``counter+bold`` where the partners differ."""
    return "+".join(dict.fromkeys(strategy.label for strategy in side))


def names_of(sides: Sequence[Partners]) -> list[str]:
    """Return the sides' names.

    Raises
    ------
    ConfigError
        If two are equal.
    """
    names = [name_of(side) for side in sides]
    for name in names:
        if names.count(name) > 1:
            raise ConfigError(f"{name} is in the field {names.count(name)} times: every label must differ")
    return names


def distinct(sides: Sequence[Partners]) -> tuple[Strategy, ...]:
    """Return each strategy of the sides once, in order.

    Raises
    ------
    ConfigError
        If two share a label and are not the same.
    """
    found: dict[str, Strategy] = {}
    for strategy in (strategy for side in sides for strategy in side):
        first = found.setdefault(strategy.label, strategy)
        if first is not strategy and registry.describe(first) != registry.describe(strategy):
            classes = " and ".join(registry.class_path(type(each)) for each in (first, strategy))
            raise ConfigError(f"two different strategies have the label {strategy.label}: {classes}")
    return tuple(found.values())


def seats_of(side: Partners, places: Mapping[str, int]) -> tuple[int, int]:
    """Return a side's two places in a plan's strategies, by label."""
    return places[side[0].label], places[side[1].label]
