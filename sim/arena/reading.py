"""Stored rows back: a part of a table, a match, a deal as people and the referee know it.

Only the parts of the match's own shard are read. Whole runs are for DuckDB, see `run`.
"""

from typing import TYPE_CHECKING, Any

import polars as pl

from ..errors import RunError
from ..game.record import Record
from .decks import deal_from, decks_of
from .manifest import stored_plan
from .plan import Plan
from .records import record_of
from .schema import TABLES

if TYPE_CHECKING:
    from .run import Run


def read_part(run: "Run", table: str, shard: int, match_id: int | None = None) -> pl.DataFrame:
    """Return the rows of a shard's part of a table; with `match_id`, those of one match.

    Raises
    ------
    RunError
        If the part is not there, cannot be read or has not the table's columns and types.
    """
    path = run.folder.part(table, shard)
    name = path.relative_to(run.path)
    if not path.exists():
        raise RunError(f"{name} is missing")
    try:
        lazy = pl.scan_parquet(path, glob=False)
        frame = (lazy if match_id is None else lazy.filter(pl.col("match_id") == match_id)).collect()
    except (OSError, pl.exceptions.PolarsError) as error:
        raise RunError(f"{name} cannot be read: {str(error).splitlines()[0]}") from error
    if dict(frame.schema) != {column.name: column.dtype for column in TABLES[table]}:
        raise RunError(f"{name} has not the columns and types of {table}")
    return frame


def match_row(run: "Run", match_id: int) -> dict[str, Any]:
    """Return a match's row of ``matches`` by column, None for null.

    Raises
    ------
    RunError
        If the run has no such match, or it is not played yet.
    """
    _, shard = _place(run, match_id)
    rows = read_part(run, "matches", shard, match_id)
    if rows.height != 1:
        raise RunError(f"shard {shard} holds {rows.height} rows of match {match_id}: see `backalley verify {run.path}`")
    return rows.row(0, named=True)


def match(run: "Run", match_id: int) -> list[Record]:
    """Return all hands of a match in the order they were dealt, those thrown in included.

    Raises
    ------
    RunError
        If the run has no such match, or it is not played yet.
    """
    plan, shard = _place(run, match_id)
    deals, tricks = (read_part(run, table, shard, match_id) for table in ("deals", "tricks"))
    return hands_of(deals, tricks, plan)


def deal(run: "Run", match_id: int, deal: int, attempt: int | None = None) -> Record:
    """Return one hand of a match: of a deal, the given attempt or else the last, which counted.

    Raises
    ------
    RunError
        If the run has no such match, the match no such deal or the deal no such attempt, or it is not played yet.
    """
    plan, shard = _place(run, match_id)
    dealt = read_part(run, "deals", shard, match_id)
    attempts = dealt.filter(pl.col("deal") == deal)
    if attempts.is_empty():
        raise RunError(f"match {match_id} has no deal {deal}: it has {_range(dealt['deal'].unique().sort().to_list())}")
    hand = attempts[-1] if attempt is None else attempts.filter(pl.col("attempt") == attempt)
    if hand.is_empty():
        there = _range(attempts["attempt"].to_list())
        raise RunError(f"deal {deal} of match {match_id} has no attempt {attempt}: it has {there}")
    tricks = read_part(run, "tricks", shard, match_id).filter(pl.col("deal") == deal)
    return hands_of(hand, tricks, plan)[0]


def hands_of(deals: pl.DataFrame, tricks: pl.DataFrame, plan: Plan) -> list[Record]:
    """Return the records of a match's hands from their rows, cards dealt again from the seed."""
    shuffles, numbers, attempts = (deals[name].to_numpy() for name in ("match_id", "deal", "attempt"))
    decks, _ = decks_of(plan.seed, shuffles // plan.matches_per_shuffle, numbers, attempts)
    played = tricks.partition_by("deal", as_dict=True)
    records = []
    for row, deck in zip(deals.iter_rows(named=True), decks, strict=True):
        of_hand = played.get((row["deal"],)) if row["outcome"] == "played" else None
        dealt = deal_from(deck, row["hand_size"], row["dealer"])
        records.append(record_of(dealt, row, [] if of_hand is None else of_hand.rows()))
    return records


def _range(numbers: list[int]) -> str:
    """Return ``1 to 25`` of the whole numbers from 1 to 25."""
    if len(numbers) < 2:
        return str(*numbers) or "none"
    return f"{numbers[0]} to {numbers[-1]}"


def _place(run: "Run", match_id: int) -> tuple[Plan, int]:
    """Return a run's plan and the shard that holds a match."""
    plan = stored_plan(run.manifest)
    if isinstance(match_id, bool) or not 0 <= match_id < plan.matches:
        raise RunError(f"there is no match {match_id}: the run's matches are 0 to {plan.matches - 1}")
    shard = match_id // plan.matches_per_shuffle // plan.shard_shuffles
    if shard not in (present := run.shards_present):
        there = f"{len(present)} of {plan.shards} shards are there"
        raise RunError(
            f"match {match_id} is not played yet: it is in shard {shard}, {there}",
            f"go on with `backalley resume {run.path}`",
        )
    return plan, shard
