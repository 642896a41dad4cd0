"""`report`: a notebook executed over a run, after a look at the run's data, and written as one page of HTML."""

import os
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from ..arena.progress import say
from ..arena.run import Run, open_run
from ..arena.store import storing
from ..errors import ConfigError, ReportError
from .checkout import find_notebook
from .report_check import mismatches
from .report_facts import facts_of
from .report_progress import cells_told

if TYPE_CHECKING:
    from nbformat import NotebookNode

SHOWN = 3


def report(
    run: Run | str | Path,
    notebook: str = "bidding_policies",
    out: str | Path | None = None,
    code: bool = False,
    time_limit: float = 600.0,
    allow_mismatch: bool = False,
    progress: bool | None = None,
) -> Path:
    """Execute a notebook over a run and write what comes out as one HTML file, the same bytes each time.

    Parameters
    ----------
    run : Run or path
        Finished or not.
    notebook : str
        The name of one that comes with Back Alley, or the path of any, ending in ``.ipynb``. It must have a cell tagged
        ``parameters`` and open the run of the variable ``RUN`` as ``run``.
    out : path, optional
        The file, ``<notebook>-<run folder's name>.html`` in the working directory if not given.
    code : bool
        Whether the code is shown.
    time_limit : float
        Seconds that the notebook may take.
    allow_mismatch : bool
        Whether to report even data that are not what they were; the page says so at its top.
    progress : bool, optional
        Whether to tell of progress on standard error; by default only on a terminal.

    Returns
    -------
    Path
        The file, absolute.

    Raises
    ------
    ConfigError, RunError
        If there is no such notebook or run, the extra ``notebooks`` is not installed, or the file cannot be there.
    ReportError
        If the data are not what they were, or the notebook fails; as far as it came, it is kept beside the file.
    StoreError
        If the file cannot be written.
    """
    look_for_the_extra()
    from .report_page import page

    if not time_limit > 0:
        raise ConfigError(f"a time limit of {time_limit:g} s is refused: it must be more than 0")
    run = run if isinstance(run, Run) else open_run(run)
    path = find_notebook(notebook)
    node = _read(path)
    target = _target(run, path, out)
    wrong = _checked(run, allow_mismatch)
    say(
        progress,
        f"run {run.manifest['run_id']}: "
        + (f"{len(wrong)} mismatch{'es' * (len(wrong) > 1)}" if wrong else "its data are sound"),
    )
    _execute(node, run, target, time_limit, progress)
    options = ("--code",) * code + ("--allow-mismatch",) * allow_mismatch
    facts = facts_of(run, Path(notebook).name, options)
    _write(target, page(node, run.manifest["run_id"], facts, wrong, code))
    return target


def look_for_the_extra() -> None:
    """Refuse to go on without the extra ``notebooks``.

    Raises
    ------
    ConfigError
    """
    lacking = [name for name in ("ipykernel", "nbclient", "nbconvert") if find_spec(name) is None]
    if lacking:
        raise ConfigError(f"a report needs {', '.join(lacking)}: pip install 'backalley[notebooks]'")


def _read(path: Path) -> "NotebookNode":
    import nbformat

    try:
        return nbformat.read(path, as_version=4)
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, KeyError, AttributeError, nbformat.ValidationError) as error:
        what = str(error).partition("\n")[0]
        raise ConfigError(f"{path} is no notebook: {type(error).__name__}: {what}") from None


def _target(run: Run, notebook: Path, out: str | Path | None) -> Path:
    """Return where the report goes, and see before the work that it can be there."""
    target = Path(out or f"{notebook.stem}-{run.path.resolve().name}.html").absolute()
    if target.resolve().is_relative_to(run.path.resolve()):
        raise ConfigError(f"{target} is in the run's own folder, which holds the run alone: name another with --out")
    if not target.parent.is_dir():
        raise ConfigError(f"there is no folder {target.parent} to write {target.name} in")
    if target.is_dir() or not os.access(target.parent, os.W_OK):
        raise ConfigError(f"cannot write {target}: name a file in a folder that can be written with --out")
    return target


def _checked(run: Run, allow_mismatch: bool) -> list[str]:
    """Return what of the run is not as it was, if that is allowed."""
    wrong = mismatches(run)
    if wrong and not allow_mismatch:
        more = [f"and {len(wrong) - SHOWN} more"] if len(wrong) > SHOWN else []
        raise ReportError(
            f"{run.path} is refused: it is not what it was",
            *wrong[:SHOWN],
            *more,
            "to report it nevertheless, with these lines at the top: --allow-mismatch",
        )
    return wrong


def _execute(node: "NotebookNode", run: Run, target: Path, time_limit: float, progress: bool | None) -> None:
    """Execute the notebook; one that fails is kept beside the report's place, as far as it came."""
    import nbformat

    from .report_kernel import execute

    try:
        with cells_told(progress, len(node.cells)) as tell:
            execute(node, run.manifest["run_id"], run.path, time_limit, tell)
    except ReportError as error:
        partial = target.with_suffix(".partial.ipynb")
        _write(partial, nbformat.writes(node) + "\n")
        raise ReportError(*error.args, f"as far as it came, it is in {partial}") from None


def _write(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with storing(path):
            draft.write_text(text, encoding="utf-8")
            draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
