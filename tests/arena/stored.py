"""Run folders made by hand: rows as dictionaries, whatever is not given filled with zeros."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from sim.arena.run import Run, open_run
from sim.arena.schema import TABLES
from sim.arena.store import FORMAT, RunFolder
from sim.game.house import Rules

Row = Mapping[str, Any]


def frame(table: str, rows: Iterable[Row] = ()) -> pl.DataFrame:
    columns = TABLES[table]
    empty = {column.name: None if column.nullable else "" if column.dtype == pl.String else 0 for column in columns}
    return pl.DataFrame([empty | row for row in rows], schema={column.name: column.dtype for column in columns})


def tables(
    matches: Iterable[Row] = (), deals: Iterable[Row] = (), tricks: Iterable[Row] = ()
) -> dict[str, pl.DataFrame]:
    return {"matches": frame("matches", matches), "deals": frame("deals", deals), "tricks": frame("tricks", tricks)}


def manifest(pairings: Sequence[tuple[str, str]], shuffles: int, shard_shuffles: int = 1, **tournament: Any) -> dict:
    settings = {
        "format": "round-robin",
        "matches": 2 * shuffles,
        "duplicate": True,
        "seating": "sides",
        "seed": 7,
        "on_fault": "stop",
        "shuffles": shuffles,
        "shard_shuffles": shard_shuffles,
    }
    players = sorted({label for sides in pairings for side in sides for label in side.split("+")})
    return {
        "format": FORMAT,
        "run_id": "0123456789abcdef",
        "created": "2026-01-01T00:00:00+00:00",
        "finished": None,
        "status": "playing",
        "tournament": settings | tournament,
        "rules": Rules().to_dict(),
        "strategies": [{"label": label} for label in players],
        "pairings": [list(names) for names in pairings],
    }


def stored(path: Path, about: Mapping[str, Any], *shards: Mapping[str, pl.DataFrame]) -> Run:
    folder = RunFolder(path)
    folder.make()
    folder.write_file(folder.manifest, json.dumps(about).encode())
    for number, shard in enumerate(shards):
        folder.write_shard(number, shard, {"run_id": about["run_id"]})
    return open_run(path)
