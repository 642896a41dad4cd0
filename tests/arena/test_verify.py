"""`verify` finds no fault in what the engine wrote, and names the row and the rule of any that is planted."""

import json
import shutil
from collections.abc import Callable, Iterator
from itertools import combinations, product
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sim.arena import verify as verifying
from sim.arena.finding import DATASET
from sim.arena.records import numbered
from sim.arena.run import Run, open_run
from sim.arena.runner import play
from sim.arena.tournament import Tournament
from sim.arena.verify import Verification, verify
from sim.errors import ConfigError
from sim.game.house import Rules
from sim.game.record import Record
from sim.game.referee import IllegalMove, replay

FELLOWS = Path(__file__).with_name("fellows.py")
SHORT = Rules(hand_sizes=(5, 3, 1, 2, 4))
SHARD = 1

Frame = pl.DataFrame
Change = Callable[[Frame, int], Frame]


def fellow(*names: str) -> list[str]:
    return [f"{FELLOWS}:{name}" for name in names]


def played(path: Path, strategies: list[str], **settings: Any) -> Run:
    usual: dict[str, Any] = {"matches": 12, "seed": 5, "rules": SHORT, "shard_shuffles": 2}
    return play(Tournament(strategies, **usual | settings), path)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run of three strategies: three pairings at two tables on six shuffles, in three shards."""
    return played(tmp_path_factory.mktemp("runs") / "run", ["random_legal", *fellow("Steady", "Steady:less=0")])


@pytest.fixture
def copy(run: Run, tmp_path: Path) -> Run:
    shutil.copytree(run.path, tmp_path / "copy")
    return open_run(tmp_path / "copy")


def rewrite(run: Run, table: str, change: Callable[[Frame], Frame], **told: str) -> Verification:
    """Change the rows of a part, its metadata kept right but for what is `told`, and verify the run."""
    path = run.folder.part(table, SHARD)
    frame = change(pl.read_parquet(path))
    stamp = {"run_id": run.manifest["run_id"], "shard": str(SHARD), "rows": str(frame.height), "format": "1"}
    frame.write_parquet(path, metadata=stamp | told)
    return verify(run)


def put(**values: Any) -> Change:
    """Return the change that sets columns of one row; a function gets the old value."""

    def change(frame: Frame, row: int) -> Frame:
        columns = []
        for name, value in values.items():
            new = frame[name].to_list()
            new[row] = value(new[row]) if callable(value) else value
            columns.append(pl.Series(name, new, dtype=frame[name].dtype))
        return frame.with_columns(columns)

    return change


def exchange(one: str, other: str) -> Change:
    return lambda frame, row: put(**{one: frame[other][row], other: frame[one][row]})(frame, row)


def drop(frame: Frame, row: int) -> Frame:
    return pl.concat([frame[:row], frame[row + 1 :]])


def double(frame: Frame, row: int) -> Frame:
    return pl.concat([frame[: row + 1], frame[row:]])


def plus_one(value: int) -> int:
    return value + 1


def next_seat(seat: int) -> int:
    return (seat + 1) % 4


def other_card(card: int) -> int:
    return (card + 1) % 54


def other_hand(held: int) -> int:
    return held ^ (held & -held) ^ next(1 << card for card in range(54) if not held >> card & 1)


def other_side(winner: str) -> str:
    return "EW" if winner == "NS" else "NS"


def other_number(bid: int) -> int:
    return 1 if bid == 2 else 2


PLANTED: list[tuple[str, Change, str, str]] = [
    ("tricks", put(card_2=99), "D3", "plays a card that is not in"),
    ("tricks", put(card_2=99), "T2", "99 is no card"),
    ("tricks", put(winner=next_seat), "L5", "winner is"),
    ("tricks", put(leader=next_seat), "L5", "leader is"),
    ("tricks", drop, "L5", "the trick is missing"),
    ("tricks", double, "L5", "doubled"),
    ("tricks", put(trick=9), "L5", "of no hand that was played"),
    ("deals", put(north_hand=other_hand), "D3", "north_hand is"),
    ("deals", put(turned=other_card), "D3", "turned is"),
    ("deals", put(trump=lambda trump: (trump + 1) % 5), "D3", "trump is"),
    ("deals", put(swap_seat=2, swap_card=7), "D4", "swap_card is"),
    ("deals", put(south_bid=5), "B2", "south_bid is no bid"),
    ("deals", put(south_bid=other_number), "B4", "contract is"),
    ("deals", put(leader=next_seat), "L1", "leader is"),
    ("deals", put(ns_contract=12), "B4", "ns_contract is"),
    ("deals", put(ew_board=3), "B3", "ew_board is"),
    ("deals", put(outcome="thrown-in"), "B5, B6", "outcome is thrown-in, must be played"),
    ("deals", put(outcome="lost"), "B5, B6", "outcome is lost"),
    ("deals", put(west_tricks=plus_one), "L5", "west_tricks is"),
    ("deals", put(ns_points=plus_one), "S1, S2", "ns_points is"),
    ("deals", put(ew_score=plus_one), "S3", "ew_score is"),
    ("deals", put(dealer=next_seat), "D2", "dealer is"),
    ("deals", put(hand_size=6), "D1", "hand_size is 6, must be 5"),
    ("deals", put(deal=7), "D1", "deal is 7"),
    ("deals", put(attempt=3), "B5", "attempt is 3"),
    ("deals", double, "D1", "deal is"),
    ("deals", put(match_id=9999), DATASET, "of no match of its shard"),
    ("matches", exchange("north", "east"), "T1", "north is"),
    ("matches", put(south="nobody"), "T1", "south is nobody"),
    ("matches", put(first_dealer=next_seat), "D2", "first_dealer is"),
    ("matches", put(ns_score=plus_one), "S4", "ns_score is"),
    ("matches", put(ew_score=None), "S4", "ew_score is null"),
    ("matches", put(winner=other_side), "S4", "winner is"),
    ("matches", put(thrown_in=plus_one), "B5", "thrown_in is"),
    ("matches", put(stalled=plus_one), "B6", "stalled is"),
    ("matches", put(pairing=plus_one), DATASET, "pairing is"),
    ("matches", put(table=7), DATASET, "table is"),
    ("matches", put(shuffle_id=plus_one), DATASET, "shuffle_id is"),
    ("matches", put(fault="revoke", fault_seat=1, fault_deal=2), DATASET, "faults stop this run"),
    ("matches", put(fault="revoke"), DATASET, "do not name one fault"),
    ("matches", drop, DATASET, "the match is missing"),
    ("matches", double, DATASET, "doubled"),
]  # fmt: skip


SPOILED = {
    "matches": pl.col("winner") != "tie",
    "deals": (pl.col("deal") == 1) & (pl.col("outcome") == "played"),
    "tricks": (pl.col("deal") == 1) & (pl.col("trick") == 2),
}
KEYS = {"matches": ["match_id"], "deals": ["match_id", "deal", "attempt"], "tricks": ["match_id", "deal", "trick"]}


def spoiled_row(table: str, frame: Frame) -> int:
    """Return which row to spoil: of a match that somebody won, or of its first deal, not the first in the part."""
    return frame.with_row_index().filter(SPOILED[table] & (pl.col("index") > 3))["index"][0]


def place(table: str, frame: Frame, row: int) -> tuple[int | None, ...]:
    keys = frame.select(KEYS[table]).row(row)
    return (*keys, *[None] * (3 - len(keys)))


@pytest.mark.slow
@pytest.mark.parametrize(("table", "change", "rule", "what"), PLANTED)
def test_a_planted_fault_is_named(copy: Run, table: str, change: Change, rule: str, what: str) -> None:
    part = pl.read_parquet(copy.folder.part(table, SHARD))
    row = spoiled_row(table, part)
    result = rewrite(copy, table, lambda frame: change(frame, row))
    places = {place(table, part, row), place(table, change(part, row), row)}
    named = [finding for finding in result.findings if finding.table == table and finding[3:] in places]
    assert any(finding.rule == rule and what in finding.what for finding in named), result.to_text()
    assert not result.ok


def test_a_revoke_that_no_column_shows_is_seen_by_the_referee(copy: Run) -> None:
    match, deal, cells, trick = next(hidden_revokes(copy))

    def exchange_cards(frame: Frame) -> Frame:
        first = frame.with_row_index().filter((pl.col("match_id") == match) & (pl.col("deal") == deal))["index"][0]
        cards = [frame[f"card_{place + 1}"][first + number] for number, place in cells]
        for (number, place), card in zip(cells, reversed(cards), strict=True):
            frame = put(**{f"card_{place + 1}": card})(frame, first + number)
        return frame

    result = rewrite(copy, "tricks", exchange_cards)
    assert [(finding[3:], finding.rule) for finding in result.findings] == [((match, deal, trick), "L3")]
    assert result.findings[0].what.startswith("revoke: ")


Cell = tuple[int, int]
"""A card's place: the number of its trick, from 0, and the place in it."""


