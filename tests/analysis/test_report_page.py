"""The page: all text escaped, nothing from elsewhere, tables and pictures as people read them."""

import pytest

pytest.importorskip("nbconvert", reason="reports need the extra `notebooks`")

import polars as pl
from nbformat import v4

from sim.analysis.plots.picture import picture
from sim.analysis.report_facts import Facts
from sim.analysis.report_page import markdown, page, svg, table

EVIL = "<script>alert(1)</script>"
FACTS = Facts(f"of {EVIL}", f"so far {EVIL}", [("strategies", EVIL)], [f"backalley run --strategies '{EVIL}'"])


def outputs(*shown: dict) -> str:
    cell = v4.new_code_cell("secret = 1", outputs=[v4.new_output("display_data", data) for data in shown])
    return page(v4.new_notebook(cells=[cell]), "f" * 16, FACTS, [EVIL], code=False)


def test_no_text_is_taken_for_html() -> None:
    shown = outputs({"text/plain": EVIL}, {"text/markdown": EVIL + "\n\n" + EVIL}, {"image/png": f'"><{EVIL}'})
    assert "<script" not in shown and shown.count("&lt;script&gt;alert(1)") == 9
    assert "default-src 'none'" in shown


def test_harmful_links_are_none() -> None:
    assert "javascript:" not in markdown("[here](javascript:alert(1))")


def test_code_is_there_if_asked_for() -> None:
    notebook = v4.new_notebook(cells=[v4.new_code_cell("secret = '<b>'")])
    assert "secret" not in page(notebook, "", FACTS, [], code=False)
    shown = page(notebook, "", FACTS, [], code=True)
    assert "secret" in shown and "&lt;b&gt;" in shown and '<div class="code">' in shown


def test_tables_lose_what_only_programmers_read() -> None:
    frame = pl.DataFrame({"side": ["a<b", "c" * 50], "n": [1, None], "rate": [0.5, -2.0]})
    shown = table(frame._repr_html_())
    assert '<thead><tr><th>side</th><th class="number">n</th><th class="number">rate</th></tr></thead>' in shown
    assert '<td>a&lt;b</td><td class="number">1</td><td class="number">0.5</td>' in shown
    assert "shape" not in shown and "i64" not in shown and "&quot;" not in shown
    assert '<td class="number">–</td><td class="number">-2.0</td>' in shown


def test_tables_that_polars_was_told_to_show_otherwise() -> None:
    frame = pl.DataFrame({"side": ["a"], "n": [12345.5], "margin": ["+1.2 ± 0.3"], "p": ["below 0.01"]})
    with pl.Config(tbl_hide_column_data_types=True, tbl_hide_dataframe_shape=True, thousands_separator=","):
        shown = table(frame._repr_html_())
    assert '<tr><td>a</td><td class="number">12,345.5</td><td class="number">+1.2 ± 0.3</td><td>below' in shown
    assert table("<p>as it is</p>") == "<p>as it is</p>"


def test_pictures_do_not_share_their_ids() -> None:
    shown, (axes,) = picture(width=2, height=2)
    axes.plot([1, 2], marker="o")
    drawn = shown.to_svg()
    first, second = svg(drawn, "one"), svg(drawn, "two")
    assert first.startswith('<svg role="img"') and "<metadata>" not in first
    assert 'id="one-figure_1"' in first and "#one-" in first and first.replace("one-", "two-") == second


def test_intervals_stand_to_the_right_like_numbers() -> None:
    shown = table(pl.DataFrame({"made, %": ["75.5 (69.2 to 81.0)"], "margin": ["−2.3 ± 1.1"]})._repr_html_())
    assert shown.count('<td class="number">') == 2 and shown.count('<th class="number">') == 2


def test_a_long_table_waits_to_be_opened() -> None:
    with pl.Config(tbl_rows=-1):
        short, long = (pl.DataFrame({"n": range(rows)})._repr_html_() for rows in (30, 31))
    assert "<details>" not in outputs({"text/html": short})
    assert "<details><summary>31 rows</summary>" in outputs({"text/html": long})
