"""A tournament worked out: which strategies meet, at which tables, on which shuffles, and how the work is cut up."""

from dataclasses import dataclass

from ..errors import ConfigError
from ..game.house import Rules
from ..players.strategy import Strategy

Side = tuple[int, int]
"""Places in `Plan.strategies`: the player of North or East, and the one of South or West."""

MOST_MATCHES = 2**32
MOST_PAIRINGS = 2**16


@dataclass(frozen=True)
class Plan:
    """All that a worker needs to play any shard of a run, and to know each row's place.

    Parameters
    ----------
    rules : Rules
        The house settings.
    seed : int
        0 … 2**63 − 1.
    strategies : tuple of Strategy
        Each that plays, once, no two of one label.
    pairings : tuple of pairs of sides
        The first side and the second, each two places in `strategies`.
    pairing_names : tuple of pairs of str
        The same by label: ``counter``, or ``counter+bold`` where two strategies share a side.
    tables : {1, 2}
        2 when every shuffle is played a second time, the sides exchanged.
    shuffles, shard_shuffles : int
        Shuffles in all and in a shard (the last may have fewer).
    on_fault : {"stop", "forfeit"}
        What an illegal bid or card does to the run.

    Raises
    ------
    ConfigError
        If there are more pairings or matches than the tables' columns can number.
    """

    rules: Rules
    seed: int
    strategies: tuple[Strategy, ...]
    pairings: tuple[tuple[Side, Side], ...]
    pairing_names: tuple[tuple[str, str], ...]
    tables: int
    shuffles: int
    shard_shuffles: int
    on_fault: str

    def __post_init__(self) -> None:
        if len(self.pairings) > MOST_PAIRINGS:
            raise ConfigError(
                f"{len(self.pairings):,} pairings are too many: a run holds {MOST_PAIRINGS:,}",
                'give fewer strategies, or format = "gauntlet"',
            )
        if self.matches > MOST_MATCHES:
            raise ConfigError(
                f"{self.matches:,} matches are too many: a run numbers {MOST_MATCHES:,}",
                f"its {len(self.pairings):,} pairings can have {MOST_MATCHES // len(self.pairings):,} matches each",
            )

    @property
    def labels(self) -> tuple[str, ...]:
        """The strategies' labels, in order."""
        return tuple(strategy.label for strategy in self.strategies)

    @property
    def matches_per_shuffle(self) -> int:
        """Matches on one shuffle: every pairing at every table."""
        return len(self.pairings) * self.tables

    @property
    def matches(self) -> int:
        """Matches in all."""
        return self.shuffles * self.matches_per_shuffle

    @property
    def shards(self) -> int:
        """Shards in all."""
        return -(-self.shuffles // self.shard_shuffles)

    def shard_range(self, shard: int) -> tuple[int, int]:
        """Return a shard's first shuffle id and its number of shuffles.

        Raises
        ------
        IndexError
            If the run has no such shard.
        """
        if not 0 <= shard < self.shards:
            raise IndexError(f"shard {shard} is none of the run's {self.shards}")
        first = shard * self.shard_shuffles
        return first, min(self.shard_shuffles, self.shuffles - first)

    def shard_matches(self, shard: int) -> int:
        """Return how many matches a shard holds."""
        return self.shard_range(shard)[1] * self.matches_per_shuffle

    def match_id(self, shuffle_id: int, pairing: int, table: int) -> int:
        """Return a match's number, the same whatever the shards."""
        return (shuffle_id * len(self.pairings) + pairing) * self.tables + table
