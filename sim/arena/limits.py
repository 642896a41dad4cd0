"""What a worker process may take for one shard: time and memory. Whoever takes more is ended, and never forfeits.

How the limits are kept is in `watch`; how the strategy that went over one is found is in `culprits`.
"""

from dataclasses import dataclass

from ..errors import ConfigError
from .machine import memory_bytes
from .plan import Plan

SECONDS_A_SHARD = 600.0
SECONDS_AN_INTERPRETED_MATCH = 10.0
SHARE_OF_MEMORY = 0.8
LEAST_MEGABYTES = 512
LEAST_ALLOWED_MEGABYTES = 400
"""What a worker takes for itself, and room for a shard: no strategy could play in less."""


@dataclass(frozen=True)
class Limits:
    """What a worker may take.

    Parameters
    ----------
    seconds : float
        For playing one shard.
    megabytes : int
        Resident memory of the process, 10**6 bytes each.
    """

    seconds: float
    megabytes: int


def limits_of(plan: Plan, jobs: int, time_limit: float | None, memory_limit: int | None) -> Limits:
    """Return the limits as given, or else ten minutes a shard and an even share of four fifths of the memory.

    A shard with an interpreted strategy has ten seconds a match, where that is longer.

    Raises
    ------
    ConfigError
        If a limit is not above zero, or leaves no memory to play in.
    """
    for name, value in (("time_limit", time_limit), ("memory_limit", memory_limit)):
        if value is not None and (isinstance(value, bool) or not isinstance(value, (int, float)) or not value > 0):
            raise ConfigError(f"{name} = {value!r} is refused: it must be a number above zero")
    if memory_limit is not None and memory_limit < LEAST_ALLOWED_MEGABYTES:
        raise ConfigError(
            f"memory_limit = {memory_limit} is refused: a worker takes about 300 MB before it plays",
            f"give {LEAST_ALLOWED_MEGABYTES} or more",
        )
    seconds = time_limit if time_limit is not None else _usual_seconds(plan)
    megabytes = memory_limit if memory_limit is not None else _usual_megabytes(jobs)
    return Limits(float(seconds), int(megabytes))


def _usual_seconds(plan: Plan) -> float:
    if all(strategy.compiled for strategy in plan.strategies):
        return SECONDS_A_SHARD
    return max(SECONDS_A_SHARD, SECONDS_AN_INTERPRETED_MATCH * plan.shard_matches(0))


def _usual_megabytes(jobs: int) -> int:
    return max(LEAST_MEGABYTES, int(memory_bytes() * SHARE_OF_MEMORY / jobs / 1e6))
