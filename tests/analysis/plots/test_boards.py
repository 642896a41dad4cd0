"""The pictures of boards show what their tables hold: it is read back from what was drawn."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import polars as pl
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.container import ErrorbarContainer

from sim.analysis.plots.board_risk import board_break_even, board_failures, board_pairs, board_spread
from sim.analysis.plots.boards import board_facts, board_hands, board_rates
from sim.analysis.plots.picture import Picture

LONG = "strategies.gambler:Gambler:threshold=0.70000001,margin=1.25+doubler:sure=0.9"
NAN = float("nan")


def estimates(rows: int, *names: str, scale: float = 1.0) -> dict[str, list[float]]:
    """Return columns of estimates with the ends of their intervals, all different."""
    columns = {}
    for place, name in enumerate(names):
        mean = scale * (0.2 + 0.5 * (np.arange(rows) + place / 10) / max(rows, 1))
        columns |= {name: mean, f"{name}_low": mean - 0.1 * scale, f"{name}_high": mean + 0.2 * scale}
    return {name: list(map(float, values)) for name, values in columns.items()}


def names_of(strategies: int) -> list[str]:
    return [LONG, *(f"s{place:02}" for place in range(1, strategies))][:strategies]


def rates(strategies: int, by: str = "hand_size") -> pl.DataFrame:
    rows = [(name, size) for name in names_of(strategies) for size in (1, 2, 4)]
    table = pl.DataFrame(rows, {"strategy": pl.String, by: pl.UInt8}, orient="row")
    return table.with_columns(**_series(estimates(len(rows), "rate", "success", "points")))


def facts(strategies: int) -> pl.DataFrame:
    rows = [("more cards", "jokers held", "0", 10), ("more cards", "jokers held", "1", 1_200)]
    rows += [("more cards", "seat in the bidding", "1", 7), ("one card", "jokers held", "0", 5)]
    schema = {"hands": pl.String, "fact": pl.String, "value": pl.String, "claims": pl.Int64}
    table = pl.DataFrame(rows[: 4 * strategies], schema, orient="row")
    return table.with_columns(**_series(estimates(len(table), "success")))


def hands(strategies: int) -> pl.DataFrame:
    rows = [(1, 0, 0, 30, 0.25), (1, 1, 1, 4_000, 1.0), (5, 3, 2, 7, 0.5)][: 3 * strategies]
    schema = {"hand_size": pl.UInt8, "trump_length": pl.UInt8, "jokers": pl.UInt8, "claims": pl.Int64}
    return pl.DataFrame(rows, schema | {"success": pl.Float64}, orient="row")


def break_even(strategies: int) -> pl.DataFrame:
    rows = [(name, size, 1_000 + size) for name in names_of(strategies) for size in (2, 3)]
    table = pl.DataFrame(rows, {"strategy": pl.String, "hand_size": pl.UInt8, "claims": pl.Int64}, orient="row")
    columns = estimates(len(rows), "success") | estimates(len(rows), "points", "other_points", scale=20)
    return table.with_columns(**_series(columns), break_even=pl.Series([0.6] * len(rows), dtype=pl.Float64))


def pairs(strategies: int) -> pl.DataFrame:
    rows = [(name, 2, 1, place) for place, name in enumerate(names_of(strategies))]
    schema = {"claimer": pl.String, "hand_size": pl.UInt8, "board_level": pl.Int64, "pairs": pl.Int64}
    values = {name: np.array(column) - 4 for name, column in estimates(strategies, "points", "margin", scale=9).items()}
    return pl.DataFrame(rows, schema, orient="row").with_columns(**_series(values))


def spread(strategies: int) -> pl.DataFrame:
    rows = [(name, on_board) for name in names_of(strategies) for on_board in (True, False)]
    table = pl.DataFrame(rows, {"side": pl.String, "on_board": pl.Boolean}, orient="row")
    values = {
        "worst_5": -20,
        "lower_quarter": 5,
        "median": 10,
        "upper_quarter": 20,
        "best_5": 30,
        "mean_of_worst_5": -25,
    }
    return table.with_columns(**{name: pl.lit(value).cast(pl.Float64) for name, value in values.items()})


def failures(strategies: int) -> pl.DataFrame:
    rows = [(name, failed) for name in names_of(strategies) for failed in range(4)]
    table = pl.DataFrame(rows, {"side": pl.String, "failed": pl.Int64}, orient="row")
    return table.with_columns(**_series(estimates(len(rows), "lost_share")))


DRAWN: list[tuple[Callable[..., Picture], Callable[[int], pl.DataFrame]]] = [
    (board_rates, rates),
    (board_facts, facts),
    (board_hands, hands),
    (board_break_even, break_even),
    (board_pairs, pairs),
    (board_spread, spread),
    (board_failures, failures),
]


@pytest.mark.parametrize(("draw", "table"), DRAWN)
def test_same_table_gives_the_same_bytes(draw: Callable[..., Picture], table: Callable[[int], pl.DataFrame]) -> None:
    assert draw(table(1), note="run x").to_svg() == draw(table(1), note="run x").to_svg()


@pytest.mark.parametrize(("draw", "table"), DRAWN)
@pytest.mark.parametrize("strategies", [0, 1, pytest.param(20, marks=pytest.mark.slow)])
def test_none_and_many_strategies_fit(
    draw: Callable[..., Picture], table: Callable[[int], pl.DataFrame], strategies: int
) -> None:
    picture = draw(table(strategies), note="n = 7 shuffles; run x")
    texts = [text.get_text() for text in picture.findobj() if hasattr(text, "get_text")]
    assert any("run x" in text for text in texts)
    assert ("nothing here yet" in texts) == (strategies == 0)
    picture.draw_without_rendering()
    for axes in picture.axes:
        assert axes.get_window_extent().width > 0.12 * picture.bbox.width or axes.get_label() == "<colorbar>"


def test_rates_are_drawn_with_their_intervals() -> None:
    table = rates(3)
    axes = board_rates(table).axes
    assert [each.get_title(loc="left").replace("\n", "") for each in axes[::3]] == names_of(3)
    for row, name in enumerate(names_of(3)):
        own = table.filter(strategy=name)
        for place, (column, scale) in enumerate({"rate": 100, "success": 100, "points": 1}.items()):
            each = axes[3 * row + place]
            assert points(each) == pytest.approx(np.stack([own["hand_size"], scale * own[column]], axis=1))
            ends = scale * own.select(f"{column}_low", f"{column}_high").to_numpy()
            assert upright(each) == pytest.approx(ends)


def test_levels_stand_where_hand_sizes_do() -> None:
    axes = board_rates(rates(1, by="board_level"), by="board_level").axes
    assert axes[1].get_xlabel() == "level of the claim"
    assert points(axes[0])[:, 0].tolist() == [1, 2, 4]


def test_an_open_interval_is_not_drawn() -> None:
    table = pairs(2).with_columns(points_low=pl.lit(NAN), points_high=pl.lit(NAN))
    assert flat(board_pairs(table).axes[0]) == pytest.approx(np.stack([table["points"]] * 2, axis=1))


def test_facts_are_labelled_and_counted() -> None:
    table = facts(1)
    more, one = board_facts(table).axes
    labels = [label.get_text() for label in more.get_yticklabels()]
    assert labels == ["jokers held", "0  (10)", "1  (1,200)", "seat in the bidding", "1  (7)"]
    own = table.filter(hands="more cards")
    assert points(more) == pytest.approx(np.stack([100 * own["success"], [1, 2, 4]], axis=1))
    assert points(one)[:, 0] == pytest.approx(100 * table["success"].to_numpy()[-1:])


def test_hands_are_cells_with_their_claims() -> None:
    one, five, _ = board_hands(hands(1)).axes
    assert [one.get_title(loc="left"), five.get_title(loc="left")] == ["1 card", "5 cards"]
    cells = one.collections[0].get_array()
    assert (cells[0, 0], cells[1, 1], five.collections[0].get_array()[3, 2]) == (25, 100, 50)
    assert np.ma.count(cells) == 2
    assert {text.get_text(): text.get_position() for text in one.texts} == {
        "25 %\n30": (0, 0),
        "100 %\n4,000": (1, 1),
    }


def test_break_even_stands_beside_the_chance_and_the_points() -> None:
    table = break_even(2)
    chance, worth = board_break_even(table).axes
    assert points(chance)[:, 0] == pytest.approx(100 * table["success"].to_numpy())
    diamonds = next(line for line in chance.lines if line.get_marker() == "D")
    assert list(diamonds.get_xdata()) == [60.0] * 4
    claims, others = (points(worth, place)[:, 0] for place in (0, 1))
    assert claims == pytest.approx(table["points"].to_numpy())
    assert others == pytest.approx(table["other_points"].to_numpy())
    labels = [label.get_text().replace("\n", "") for label in chance.get_yticklabels()]
    assert labels[2:] == ["s01, 2 cards (1,002)", "s01, 3 cards (1,003)"]
    assert labels[0].startswith(LONG.split("+")[0]) and labels[0].endswith("(1,002)")


def test_pairs_are_drawn_with_their_intervals() -> None:
    table = pairs(4)
    for axes, name in zip(board_pairs(table).axes, ("points", "margin"), strict=True):
        assert points(axes) == pytest.approx(np.stack([table[name], range(4)], axis=1))
        ends = table.select(f"{name}_low", f"{name}_high").to_numpy()
        assert flat(axes) == pytest.approx(ends)


def test_spread_is_boxes_from_quarter_to_quarter() -> None:
    (axes,) = board_spread(spread(2)).axes
    boxes = [(box.get_x(), box.get_width()) for box in axes.patches]
    assert boxes == [(5, 15)] * 4
    lines = [sorted(line.get_xdata()) for line in axes.lines]
    assert lines.count([-20, 30]) == 4
    assert lines.count([10, 10]) == 4
    assert lines.count([-25]) == 4


def test_failures_are_told_apart_by_marker() -> None:
    table = failures(3)
    (axes,) = board_failures(table).axes
    for failed in range(4):
        own = table.filter(failed=failed)
        assert points(axes, failed)[:, 0] == pytest.approx(100 * own["lost_share"].to_numpy())
    legend = axes.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["none failed", "1 failed", "2 failed", "3 or more"]
    assert len({container[0].get_marker() for container in _bars(axes)}) == 4


def points(axes: Axes, place: int = 0) -> np.ndarray:
    """Return where the dots of a panel stand."""
    return np.asarray(_bars(axes)[place][0].get_xydata())


def upright(axes: Axes, place: int = 0) -> np.ndarray:
    """Return the lower and upper ends of a panel's upright intervals."""
    return np.array([segment[:, 1] for segment in _lines(axes, place)])


def flat(axes: Axes, place: int = 0) -> np.ndarray:
    """Return the left and right ends of a panel's level intervals."""
    return np.array([segment[:, 0] for segment in _lines(axes, place)])


def _bars(axes: Axes) -> list[ErrorbarContainer]:
    return [each for each in axes.containers if isinstance(each, ErrorbarContainer)]


def _lines(axes: Axes, place: int) -> list[np.ndarray]:
    (lines,) = _bars(axes)[place][2]
    assert isinstance(lines, LineCollection)
    return lines.get_segments()


def _series(columns: Mapping[str, Sequence[float] | np.ndarray]) -> dict[str, pl.Series]:
    return {name: pl.Series(values, dtype=pl.Float64) for name, values in columns.items()}
