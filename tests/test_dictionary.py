"""The data dictionary says just what is written and what the views hold: names in order, types, nulls."""

import re
from pathlib import Path

import polars as pl
import pytest

import sim
from sim.arena.schema import TABLES
from sim.arena.views import MACROS

PAGE = (Path(__file__).parents[1] / "data" / "README.md").read_text(encoding="utf-8")


def _rows(heading: str) -> list[list[str]]:
    """Return the cells of the table under a heading, without its two head lines."""
    section = re.split(rf"^#+ {heading}\n", PAGE, flags=re.MULTILINE)[1]
    section = re.split(r"^#+ ", section, flags=re.MULTILINE)[0]
    lines = section[section.index("| ") :].split("\n\n")[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


@pytest.mark.parametrize("table", TABLES)
def test_it_names_every_stored_column_with_its_type_and_nulls(table: str) -> None:
    told = [(name.strip(), kind, bool(null)) for names, kind, null, *_ in _rows(table) for name in names.split(",")]
    kinds = {pl.String: "String"}
    assert told == [
        (column.name, kinds.get(column.dtype, str(column.dtype)), column.nullable) for column in TABLES[table]
    ]


@pytest.mark.parametrize("view", ["seats", "bids", "plays"])
def test_it_names_every_column_of_the_views(view: str, tmp_path: Path) -> None:
    run = sim.play(
        sim.Tournament(["random_legal"], format="self", matches=2, seed=1, rules=sim.Rules(hand_sizes=(1,))),
        out=tmp_path / "run",
    )
    told = [name.strip() for names, _ in _rows(view) for name in names.split(",")]
    assert told == run.connect().table(view).columns


def test_it_names_every_macro() -> None:
    told = {name for cell, _ in _rows("Macros") for name in re.findall(r"(\w+)\(", cell)}
    assert told == {re.match(r"\w+", macro)[0] for macro in MACROS}  # type: ignore[index]
