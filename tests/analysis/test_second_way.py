"""The figures of the league and of the notebook, worked out a second way: in Polars over the files, from the rules."""

import json
import random
import shutil
from math import nan
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy import stats

import sim
from tests.analysis.notebooks import frames

BID, OVER, BOARD = 7, 2, 9
KEYS = {"calibration": ["side", "contract"], "points_by_source": ["side", "hand_size"], "sources": ["side", "source"]}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> sim.Run:
    """A run whose points are not the standard ones, with partners that differ, boards and sets."""
    rules = sim.Rules(
        hand_sizes=(6, 4, 1, 3),
        points_per_bid_trick=BID,
        points_per_overtrick=OVER,
        points_per_board_trick=BOARD,
    )
    field = ["counter", "cautious", "random_legal+counter"]
    tournament = sim.Tournament(field, matches=60, seed=11, rules=rules, shard_shuffles=10)
    return sim.play(tournament, out=tmp_path_factory.mktemp("second") / "run")


@pytest.fixture(scope="module", params=["whole", "faulted"])
def run(request: pytest.FixtureRequest, whole: sim.Run, tmp_path_factory: pytest.TempPathFactory) -> sim.Run:
    """That run, and the same with two matches ended by a fault."""
    return whole if request.param == "whole" else faulted(whole, tmp_path_factory.mktemp("faulted") / "run")


def faulted(run: sim.Run, folder: Path) -> sim.Run:
    shutil.copytree(run.path, folder)
    about = json.loads((folder / "run.json").read_text())
    about["tournament"]["on_fault"] = "forfeit"
    (folder / "run.json").write_text(json.dumps(about))
    for path in (folder / "matches").iterdir():
        here = pl.read_parquet(path)
        hit = pl.col("match_id").is_in([9, 100])
        ended = {"fault": pl.lit("revoke"), "fault_seat": pl.lit(1), "fault_deal": pl.lit(3)}
        columns = {name: pl.lit(None) for name in ("ns_score", "ew_score", "winner")} | ended
        here.with_columns(
            pl.when(hit).then(value).otherwise(pl.col(name)).cast(here.schema[name]).alias(name)
            for name, value in columns.items()
        ).write_parquet(path)
    return sim.open_run(folder)


def read(run: sim.Run, table: str) -> pl.DataFrame:
    return pl.concat([pl.read_parquet(path) for path in sorted((run.path / table).iterdir())])


def kept(run: sim.Run) -> pl.DataFrame:
    """Return the matches that count, with the sides by label."""
    first, second = (pl.Series([pairing[place] for pairing in run.manifest["pairings"]]) for place in (0, 1))
    sides = pl.DataFrame({"pairing": pl.Series(range(len(first)), dtype=pl.UInt16), "first": first, "second": second})
    matches = read(run, "matches")
    gone = matches.filter(pl.col("fault").is_not_null()).select("pairing", "shuffle_id").unique()
    return matches.join(gone, on=["pairing", "shuffle_id"], how="anti").join(sides, on="pairing")


def by_side(rows: pl.DataFrame, **columns: str) -> pl.DataFrame:
    """Return a row a side; each column is given as it is for NS, with `own` and `other` for ns and ew."""
    halves = []
    for own, other, partners in (("ns", "ew", ("north", "south")), ("ew", "ns", ("east", "west"))):
        at_table_0 = own == "ns"
        side = pl.when((pl.col("table") == 0) == at_table_0).then("first").otherwise("second")
        tricks = pl.col(f"{partners[0]}_tricks") + pl.col(f"{partners[1]}_tricks") if "tricks" in columns else pl.lit(0)
        named = {"own": own, "other": other}
        values = [pl.col(source.format(**named)).alias(name) for name, source in columns.items() if name != "tricks"]
        halves.append(rows.select("shuffle_id", *values, side=side, tricks=tricks))
    return pl.concat(halves)


def deals(run: sim.Run) -> pl.DataFrame:
    """Return a row a side a played deal, with the points that each source gives by rules S1 and S2."""
    rows = read(run, "deals").filter(pl.col("outcome") == "played").join(kept(run), on="match_id")
    sides = by_side(
        rows, hand_size="hand_size", contract="{own}_contract", board="{own}_board", points="{own}_points", tricks=""
    ).with_columns(pl.col("tricks", "contract", "board", "hand_size", "points").cast(pl.Int64))
    made = pl.col("tricks") >= pl.col("contract")
    on_board = pl.col("board") > 0
    all_tricks = pl.col("tricks") == pl.col("hand_size")
    stake = BOARD * pl.col("hand_size") * pl.col("board")
    return sides.with_columns(
        contracts=pl.when(~on_board & made).then(BID * pl.col("contract")).otherwise(0),
        overtricks=pl.when(~on_board & made).then(OVER * (pl.col("tricks") - pl.col("contract"))).otherwise(0),
        sets=pl.when(~on_board & ~made).then(-BID * pl.col("contract")).otherwise(0),
        boards_made=pl.when(on_board & all_tricks).then(stake).otherwise(0),
        boards_failed=pl.when(on_board & ~all_tricks).then(-stake).otherwise(0),
        deals=pl.lit(1),
    )


def ratio(rows: pl.DataFrame, over: str, under: str) -> tuple[float, float]:
    """Return a ratio of sums and half its 95 % interval, the shuffle being the sample."""
    sums = rows.group_by("shuffle_id").agg(pl.col(over, under).sum()).sort("shuffle_id")
    y, x = sums[over].to_numpy(), sums[under].to_numpy()
    value, shuffles = y.sum() / x.sum(), len(x)
    if shuffles < 2:
        return value, nan
    error = np.sqrt(shuffles / (shuffles - 1) * ((y - value * x) ** 2).sum()) / x.sum()
    return value, float(stats.t.ppf(0.975, shuffles - 1) * error) if error > 1e-9 else nan