def hidden_revokes(run: Run) -> Iterator[tuple[int, int, tuple[Cell, Cell], int]]:
    """Yield exchanges of two cards of one player that leave every winner as it is, but make the first a revoke."""
    for match in pl.read_parquet(run.folder.part("matches", SHARD))["match_id"]:
        for number, _, record in numbered(run.match(match)):
            for one, other in combinations(product(range(len(record.tricks)), range(4)), 2):
                if (trick := revoke_by_exchange(record, one, other)) is not None:
                    yield match, number, (one, other), trick


def revoke_by_exchange(record: Record, one: Cell, other: Cell) -> int | None:
    """Return in which trick two cards of one player, exchanged, are a revoke that changes no winner."""
    tricks = [list(trick.cards) for trick in record.tricks]
    seats = {(record.tricks[number].leader + place) % 4 for number, place in (one, other)}
    (a, i), (b, j) = one, other
    tricks[a][i], tricks[b][j] = tricks[b][j], tricks[a][i]
    if len(seats) > 1 or [best(trick, record.trump) for trick in tricks] != [
        (trick.winner - trick.leader) % 4 for trick in record.tricks
    ]:
        return None
    try:
        replay(record.deal, record.bids, tricks, SHORT)
    except IllegalMove as move:
        return move.trick if move.reason == "revoke" else None
    return None


