"""What the pictures show is what the data say, read back from what was drawn."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb

import sim
from sim.analysis.league import League, Standing
from sim.analysis.plots import running
from sim.analysis.plots.layout import broken
from sim.analysis.plots.picture import LOOKS, looks
from sim.analysis.plots.points import SOURCES
from sim.analysis.samples import mean_of
from sim.analysis.stats import Estimate
from sim.arena.run import Run
from tests.analysis import synthetic

plots = sim.plots
NOTE = "n = 300 shuffles; run 0123456789abcdef"
LONG = [f"counter:margin={place / 4}:reach=2+cautious:nerve={place}" for place in range(20)]


def run() -> Run:
    return Run(Path("run"), {"run_id": "0123456789abcdef"})  # type: ignore[typeddict-item]


def standing(side: str, mean: float, half: float = 2.0, shuffles: int = 300) -> Standing:
    margin = Estimate(mean, mean - half, mean + half)
    return Standing(side, 600, shuffles, margin, margin, margin, 1, 1, 1, 1, 0.5, 0, 0)


def league(*standings: Standing) -> League:
    return League(run(), 600, 1, standings)


def samples(strengths: tuple[float, ...] = (30.0, 0.0, -30.0), shuffles: int = 50) -> "sim.analysis.samples.Samples":
    return synthetic.tournament(np.random.default_rng(1), strengths, shuffles)


def calibration(sides: list[str]) -> pl.DataFrame:
    rows = [(side, contract, contract + 0.5, contract + 0.25, None) for side in sides for contract in range(12)]
    return pl.DataFrame(
        rows, schema=["side", "contract", "tricks", "tricks_low", "tricks_high"], orient="row"
    ).with_columns(pl.col("tricks_high").cast(pl.Float64))


def make_rates(sides: list[str]) -> pl.DataFrame:
    rows = [(side, size, contract, 40, 10 * contract) for side in sides for size in (2, 4) for contract in (1, 3)]
    return pl.DataFrame(rows, schema=["side", "hand_size", "contract", "deals", "made"], orient="row")


def points(sides: list[str], scale: float = 1.0) -> pl.DataFrame:
    columns = ["side", "hand_size", *(column for column, *_ in SOURCES), "net", "net_low", "net_high"]
    parts = [6 * scale, scale, 2 * scale, -3 * scale, -scale]
    rows = [(side, size, *parts, 5 * scale, 4 * scale, 6 * scale) for side in sides for size in (1, 13)]
    return pl.DataFrame(rows, schema=columns, orient="row")


def bids(sides: list[str]) -> pl.DataFrame:
    rows = [(side, size, bid, hands) for side in sides for size in (1, 5) for bid, hands in ((0, 30), (99, 10))]
    return pl.DataFrame(rows, schema=["strategy", "hand_size", "bid", "hands"], orient="row")


def spread(sides: list[str], shift: int = 0) -> pl.DataFrame:
    rows = [(side, place + shift, place) for side in sides for place in range(1, 5)]
    return pl.DataFrame(rows, schema=["side", "points", "count"], orient="row")


DRAWN: dict[str, Callable[[list[str]], plots.Picture]] = {
    "league": lambda names: plots.league(league(*(standing(name, place) for place, name in enumerate(names))), names),
    "strengths": lambda names: plots.strengths(sim.strengths(samples(tuple(map(float, range(len(names))))))),
    "pairings": lambda names: plots.pairings(sim.pairing_table(samples(tuple(1e4 * n for n in range(len(names)))))),
    "ranks": lambda names: plots.ranks(sim.rank_shares(samples(tuple(map(float, range(len(names))))), 50)),
    "running": lambda names: plots.running_margin(samples(tuple(map(float, range(len(names)))))),
    "calibration": lambda names: plots.calibration(calibration(names), names, NOTE),
    "make_rates": lambda names: plots.make_rates(make_rates(names), names, NOTE),
    "points": lambda names: plots.points_by_source(points(names, -1e5), names, NOTE),
    "bids": lambda names: plots.bids(bids(names), names, NOTE),
    "spread": lambda names: plots.distribution(spread(names, -123_456), names, "Title", "points", NOTE, log=True),
}
EMPTY: dict[str, Callable[[], plots.Picture]] = {
    "league": lambda: plots.league(league(standing("a", np.nan, shuffles=0)), ["a"]),
    "strengths": lambda: plots.strengths(sim.strengths(samples(shuffles=0))),
    "pairings": lambda: plots.pairings(sim.pairing_table(samples(shuffles=0))),
    "ranks": lambda: plots.ranks(sim.rank_shares(samples(shuffles=1), 5)),
    "running": lambda: plots.running_margin(samples(shuffles=1)),
    "calibration": lambda: plots.calibration(calibration([]), ["a"]),
    "make_rates": lambda: plots.make_rates(make_rates([]), ["a"]),
    "points": lambda: plots.points_by_source(points([]), ["a"]),
    "bids": lambda: plots.bids(bids([]), ["a"]),
    "spread": lambda: plots.distribution(spread([]), ["a"], "Title", "points"),
}


def texts(picture: plots.Picture) -> str:
    inside = [text.get_text() for axes in picture.axes for text in axes.texts]
    return "\n".join([picture.get_suptitle(), picture.get_supxlabel(), *inside])


def drawn(picture: plots.Picture, gid: str) -> np.ndarray:
    (line,) = [line for axes in picture.axes for line in axes.lines if line.get_gid() == gid]
    return np.array(line.get_xydata())


def panel(picture: plots.Picture, title: str) -> Axes:
    (axes,) = [axes for axes in picture.axes if axes.get_title(loc="left") == title]
    return axes


def test_the_league_stands_best_on_top_with_its_intervals() -> None:
    picture = plots.league(league(standing("b", 7.0), standing("a", -3.0, 1.5)), ["a", "b"])
    (axes,) = picture.axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["b", "a"]
    assert axes.yaxis_inverted()
    assert drawn(picture, "mean b").tolist() == [[7, 0]]
    assert drawn(picture, "interval a").tolist() == [[-4.5, 1], [-1.5, 1]]
    assert "−3.0 ± 1.5" in texts(picture)
    assert "n = 300 shuffles; run 0123456789abcdef" in texts(picture)


def test_a_strategy_keeps_its_look_over_the_pictures_of_a_report() -> None:
    names = ["a", "b", "c"]
    first = plots.league(league(standing("b", 7.0)), names)
    second = plots.calibration(calibration(["b", "c"]), names)
    for picture, gid in ((first, "mean b"), (second, "calibration b")):
        (line,) = [line for axes in picture.axes for line in axes.lines if line.get_gid() == gid]
        assert (line.get_color(), line.get_marker()) == (LOOKS[1].colour, LOOKS[1].marker)


def test_twenty_strategies_all_look_different() -> None:
    assert len({(look.colour, look.marker) for look in looks(LONG).values()}) == 20


def test_the_heat_map_of_pairings_holds_each_margin_and_marks_the_unsure() -> None:
    table = sim.pairing_table(samples((200.0, 0.0, 0.0)))
    picture = plots.pairings(table)
    at = {text.get_position(): text.get_text() for text in picture.axes[0].texts}
    for row, first in enumerate(table.sides):
        for column, second in enumerate(table.sides):
            cell = table.cell(first, second)
            if cell is None:
                assert (column, row) not in at
                continue
            unsure = cell.margin.low <= 0 <= cell.margin.high
            value = f"{cell.margin.mean:+.0f}".replace("-", "−")
            assert at[column, row] == (f"({value})" if unsure else value)
    assert any(text.startswith("(") for text in at.values()) and "+" in "".join(at.values())
    low, high = picture.axes[0].collections[0].get_clim()
    assert low == -high


def test_rank_shares_stand_in_their_cells() -> None:
    shares = sim.rank_shares(samples((500.0, 0.0, -500.0)), 50)
    texts_at = {text.get_position(): text.get_text() for text in plots.ranks(shares).axes[0].texts}
    assert texts_at[0, 0] == texts_at[1, 1] == texts_at[2, 2] == "100"
    assert texts_at[1, 0] == ""


def test_the_running_margin_ends_at_the_league_s_figure() -> None:
    there = samples((30.0, 0.0), shuffles=1000)
    line = drawn(plots.running_margin(there), "running s00")
    totals = there.table_margins[:, 0].sum(axis=1)
    assert len(line) <= running.MOST_POINTS and line[0, 0] == 2 and line[-1, 0] == 1000
    for shuffles, mean in (line[0], line[len(line) // 2], line[-1]):
        assert mean == pytest.approx(mean_of(totals[: int(shuffles)], 2).mean)


def test_running_intervals_are_those_of_student() -> None:
    values = np.random.default_rng(2).integers(-50, 50, 400)
    counts, means, low, high = running.running(values.astype(float))
    for place in (0, 10, len(counts) - 1):
        right = mean_of(values[: counts[place]])
        assert (means[place], low[place], high[place]) == pytest.approx(right)


def test_the_running_margin_warns_against_looking_again_and_again() -> None:
    assert "is no test" in " ".join(texts(plots.running_margin(samples())).split())


def test_the_calibration_shows_tricks_against_contracts() -> None:
    picture = plots.calibration(calibration(["a", "b"]), ["a", "b"])
    assert drawn(picture, "calibration b").tolist() == [[contract, contract + 0.5] for contract in range(12)]


def test_make_rates_stand_in_their_cells_and_rare_ones_stay_empty() -> None:
    table = make_rates(["a"]).with_columns(deals=pl.when(pl.col("hand_size") == 2).then(5).otherwise("deals"))
    (axes, _) = plots.make_rates(table, ["a"]).axes
    assert {text.get_position(): text.get_text() for text in axes.texts} == {(4, 1): "25", (4, 3): "75"}


def test_points_are_stacked_from_zero_to_both_sides() -> None:
    picture = plots.points_by_source(points(["a", "b"]), ["a", "b"])
    bars = [(bar.get_y(), bar.get_height()) for bar in panel(picture, "b").patches if bar.get_x() > 5]
    assert bars == [(0, 6), (6, 1), (7, 2), (0, -3), (-3, -1)]
    (net,) = [line for line in panel(picture, "b").lines if line.get_marker() == "D"]
    assert np.array(net.get_xydata()).tolist() == [[1, 5], [13, 5]]
    labels = [text.get_text() for text in picture.legends[0].get_texts()]
    assert labels == [*(label for _, label, *_ in SOURCES), "net"]


def test_far_apart_sides_get_scales_of_their_own_and_the_picture_says_so() -> None:
    table = pl.concat([points(["a", "b"]), points(["c"], 10.0)])
    picture = plots.points_by_source(table, ["a", "b", "c"])
    assert panel(picture, "c").get_ylim()[1] > 5 * panel(picture, "a").get_ylim()[1]
    assert "scale of its own" in texts(picture)
    alike = plots.points_by_source(points(["a", "b"]), ["a", "b"])
    assert panel(alike, "a").get_ylim() == panel(alike, "b").get_ylim()


def test_bids_are_shares_of_a_hand_size_with_board_above_all_numbers() -> None:
    axes = panel(plots.bids(bids(["a"]), ["a"]), "a")
    assert [label.get_text() for label in axes.get_yticklabels()] == ["pass", "board"]
    shown = {text.get_position(): text.get_text() for text in axes.texts}
    assert shown == {(1, 0): "75", (1, 1): "25", (5, 0): "75", (5, 1): "25"}


def test_a_distribution_is_of_all_that_was_counted() -> None:
    picture = plots.distribution(spread(["a"]), ["a"], "Title", "points")
    (outline,) = [patch for patch in picture.axes[0].patches if patch.get_gid() == "distribution a"]
    heights, edges, _ = outline.get_data()
    assert heights.sum() == pytest.approx(1)
    assert heights[np.searchsorted(edges, 4) - 1] == pytest.approx(0.4)
    assert "mean 3.0" in texts(picture)


@pytest.mark.parametrize("name", DRAWN)
@pytest.mark.parametrize("names", [LONG[:1], LONG[:3], pytest.param(LONG, marks=pytest.mark.slow)], ids=len)
def test_one_to_twenty_sides_with_long_labels_are_drawn_inside_the_picture(name: str, names: list[str]) -> None:
    if len(names) == 1 and name in ("strengths", "pairings", "ranks", "running"):
        names = LONG[:2]  # a tournament takes two
    picture = DRAWN[name](names)
    picture.draw_without_rendering()
    width, height = picture.get_size_inches()
    box = picture.get_tightbbox()
    assert box.x0 >= -0.05 and box.x1 <= width + 0.05 and box.y0 >= -0.05 and box.y1 <= height + 0.05


@pytest.mark.parametrize("name", EMPTY)
def test_where_there_is_nothing_yet_the_picture_says_so(name: str) -> None:
    assert "nothing here yet" in texts(EMPTY[name]())


@pytest.mark.slow
@pytest.mark.parametrize("name", DRAWN)
def test_the_same_picture_gives_the_same_bytes(name: str) -> None:
    once = DRAWN[name](LONG[:3])
    assert once._repr_svg_() == DRAWN[name](LONG[:3]).to_svg() == once.to_svg()


@pytest.mark.parametrize(("ending", "begins"), [("svg", b"<?xml"), ("PNG", b"\x89PNG"), ("pdf", b"%PDF")])
def test_a_picture_is_written_as_its_name_says(ending: str, begins: bytes, tmp_path: Path) -> None:
    files = [tmp_path / f"{number}.{ending}" for number in (1, 2)]
    for file in files:
        DRAWN["league"](LONG[:2]).to_file(file)
    assert files[0].read_bytes() == files[1].read_bytes() and files[0].read_bytes().startswith(begins)


def test_a_picture_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"x\.jpg: name it \.svg, \.png or \.pdf"):
        DRAWN["league"](LONG[:2]).to_file(tmp_path / "x.jpg")
    assert not list(tmp_path.iterdir())


def test_estimates_name_their_shuffles_and_run() -> None:
    for name, draw in DRAWN.items():
        assert re.search(r"n = \d+ shuffles?; run 0123456789abcdef", texts(draw(LONG[:3]))), name


def test_labels_are_broken_between_their_parts() -> None:
    assert broken("counter:margin=0.5:reach=2+bold", 19) == "counter:margin=0.5:\nreach=2+bold"
    assert broken("counter", 4).replace("\n", "") == "counter"
    assert broken("counter", 30) == "counter"


def test_colours_are_told_apart_by_their_lightness_or_their_mark() -> None:
    for look in LOOKS:
        others = [other for other in LOOKS if other is not look]
        assert all((look.marker, look.line) != (other.marker, other.line) for other in others)
        assert len(to_rgb(look.colour)) == 3


def test_nothing_of_pyplot_is_ever_imported() -> None:
    code = (
        "import sys, sim, polars as pl\n"
        "table = pl.DataFrame({'side': ['a'], 'points': [3], 'count': [2]})\n"
        "sim.plots.distribution(table, ['a'], 'Title', 'points').to_svg()\n"
        "sys.exit('matplotlib.pyplot' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ})
