"""The league against figures worked out by hand and, over random runs, against Polars."""

import json
import random
from collections.abc import Iterator, Sequence
from math import isnan
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sim.analysis.league import Standing, league
from sim.analysis.stats import t_quantile
from sim.arena.run import Run
from tests.arena.stored import Row, manifest, stored, tables

PAIRINGS = [("a", "b"), ("a", "c")]
SCORES = {  # (shuffle, pairing, table): NS, EW; at table 1 the pairing's first side sits East-West
    (0, 0, 0): (100, 60),
    (0, 0, 1): (80, 90),
    (0, 1, 0): (50, 50),
    (0, 1, 1): (10, 40),
    (1, 0, 0): (0, 20),
    (1, 0, 1): (30, 10),
    (1, 1, 0): (20, 10),
    (1, 1, 1): (60, 70),
}


def matches(scores: dict[tuple[int, int, int], tuple[int, int]], pairings: int) -> Iterator[dict[str, Any]]:
    for (shuffle, pairing, table), (ns, ew) in sorted(scores.items()):
        yield {
            "match_id": (shuffle * pairings + pairing) * 2 + table, "shuffle_id": shuffle, "pairing": pairing,
            "table": table, "ns_score": ns, "ew_score": ew, "winner": "NS" if ns > ew else "EW" if ew > ns else "tie",
        }  # fmt: skip


def played(match: int, **columns: Any) -> Row:
    usual = dict.fromkeys(("north_tricks", "east_tricks", "south_tricks", "west_tricks", "ns_board", "ew_board"), 0)
    return usual | {"match_id": match, "outcome": "played"} | columns


DEALS: Sequence[Row] = [
    played(0, hand_size=5, ns_contract=3, ew_contract=0, north_tricks=2, south_tricks=1, east_tricks=2),
    played(1, hand_size=2, ns_contract=2, ew_board=1, east_tricks=1, west_tricks=1),
    played(1, hand_size=2, ns_board=1, ew_contract=2, north_tricks=1, west_tricks=1),
    {"match_id": 2, "outcome": "thrown-in"},
]


def by_hand(path: Path, *faults: dict[str, Any], **settings: Any) -> dict[str, Standing]:
    rows = list(matches(SCORES, 2))
    for fault in faults:
        row = next(row for row in rows if row["match_id"] == fault["match_id"])
        row |= {"ns_score": None, "ew_score": None, "winner": None, "fault": "revoke"} | fault
    rows[0]["stalled"] = 2
    about = manifest(PAIRINGS, shuffles=2, shard_shuffles=2, **settings)
    return {each.strategy: each for each in league(stored(path, about, tables(rows, DEALS))).standings}


def test_margins_points_and_shares_are_means_over_shuffles(tmp_path: Path) -> None:
    table = by_hand(tmp_path)
    assert list(table) == ["a", "b", "c"]
    assert [table[side].margin.mean for side in table] == [7.5, -2.5, -12.5]
    assert [table[side].points.mean for side in table] == [47.5, 47.5, 32.5]
    assert [table[side].won.mean for side in table] == [0.6875, 0.5, 0.125]
    assert [table[side].shuffles for side in table] == [2, 2, 2]
    assert [table[side].matches for side in table] == [8, 4, 4]


def test_intervals_take_the_shuffle_as_the_sample(tmp_path: Path) -> None:
    a = by_hand(tmp_path)["a"]
    assert a.margin.half_width == pytest.approx(12.7062 * 12.5, abs=0.001)
    assert a.points.half_width == pytest.approx(12.7062 * 22.5, abs=0.001)
    assert a.won.half_width == pytest.approx(12.7062 * 0.1875, abs=0.001)


def test_contracts_and_boards_are_counted_for_the_side_that_bid(tmp_path: Path) -> None:
    table = by_hand(tmp_path)
    assert [(each.contracts, each.contracts_made) for each in table.values()] == [(2, 1), (1, 0), (0, 0)]
    assert [(each.boards, each.boards_made) for each in table.values()] == [(1, 1), (1, 0), (0, 0)]
    assert [each.boards_a_match for each in table.values()] == [1 / 8, 1 / 4, 0]


