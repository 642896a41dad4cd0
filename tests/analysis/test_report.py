"""A report: one page of the same bytes, made by this interpreter; whatever fails is named, and nothing is left over."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

import sim
from sim.analysis import report as reporting
from sim.cli import backalley
from sim.errors import ConfigError, ReportError
from tests.arena.test_runner import cut_short, random_self

pytest.importorskip("nbclient", reason="reports need the extra `notebooks`")
pytest.importorskip("nbconvert", reason="reports need the extra `notebooks`")

from tests.analysis.made_notebooks import OPENS, TABLE, notebook

ROOT = Path(__file__).parents[2]
PICTURE = """
from sim.analysis.plots.picture import picture
shown, (axes,) = picture(width=3, height=2)
axes.plot([1, 2], [2, 1])
shown
"""
ENVIRONMENT = "import os, sys\nprint(sim.__file__, os.listdir(), hash('x'), 'startup' in globals(), sys.executable)"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> sim.Run:
    return sim.play(random_self(), tmp_path_factory.mktemp("runs") / "r1")


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "sim.cli", "report", *map(str, arguments)]


def here(**changes: str) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(ROOT)} | changes


def test_it_is_a_page_with_all_that_the_notebook_shows(run: sim.Run, tmp_path: Path) -> None:
    asks = notebook(
        tmp_path / "asks.ipynb", TABLE, PICTURE, "import sys\nprint('<said>')\nprint('no', file=sys.stderr)"
    )
    page = sim.report(run, asks, out=tmp_path / "page.html").read_text()
    assert "<title>How many? · run " + run.manifest["run_id"] in page
    assert "&lt;b&gt;prose" in page and "<pre>&lt;said&gt;</pre>" in page and "<pre>no" not in page
    assert '<td>random_legal</td><td class="number">256</td><td class="number">0.0</td>' in page
    assert page.count("<svg ") == 1 and "count(*)" not in page
    assert "backalley run --strategies random_legal --matches 64 --seed 7 --format self" in page
    assert "backalley report r1 --notebook asks.ipynb" in page
    assert str(tmp_path) not in page and str(ROOT) not in page
    assert not re.search(r'(src|href)="(?!#|data:)|@import|<script|url\((?!#)', page)
    assert not {path.name for path in tmp_path.iterdir()} - {"asks.ipynb", "page.html"}


@pytest.mark.slow
def test_it_is_the_same_bytes_from_anywhere_for_any_user(run: sim.Run, tmp_path: Path) -> None:
    asks = notebook(tmp_path / "asks.ipynb", TABLE, PICTURE, "print(hash('x'), {'a', 'b', 'c'})")
    startup = tmp_path / "ipython" / "profile_default" / "startup"
    startup.mkdir(parents=True)
    (startup / "00.py").write_text("print('startup')\nraise SystemExit")
    (tmp_path / "matplotlibrc").write_text("lines.linewidth: 20")
    settings = {"IPYTHONDIR": str(tmp_path / "ipython"), "MATPLOTLIBRC": str(tmp_path), "POLARS_FMT_MAX_ROWS": "0"}
    places = {"/": here(PYTHONHASHSEED="1"), str(tmp_path): here(PYTHONHASHSEED="2", **settings)}
    pages = []
    for number, (place, environment) in enumerate(places.items()):
        out = tmp_path / f"{number}.html"
        arguments = command(run.path, "--notebook", asks, "--code", "--out", out)
        subprocess.run(arguments, cwd=place, env=environment, check=True, capture_output=True)
        pages.append(out.read_bytes())
    assert pages[0] == pages[1] and b"startup" not in pages[0]
    assert b"RUN" in pages[0] and str(run.path).encode() not in pages[0]


def test_the_kernel_is_this_interpreter_in_an_empty_place_from_a_notebook_too(run: sim.Run, tmp_path: Path) -> None:
    asks = notebook(tmp_path / "asks.ipynb", ENVIRONMENT)

    async def in_a_notebook() -> Path:
        return sim.report(run, asks, out=tmp_path / "page.html")

    page = asyncio.run(in_a_notebook()).read_text()
    (said,) = re.findall(r"<pre>(.*)</pre>", page)[:1]
    assert said.startswith(sim.__file__) and said.endswith(f"False {sys.executable}") and ".ipynb" not in said


FAILURES = {
    "a cell that raises": (["x = 1", "y = 2\n1/0"], OPENS, r"cell 5 \(cell-1\) fails: ZeroDivisionError: division by"),
    "a kernel that dies": (["import os\nos.kill(os.getpid(), 9)"], OPENS, r"cell 4 \(cell-0\) fails: its process died"),
    "a run that is not read": (["x = 1"], "", "the notebook opened no run"),
    "another run": (
        ["x = 1"],
        "import sim, types\nrun = types.SimpleNamespace(manifest={'run_id': 'f' * 16}, path='there')",
        r"the notebook read run f{16} in there, not [0-9a-f]{16} in ",
    ),
}


@pytest.mark.parametrize("name", FAILURES)
def test_what_fails_is_named_and_the_notebook_kept_as_far_as_it_came(name: str, run: sim.Run, tmp_path: Path) -> None:
    cells, opens, message = FAILURES[name]
    out = tmp_path / "page.html"
    with pytest.raises(ReportError, match=message) as raised:
        sim.report(run, notebook(tmp_path / "asks.ipynb", *cells, opens=opens), out=out)
    kept = json.loads((tmp_path / "page.partial.ipynb").read_text())
    assert str(tmp_path / "page.partial.ipynb") in raised.value.args[-1]
    assert "parameters" in [cell["id"] for cell in kept["cells"]] and not out.exists()


@pytest.mark.slow
def test_an_endless_cell_ends_when_the_time_is_up(run: sim.Run, tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    cell = f"import os, pathlib\npathlib.Path({str(pid)!r}).write_text(str(os.getpid()))\nwhile True: pass"
    asks = notebook(tmp_path / "asks.ipynb", cell)
    with pytest.raises(ReportError, match=r"cell 4 \(cell-0\) fails: it was not done when the time was up, 12 s"):
        sim.report(run, asks, out=tmp_path / "page.html", time_limit=12)
    assert_gone(int(pid.read_text()))


@pytest.mark.slow
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_the_kernel_too(number: signal.Signals, code: int, run: sim.Run, tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    cell = f"import os, pathlib\npathlib.Path({str(pid)!r}).write_text(str(os.getpid()))\nwhile True: pass"
    arguments = command(
        run.path, "--notebook", notebook(tmp_path / "asks.ipynb", cell), "--out", tmp_path / "page.html"
    )
    with subprocess.Popen(arguments, env=here(), stderr=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 60
        while not (pid.exists() and pid.read_text()) and time.monotonic() < deadline:
            time.sleep(0.01)
        process.send_signal(number)
        said = process.communicate(timeout=60)[1]
    assert process.returncode == code and said.endswith(f"stopped by {number.name}\n"), said
    assert_gone(int(pid.read_text()))
    assert not (tmp_path / "page.html").exists()


def assert_gone(process: int) -> None:
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_a_run_that_changed_is_refused_or_says_so_at_the_top(tmp_path: Path) -> None:
    changed = sim.play(random_self(), tmp_path / "run")
    about = json.loads(changed.folder.manifest.read_text())
    about["files"]["tricks"] = "<b>"
    changed.folder.manifest.write_text(json.dumps(about))
    asks, out = notebook(tmp_path / "asks.ipynb"), tmp_path / "page.html"
    result = CliRunner().invoke(backalley, ["report", str(changed.path), "--notebook", asks, "--out", str(out)])
    assert result.exit_code == 1 and "the files of tricks are not those that were written" in result.stderr
    assert "--allow-mismatch" in result.stderr and not out.exists()
    page = sim.report(changed.path, asks, out, allow_mismatch=True).read_text()
    assert page.index("the files of tricks are not those") < page.index("<h1>")
    assert "backalley report run --notebook asks.ipynb --allow-mismatch" in page


def test_an_unfinished_run_and_an_empty_one_are_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asks = notebook(tmp_path / "asks.ipynb", TABLE)
    for there in (0, 2):
        cut_short(tmp_path / f"cut{there}", random_self(), monkeypatch, after=there)
        page = sim.report(tmp_path / f"cut{there}", asks, out=tmp_path / "page.html").read_text()
        assert f"so far {there} of 8 shards" in page


def test_what_cannot_be_reported_is_refused_at_once(
    run: sim.Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asks = notebook(tmp_path / "asks.ipynb")
    untagged = notebook(tmp_path / "untagged.ipynb", tags=())
    (tmp_path / "text.ipynb").write_text("{}")
    refusals = [
        ({"notebook": "write_a_strateg"}, "did you mean write_a_strategy"),
        ({"notebook": str(tmp_path / "no.ipynb")}, "there is no notebook"),
        ({"notebook": str(tmp_path / "text.ipynb")}, "is no notebook"),
        ({"notebook": untagged, "out": tmp_path / "x.html"}, "none of its code cells is tagged 'parameters'"),
        ({"notebook": asks, "out": run.path / "page.html"}, "in the run's own folder"),
        ({"notebook": asks, "out": tmp_path / "no" / "page.html"}, "there is no folder"),
        ({"notebook": asks, "time_limit": 0}, "more than 0"),
    ]
    for arguments, message in refusals:
        with pytest.raises(ConfigError, match=message):
            sim.report(run, **arguments)  # type: ignore[arg-type]
    monkeypatch.setattr(reporting, "find_spec", lambda name: None)
    result = CliRunner().invoke(backalley, ["report", str(run.path)])
    assert result.exit_code == 2
    assert result.stderr == (
        "error: a report needs ipykernel, nbclient, nbconvert: pip install 'backalley[notebooks]'\n"
    )


def test_progress_is_a_line_a_cell_and_the_page_is_said(
    run: sim.Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    asks = notebook(tmp_path / "asks.ipynb", "# A comment\nx = 1")
    result = CliRunner().invoke(backalley, ["report", str(run.path), "--notebook", asks])
    assert result.exit_code == 0, result.output
    assert result.stdout == f"{tmp_path / 'asks-r1.html'}\n"
    assert "cell 4 of 4: A comment" in result.stderr
