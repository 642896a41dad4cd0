"""Matches played in a process apart, array bounds checked, every decision on record even if the process dies."""

import os
import pickle
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import cloudpickle
import numpy as np

from ..errors import BackAlleyError, SpecError, StrategyFault
from ..players.view import LENGTH
from . import chance
from .notes import Decision, Notes, play_all
from .trials import Trial
from .witness import Words

TASK, TOLD, RESULT = "task", "told", "result"
_CHILD = "import sys; from sim.arena.apart import serve; serve(sys.argv[1])"
_HASH_SEED = "1862"


@dataclass
class Testimony:
    """What was seen of a strategy in its process.

    Attributes
    ----------
    decisions : list of Decision
        All, of every seat, in order; the last without an answer if the process ended in it.
    fault : StrategyFault or None
        The first illegal or failing decision: the last of the list.
    drew : bool
        Whether a global generator of random numbers was used.
    ended : str
        How the process came to its end, if not in peace.
    """

    decisions: list[Decision] = field(default_factory=list)
    fault: StrategyFault | None = None
    drew: bool = False
    ended: str = ""


def play_apart(trials: list[Trial], limit: float) -> Testimony:
    """Play matches in a new process up to the first fault, for `limit` seconds at most.

    Raises
    ------
    BackAlleyError
        If the strategy cannot be loaded there, or does not compile with bounds checked.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / TASK).write_bytes(cloudpickle.dumps(trials))
        ended = _run(folder, limit)
        if (folder / RESULT).exists():
            testimony = pickle.loads((folder / RESULT).read_bytes())
            if isinstance(testimony, BackAlleyError):
                raise testimony
        else:
            testimony = Testimony(ended=ended)
        testimony.decisions = _read(folder / TOLD)
    return testimony


def _run(folder: Path, limit: float) -> str:
    """Run the process and return how it ended."""
    path = os.pathsep.join(place or os.getcwd() for place in sys.path)
    environment = os.environ | {"NUMBA_BOUNDSCHECK": "1", "PYTHONHASHSEED": _HASH_SEED, "PYTHONPATH": path}
    command = [sys.executable, "-c", _CHILD, str(folder)]
    try:
        code = subprocess.run(command, env=environment, timeout=limit, stdout=subprocess.DEVNULL).returncode
    except subprocess.TimeoutExpired:
        return f"it was at it for {limit:g} s and was stopped"
    if code < 0:
        return f"its process was ended by {signal.Signals(-code).name}"
    return f"its process left with code {code}"


def _read(told: Path) -> list[Decision]:
    """Read what the process told: of each decision the trial and the view, then the answer."""
    if not told.exists():
        return []
    words = np.fromfile(told, np.int64).tolist()
    row = LENGTH + 2
    return [
        Decision(words[start], tuple(words[start + 1 : start + 1 + LENGTH]), words[start + row - 1])
        if start + row <= len(words)
        else Decision(words[start], tuple(words[start + 1 :]), None)
        for start in range(0, len(words), row)
    ]


class _Told(Notes):
    """Notes that are on disk before the player is asked."""

    def __init__(self, file: int) -> None:
        super().__init__()
        self.file = file

    def before(self, view: Words) -> None:
        os.write(self.file, np.array((self.trial, *view), np.int64).tobytes())

    def after(self, answer: int) -> None:
        os.write(self.file, answer.to_bytes(8, sys.byteorder, signed=True))


def serve(name: str) -> None:
    """Play what a folder's task says, as the process apart."""
    folder = Path(name)
    result: Testimony | BackAlleyError
    try:
        result = _serve(folder)
    except MemoryError:
        result = Testimony(ended="it ran out of memory")
    except BackAlleyError as error:
        result = type(error)(*error.args)
    (folder / RESULT).write_bytes(pickle.dumps(result))


def _serve(folder: Path) -> Testimony:
    try:
        trials = pickle.loads((folder / TASK).read_bytes())
    except Exception as error:
        raise SpecError(f"another process cannot load the strategy: {type(error).__name__}: {error}") from error
    file = os.open(folder / TOLD, os.O_WRONLY | os.O_CREAT)
    notes, states = _Told(file), chance.states()
    fault = play_all(trials, notes)
    drew = chance.states() != states
    os.close(file)
    return Testimony(fault=StrategyFault(*fault.args) if fault else None, drew=drew)
