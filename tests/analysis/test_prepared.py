"""The prepared queries are timed where they are asked, whoever asks them, and the notebooks in kernels of their own."""

from pathlib import Path

import pytest

pytest.importorskip("nbclient", reason="reports need the extra `notebooks`")

import sim
from sim.analysis.prepared import OVER_ALL_CARDS, Timing, works
from sim.analysis.stopwatch import Stopwatch
from tests.analysis.made_notebooks import TABLE, notebook

RULES = sim.Rules(hand_sizes=(2, 1))


@pytest.fixture
def run(tmp_path: Path) -> sim.Run:
    tournament = sim.Tournament(["random_legal", "passer"], matches=4, seed=1, rules=RULES)
    return sim.play(tournament, out=tmp_path / "run")


def asked(watch: Stopwatch) -> list[tuple[str, tuple[str, ...]]]:
    return [(each.where, each.tables) for each in watch.asked]


def test_each_query_is_noted_with_its_place_and_its_tables(run: sim.Run) -> None:
    watch = Stopwatch()
    with watch.running(), run.connect() as connection:
        watch.where = "here"
        assert connection.sql("SELECT count(*) AS tricks FROM seats JOIN matches USING (match_id)").fetchall() == [
            (16,)
        ]
        watch.where = "there"
        connection.execute("CREATE TEMP VIEW few AS SELECT * FROM bids WHERE seat < 4")
        assert (
            connection.execute("SELECT count(*) FROM few").fetchall()
            == connection.sql("SELECT count(*) FROM bids").fetchall()
        )
    assert asked(watch) == [
        ("here", ("matches", "seats")), ("there", ("bids",)), ("there", ("bids",)), ("there", ("bids",)),
    ]  # fmt: skip
    assert all(each.seconds > 0 for each in watch.asked)


def test_nothing_is_noted_afterwards(run: sim.Run) -> None:
    watch = Stopwatch()
    with watch.running():
        sim.league(run)
    noted = len(watch.asked)
    sim.league(run)
    assert noted == len(watch.asked) > 0


@pytest.mark.slow
def test_notebooks_are_timed_cell_by_cell(run: sim.Run, tmp_path: Path) -> None:
    path = notebook(tmp_path / "tiny.ipynb", TABLE, "sim.league(run).standings")
    tiny, cards = works(run, {"tiny": Path(path)})
    assert (tiny.what, cards.what) == ("tiny", "all cards")
    assert [(each.where, each.table, each.queries, each.limit) for each in tiny.timings] == [
        ("cell-0", "seats", 1, 2),
        ("cell-1", "–", 1, None),
        ("cell-1", "matches", 3, 2),
        ("cell-1", "deals", 1, 2),
    ]
    assert tiny.seconds > sum(each.slowest for each in tiny.timings) and tiny.peak_megabytes > 50
    assert [each[:3] for each in cards.timings] == [(name, "plays", 1) for name in OVER_ALL_CARDS]
    assert all(isinstance(each, Timing) and each.limit == 45 for each in cards.timings)
