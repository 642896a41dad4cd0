"""A shard's rows without a run on disk: played, and looked at as tables."""

from typing import Any

import polars as pl

from sim.arena.plan import Plan
from sim.arena.schema import TABLES, frame
from sim.arena.shard import Play
from sim.arena.tournament import Tournament
from sim.game.house import Rules

Tables = dict[str, pl.DataFrame]
SHORT = Rules(hand_sizes=(4, 1, 2, 3))


def plan_of(*strategies: Any, **settings: Any) -> Plan:
    usual: dict[str, Any] = {"matches": 8, "seed": 11, "rules": SHORT, "shard_shuffles": 1000}
    return Tournament(strategies, **usual | settings).plan()


def tables_of(plan: Plan, shuffles: range | None = None) -> Tables:
    """Return the rows of some shuffles of a plan, or of all."""
    shuffles = range(plan.shuffles) if shuffles is None else shuffles
    play = Play(plan, shuffles.start, len(shuffles) * plan.matches_per_shuffle)
    play.run()
    return {table: frame(table, columns, plan.labels) for table, columns in play.columns().items()}


def of_matches(tables: Tables, ids: list[int], new_ids: list[int] | None = None) -> Tables:
    """Return the rows of some matches, numbered anew where that is asked for."""
    chosen = {name: table.filter(pl.col("match_id").is_in(ids)) for name, table in tables.items()}
    if new_ids is None:
        return chosen
    renumbered = pl.col("match_id").replace(ids, new_ids)
    return {name: table.with_columns(renumbered) for name, table in chosen.items()}


def equal(one: Tables, other: Tables) -> bool:
    return all(one[name].equals(other[name]) for name in TABLES)
