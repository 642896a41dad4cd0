"""The notebooks' SQL is found as it stands there, and asked in that order."""

import json
from pathlib import Path

import pytest

import sim
from sim.analysis.prepared import prepared, timings

CELLS = [
    "run = sim.open_run(RUN)\ndb = run.connect()",
    'db.execute("""CREATE OR REPLACE TEMP TABLE sample AS FROM plays WHERE match_id < 2""")\nprint("FROM bids")',
    'by_card = db.sql("""\nSELECT card, count(*) FROM sample GROUP BY ALL ORDER BY ALL\n""").pl()\n',
    'claims = db.sql("SELECT count(*) FROM bids JOIN matches USING (match_id)").pl()',
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    cells = [{"cell_type": "code", "id": f"cell-{n}", "source": source} for n, source in enumerate(CELLS)]
    cells.insert(1, {"cell_type": "markdown", "id": "words", "source": 'x = db.sql("FROM seats")'})
    (tmp_path / "tiny.ipynb").write_text(json.dumps({"cells": cells}))
    return tmp_path


def test_every_text_is_found_in_order_with_its_name_tables_and_limit(folder: Path) -> None:
    found = [(query.notebook, query.name, query.tables, query.limit) for query in prepared(folder)]
    assert found == [
        ("tiny", "line 1 of cell-1", ("plays",), 45),
        ("tiny", "by_card", (), None),
        ("tiny", "claims", ("matches", "bids"), 8),
    ]


def test_they_are_asked_on_one_connection_and_the_library_after_them(folder: Path) -> None:
    rules = sim.Rules(hand_sizes=(1,))
    tournament = sim.Tournament(["random_legal", "passer"], matches=4, seed=1, rules=rules)
    run = sim.play(tournament, out=folder / "run")
    what = [each.what for each in timings(run, prepared(folder))]
    assert what[:3] == ["line 1 of cell-1", "by_card", "claims"]
    assert what[-3:] == ["league", "controls", "pairing_table"] and len(what) > 6
