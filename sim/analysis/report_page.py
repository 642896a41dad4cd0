"""An executed notebook as one page of HTML that needs nothing beside itself, the same bytes for the same outputs.

Prose, pictures and tables are there; code only if asked for; standard error never. All text is escaped, and the page
forbids scripts and whatever is not in it.
"""

import re
from collections.abc import Iterator
from html import escape
from importlib import resources
from itertools import count

from jinja2 import Environment
from markupsafe import Markup
from nbconvert.filters import strip_ansi
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbformat import NotebookNode
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from .report_facts import Facts

_CODE = HtmlFormatter(style="friendly", cssclass="code")
_TEXT_CELL = re.compile(r"<td>&quot;([^<]*?)(?:&quot;)?</td>")  # one cut short has no quote at its end
_NUMBER = r"[-+−]?[\d.][\d.,_]*(?:e[-+]?\d+)?"
_INTERVAL = rf" ± {_NUMBER}| \({_NUMBER} to {_NUMBER}\)"
_NUMBER_CELL = re.compile(rf"<td>((?:{_NUMBER}(?:{_INTERVAL})?(?: ?%)?|–|NaN|-?inf))</td>")
_MOST_ROWS = 30
"""Rows of a table that a reader is shown unasked."""


def page(notebook: NotebookNode, run_id: str, facts: Facts, mismatches: list[str], code: bool) -> str:
    """Return a report as HTML.

    Parameters
    ----------
    notebook : NotebookNode
        Executed.
    run_id : str
    facts : Facts
        What is said of the run.
    mismatches : list of str
        What is wrong with the data; it stands first, in a box.
    code : bool
        Whether the cells' code is shown.
    """
    template = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(
        resources.files("sim.analysis").joinpath("report_page.html").read_text(encoding="utf-8")
    )
    text = template.render(
        title=_title(notebook),
        run_id=run_id,
        facts=facts,
        mismatches=mismatches,
        parts=[Markup(part) for part in _parts(notebook, code)],  # each is escaped where it is made
        code_style=Markup(_CODE.get_style_defs(".code")) if code else "",
    )
    return text + "\n"


def _title(notebook: NotebookNode) -> str:
    """Return the notebook's first heading."""
    texts = (cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    found = (re.search(r"^#+ +(.+?)\s*$", text, re.MULTILINE) for text in texts)
    return next((heading[1] for heading in found if heading), "Report")


def _parts(notebook: NotebookNode, code: bool) -> Iterator[str]:
    """Yield the pieces of the page, from top to bottom."""
    numbers = count(1)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            yield markdown(cell.source)
        if cell.cell_type != "code":
            continue
        if code and cell.source.strip():
            yield highlight(cell.source, PythonLexer(), _CODE)
        yield from (_shown(output, numbers) for output in cell.outputs)


def _shown(output: NotebookNode, numbers: Iterator[int]) -> str:
    """Return one output of a cell as HTML."""
    if output.output_type == "stream":
        return _text(output.text) if output.name == "stdout" else ""
    if output.output_type == "error":  # of a cell that is meant to raise
        return _text(f"{output.ename}: {output.evalue}")
    data = output.data
    if "image/svg+xml" in data:
        return f"<figure>{svg(data['image/svg+xml'], f'picture-{next(numbers)}')}</figure>"
    if "text/html" in data:
        return _folded(table(data["text/html"]))
    if "image/png" in data:
        return f'<figure><img alt="" src="data:image/png;base64,{escape(data["image/png"].strip())}"></figure>'
    if "text/markdown" in data:
        return markdown(data["text/markdown"])
    return _text(data.get("text/plain", ""))


def markdown(source: str) -> str:
    """Return Markdown as HTML; tags in it show as they are written."""
    renderer = IPythonRenderer(escape=True, allow_harmful_protocols=False, exclude_anchor_links=True)
    return MarkdownWithMath(renderer=renderer).render(source)


def svg(text: str, name: str) -> str:
    """Return a picture to stand in a page: its element alone, its ids apart from other pictures', no metadata."""
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, count=1, flags=re.DOTALL)
    text = re.sub(r'\bid="', f'id="{name}-', text)
    text = re.sub(r'(href="#|url\(#)', rf"\g<1>{name}-", text)
    return text.replace("<svg", '<svg role="img"', 1).strip()


def table(text: str) -> str:
    """Return a table as Polars shows it without its style, shape and types: texts unquoted, numbers to the right."""
    if 'class="dataframe"' not in text:
        return text
    text = re.sub(r"<style>.*?</style>|<small>.*?</small>", "", text, flags=re.DOTALL)
    kinds = re.search(r"</tr><tr>((?:<td>[^<]*</td>)+)</tr></thead>", text)
    if kinds:
        text = text.replace(kinds[1], "", 1).replace("<tr></tr></thead>", "</thead>", 1)
    text = _TEXT_CELL.sub(r"<td>\1</td>", text.replace("<td>null</td>", "<td>–</td>"))
    text = _NUMBER_CELL.sub(r'<td class="number">\1</td>', text)
    return _headings_over_numbers(text).replace('<table border="1"', "<table")


def _folded(text: str) -> str:
    """Return a table in its place, one that is long behind a line that opens it."""
    placed, rows = f'<div class="wide">{text}</div>', text.count("<tr>") - 1
    return f"<details><summary>{rows} rows</summary>{placed}</details>" if rows > _MOST_ROWS else placed


def _headings_over_numbers(text: str) -> str:
    """Put the headings of the columns whose first cell is a number to the right."""
    first = re.search(r"<tbody><tr>(.*?)</tr>", text, re.DOTALL)
    cells = re.findall(r"<td( class=\"number\")?>", first[1]) if first else []
    marks = iter(cells)
    return re.sub(r"<th>", lambda heading: f"<th{next(marks, '')}>", text)


def _text(text: str) -> str:
    return f"<pre>{escape(strip_ansi(text).rstrip())}</pre>" if text.strip() else ""
