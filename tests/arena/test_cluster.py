"""Shards played by a Dask cluster: the same rows, a worker lost costs nothing, and what is missing is said."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from sim.arena.rows_hash import rows_hash
from sim.arena.run import Run
from sim.arena.runner import play
from sim.arena.tournament import Tournament
from sim.errors import ConfigError, StrategyFault
from sim.game.house import Rules

distributed = pytest.importorskip("distributed")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]

ZOO = Path(__file__).with_name("zoo.py")
TOURNAMENT = Tournament(
    [f"{ZOO}:Sleeper", f"{ZOO}:Tame"], matches=32, seed=7, rules=Rules(hand_sizes=(3, 1, 2)), shard_shuffles=1
)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return play(TOURNAMENT, tmp_path_factory.mktemp("runs") / "whole", jobs=2)


def check_equal(run: Run, whole: Run) -> None:
    assert run.complete
    for table in ("matches", "deals", "tricks"):
        assert rows_hash(run, table) == rows_hash(whole, table)
    assert run.manifest["files"] == whole.manifest["files"]


def children(process: int) -> list[int]:
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process)], capture_output=True, text=True).stdout
    return [int(number) for number in listed.split()]


def kill_a_worker_midway(cluster: "distributed.LocalCluster", matches: Path) -> None:
    deadline = time.monotonic() + 60
    while not (matches.is_dir() and os.listdir(matches)) and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)


def test_a_cluster_of_this_machine_plays_the_same_rows(tmp_path: Path, whole: Run) -> None:
    check_equal(play(TOURNAMENT, tmp_path / "run", jobs=2, backend="dask"), whole)


def test_a_cluster_by_address_loses_nothing_with_a_worker(tmp_path: Path, whole: Run) -> None:
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        out = tmp_path / "run"
        killer = threading.Thread(target=kill_a_worker_midway, args=(cluster, out / "matches"))
        killer.start()
        run = play(TOURNAMENT, out, backend="dask", scheduler=cluster.scheduler_address)
        killer.join()
        check_equal(run, whole)


def test_who_hangs_on_a_cluster_is_named_as_anywhere(tmp_path: Path) -> None:
    tournament = Tournament([f"{ZOO}:Looper:rare=2", f"{ZOO}:Tame"], matches=4, seed=7, rules=Rules(hand_sizes=(3,)))
    with pytest.raises(StrategyFault, match=r"shard 0 took more than its time limit of 2 s\nstrategies in it: looper"):
        play(tournament, tmp_path / "run", backend="dask", time_limit=2)


def test_workers_of_several_threads_are_refused(tmp_path: Path) -> None:
    options = {"n_workers": 1, "threads_per_worker": 2, "processes": False, "dashboard_address": None}
    with (
        distributed.LocalCluster(**options) as cluster,
        pytest.raises(ConfigError, match="start them with: dask worker --nthreads 1"),
    ):
        play(TOURNAMENT, tmp_path / "run", backend="dask", scheduler=cluster.scheduler_address)


def test_without_dask_the_way_to_get_it_is_said() -> None:
    begin = "import sys; sys.modules['distributed'] = None; from sim.arena import cluster"
    script = f"{begin}; list(cluster.play(0, [], 1, None))"
    root = Path(__file__).parents[2]
    said = subprocess.run([sys.executable, "-c", script], cwd=root, capture_output=True, text=True).stderr
    assert "ConfigError: backend = 'dask' needs Dask: pip install 'backalley[dask]'" in said