def test_stalled_deals_are_counted_for_both_sides(tmp_path: Path) -> None:
    assert [each.stalled for each in by_hand(tmp_path).values()] == [2, 2, 0]


@pytest.mark.parametrize(("match", "seat", "culprit"), [(4, 1, "b"), (4, 2, "a"), (5, 1, "a"), (5, 0, "b")])
def test_a_fault_takes_both_tables_of_its_shuffle_out_of_that_pairing(
    tmp_path: Path, match: int, seat: int, culprit: str
) -> None:
    fault = {"match_id": match, "fault_seat": seat, "fault_deal": 3}
    table = by_hand(tmp_path, fault, on_fault="forfeit")
    assert {side: each.faults for side, each in table.items()} == {"a": 0, "b": 0, "c": 0} | {culprit: 1}
    assert table["a"].margin.mean == (20 + 10) / 2
    assert table["a"].points.mean == (70 + 45) / 2
    assert (table["b"].shuffles, table["b"].margin.mean) == (1, -25)
    assert isnan(table["b"].margin.low)
    assert table["c"].margin.mean == -12.5
    assert table["a"].matches == 8 and table["a"].stalled == 2


def test_the_deals_of_a_shuffle_that_fell_out_do_not_count(tmp_path: Path) -> None:
    table = by_hand(tmp_path, {"match_id": 0, "fault_seat": 0, "fault_deal": 3}, on_fault="forfeit")
    assert table["a"].contracts == table["a"].boards == 0


def test_a_side_without_any_shuffle_left_comes_last(tmp_path: Path) -> None:
    faults = [{"match_id": match, "fault_seat": 0, "fault_deal": 3} for match in (0, 4)]
    table = by_hand(tmp_path, *faults, on_fault="forfeit")
    assert list(table) == ["a", "c", "b"]
    assert isnan(table["b"].margin.mean)


def test_a_side_against_itself_has_margin_zero_and_wins_half(tmp_path: Path) -> None:
    scores = {(shuffle, 0, table): (shuffle, 3 * table) for shuffle in range(5) for table in range(2)}
    run = stored(tmp_path, manifest([("a", "a")], 5, 5, format="self"), tables(matches(scores, 1)))
    (a,) = league(run).standings
    assert a.margin == (0, 0, 0)
    assert a.won == (0.5, 0.5, 0.5)
    assert a.points.mean == pytest.approx((2 + 1.5) / 2)
    assert a.matches == 10


def test_the_highest_and_lowest_scores_there_can_be_do_not_overflow(tmp_path: Path) -> None:
    most = 255 * 13 * 100 * 4
    scores = {(shuffle, 0, table): (most, -most) for shuffle in range(3) for table in range(2)}
    run = stored(tmp_path, manifest([("a", "b")], 3, 3), tables(matches(scores, 1)))
    assert league(run).standings[0].margin == (0, 0, 0)
    assert league(run).standings[0].points == (0, 0, 0)


