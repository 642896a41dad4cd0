"""Peak memory of a run, of the parent and of its worker, KB: ``python peak.py MATCHES SHARD_SHUFFLES FOLDER``."""

import resource
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from sim.arena import workers
from sim.arena.runner import play
from sim.arena.tournament import Tournament

if __name__ == "__main__":
    matches, shuffles, folder = sys.argv[1:]
    play(Tournament(["random_legal"], "self", int(matches), seed=7, shard_shuffles=int(shuffles) or None), folder)
    workers.end_idle()
    print(*(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))
