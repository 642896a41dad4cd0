"""A shard's parts appear whole and in order, or not at all; what cannot be written is one plain error."""

import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import polars as pl
import pyarrow.parquet as pq
import pytest

from sim.arena import store
from sim.arena.store import RunFolder
from sim.errors import StoreError
from tests.arena.stored import tables

ROWS = tables([{"match_id": 0}], [{"match_id": 0}] * 25, [{"match_id": 0}] * 181)


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    folder = RunFolder(tmp_path / "run")
    folder.make()
    return folder


def parts(folder: RunFolder) -> list[str]:
    return sorted(path.relative_to(folder.path).as_posix() for path in folder.path.rglob("*.parquet"))


def test_parts_are_renamed_in_the_order_tricks_deals_matches(
    folder: RunFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    renamed = []
    monkeypatch.setattr(Path, "replace", lambda self, target: (renamed.append(target), os.replace(self, target)))
    folder.write_shard(4, ROWS, {})
    assert [path.parent.name for path in renamed] == ["tricks", "deals", "matches"]
    assert folder.shards() == [4]


def test_every_part_is_on_disk_before_any_is_renamed(folder: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    events = []
    monkeypatch.setattr(store.os, "fsync", lambda handle: events.append("sync"))
    monkeypatch.setattr(Path, "replace", lambda self, target: (events.append("rename"), os.replace(self, target)))
    folder.write_shard(0, ROWS, {})
    assert events == ["sync"] * 3 + ["rename", "sync"] * 3


@pytest.mark.parametrize("step", range(1, 10))
def test_a_writer_that_dies_leaves_nothing_a_reader_takes(
    folder: RunFolder, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    steps = iter(range(1, 100))

    def die(action, *arguments):  # type: ignore[no-untyped-def]
        if next(steps) == step:
            raise KeyboardInterrupt
        return action(*arguments)

    sync = os.fsync
    monkeypatch.setattr(store.os, "fsync", lambda handle: die(sync, handle))
    monkeypatch.setattr(Path, "replace", lambda self, target: die(os.replace, self, target))
    with pytest.raises(KeyboardInterrupt):
        folder.write_shard(0, ROWS, {})
    for path in parts(folder):
        assert pl.read_parquet(folder.path / path).height in (1, 25, 181)
    assert folder.shards() == ([0] if "matches/part-00000.parquet" in parts(folder) else [])
    assert len(parts(folder)) == 3 or folder.shards() == []


def test_the_next_writer_clears_what_a_dead_one_left(folder: RunFolder) -> None:
    (folder.tmp / "tricks-part-00000.parquet.123").write_bytes(b"PAR1")
    folder.make()
    assert list(folder.tmp.iterdir()) == []


def test_each_part_says_which_run_and_shard_it_is_of(folder: RunFolder) -> None:
    folder.write_shard(7, ROWS, {"run_id": "abc"})
    for table, rows in (("matches", b"1"), ("deals", b"25"), ("tricks", b"181")):
        said = pq.read_metadata(folder.part(table, 7)).metadata
        assert {key: said[key] for key in (b"run_id", b"shard", b"rows", b"format")} == {
            b"run_id": b"abc",
            b"shard": b"7",
            b"rows": rows,
            b"format": b"1",
        }


def test_the_bytes_written_are_counted(folder: RunFolder) -> None:
    size = folder.write_shard(0, ROWS, {})
    assert size == sum((folder.path / path).stat().st_size for path in parts(folder))


def test_equal_rows_make_equal_files(folder: RunFolder) -> None:
    assert bytes(store.to_parquet(ROWS["deals"], {"run_id": "a"})) == bytes(
        store.to_parquet(ROWS["deals"].clone(), {"run_id": "a"})
    )


def test_shard_numbers_beyond_five_digits_are_found(folder: RunFolder) -> None:
    folder.write_shard(123_456, ROWS, {})
    folder.write_shard(2, ROWS, {})
    assert folder.shards() == [2, 123_456]


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_is_one_line_and_leaves_nothing_behind(folder: RunFolder) -> None:
    with largest_file(100), pytest.raises(StoreError) as raised:
        folder.write_shard(0, ROWS, {})
    assert str(raised.value) == f"cannot write {folder.part('tricks', 0)}: File too large"
    assert parts(folder) == [] and list(folder.tmp.iterdir()) == []
    folder.write_shard(0, ROWS, {})
    assert folder.shards() == [0]


def test_what_polars_says_of_a_failed_write_is_one_line_too(folder: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise pl.exceptions.ComputeError("out of room\nand a long story")

    monkeypatch.setattr(pl.DataFrame, "write_parquet", fail)
    with pytest.raises(StoreError, match=r"part-00000\.parquet: out of room$"):
        folder.write_shard(0, ROWS, {})


def test_a_file_that_cannot_be_written_keeps_what_was_there(folder: RunFolder) -> None:
    folder.write_file(folder.manifest, b"old")
    with largest_file(100), pytest.raises(StoreError, match=r"run\.json: File too large"):
        folder.write_file(folder.manifest, b"new" * 100)
    assert folder.manifest.read_bytes() == b"old"


def test_what_is_no_part_of_a_run_is_foreign(folder: RunFolder) -> None:
    folder.write_file(folder.manifest, b"{}")
    folder.write_shard(0, ROWS, {})
    assert folder.foreign() == []
    (folder.path / "thesis.docx").touch()
    (folder.path / "deals" / "mine.parquet").touch()
    assert folder.foreign() == ["deals/mine.parquet", "thesis.docx"]


def test_parts_without_a_manifest_are_foreign(folder: RunFolder) -> None:
    folder.write_shard(0, ROWS, {})
    assert len(folder.foreign()) == 3


def test_clearing_removes_the_run_and_nothing_beside_it(folder: RunFolder) -> None:
    folder.write_file(folder.manifest, b"{}")
    folder.write_shard(0, ROWS, {})
    beside = folder.path.parent / "other"
    beside.touch()
    folder.clear()
    assert list(folder.path.iterdir()) == [] and beside.exists()
