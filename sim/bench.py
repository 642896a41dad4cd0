"""How fast it is, measured: CPU time a match beside a hand-written C loop, compile time, bytes, memory.

A machine has quiet and busy moments, so every figure is divided by a floor timed just before and after it: whole
matches of random play in C, without strategies, views or rows (``tests/bench/floor.c``, built where gcc is).
"""

import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

FLOOR = Path(__file__).parents[1] / "tests" / "bench" / "floor.c"
MATCHES, REPEATS = 4096, 7


@dataclass
class Measure:
    """One figure: microseconds of CPU, and its ratio to the floor's around it."""

    what: str
    microseconds: float
    floor: float | None = None

    @property
    def ratio(self) -> float | None:
        """How many times the floor's time it is."""
        return self.microseconds / self.floor if self.floor else None


@dataclass
class Benchmark:
    """All that one run of the bench has measured."""

    machine: dict[str, str]
    speed: list[Measure] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    bytes_a_match: dict[str, float] = field(default_factory=dict)
    peak_memory_mb: dict[str, float] = field(default_factory=dict)
    peer: list[Measure] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """Return every figure, ready for JSON."""
        ratios = {measure.what: measure.ratio for measure in (*self.speed, *self.peer)}
        return asdict(self) | {"ratios": ratios}

    def to_text(self) -> str:
        """Return the figures as tables for a terminal."""
        from .analysis.tables import aligned

        lines = [f"{name}: {value}" for name, value in self.machine.items()]
        for title, measures in (("a match", self.speed), ("an action", self.peer)):
            if measures:
                unit = "µs" if title == "a match" else "ns"
                scale = 1 if title == "a match" else 1000
                rows = [(f"CPU time {title}", unit, "floor", "ratio")]
                rows += [
                    (m.what, f"{scale * m.microseconds:,.1f}", _shown(m.floor, scale), _shown(m.ratio))
                    for m in measures
                ]
                lines += ["", *aligned(rows)]
        lines += [
            "",
            *aligned([("start", "seconds"), *((what, f"{value:.1f}") for what, value in self.seconds.items())]),
        ]
        lines += [
            "",
            *aligned([("stored", "bytes a match"), *((w, f"{v:,.0f}") for w, v in self.bytes_a_match.items())]),
        ]
        lines += ["", *aligned([("peak memory", "MB"), *((w, f"{v:,.0f}") for w, v in self.peak_memory_mb.items())])]
        return "\n".join(lines)


def bench(peer: bool = False, say: Callable[[str], None] = lambda text: None) -> Benchmark:
    """Measure this machine.

    Parameters
    ----------
    peer : bool
        Also time OpenSpiel playing random spades, an action at a time (needs the extra ``peer``).
    say : callable
        Told what is measured next.
    """
    result = Benchmark(_machine())
    with tempfile.TemporaryDirectory() as folder, _floor_program(Path(folder)) as floor:
        say("compile and start")
        result.seconds = _start_seconds(Path(folder))
        for label in ("random_legal", "counter"):
            say(f"the engine alone, {label}")
            result.speed.append(_beside_floor(floor, f"engine alone, {label}", partial(_engine, label)))
        say("the whole path, every row written")
        stored: dict[str, float] = {}
        result.speed.append(
            _beside_floor(floor, "whole path, counter against cautious", lambda: _whole_path(Path(folder), stored))
        )
        result.bytes_a_match = stored
        say("peak memory")
        result.peak_memory_mb = {
            f"{matches:,} matches": _peak_memory(Path(folder), matches) for matches in (4_000, 40_000)
        }
        if peer:
            say("OpenSpiel")
            result.peer = _peer(floor)
    return result


