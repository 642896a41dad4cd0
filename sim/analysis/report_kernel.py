"""A notebook executed from beginning to end: by this interpreter, whatever kernels there are, and within a time limit.

The kernel works in an empty folder of its own, with no start-up files, settings or history of the user's, and imports
from where this process imports. However the work ends, the kernel and its children end with it.
"""

import ast
import asyncio
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NoReturn

from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbconvert.filters import strip_ansi
from nbformat import NotebookNode, v4

from ..errors import ConfigError, ReportError

Tell = Callable[[int, NotebookNode], None]
"""Told of each cell before it is executed: its number from 1, and it."""

PARAMETERS = "parameters"
"""The tag of the cell that sets ``RUN``."""

_LAUNCH = "import sys; sys.path[:] = {path!r}; from ipykernel.kernelapp import launch_new_instance as go; go()"
_PROOF = "(run.manifest['run_id'], str(run.path))"
_OTHER_LOOKS = ("PYTHONSTARTUP", "MATPLOTLIBRC", "POLARS_FMT_", "POLARS_TABLE_WIDTH")
"""Beginnings of the environment variables by which one user's report would look unlike another's."""
_LONGEST_SOCKET_FOLDER = 80


def execute(notebook: NotebookNode, run_id: str, folder: Path, time_limit: float, tell: Tell) -> None:
    """Execute a notebook in place, up to the cell that fails if one does, and prove that it read the run asked for.

    Parameters
    ----------
    notebook : NotebookNode
        Outputs of before are removed. After its cell tagged ``parameters``, ``RUN`` is set.
    run_id, folder : str, Path
        Of the run.
    time_limit : float
        Seconds for all of it, the start of the kernel included.
    tell : function
        Of progress.

    Raises
    ------
    ConfigError
        If no cell is tagged.
    ReportError
        If a cell fails, the time is up, the kernel dies, or the notebook's variable `run` is not that run.
    """
    cells = notebook.cells
    place = _after_parameters(cells)
    for cell in cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    cells.insert(place, v4.new_code_cell(f"RUN = {str(folder)!r}", id="run-of-the-report"))
    try:
        with TemporaryDirectory(prefix="backalley-") as private:
            _wait_for(_Execution(notebook, place, Path(private), time_limit).go(run_id, folder, tell))
    finally:
        del cells[place]


def _after_parameters(cells: list[NotebookNode]) -> int:
    """Return the place after the cell of parameters."""
    for place, cell in enumerate(cells):
        if cell.cell_type == "code" and PARAMETERS in cell.metadata.get("tags", []):
            return place + 1
    raise ConfigError(
        f"the notebook takes no run: none of its code cells is tagged {PARAMETERS!r}",
        "tag the cell that says RUN = None, and open the run after it: run = sim.open_run(RUN or sim.sample_run())",
    )


