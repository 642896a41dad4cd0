"""The three tables have exactly the documented columns and types, for every reader, whatever is in them."""

from pathlib import Path

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sim.arena import log, schema
from sim.arena.store import RunFolder
from tests.arena import stored

SEATS = ("north", "east", "south", "west")

# Written out a second time on purpose: names and types are a contract.
DOCUMENTED = {
    "matches": "match_id u32, pairing u16, shuffle_id u32, table u8, north str, east str, south str, west str, "
    "first_dealer u8, ns_score i32, ew_score i32, winner str, thrown_in u16, stalled u8, fault str, fault_seat u8, "
    "fault_deal u8",
    "deals": "match_id u32, deal u8, attempt u8, hand_size u8, dealer u8, turned u8, trump u8, swap_seat u8, "
    "swap_card u8, north_hand u64, east_hand u64, south_hand u64, west_hand u64, north_bid u8, east_bid u8, "
    "south_bid u8, west_bid u8, outcome str, leader u8, ns_contract u8, ew_contract u8, ns_board u8, ew_board u8, "
    "north_tricks u8, east_tricks u8, south_tricks u8, west_tricks u8, ns_points i16, ew_points i16, ns_score i32, "
    "ew_score i32",
    "tricks": "match_id u32, deal u8, trick u8, leader u8, card_1 u8, card_2 u8, card_3 u8, card_4 u8, winner u8",
}
POLARS = {
    "u8": pl.UInt8, "u16": pl.UInt16, "u32": pl.UInt32, "u64": pl.UInt64, "i16": pl.Int16, "i32": pl.Int32,
    "str": pl.String,
}  # fmt: skip
DUCKDB = {
    "u8": "UTINYINT", "u16": "USMALLINT", "u32": "UINTEGER", "u64": "UBIGINT", "i16": "SMALLINT", "i32": "INTEGER",
    "str": "VARCHAR",
}  # fmt: skip
ARROW = {
    "u8": pa.uint8(), "u16": pa.uint16(), "u32": pa.uint32(), "u64": pa.uint64(), "i16": pa.int16(), "i32": pa.int32(),
}  # fmt: skip


def documented(table: str) -> list[tuple[str, str]]:
    return [tuple(column.split()) for column in DOCUMENTED[table].split(", ")]


def parts(tmp_path: Path, rows: bool) -> dict[str, Path]:
    """Write the three tables with a row whose nullable columns are all null, or without any row."""
    folder = RunFolder(tmp_path)
    folder.make()
    row = [{"match_id": 3}] if rows else []
    folder.write_shard(0, stored.tables(row, row, row), {"run_id": "x"})
    return {table: folder.part(table, 0) for table in schema.TABLES}


@pytest.mark.parametrize("table", DOCUMENTED)
def test_columns_and_types_are_the_documented_ones(table: str) -> None:
    assert [(column.name, column.dtype) for column in schema.TABLES[table]] == [
        (name, POLARS[kind]) for name, kind in documented(table)
    ]


@pytest.mark.parametrize("rows", [True, False], ids=["all null", "no rows"])
@pytest.mark.parametrize("table", DOCUMENTED)
def test_polars_duckdb_and_pyarrow_see_the_same_types(tmp_path: Path, table: str, rows: bool) -> None:
    part = parts(tmp_path, rows)[table]
    columns = documented(table)
    assert list(pl.read_parquet_schema(part).items()) == [(name, POLARS[kind]) for name, kind in columns]
    described = duckdb.sql(f"DESCRIBE FROM read_parquet('{part}')").fetchall()
    assert [row[:2] for row in described] == [(name, DUCKDB[kind]) for name, kind in columns]
    for field, (name, kind) in zip(pq.read_schema(part), columns, strict=True):
        assert field.name == name
        assert pa.types.is_large_string(field.type) or pa.types.is_string_view(field.type) or field.type == ARROW[kind]


def test_codes_become_words_and_the_largest_code_null() -> None:
    arrays = match_arrays(2)
    arrays["north"][:] = 1, 0
    arrays["winner"][:] = 2, 255
    arrays["fault"][:] = 255, 3
    arrays["fault_seat"][:] = 255, 0
    frame = schema.frame("matches", arrays, ("bold", "counter"))
    assert frame["north"].to_list() == ["counter", "bold"]
    assert frame["winner"].to_list() == ["tie", None]
    assert frame["fault"].to_list() == [None, "revoke"]
    assert frame["fault_seat"].to_list() == [None, 0]


def test_the_lowest_signed_number_becomes_null() -> None:
    arrays = match_arrays(2)
    arrays["ns_score"][:] = log.NONE_32, -12_500
    assert schema.frame("matches", arrays, ("a",))["ns_score"].to_list() == [None, -12_500]


def test_a_column_that_is_never_null_keeps_its_largest_value() -> None:
    arrays = match_arrays(1)
    arrays["first_dealer"][:] = 255
    assert schema.frame("matches", arrays, ("a",))["first_dealer"].to_list() == [255]


def test_an_array_of_another_type_is_refused() -> None:
    arrays = match_arrays(1) | {"thrown_in": np.zeros(1, np.int64)}
    with pytest.raises(TypeError, match="thrown_in must be UInt16"):
        schema.frame("matches", arrays, ("a",))


def test_every_column_says_what_it_means() -> None:
    assert all(column.meaning for columns in schema.TABLES.values() for column in columns)


def match_arrays(rows: int) -> dict[str, np.ndarray]:
    kinds = {"u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "i32": np.int32, "str": np.uint8}
    return {name: np.zeros(rows, kinds[kind]) for name, kind in documented("matches")}
