"""A run is read as far as it is there, wherever it lies."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sim.analysis.controls import controls
from sim.analysis.league import league
from sim.analysis.samples import samples
from sim.arena.lock import writing
from sim.arena.progress import Silent
from sim.arena.run import open_run
from sim.arena.runner import play, resume
from sim.arena.status import status
from sim.arena.tournament import Tournament
from sim.arena.verify import verify
from sim.errors import RunError, StoreError
from sim.game.house import Rules
from tests.arena.stored import manifest, stored, tables

SHARDS = [tables([{"match_id": i, "stalled": i}], [{"match_id": i}] * 2, [{"match_id": i}] * 3) for i in range(3)]
ABOUT = manifest([("a", "b")], shuffles=3)


def counts(path: Path) -> list[int]:
    with open_run(path).connect() as connection:
        return [
            connection.execute(f"SELECT count(*) FROM {table}").fetchall()[0][0]
            for table in ("matches", "deals", "tricks")
        ]


def test_views_hold_the_shards_that_are_there(tmp_path: Path) -> None:
    stored(tmp_path, ABOUT, *SHARDS)
    assert counts(tmp_path) == [3, 6, 9]


def test_a_shard_without_its_matches_is_not_there(tmp_path: Path) -> None:
    run = stored(tmp_path, ABOUT, *SHARDS)
    run.folder.part("matches", 1).unlink()
    assert run.shards_present == [0, 2] and not run.complete
    assert counts(tmp_path) == [2, 4, 6]


def test_an_empty_run_has_the_same_columns(tmp_path: Path) -> None:
    full, empty = stored(tmp_path / "full", ABOUT, *SHARDS), stored(tmp_path / "empty", ABOUT)
    assert counts(tmp_path / "empty") == [0, 0, 0]
    for table in ("matches", "deals", "tricks"):
        with full.connect() as one, empty.connect() as other:
            describe = f"DESCRIBE {table}"
            assert one.execute(describe).fetchall() == other.execute(describe).fetchall()


def cut(part: Path) -> None:
    part.write_bytes(part.read_bytes()[:40])


def blanked(part: Path) -> None:
    content = part.read_bytes()
    part.write_bytes(content[:4] + bytes(len(content) - 500) + content[-496:])


@pytest.mark.parametrize("harm", [cut, blanked, Path.unlink], ids=lambda harm: harm.__name__)
@pytest.mark.parametrize("ask", [league, status, samples, controls], ids=lambda ask: ask.__name__)
def test_a_damaged_part_is_an_error_that_says_what_to_do(
    ask: Callable[[Any], object], harm: Callable[[Path], None], tmp_path: Path
) -> None:
    tournament = Tournament(
        ["random_legal", "passer"], matches=8, seed=7, rules=Rules(hand_sizes=(2, 1)), shard_shuffles=2
    )
    run = play(tournament, tmp_path / "run", backend="sequential")
    harm(run.folder.part("deals" if harm is Path.unlink else "matches", 1))
    if (ask, harm) != (status, blanked):  # it reads too little of the part to see that
        with pytest.raises(StoreError, match=r"cannot be read: .*\nbackalley verify .* names each") as raised:
            ask(run.path if ask is status else run)
        assert "backalley resume plays the shard again" in str(raised.value)
    if harm is not Path.unlink:
        run.folder.part("matches", 1).unlink()
        assert resume(run.path).complete and verify(open_run(run.path)).ok


def test_a_folder_may_have_any_name(tmp_path: Path) -> None:
    stored(tmp_path / "it's *[1]? {a}", ABOUT, *SHARDS)
    assert counts(tmp_path / "it's *[1]? {a}") == [3, 6, 9]


def test_the_working_folder_may_change_after_opening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stored(tmp_path / "run", ABOUT, *SHARDS)
    monkeypatch.chdir(tmp_path)
    run = open_run("run")
    monkeypatch.chdir("/")
    assert run.connect().execute("SELECT count(*) FROM matches").fetchall() == [(3,)]


def test_no_run_is_said(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"there is no run in .*nowhere"):
        open_run(tmp_path / "nowhere")


def test_status_counts_what_is_there(tmp_path: Path) -> None:
    run = stored(tmp_path, ABOUT, *SHARDS[:2])
    state = status(tmp_path)
    assert (state.state, state.writer) == ("interrupted", None)
    assert (state.shards, state.shards_in_all, state.matches, state.stalled, state.faults) == (2, 3, 2, 1, 0)
    assert state.bytes == sum(path.stat().st_size for path in run.path.rglob("*.parquet"))


def test_status_tells_the_rate_of_the_last_shards_while_a_process_is_at_it(tmp_path: Path) -> None:
    about = manifest([("a", "b")], shuffles=30, shard_shuffles=2)
    run = stored(tmp_path, about, *[tables([{"match_id": 4 * shard}]) for shard in range(12)])
    for shard in range(12):
        os.utime(run.folder.part("matches", shard), (0, 0 if shard < 2 else 1000 + 2 * shard))
    assert status(tmp_path).matches_a_second is None
    with writing(run.folder.lock):
        assert status(tmp_path).matches_a_second == 2  # 9 shards of 4 matches in 18 seconds
    teller = Silent(120, 8)
    for shard in range(2, 12):
        teller.came_in.append((1000 + 2 * shard, 4 * shard))
    assert teller.rate == 2


def test_progress_counts_from_the_first_shards_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.monotonic", lambda: 50.0)
    teller = Silent(100, 10)
    assert teller.rate == 0
    teller.advance(20, seconds=4)
    assert (teller.rate, teller.done) == (5, 30)


def test_status_of_a_whole_and_of_an_empty_run(tmp_path: Path) -> None:
    stored(tmp_path / "full", ABOUT, *SHARDS)
    stored(tmp_path / "empty", ABOUT)
    assert status(tmp_path / "full").state == "complete"
    assert (status(tmp_path / "empty").matches, status(tmp_path / "empty").matches_a_second) == (0, None)