def _machine() -> dict[str, str]:
    import duckdb
    import numba
    import polars

    from . import __version__

    versions = (
        f"backalley {__version__}, numba {numba.__version__}, polars {polars.__version__}, duckdb {duckdb.__version__}"
    )
    load = " ".join(f"{value:.1f}" for value in os.getloadavg())
    return {
        "processor": f"{_processor()}, {os.cpu_count()} cores, load {load}",
        "system": f"{platform.system()} {platform.release()}, Python {platform.python_version()}",
        "versions": versions,
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


@contextmanager
def _floor_program(folder: Path) -> Iterator[Callable[[], float | None]]:
    """Build the floor; yield what times it: microseconds of CPU a match, None where it cannot be built."""
    program, compiler = folder / "floor", shutil.which("gcc")
    if compiler and FLOOR.exists():
        subprocess.run([compiler, "-O3", "-march=native", str(FLOOR), "-o", str(program)], check=True)

    def floor() -> float | None:
        if not program.exists():
            return None
        printed = subprocess.run([str(program), "200000"], capture_output=True, text=True, check=True).stdout
        line = next(line for line in printed.splitlines() if "whole match" in line)
        return float(line.rpartition("per match")[2].split()[0]) / 1000

    yield floor


def _beside_floor(floor: Callable[[], float | None], what: str, measure: Callable[[], float]) -> Measure:
    before = floor()
    microseconds = measure()
    after = floor()
    return Measure(what, microseconds, (before + after) / 2 if before and after else None)


def _engine(label: str) -> float:
    """Return the engine's CPU time a match, every row logged to arrays, none written."""
    from .arena.shard import Play

    plan = _plan([label], "self")
    times = []
    for _ in range(REPEATS + 1):
        play = Play(plan, 0, MATCHES)
        began = time.process_time()
        play.run()
        times.append((time.process_time() - began) / MATCHES * 1e6)
    return median(times[1:])


def _whole_path(folder: Path, stored: dict[str, float]) -> float:
    """Return the CPU time a match from the shuffle to the files on disk; note the bytes of each table."""
    from .arena.store import RunFolder
    from .arena.worker import Job, play_and_store

    job = Job(_plan(["counter", "cautious"], "round-robin"), RunFolder(folder / "run"), "bench")
    job.folder.path.mkdir()
    job.folder.make()
    times = []
    for _ in range(REPEATS + 1):
        began = time.process_time()
        play_and_store(job, 0)
        times.append((time.process_time() - began) / MATCHES * 1e6)
    for table in ("matches", "deals", "tricks"):
        stored[table] = job.folder.part(table, 0).stat().st_size / MATCHES
    stored["all"] = sum(stored.values())
    return median(times[1:])


def _plan(labels: list[str], form: str) -> Any:
    from .arena.tournament import Tournament

    shuffles = MATCHES // 2
    return Tournament(labels, format=form, matches=MATCHES, seed=7, shard_shuffles=shuffles).plan()


_FIRST_MATCH = """
import time
began = time.perf_counter()
import sim
from sim.arena.shard import prepare
prepare(sim.Tournament(["counter", "cautious", "bold", "gambler", "random_legal"], seed=1).plan())
print(time.perf_counter() - began)
"""


def _start_seconds(folder: Path) -> dict[str, float]:
    """Return the seconds from Python's start to the first match of five strategies, without and with compiled code."""
    cache = {"BACKALLEY_CACHE_DIR": str(folder / "cache")}
    return {
        what: float(_python(_FIRST_MATCH, cache)) for what in ("cold, compiling everything", "warm, compiled code kept")
    }


_PEAK = """
import resource, sys
import sim
sim.play(sim.Tournament(["counter", "cautious"], matches={matches}, seed=1), out={out!r})
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def _peak_memory(folder: Path, matches: int) -> float:
    """Return the peak memory in MB of a process that plays and stores so many matches."""
    code = _PEAK.format(matches=matches, out=str(folder / f"memory-{matches}"))
    kilobyte = 1 if sys.platform != "darwin" else 1024
    return float(_python(code, {})) / 1024 / kilobyte


def _python(code: str, environment: dict[str, str]) -> str:
    """Run a program in a Python of its own and return what it printed."""
    one_thread = {"POLARS_MAX_THREADS": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | one_thread | environment,
    )
    return done.stdout.strip().splitlines()[-1]


def _peer(floor: Callable[[], float | None]) -> list[Measure]:
    """Time OpenSpiel's spades and this engine with random players, per action, in one run."""
    from .errors import ConfigError

    try:
        import pyspiel
    except ImportError:
        raise ConfigError("OpenSpiel is not installed: pip install 'backalley[peer]'") from None
    actions = 824  # 724 cards and 100 bids are the least that a match of 25 deals can have
    mine = _beside_floor(floor, "Back Alley, random_legal", lambda: _engine("random_legal") / actions)
    theirs = _beside_floor(floor, "OpenSpiel spades, random", lambda: _open_spiel(pyspiel))
    for measure in (mine, theirs):
        measure.floor = measure.floor / actions if measure.floor else None
    return [mine, theirs]


def _open_spiel(pyspiel: Any) -> float:
    """Return OpenSpiel's CPU time in microseconds for a player's action in spades, deals included."""
    import numpy as np

    game, chance = pyspiel.load_game("spades"), np.random.default_rng(7)
    times = []
    for _ in range(REPEATS):
        actions, began = 0, time.process_time()
        for _ in range(100):
            state = game.new_initial_state()
            while not state.is_terminal():
                actions += not state.is_chance_node()
                legal = state.legal_actions()
                state.apply_action(legal[int(chance.random() * len(legal))])
        times.append((time.process_time() - began) / actions * 1e6)
    return median(times)


def _shown(value: float | None, scale: float = 1) -> str:
    return f"{scale * value:,.2f}" if value is not None else "–"
