"""What is wrong with a stored row, and the rows of one part as the checks look at them: columns of integers.

The checks themselves are in `part_checks`, `match_checks`, `deal_checks`, `trick_checks` and `replay`.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from ..game import cards
from .schema import TABLES, TEXT

NULL = -(2**40)
"""What stands for null in a column of `Rows`: a value that no stored column can hold."""
UNKNOWN = -1
"""What stands for a text that is none of its column's words."""

DATASET = "dataset"
"""In place of a rule's number: what the description of the dataset says."""

_KEYS = {"matches": ("match_id",), "deals": ("match_id", "deal", "attempt"), "tricks": ("match_id", "deal", "trick")}


class Finding(NamedTuple):
    """A fault in a stored run: in which table, against which rule and how; the row where it is of one row.

    `place` is the attempt of a dealt hand, the number of a trick.
    """

    table: str
    rule: str
    what: str
    match_id: int | None = None
    deal: int | None = None
    place: int | None = None

    def __str__(self) -> str:
        names = ("match", "deal", "trick" if self.table == "tricks" else "attempt")
        places = zip(names, (self.match_id, self.deal, self.place), strict=True)
        where = ", ".join(f"{name} {number}" for name, number in places if number is not None)
        return f"{self.table}: {where + ': ' if where else ''}{self.what} ({self.rule})"


class Rows:
    """The rows of one table in one shard.

    A column is asked for by name and comes as int64: null as `NULL`, a text as its place among the column's words (of
    the seats' columns: among `labels`), a text that is none of them as `UNKNOWN`.

    Parameters
    ----------
    table : {"matches", "deals", "tricks"}
    frame : DataFrame
        With the columns and types of the table.
    labels : tuple of str
        The labels of the run's strategies.
    """

    def __init__(self, table: str, frame: pl.DataFrame, labels: tuple[str, ...] = ()) -> None:
        self.table, self.frame = table, frame
        self._words = {column.name: column.words or labels for column in TABLES[table] if column.dtype == TEXT}
        self._columns: dict[str, np.ndarray] = {}

    def __len__(self) -> int:
        return self.frame.height

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._columns:
            self._columns[name] = self._integers(name)
        return self._columns[name]

    def _integers(self, name: str) -> np.ndarray:
        series = self.frame[name]
        if name in self._words:
            places = {word: place for place, word in enumerate(self._words[name])}
            series = series.replace_strict({**places, None: NULL}, default=UNKNOWN, return_dtype=pl.Int64)
        return series.cast(pl.Int64, wrap_numerical=True).fill_null(NULL).to_numpy()

    @cached_property
    def starts(self) -> np.ndarray:
        """Whether each row is its match's first."""
        ids = self["match_id"]
        return np.append(True, ids[1:] != ids[:-1])[: len(ids)]

    def previous(self, values: np.ndarray, at_start: np.ndarray | int) -> np.ndarray:
        """Return for each row the value of the row before it in its match; of a match's first row, `at_start`."""
        return np.where(self.starts, at_start, np.roll(values, 1))

    def unequal(self, name: str, right: np.ndarray, rule: str) -> Iterator[Finding]:
        """Find the rows in which a column is not what it must be.

        `right` holds integers as the columns of `Rows` do.
        """
        for row in np.flatnonzero(self[name] != right).tolist():
            told, due = self.frame[name][row], self._value(name, int(right[row]))
            yield self._finding(row, rule, f"{name} is {_shown(name, told)}, must be {_shown(name, due)}")

    def where(self, wrong: np.ndarray, rule: str, what: str) -> Iterator[Finding]:
        """Find the rows marked as wrong."""
        for row in np.flatnonzero(wrong).tolist():
            yield self._finding(row, rule, what)

    def _finding(self, row: int, rule: str, what: str) -> Finding:
        return Finding(self.table, rule, what, *(self.frame[key][row] for key in _KEYS[self.table]))

    def _value(self, name: str, value: int) -> Any:
        """Return an integer of a column as its file holds it."""
        if value == NULL:
            return None
        return self._words[name][value] if name in self._words else value


def _shown(column: str, value: Any) -> str:
    """Return a stored value as people read it: cards by name."""
    if value is None:
        return "null"
    if column in ("turned", "swap_card") and value < cards.DECK_SIZE:
        return cards.name(value)
    if column.endswith("_hand") and value <= cards.ALL:
        return cards.names(value)
    return str(value)
