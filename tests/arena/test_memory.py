"""Memory does not grow with the number of matches: neither the parent's nor a worker's."""

import subprocess
import sys
from pathlib import Path

import pytest

PEAK = Path(__file__).with_name("peak.py")


def peaks(folder: Path, matches: int, shard_shuffles: int) -> list[int]:
    """Return the peak memory of the parent and of its one worker, KB."""
    command = [sys.executable, str(PEAK), str(matches), str(shard_shuffles), str(folder)]
    run = subprocess.run(command, cwd=PEAK.parents[2], capture_output=True, text=True, check=True)
    return list(map(int, run.stdout.split()))


@pytest.mark.slow
def test_eight_times_the_matches_take_no_more_memory(tmp_path: Path) -> None:
    few, many = (peaks(tmp_path / f"{matches}", matches, 125) for matches in (1500, 12000))
    assert all(more <= 1.1 * less for less, more in zip(few, many, strict=True)), (few, many)
