"""Shards whose worker died: tried once more, each alone; and if that fails, whose fault it is.

A shard that goes over a limit would do so again, so it is not tried again. To find the culprits, its pairings are
played apart, which are the same matches: what a pairing plays does not depend on the others.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from ..errors import StrategyFault
from ..players.registry import class_path
from ..players.strategy import Strategy
from .limits import Limits
from .plan import Plan
from .progress import say
from .watch import MEMORY, TIME, Note, WorkerDied, taken_notes
from .worker import Job, play_and_store, play_only
from .workers import in_processes

MOST_IDLE_DEATHS = 3
MOST_LOST, MOST_NAMED = 3, 3
LEAST_SECONDS_APART = 10.0


@dataclass
class Losses:
    """The shards of a run that cannot be played.

    Parameters
    ----------
    job : Job
    progress : bool, optional
        Whether to tell of the search for culprits.
    task : function
        What a worker does with the job and the number of a shard.

    Attributes
    ----------
    notes : dict of int to Note
        What is left of each shard that is lost.
    played_again : dict of int to result
        What the task returned for each shard that was not.
    """

    job: Job
    progress: bool | None
    task: Callable[[Job, int], Any] = play_and_store
    notes: dict[int, Note] = field(default_factory=dict)
    played_again: dict[int, Any] = field(default_factory=dict)
    idle_deaths: int = 0

    def look(self) -> None:
        """See what became of the shards that dead workers were at.

        Raises
        ------
        StrategyFault
            If the run cannot go on: under ``on_fault = "stop"`` at the first shard that is lost, else at the third.
        """
        notes = taken_notes(self.job.folder)
        if not notes:
            self._count_idle_death()
        most = 1 if self.job.plan.on_fault == "stop" else MOST_LOST
        for note in sorted(notes, key=lambda note: not note.limit):
            lost = note if note.limit else self._again(note.shard)
            if lost:
                self.notes[note.shard] = lost
            if len(self.notes) >= most:
                self.end()

    def end(self) -> None:
        """End the run if a shard was lost.

        Raises
        ------
        StrategyFault
            Naming the shards, the first one's cause, and whose fault it is.
        """
        if self.notes:
            first = self.notes[min(self.notes)]
            say(self.progress, f"shard {first.shard} was lost; its pairings are played apart to find out why")
            culprits = list(_culprits(self.job, first))
            raise StrategyFault(*_message(self.job, list(self.notes), first, culprits))

    def _again(self, shard: int) -> Note | None:
        """Play a shard alone, and return what is left of it if its worker dies again."""
        if self.job.folder.part("matches", shard).exists():
            return None
        try:
            (self.played_again[shard],) = in_processes(self.task, [(self.job, shard)], 1)
        except WorkerDied:
            return next(iter(taken_notes(self.job.folder)), Note(shard))
        return None

    def _count_idle_death(self) -> None:
        self.idle_deaths += 1
        if self.idle_deaths == MOST_IDLE_DEATHS:
            raise StrategyFault("worker processes die before they begin to play", "the machine may be short of memory")


def _culprits(job: Job, lost: Note) -> Iterator[tuple[int, Note]]:
    """Yield pairings whose worker ends before they do, played apart, and what it left; the first few are enough."""
    pairings = range(len(job.plan.pairings))
    if len(pairings) == 1:
        yield 0, lost
        return
    named = 0
    for pairing in pairings:
        note = _apart(job, lost.shard, pairing)
        if note:
            yield pairing, note
            named += 1
        if named == MOST_NAMED:
            return


def _apart(job: Job, shard: int, pairing: int) -> Note | None:
    plan = job.plan
    alone = replace(plan, pairings=plan.pairings[pairing:][:1], pairing_names=plan.pairing_names[pairing:][:1])
    try:
        list(in_processes(_play_nothing_back, [(replace(job, plan=alone, limits=_limits_apart(job)), shard)], 1))
    except WorkerDied:
        return next(iter(taken_notes(job.folder)), Note(shard))
    except StrategyFault:
        pass  # an ordinary fault, which is no reason for a worker to die
    return None


def _play_nothing_back(job: Job, shard: int) -> None:
    play_only(job, shard)


def _limits_apart(job: Job) -> Limits:
    """Give a pairing twice its share of a shard's time, but some seconds at least."""
    assert job.limits
    share = 2 * job.limits.seconds / len(job.plan.pairings)
    return replace(job.limits, seconds=min(job.limits.seconds, max(LEAST_SECONDS_APART, share)))


def _message(job: Job, shards: list[int], lost: Note, culprits: list[tuple[int, Note]]) -> Iterator[str]:
    yield _cause(job, lost)
    if len(shards) > 1:
        yield f"so it went with {len(shards)} shards: {', '.join(map(str, sorted(shards)))}"
    if not culprits:
        yield f"none of its pairings did, played apart; strategies in it: {', '.join(job.plan.labels)}"
    if len(job.plan.pairings) > 1 and culprits:
        yield f"so did, played apart: {', '.join(' v '.join(job.plan.pairing_names[at]) for at, _ in culprits)}"
    if culprits:
        yield f"strategies {'in all of them' if len(culprits) > 1 else 'in it'}: {_suspects(job.plan, culprits)}"
    places = [note.place for _, note in culprits if note.place]
    if places:
        yield f"it was at {places[0]}"
    if lost.limit:
        yield f"--{lost.limit}-limit allows more"


def _cause(job: Job, lost: Note) -> str:
    assert job.limits
    return {
        TIME: f"shard {lost.shard} took more than its time limit of {job.limits.seconds:g} s",
        MEMORY: f"shard {lost.shard} took more than a worker's memory limit of {job.limits.megabytes:,} MB",
        "": f"the worker process that played shard {lost.shard} died, and so did the next one",
    }[lost.limit]


def _suspects(plan: Plan, culprits: list[tuple[int, Note]]) -> str:
    """Name the strategies that all culprits share; if there is none, all that are in them."""
    sides = [{place for side in plan.pairings[pairing] for place in side} for pairing, _ in culprits]
    places = sorted(set.intersection(*sides) or set.union(*sides))
    return ", ".join(_named(plan.strategies[place]) for place in places)


def _named(strategy: Strategy) -> str:
    return f"{strategy.label} ({class_path(type(strategy))})"