def best(trick: list[int], trump: int) -> int:
    """Return the place of the card that wins a trick (L5)."""
    suits = [trump if card >= 52 else card // 13 for card in trick]
    return max(range(4), key=lambda place: (suits[place] == trump, suits[place] == suits[0], trick[place]))


@pytest.mark.parametrize("key", ["run_id", "shard", "rows", "format"])
def test_wrong_metadata_of_a_part_are_named(copy: Run, key: str) -> None:
    result = rewrite(copy, "deals", lambda frame: frame, **{key: "77"})
    assert [str(finding) for finding in result.findings] == [
        f"deals: deals/part-00001.parquet carries {key} = 77, must be {STAMP[key](copy)} (dataset)"
    ]


STAMP: dict[str, Callable[[Run], Any]] = {
    "run_id": lambda run: run.manifest["run_id"],
    "shard": lambda run: SHARD,
    "rows": lambda run: pl.read_parquet(run.folder.part("deals", SHARD)).height,
    "format": lambda run: 1,
}


def test_a_null_that_may_not_be_is_named(copy: Run) -> None:
    result = rewrite(copy, "deals", lambda frame: put(trump=None)(frame, 3))
    assert [finding.what for finding in result.findings] == ["deals/part-00001.parquet: trump is null in 1 rows"]


def test_a_part_with_other_columns_is_named(copy: Run) -> None:
    result = rewrite(copy, "tricks", lambda frame: frame.with_columns(pl.col("trick").cast(pl.Int64)))
    assert [finding.what for finding in result.findings] == [
        "tricks/part-00001.parquet has not the columns and types of tricks"
    ]
    assert result.hashes == {}
    assert result.run_hash is None


def test_a_part_that_cannot_be_read_is_named(copy: Run) -> None:
    path = copy.folder.part("tricks", SHARD)
    path.write_bytes(path.read_bytes()[:-40])
    part, whole = verify(copy).findings
    assert part.what.startswith("tricks/part-00001.parquet cannot be read: ")
    assert whole.what.startswith("DuckDB cannot read them as one: ")


def test_missing_and_foreign_parts_are_named(copy: Run) -> None:
    shutil.copy(copy.folder.part("tricks", 0), copy.folder.part("tricks", 7))
    copy.folder.part("deals", 0).unlink()
    copy.folder.part("matches", 2).unlink()
    (copy.path / "notes.txt").touch()
    *parts, whole = [finding.what for finding in verify(copy).findings]
    assert whole.startswith("DuckDB cannot read them as one: ") and "deals/part-00000.parquet" in whole
    assert parts == [
        "the run is finished, but shard 2 is missing of its 3",
        "tricks/part-00007.parquet is of no shard of this run",
        "notes.txt is no file of a run",
        "deals/part-00000.parquet is missing",
    ]


def test_parts_that_a_dead_writer_left_are_no_fault(copy: Run) -> None:
    copy.folder.part("matches", 2).unlink()
    edit(copy, status="playing", finished=None)
    result = verify(open_run(copy.path))
    assert result.ok
    assert (result.shards_present, result.shards, result.matches) == (2, 3, 24)


def test_an_edited_manifest_is_named(copy: Run) -> None:
    edit(copy, tournament=copy.manifest["tournament"] | {"seed": 6})
    result = verify(open_run(copy.path))
    assert result.findings[0].table == "run.json"
    assert result.findings[0].what.startswith(f"run_id is {copy.manifest['run_id']}, but its settings give ")
    assert {"D2", "D3"} <= {finding.rule for finding in result.findings}


def edit(run: Run, **values: Any) -> None:
    run.folder.manifest.write_text(json.dumps(run.manifest | values))


HOUSES = {
    "standard": Rules(hand_sizes=(4, 1, 2)),
    "burnt, passed out, table": Rules(
        hand_sizes=(13, 1, 2), joker_turned="burn", all_pass="score-zero", board_multiplier="table"
    ),
    "other leads and followers": Rules(
        hand_sizes=(6, 1, 5), board_leads_trump="side", blooper_partner="lowest", little_blooper_forces=False
    ),
    "points": Rules(hand_sizes=(3, 2), points_per_bid_trick=0, points_per_overtrick=100, points_per_board_trick=7),
}


@pytest.mark.parametrize("rules", HOUSES.values(), ids=HOUSES)
def test_a_clean_run_has_no_fault(tmp_path: Path, rules: Rules) -> None:
    result = verify(played(tmp_path, ["random_legal", *fellow("Steady")], matches=60, rules=rules))
    assert result.to_text().endswith("\nno fault")
    assert result.replayed == result.matches == 60


def test_thrown_in_and_stalled_deals_are_no_fault(tmp_path: Path) -> None:
    run = played(tmp_path, fellow("Passer", "Steady"), rules=Rules(hand_sizes=(2, 1, 5), max_redeals=3))
    deals = pl.read_parquet(run.path / "deals")
    assert {"thrown-in", "stalled", "played"} == set(deals["outcome"])
    assert verify(run).ok


def test_forfeits_are_no_fault(tmp_path: Path) -> None:
    run = played(tmp_path, fellow("Careless", "Careless:since=3", "Passer", "Steady"), on_fault="forfeit")
    faults = pl.read_parquet(run.path / "matches")["fault_deal"]
    assert {1, 4, None} <= set(faults)
    assert verify(run).ok


def test_a_forfeit_is_looked_at_too(tmp_path: Path) -> None:
    run = played(tmp_path, fellow("Careless"), on_fault="forfeit", format="self")
    result = rewrite(run, "matches", lambda frame: put(fault_deal=5)(frame, 0))
    assert not result.ok


def test_a_large_run_is_sampled_by_its_id(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verifying, "SAMPLE", 10)
    result = verify(run)
    assert (result.matches, result.replayed) == (36, 10)
    assert "replayed 10 of 36 matches by the referee, a sample" in result.to_text()
    assert verify(run, everything=True).replayed == 36


def test_equal_rows_have_equal_hashes_whatever_the_shards(run: Run, tmp_path: Path) -> None:
    again = played(tmp_path, ["random_legal", *fellow("Steady", "Steady:less=0")], shard_shuffles=5)
    other = played(tmp_path / "other", ["random_legal", *fellow("Steady", "Steady:less=0")], seed=6)
    assert verify(again).hashes == verify(run).hashes != verify(other).hashes
    assert len(set(verify(run).hashes.values())) == 3


@pytest.mark.slow
def test_the_result_does_not_depend_on_the_jobs(run: Run) -> None:
    assert verify(run, jobs=2).to_dict() == verify(run).to_dict()


def test_no_jobs_are_refused(run: Run) -> None:
    with pytest.raises(ConfigError, match="jobs = 0 is refused"):
        verify(run, jobs=0)


def test_files_that_were_written_anew_are_told_from_those_that_the_run_wrote(copy: Run) -> None:
    part = copy.folder.part("deals", SHARD)
    pl.read_parquet(part).write_parquet(part, metadata=pl.read_parquet_metadata(part), compression="lz4")
    (finding,) = verify(copy).findings
    assert str(finding) == (
        "run.json: the files of deals are not those that were written: "
        "their digest is not the one in run.json (dataset)"
    )