def _wait_for(work: Coroutine[Any, Any, None]) -> None:
    """Wait for work to be done, within a notebook too, which has an event loop of its own."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(work)
    else:
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, work).result()


class _Execution:
    """A notebook on its way through a kernel."""

    def __init__(self, notebook: NotebookNode, injected: int, private: Path, limit: float) -> None:
        self.cells, self.injected, self.private, self.limit = notebook.cells, injected, private, limit
        self.deadline = time.monotonic() + limit
        self.manager = _manager(private)
        self.client = NotebookClient(
            notebook,
            km=self.manager,
            timeout_func=lambda cell: self.left,
            startup_timeout=ceil(self.left),
            iopub_timeout=60,
            raise_on_iopub_timeout=True,
        )
        self.client.log.disabled = True

    @property
    def left(self) -> float:
        """Seconds left; a little when there are none, since 0 would mean no limit."""
        return max(0.01, self.deadline - time.monotonic())

    async def go(self, run_id: str, folder: Path, tell: Tell) -> None:
        """Execute the cells one after the other, and the proof at the end."""
        async with self.kernel():
            for place, cell in enumerate(self.cells):
                number = place + (place < self.injected)
                if place != self.injected:
                    tell(number, cell)
                await self.ask(cell, place, number)
            await self.prove(run_id, str(folder))

    @asynccontextmanager
    async def kernel(self) -> AsyncIterator[None]:
        """Have a kernel, and kill it and its children at the end."""
        group = None
        try:
            with (self.private / "stderr").open("wb") as said:
                environment = _environment(self.private)
                await self.client.async_start_new_kernel(env=environment, cwd=str(self.private), stderr=said)
            group = getattr(self.manager.provisioner, "pgid", None)
            try:
                await self.client.async_start_new_kernel_client()
            except RuntimeError:
                raise ReportError(f"the notebook's kernel does not start{self.last_words()}") from None
            yield
        finally:
            if group:
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(group, signal.SIGKILL)
            if self.client.kc is not None:
                self.client.kc.stop_channels()
            await self.manager.shutdown_kernel(now=True)

    async def ask(self, cell: NotebookNode, place: int, number: int) -> None:
        """Execute one cell."""
        try:
            await self.client.async_execute_cell(cell, place)
        except CellExecutionError as error:
            _fail(number, cell, f"{error.ename}: {_last_line(error.evalue)}".removesuffix(": "))
        except CellTimeoutError:
            _fail(number, cell, f"it was not done when the time was up, {self.limit:g} s for the whole report")
        except DeadKernelError:
            task = asyncio.current_task()
            if task and task.cancelling():  # nbclient takes an interrupt of ours for the kernel's death
                raise asyncio.CancelledError from None
            _fail(number, cell, f"its process died{self.last_words()}")

    async def prove(self, run_id: str, folder: str) -> None:
        """See that the notebook's variable `run` is the run that was asked for."""
        proof = v4.new_code_cell(_PROOF)
        self.cells.append(proof)
        try:
            await self.client.async_execute_cell(proof, len(self.cells) - 1)
            found = ast.literal_eval(proof.outputs[-1]["data"]["text/plain"])
        except CellExecutionError:
            found = None
        finally:
            self.cells.pop()
        if found != (run_id, folder):
            what = "opened no run" if found is None else f"read run {found[0]} in {found[1]}, not {run_id} in {folder}"
            raise ReportError(
                f"the notebook {what}: its variable `run` shows it",
                "after the cell of parameters it must say: run = sim.open_run(RUN or sim.sample_run())",
            )

    def last_words(self) -> str:
        """Return the last line that the kernel's process wrote to standard error, if it did."""
        lines = (self.private / "stderr").read_text(errors="replace").strip().splitlines()
        return f": {lines[-1].strip()}" if lines else ""


def _manager(private: Path) -> AsyncKernelManager:
    """Return a manager of a kernel of this very interpreter; its sockets are files where their names may be so long."""
    transport = "ipc" if len(str(private)) < _LONGEST_SOCKET_FOLDER else "tcp"
    return AsyncKernelManager(
        kernel_spec_manager=_ThisInterpreter(), connection_file=str(private / "kernel.json"), transport=transport
    )


class _ThisInterpreter(KernelSpecManager):
    """Knows one kernel."""

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        """Return it, whatever the name."""
        path = [str(Path(entry).absolute()) for entry in sys.path]
        launch = [sys.executable, "-c", _LAUNCH.format(path=path), "-f", "{connection_file}"]
        return KernelSpec(argv=[*launch, "--IPKernelApp.ignore_cwd=True"], display_name=kernel_name, language="python")


def _environment(private: Path) -> dict[str, str]:
    """Return the environment of the kernel: ours, but for what would make a report another user's."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_OTHER_LOOKS)}
    (private / "matplotlibrc").touch()
    return kept | {"IPYTHONDIR": str(private / "ipython"), "PYTHONHASHSEED": "0"}


def _fail(number: int, cell: NotebookNode, why: str) -> NoReturn:
    first = next(iter(cell.source.strip().splitlines()), "")
    raise ReportError(f"cell {number} ({cell.get('id', 'no id')}) fails: {why}", f"it begins: {first}")


def _last_line(text: str) -> str:
    lines = strip_ansi(text).strip().splitlines()
    return lines[-1] if lines else ""
