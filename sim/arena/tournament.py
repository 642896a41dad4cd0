"""What a user asks for: a field of strategies, a format, a number of matches; from Python, TOML or the command line.

`Tournament.plan` works it out into a `Plan`. Playing it is in `runner`.
"""

import secrets
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from itertools import combinations
from pathlib import Path
from typing import Any

from ..errors import ConfigError
from ..game.house import STANDARD_HAND_SIZES, Rules
from ..game.seeding import MAX_SEED
from .choices import FORMATS, ON_FAULT
from .plan import Plan
from .sides import Spec, distinct, entries_of, load_side, names_of, seats_of

LARGEST_SHARD, LARGEST_INTERPRETED_SHARD, SMALLEST_SHARD = 4096, 256, 64
"""Matches. The first is stored best and is 741,376 tricks under the standard rules; longer matches are fewer."""
FEWEST_SHARDS = 16


@dataclass(frozen=True)
class Tournament:
    """A tournament: every pairing of its format plays the same shuffles.

    Parameters
    ----------
    strategies : sequence of (str, Strategy class, Strategy, or pair of these)
        The sides that take part. One strategy holds both seats of its side; a spec ``a+b`` or a pair seats a North (or
        East) and b South (or West).
    format : {"round-robin", "gauntlet", "self"}
        All against all, the first against each other, or each against itself.
    matches : int
        Matches for each pairing, both tables counted: even when `duplicate`.
    duplicate : bool
        Whether each shuffle is played twice, the sides exchanged.
    seed : int, optional
        0 … 2**63 − 1; drawn if not given.
    on_fault : {"stop", "forfeit"}
        Whether an illegal bid or card stops the run, or ends that match and is recorded.
    rules : Rules
        The house settings.
    shard_shuffles : int, optional
        Shuffles in each unit of work; about 4096 matches if not given. Rows do not depend on it.

    Raises
    ------
    ConfigError
        If a value is refused; the message names the field, the value and what is allowed.
    """

    strategies: Sequence[Spec | tuple[Spec, Spec]]
    format: str = "round-robin"
    matches: int = 1000
    duplicate: bool = True
    seed: int | None = None
    on_fault: str = "stop"
    rules: Rules = field(default_factory=Rules)
    shard_shuffles: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "strategies", entries_of(self.strategies))
        self._check_choice("format", FORMATS)
        self._check_choice("on_fault", ON_FAULT)
        if not isinstance(self.duplicate, bool):
            raise _refusal("duplicate", self.duplicate, "true or false")
        self._check_integer("matches", 1, 2**32)
        if self.duplicate and self.matches % 2:
            raise _refusal("matches", self.matches, "even when duplicate: half of them at each table")
        if self.seed is None:
            object.__setattr__(self, "seed", secrets.randbelow(MAX_SEED + 1))
        self._check_integer("seed", 0, MAX_SEED, "2**63 - 1")
        if self.shard_shuffles is not None:
            self._check_integer("shard_shuffles", 1, 2**32)
        if not isinstance(self.rules, Rules):
            raise _refusal("rules", self.rules, "a Rules object")

    @classmethod
    def from_dict(cls, settings: Mapping[str, Any]) -> "Tournament":
        """Build a tournament from the tables ``tournament`` and ``rules``, as a TOML file holds them.

        Raises
        ------
        ConfigError
            If a table, a key or a value is refused; near matches of an unknown key are named.
        """
        keys = [key.name for key in fields(cls) if key.name != "rules"]
        _check_places(settings, {"tournament": keys, "rules": [rule.name for rule in fields(Rules)]})
        _check_keys(settings, ("tournament", "rules"), "table")
        tables = {name: settings.get(name, {}) for name in ("tournament", "rules")}
        for name, table in tables.items():
            if not isinstance(table, Mapping):
                raise ConfigError(f"{name} must be a table of settings: [{name}]")
        _check_keys(tables["tournament"], keys, "key", "in [tournament]")
        if "strategies" not in tables["tournament"]:
            raise ConfigError(
                "no strategies: give at least two",
                'in a file under [tournament]: strategies = ["counter", "bold"]',
                "on the command line: --strategies counter,bold",
            )
        try:
            rules = Rules.from_dict(tables["rules"])
        except ValueError as error:
            raise ConfigError(str(error)) from None
        return cls(**tables["tournament"], rules=rules)

    @classmethod
    def from_toml(cls, path: str | Path) -> "Tournament":
        """Read a tournament from a TOML file; paths of strategies are relative to it.

        Raises
        ------
        ConfigError
            If the file cannot be read, is not TOML, or a setting is refused.
        """
        return cls.from_dict(read_toml(path))

    @property
    def tables(self) -> int:
        """Tables on each shuffle: 2 when duplicate."""
        return 2 if self.duplicate else 1

    @property
    def shuffles(self) -> int:
        """Shuffles in the run, each played by every pairing at every table."""
        return self.matches // self.tables

    def plan(self) -> Plan:
        """Work the tournament out.

        Raises
        ------
        SpecError
            If a strategy is not found or refuses a parameter.
        ConfigError
            If the field does not fit the format, or two entrants cannot be told apart.
        """
        sides = [load_side(entry) for entry in self.strategies]
        names = names_of(sides)
        strategies = distinct(sides)
        assert self.seed is not None
        places = {strategy.label: place for place, strategy in enumerate(strategies)}
        meetings = self._meetings(len(sides))
        pairings = tuple((seats_of(sides[a], places), seats_of(sides[b], places)) for a, b in meetings)
        return Plan(
            rules=self.rules,
            seed=self.seed,
            strategies=strategies,
            pairings=pairings,
            pairing_names=tuple((names[a], names[b]) for a, b in meetings),
            tables=self.tables,
            shuffles=self.shuffles,
            shard_shuffles=self.shard_shuffles
            or self.usual_shard_shuffles(len(pairings), all(strategy.compiled for strategy in strategies)),
            on_fault=self.on_fault,
        )

    def _meetings(self, sides: int) -> list[tuple[int, int]]:
        if self.format == "self":
            return [(side, side) for side in range(sides)]
        if sides < 2:
            raise ConfigError(
                f'format = "{self.format}" needs at least two strategies; here is one',
                'for each against itself there is format = "self"',
            )
        everyone = list(combinations(range(sides), 2))
        return everyone if self.format == "round-robin" else everyone[: sides - 1]

    def usual_shard_shuffles(self, pairings: int, compiled: bool) -> int:
        """Return the size of shards if none is given, by the tournament alone and whether all strategies are compiled.

        Large ones store best; a few are needed to share out and to watch.
        """
        on_a_shuffle = pairings * self.tables
        largest = LARGEST_SHARD if compiled else LARGEST_INTERPRETED_SHARD
        length = sum(self.rules.hand_sizes) / sum(STANDARD_HAND_SIZES)
        matches = min(int(largest / max(1, length)), max(SMALLEST_SHARD, self.shuffles * on_a_shuffle // FEWEST_SHARDS))
        return min(self.shuffles, max(1, matches // on_a_shuffle))

    def _check_choice(self, name: str, choices: tuple[str, ...]) -> None:
        if getattr(self, name) not in choices:
            raise _refusal(name, getattr(self, name), " or ".join(f'"{choice}"' for choice in choices))

    def _check_integer(self, name: str, low: int, high: int, shown: str | None = None) -> None:
        value = getattr(self, name)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise _refusal(name, value, f"an integer from {low} to {shown or f'{high:,}'}")


def read_toml(path: str | Path) -> dict[str, Any]:
    """Read the settings in a TOML file, the paths of its strategies' files made independent of the working folder.

    Raises
    ------
    ConfigError
        If the file cannot be read or is not TOML.
    """
    path = Path(path)
    try:
        settings = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not TOML: {error}") from None
    tournament = settings.get("tournament")
    if isinstance(tournament, dict) and isinstance(tournament.get("strategies"), list):
        tournament["strategies"] = [_beside(path.parent, spec) for spec in tournament["strategies"]]
    return settings


def _beside(folder: Path, spec: Any) -> Any:
    """Return a spec whose files, if it names any, are found from `folder`."""
    if not isinstance(spec, str):
        return spec
    parts = (part.strip() for part in spec.split("+"))
    return "+".join(str(folder / part) if part.partition(":")[0].endswith(".py") else part for part in parts)


def _check_places(settings: Mapping[str, Any], tables: Mapping[str, Sequence[str]]) -> None:
    """Refuse a setting that stands outside its table, or in the other's."""
    for home, keys in tables.items():
        for place in ("", *(table for table in tables if table != home)):
            inside = settings if not place else settings.get(place, {})
            for key in inside if isinstance(inside, Mapping) else ():
                if key in keys:
                    raise ConfigError(
                        f"{key!r} stands {f'in [{place}]' if place else 'outside a table'}: put it under [{home}]"
                    )


def _check_keys(table: Mapping[str, Any], known: Sequence[str], kind: str, where: str = "") -> None:
    for key in table:
        if key not in known:
            near = get_close_matches(key, known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}"
            raise ConfigError(f"unknown {kind} {key!r} {where}".rstrip() + f": {hint}")


def _refusal(name: str, value: object, allowed: str) -> ConfigError:
    return ConfigError(f"tournament {name} = {value!r} is refused: it must be {allowed}")
