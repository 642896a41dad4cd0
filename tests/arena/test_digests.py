"""A finished run's manifest holds the digests of its files, and one changed byte is another digest."""

from hashlib import blake2b
from pathlib import Path

import pytest

from sim.arena.digests import file_digests
from sim.arena.run import Run, open_run
from sim.arena.runner import play, resume
from sim.arena.tournament import Tournament
from sim.errors import StoreError
from sim.game.house import Rules
from tests.arena.test_runner import cut_short

TABLES = ("matches", "deals", "tricks")


def short(**settings: object) -> Tournament:
    usual: dict = {"format": "self", "matches": 32, "seed": 7, "rules": Rules(hand_sizes=(2, 1)), "shard_shuffles": 4}
    return Tournament(["random_legal"], **usual | settings)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return play(short(), tmp_path_factory.mktemp("runs") / "run")


def digest(content: bytes) -> bytes:
    return blake2b(content, digest_size=32).digest()


def test_they_are_of_the_parts_digests_in_order_of_name(run: Run) -> None:
    of_parts = {table: [digest(p.read_bytes()) for p in sorted((run.path / table).iterdir())] for table in TABLES}
    assert [len(digests) for digests in of_parts.values()] == [4, 4, 4]
    assert run.manifest["files"] == {table: digest(b"".join(of_parts[table])).hex() for table in TABLES}


@pytest.mark.slow
def test_equal_runs_have_equal_ones_and_a_run_gone_on_with_too(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut_short(tmp_path / "cut", short(), monkeypatch, after=2)
    assert "files" not in open_run(tmp_path / "cut").manifest
    assert resume(tmp_path / "cut", jobs=2).manifest["files"] == run.manifest["files"]
    assert play(short(seed=8), tmp_path / "other").manifest["files"]["deals"] != run.manifest["files"]["deals"]


def test_a_run_of_before_is_read_and_is_complete(run: Run, tmp_path: Path) -> None:
    before = play(short(), tmp_path / "before")
    manifest = before.folder.manifest
    text = manifest.read_text()
    manifest.write_text(text[: text.index(',\n "files"')] + "\n}\n")
    assert resume(before.path).manifest.keys() == run.manifest.keys() - {"files"}


def test_a_changed_byte_and_a_missing_part_are_noticed(tmp_path: Path) -> None:
    run = play(short(), tmp_path / "run")
    part = run.folder.part("deals", 3)
    content = bytearray(part.read_bytes())
    content[len(content) // 2] ^= 1
    part.write_bytes(content)
    now = file_digests(run.folder, run.shards_present)
    assert [table for table in TABLES if now[table] != run.manifest["files"][table]] == ["deals"]
    part.unlink()
    with pytest.raises(StoreError, match=r"cannot read .*part-00003"):
        file_digests(run.folder, run.shards_present)