def reaches(row: dict, name: str) -> float:
    """Return half the interval of a figure as the notebook has it, NaN where it is open."""
    return (row[f"{name}_high"] - row[f"{name}_low"]) / 2


def test_the_league_comes_to_the_same(run: sim.Run) -> None:
    scores = by_side(kept(run), own="{own}_score", other="{other}_score").with_columns(
        margin=pl.col("own") - pl.col("other")
    )
    scores = scores.with_columns(won=(pl.col("margin").sign() + 1) / 2)
    means = scores.group_by("side", "shuffle_id").agg(pl.mean("own", "margin", "won")).sort("side", "shuffle_id")
    standings = sim.league(run).standings
    assert len(standings) == 3
    for each in standings:
        here = means.filter(pl.col("side") == each.strategy)
        assert each.shuffles == len(here) == 30
        for estimate, column in ((each.margin, "margin"), (each.points, "own"), (each.won, "won")):
            values = here[column].to_numpy()
            reach = stats.t.ppf(0.975, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values))
            assert estimate == pytest.approx((values.mean(), values.mean() - reach, values.mean() + reach))


def test_the_calibration_comes_to_the_same(run: sim.Run) -> None:
    seen = frames("bidding_policies.ipynb", run)["calibration"]
    right = deals(run).filter(pl.col("contract").is_not_null())
    groups = dict(iter(right.group_by("side", "contract")))
    assert set(seen.select("side", "contract").rows()) == set(groups)
    for row in seen.rows(named=True):
        rows = groups[row["side"], row["contract"]]
        mean, reach = ratio(rows, "tricks", "deals")
        assert row["deals"] == len(rows)
        assert row["tricks"] == pytest.approx(mean)
        assert reaches(row, "tricks") == pytest.approx(reach, nan_ok=True)
    assert seen["tricks_high"].is_not_nan().sum() > 10


def test_the_points_by_source_come_to_the_same(run: sim.Run) -> None:
    seen = frames("bidding_policies.ipynb", run)["points_by_source"]
    groups = dict(iter(deals(run).group_by("side", "hand_size")))
    assert len(seen) == len(groups) == 3 * 4
    parts = ("contracts", "overtricks", "sets", "boards_made", "boards_failed")
    for row in seen.rows(named=True):
        rows = groups[row["side"], row["hand_size"]]
        assert [row[part] for part in parts] == pytest.approx([rows[part].mean() for part in parts])
        assert row["net"] == pytest.approx(sum(row[part] for part in parts))
        mean, reach = ratio(rows, "points", "deals")
        assert row["net"] == pytest.approx(mean)
        assert reaches(row, "net") == pytest.approx(reach)
    assert all(seen[part].abs().sum() > 0 for part in parts)


def test_what_a_side_gains_by_source_adds_up_to_what_it_scores(run: sim.Run) -> None:
    seen = frames("bidding_policies.ipynb", run)["sources"]
    points = {each.strategy: each.points for each in sim.league(run).standings}
    totals = seen.filter(pl.col("source") == "total")
    assert len(totals) == 3
    for row in totals.rows(named=True):
        parts = seen.filter((pl.col("side") == row["side"]) & (pl.col("source") != "total"))
        assert parts["points"].sum() == pytest.approx(row["points"])
        assert parts["against_field"].sum() == pytest.approx(row["against_field"])
    if not any(match is not None for match in read(run, "matches")["fault"]):
        for row in totals.rows(named=True):
            assert (row["points"], reaches(row, "points")) == pytest.approx(
                (points[row["side"]].mean, points[row["side"]].half_width)
            )


@pytest.mark.slow
def test_no_figure_depends_on_the_order_of_rows_or_part_files(run: sim.Run, tmp_path: Path) -> None:
    folder = tmp_path / "shuffled"
    shutil.copytree(run.path, folder)
    for table in ("matches", "deals", "tricks"):
        parts = sorted((folder / table).iterdir())
        rows = [pl.read_parquet(path).sample(fraction=1, shuffle=True, seed=3) for path in parts]
        for path, part in zip(parts, random.Random(5).sample(rows, len(rows)), strict=True):
            part.write_parquet(path)
    other = sim.open_run(folder)
    assert sim.league(other).to_dict() == sim.league(run).to_dict()
    for work in (sim.all_pairs, sim.strengths, sim.pairing_table, sim.duplicate_luck):
        assert repr(work(sim.samples(other))) == repr(work(sim.samples(run)))
    for name in KEYS:
        ours, theirs = (frames("bidding_policies.ipynb", each)[name] for each in (run, other))
        assert ours.equals(theirs), name


def test_a_against_b_is_b_against_a_with_the_sign_changed(tmp_path: Path) -> None:
    rules = sim.Rules(hand_sizes=(5, 2, 1))
    found = {}
    for field in (("counter", "cautious"), ("cautious", "counter")):
        played = sim.play(sim.Tournament(field, matches=40, seed=4, rules=rules), out=tmp_path / field[0])
        found[field[0]] = sim.samples(played), sim.league(played)
    (ours, our_league), (theirs, their_league) = found.values()
    mean, low, high = sim.pairing_table(ours).pairings[0].margin
    assert mean != 0
    assert sim.pairing_table(theirs).pairings[0].margin == (-mean, -high, -low)
    assert sim.all_pairs(theirs).differences[0].margin == tuple(
        -end for end in np.array(sim.all_pairs(ours).differences[0].margin)[[0, 2, 1]]
    )
    assert our_league.standings == their_league.standings