def random_run(path: Path, pairings: Sequence[tuple[str, str]], shuffles: int) -> Run:
    chance = random.Random(11)
    scores = {
        (shuffle, pairing, table): (chance.randint(-900, 900), chance.choice([0, 0, 1]) * chance.randint(-900, 900))
        for shuffle in range(shuffles)
        for pairing in range(len(pairings))
        for table in range(2)
    }
    rows = list(matches(scores, len(pairings)))
    for row in chance.sample(rows, 12):
        row |= dict.fromkeys(("ns_score", "ew_score", "winner")) | {"fault": "raised", "fault_seat": 3, "fault_deal": 1}
    cut = len(rows) // 3
    cut -= cut % (2 * len(pairings))
    shards = [tables(rows[i : i + cut]) for i in range(0, len(rows), cut)]
    about = manifest(pairings, shuffles, cut // (2 * len(pairings)), on_fault="forfeit")
    return stored(path, about, *shards)


def test_polars_comes_to_the_same_figures(tmp_path: Path) -> None:
    pairings = [("a", "b"), ("a+b", "b"), ("a", "a+b"), ("c", "c")]
    run = random_run(tmp_path, pairings, shuffles=40)
    every = pl.read_parquet(sorted((tmp_path / "matches").iterdir()))
    faulted = every.filter(pl.col("fault").is_not_null()).select("pairing", "shuffle_id").unique()
    kept = every.join(faulted, on=["pairing", "shuffle_id"], how="anti")
    standings = {each.strategy: each for each in league(run).standings}
    assert set(standings) == {"a", "b", "a+b", "c"}
    for side, standing in standings.items():
        seen = [
            kept.filter((pl.col("pairing") == pairing) & (pl.col("table") == table)).select(
                "shuffle_id", own=own, other=other
            )
            for pairing, names in enumerate(pairings)
            for place, name in enumerate(names)
            for table in range(2)
            for own, other in [("ns_score", "ew_score")[:: 1 if place == table else -1]]
            if name == side
        ]
        samples = (
            pl.concat(seen)
            .with_columns(margin=pl.col("own") - pl.col("other"))
            .with_columns(won=(pl.col("margin").sign() + 1) / 2)
            .group_by("shuffle_id")
            .agg(pl.mean("own", "margin", "won"))
        )
        n = samples.height
        assert standing.shuffles == n
        for column, estimate in (("own", standing.points), ("margin", standing.margin), ("won", standing.won)):
            mean, spread = samples[column].mean(), samples[column].std()
            assert estimate.mean == pytest.approx(mean, abs=1e-9)
            assert estimate.half_width == pytest.approx(t_quantile(n) * spread / n**0.5, rel=1e-9, abs=1e-6)


def test_the_same_run_gives_the_same_text_each_time(tmp_path: Path) -> None:
    run = random_run(tmp_path, PAIRINGS, shuffles=200)
    assert len({league(run).to_text() for _ in range(5)}) == 1


def test_an_empty_run_has_a_league_of_dashes(tmp_path: Path) -> None:
    text = league(stored(tmp_path, manifest(PAIRINGS, shuffles=2))).to_text()
    assert "0 matches on 0 shuffles, each at both tables; so far 0 of 2 shards" in text
    assert [line.split() for line in text.splitlines()[4:7]] == [
        [side, "–", "–", "–", "–", "0.00,", "–", "0", "0"] for side in "abc"
    ]


def test_a_run_half_played_says_how_much_is_there(tmp_path: Path) -> None:
    half = tables(matches({key: score for key, score in SCORES.items() if key[0] == 0}, 2))
    table = league(stored(tmp_path, manifest(PAIRINGS, shuffles=2), half))
    assert (table.matches, table.shards) == (4, 1)
    assert table.standings[0].margin.mean == 20


def test_the_text_is_aligned_and_fits_a_terminal(tmp_path: Path) -> None:
    text = league(random_run(tmp_path, PAIRINGS, shuffles=40)).to_text()
    lines = text.splitlines()
    assert lines[0] == "run 0123456789abcdef, seed 7: round-robin, 2 pairings of 80 matches"
    heading, *rows = (line for line in lines[3:7])
    assert all(len(line) <= 100 for line in lines)
    assert {len(row) for row in rows} == {len(heading)}


def test_json_holds_numbers_or_null(tmp_path: Path) -> None:
    said = json.loads(json.dumps(league(stored(tmp_path, manifest(PAIRINGS, 2))).to_dict(), allow_nan=False))
    assert said["run_id"] == "0123456789abcdef" and said["seed"] == 7
    assert said["standings"][0]["margin"] == {"mean": None, "low": None, "high": None}
