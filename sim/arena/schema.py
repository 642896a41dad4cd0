"""The three tables a run writes: each column's name, type and meaning, once, and the way there from a shard's arrays.

Where files lie and how they are written is in `store`.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from . import log

U8, U16, U32, U64, I16, I32, TEXT = pl.UInt8, pl.UInt16, pl.UInt32, pl.UInt64, pl.Int16, pl.Int32, pl.String

WINNERS = ("NS", "EW", "tie")
LABELS = ("north", "east", "south", "west")


class Column(NamedTuple):
    """One column: its name, Polars type and meaning, whether it may be null, and of a text column the words.

    A shard's arrays hold a text column as codes, the places of its `words` (of the seats' columns: of the plan's
    labels), and a null as `no_value` of the array's type. A column that may hold that very value is null where its
    companion `null_with` is.
    """

    name: str
    dtype: Any
    meaning: str
    nullable: bool = False
    words: tuple[str, ...] = ()
    null_with: str = ""


def _by_seat(ending: str, dtype: Any, meaning: str, nullable: bool = False) -> tuple[Column, ...]:
    return tuple(Column(f"{seat}_{ending}", dtype, f"{seat.title()}'s {meaning}", nullable) for seat in LABELS)


def _by_side(ending: str, dtype: Any, meaning: str, nullable: bool = False) -> tuple[Column, ...]:
    return tuple(Column(f"{side.lower()}_{ending}", dtype, f"{side}'s {meaning}", nullable) for side in ("NS", "EW"))


MATCHES = (
    Column("match_id", U32, "(shuffle_id * pairings + pairing) * tables + table"),
    Column("pairing", U16, "index into the pairings of run.json"),
    Column("shuffle_id", U32, "matches that share it have the same first dealer and are dealt the same cards"),
    Column("table", U8, "0: the pairing's first side sits North-South; 1: the sides exchanged"),
    *(Column(seat, TEXT, f"label of {seat.title()}'s strategy in run.json") for seat in LABELS),
    Column("first_dealer", U8, "seat of the first dealer"),
    *_by_side("score", I32, "final total; null after a fault", nullable=True),
    Column("winner", TEXT, "NS, EW or tie; null after a fault", nullable=True, words=WINNERS),
    Column("thrown_in", U16, "hands thrown in because all passed, but for the last of a stalled deal"),
    Column("stalled", U8, "deals stalled (RULES B6)"),
    Column("fault", TEXT, "under forfeit: the reason code, null without a fault", nullable=True, words=log.FAULTS),
    Column("fault_seat", U8, "seat at fault", nullable=True),
    Column("fault_deal", U8, "deal of the fault, from 1", nullable=True, null_with="fault"),
)

DEALS = (
    Column("match_id", U32, "the match"),
    Column("deal", U8, "the counted deal, from 1"),
    Column("attempt", U8, "1, then 2, 3, … after hands thrown in"),
    Column("hand_size", U8, "cards a player"),
    Column("dealer", U8, "seat of the dealer"),
    Column("turned", U8, "card turned up that decided trump"),
    Column("trump", U8, "suit 0 to 3; 4 for no trump"),
    Column("swap_seat", U8, "seat that gave up the other joker, null if none", nullable=True),
    Column("swap_card", U8, "card drawn for it, null if none", nullable=True),
    *_by_seat("hand", U64, "card set at bidding, after a swap"),
    *_by_seat("bid", U8, "bid: 0 pass, 1 to 12 tricks, 99 board"),
    Column("outcome", TEXT, "played, thrown-in, stalled or passed-out", words=log.OUTCOMES),
    Column("leader", U8, "seat that led first, null unless played", nullable=True),
    *_by_side("contract", U8, "sum of numbers bid, null on board and unless played", nullable=True),
    *_by_side("board", U8, "own board level, 0 if none, null unless played", nullable=True),
    *_by_seat("tricks", U8, "tricks won, null unless played", nullable=True),
    *_by_side("points", I16, "points of this deal, null unless played", nullable=True),
    *_by_side("score", I32, "total after this deal"),
)

TRICKS = (
    Column("match_id", U32, "the match"),
    Column("deal", U8, "the counted deal, from 1"),
    Column("trick", U8, "1 to the hand size"),
    Column("leader", U8, "seat that led"),
    *(Column(f"card_{i}", U8, f"card {i} in the order played, of seat (leader + {i} - 1) mod 4") for i in range(1, 5)),
    Column("winner", U8, "seat that won"),
)

TABLES = {"matches": MATCHES, "deals": DEALS, "tricks": TRICKS}


def no_value(dtype: np.dtype) -> int:
    """Return what stands for null in a shard's array: the largest unsigned value, the lowest signed one."""
    limits = np.iinfo(dtype)
    return int(limits.max if dtype.kind == "u" else limits.min)


def frame(table: str, arrays: Mapping[str, np.ndarray], labels: Sequence[str]) -> pl.DataFrame:
    """Return a shard's arrays of one table as a data frame of exactly its columns and types.

    Parameters
    ----------
    table : {"matches", "deals", "tricks"}
        Which table.
    arrays : mapping of str to array
        An array a column, all of one length; text as codes and nulls as said under `Column`.
    labels : sequence of str
        The plan's labels, which the codes of ``north`` … ``west`` count.

    Raises
    ------
    TypeError
        If an array is not of its column's type.
    """
    return pl.DataFrame([_series(column, arrays, labels) for column in TABLES[table]])


def _series(column: Column, arrays: Mapping[str, np.ndarray], labels: Sequence[str]) -> pl.Series:
    values = arrays[column.name]
    if column.dtype == TEXT:
        words = column.words or tuple(labels)
        return pl.Series(column.name, [*words, None], dtype=TEXT)[pl.Series(np.minimum(values, len(words)))]
    series = pl.Series(column.name, values)
    if series.dtype != column.dtype:
        raise TypeError(f"column {column.name} must be {column.dtype}, not {series.dtype}")
    marks = arrays[column.null_with or column.name]
    if column.nullable and (absent := marks == no_value(marks.dtype)).any():
        return series.set(pl.Series(absent), None)
    return series
