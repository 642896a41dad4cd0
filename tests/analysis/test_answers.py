"""Values of every kind, printed: aligned, as CSV, as JSON."""

import io
import json

import duckdb
import pytest

from sim.analysis.answers import to_json, to_table, write_csv

VALUES = """
SELECT * FROM (VALUES
    (9007199254740993::BIGINT, 1.50::DECIMAL(5, 2), 0.1 + 0.2::DOUBLE, DATE '2020-02-03', [1, NULL], {'a': 'é'},
        true, 'x
y'),
    (NULL, NULL, 'nan'::DOUBLE, NULL, NULL, NULL, NULL, NULL)
) AS rows(whole, part, real, day, list, struct, truth, text)
"""


@pytest.fixture(scope="module")
def answer() -> tuple[list[str], list[tuple]]:
    result = duckdb.connect().execute(VALUES)
    return [column[0] for column in result.description], result.fetchall()


def test_a_table_has_numbers_to_the_right_and_a_dash_for_null(answer: tuple[list[str], list[tuple]]) -> None:
    assert to_table(*answer) == [
        "           whole    part    real  day         list       struct      truth  text",
        "9007199254740993  1.5000  0.3000  2020-02-03  [1, null]  {\"a\": \"é\"}  true   x\\ny",
        "               –       –     nan  –           –          –           –      –",
    ]  # fmt: skip


def test_a_table_without_rows_is_its_head() -> None:
    assert to_table(["a", "b"], []) == ["a  b"]


def test_csv_reads_back(answer: tuple[list[str], list[tuple]]) -> None:
    file = io.StringIO()
    write_csv(file, *answer)
    assert file.getvalue().splitlines()[0] == "whole,part,real,day,list,struct,truth,text"
    assert "9007199254740993,1.50,0.3000000" in file.getvalue()
    assert '2020-02-03,"[1, null]","{""a"": ""é""}",true,"x\ny"\n,,nan,,,,,\n' in file.getvalue()


def test_json_keeps_whole_numbers_exact(answer: tuple[list[str], list[tuple]]) -> None:
    first, second = json.loads("\n".join(to_json(*answer)))
    assert first == {
        "whole": 9007199254740993, "part": 1.5, "real": pytest.approx(0.3), "day": "2020-02-03", "list": [1, None],
        "struct": {"a": "é"}, "truth": True, "text": "x\ny",
    }  # fmt: skip
    assert set(second.values()) == {None}
    assert json.loads("\n".join(to_json(["a"], []))) == []
