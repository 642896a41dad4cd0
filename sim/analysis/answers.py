"""Rows that DuckDB gives, as text: an aligned table, CSV or JSON. Nothing is asked here; see `query`."""

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, time
from decimal import Decimal
from math import isfinite
from typing import Any, TextIO

from .tables import aligned

Row = Sequence[Any]


def to_table(columns: Sequence[str], rows: Sequence[Row]) -> list[str]:
    """Return rows as the lines of a table, numbers to the right, a dash for null."""
    text = {place for row in rows for place, value in enumerate(row) if value is not None and not _is_number(value)}
    return aligned([columns, *([_cell(value) for value in row] for row in rows)], left=text)


def write_csv(file: TextIO, columns: Sequence[str], rows: Iterable[Row]) -> None:
    """Write rows as CSV with a head line; null is empty, and a list or struct is JSON."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_field(value) for value in row] for row in rows)


def to_json(columns: Sequence[str], rows: Iterable[Row]) -> Iterator[str]:
    """Yield the lines of a JSON list with an object a row.

    Whole numbers are exact at any size; decimals are numbers; what JSON has no form for is text, dates as in ISO 8601;
    an infinite number is null.
    """
    opening = "["
    for row in rows:
        yield opening + json.dumps(dict(zip(columns, map(_plain, row), strict=True)), ensure_ascii=False)
        opening = ","
    yield "]" if opening == "," else "[]"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def _cell(value: Any) -> str:
    """Return a value as a table shows it, a fraction with four decimals."""
    if value is None:
        return "–"
    if isinstance(value, float | Decimal) and isfinite(value) and value != 0:
        usual = 0.001 <= abs(float(value)) < 1e15
        return f"{value:.4f}" if usual else f"{float(value):.3g}"
    return _field(value).replace("\n", "\\n")


def _field(value: Any) -> str:
    plain = _plain(value)
    if isinstance(plain, bool | list | dict):
        return json.dumps(plain, ensure_ascii=False)
    return "" if value is None else str(value if isinstance(value, float | Decimal) else plain)


def _plain(value: Any) -> Any:
    """Return a value as JSON has it."""
    match value:
        case None | bool() | int() | str():
            return value
        case float() | Decimal():
            return float(value) if isfinite(value) else None
        case list() | tuple():
            return [_plain(each) for each in value]
        case dict():
            return {str(key): _plain(each) for key, each in value.items()}
        case date() | time():
            return value.isoformat()
        case bytes():
            return value.hex()
    return str(value)
