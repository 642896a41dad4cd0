"""Is a stored run right? Its files and every row are looked over, and the referee plays matches again, move by move.

What is looked for is in `part_checks`, `match_checks`, `deal_checks`, `trick_checks` and `replay`, part by part, and in
`whole_checks` over the run as one; here is the way through a run and what is reported of it.
"""

import os
import random
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from itertools import chain
from typing import Any, NamedTuple

import joblib

from ..errors import RunError
from .deal_checks import bidding_of, check_deals, check_keys
from .finding import Finding, Rows
from .manifest import stored_plan
from .match_checks import check_matches, check_schedule
from .part_checks import check_digests, check_folder, read_checked
from .plan import Plan
from .process import begin
from .progress import say, telling
from .replay import replay
from .rows_hash import rows_hash
from .run import Run
from .schema import TABLES
from .trick_checks import check_tricks
from .whole_checks import check_whole
from .workers import number_of

SAMPLE = 2000
"""Matches that the referee plays again of a run that has more."""
SHOWN = 20
"""Findings that are kept; all are counted."""


@dataclass
class Verification:
    """What a look over a run found.

    Attributes
    ----------
    run_id : str
    shards, shards_present : int
        Of the whole run, and there.
    matches, deals, tricks : int
        Rows looked at; `deals` counts hands thrown in too.
    replayed : int
        Matches that the referee played again.
    hashes : dict of str to str
        For each table the hash of its sorted rows (`rows_hash`): equal runs have equal ones. Empty if a part cannot be
        read.
    run_hash : str or None
        The SHA-256 of the three.
    faults : int
        Findings in all; `findings` holds the first twenty.
    findings : list of Finding
    """

    run_id: str
    shards: int
    shards_present: int
    matches: int = 0
    deals: int = 0
    tricks: int = 0
    replayed: int = 0
    hashes: dict[str, str] = field(default_factory=dict)
    run_hash: str | None = None
    faults: int = 0
    findings: list[Finding] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether nothing was found."""
        return self.faults == 0

    def add(self, report: "Report") -> None:
        """Take in what was found in a shard."""
        self.faults += report.faults
        self.findings += report.findings[: SHOWN - len(self.findings)]
        for name in (*TABLES, "replayed"):
            setattr(self, name, getattr(self, name) + getattr(report, name))

    def to_text(self) -> str:
        """Return it in lines for people: what was looked at, the hashes, no fault or the first of them."""
        sample = ", a sample (--all for every one)" if self.replayed < self.matches else ""
        lines = [
            f"run {self.run_id}: {self.shards_present:,} of {self.shards:,} shards",
            f"checked  {self.matches:,} matches, {self.deals:,} hands, {self.tricks:,} tricks: every row",
            f"replayed {self.replayed:,} of {self.matches:,} matches by the referee{sample}",
            *(f"{name:<8} {digest}" for name, digest in self.hashes.items()),
            f"run      {self.run_hash or 'no hash: a part cannot be read'}",
            f"{self.faults:,} fault{'s' * (self.faults > 1)}" if self.faults else "no fault",
            *map(str, self.findings),
        ]
        more = self.faults - len(self.findings)
        return "\n".join(lines + [f"and {more:,} more"] * (more > 0))

    def to_dict(self) -> dict[str, Any]:
        """Return all of it by name, ready for JSON."""
        return asdict(self) | {"ok": self.ok, "findings": [finding._asdict() for finding in self.findings]}


class Report(NamedTuple):
    """What was found in one shard: faults in all and the first of them, rows looked at, matches played again, time."""

    faults: int
    findings: list[Finding]
    matches: int = 0
    deals: int = 0
    tricks: int = 0
    replayed: int = 0
    seconds: float = 0


def verify(run: Run, everything: bool = False, jobs: int = 1, progress: bool | None = None) -> Verification:
    """Check a run's files and rows against the rules, the seed and each other.

    Every row of every table is checked by column, part by part; then keys, counts and totals of the tables as one. The
    referee plays again all matches of a run of up to 2000, else 2000 drawn by the run's id; with `everything`, all of
    any run. What players were free to choose (a bid that says nothing beside the partner's board, who was at fault and
    how) no check can tell from another choice.

    Parameters
    ----------
    run : Run
    everything : bool
    jobs : int
        Processes; -1 for every core. The result does not depend on it.
    progress : bool, optional
        Whether to tell of progress on standard error; by default only on a terminal.

    Raises
    ------
    ConfigError
        If `jobs` is no number of processes.
    RunError
        If the manifest is damaged.
    """
    jobs = number_of(jobs)
    plan = stored_plan(run.manifest)
    present = [shard for shard in run.shards_present if shard < plan.shards]
    result = Verification(str(run.manifest.get("run_id")), plan.shards, len(present))
    result.add(Report(*_first(check_folder(run))))
    chosen = _chosen(plan, present, result.run_id, everything)
    with telling(progress)(sum(map(plan.shard_matches, present)), 0) as teller:
        for shard, report in zip(chosen, _reports(run, plan, chosen, jobs), strict=True):
            result.add(report)
            teller.advance(plan.shard_matches(shard), report.seconds)
    result.add(_check_whole(run, plan, result, jobs))
    if result.ok and run.complete:
        result.add(Report(*_first(check_digests(run))))
    say(progress, "keys, counts and totals of the whole run checked")
    try:
        result.hashes = {table: rows_hash(run, table, present) for table in TABLES}
        result.run_hash = sha256("".join(result.hashes.values()).encode()).hexdigest()
    except RunError:
        pass
    return result


def _check_whole(run: Run, plan: Plan, result: Verification, jobs: int) -> Report:
    """Check the tables as one, after their parts; their rows are counted again if every part was right."""
    counted = {table: getattr(result, table) for table in TABLES if result.ok}
    return Report(*_first(check_whole(run, plan, counted, jobs)))


def _chosen(plan: Plan, present: list[int], run_id: str, everything: bool) -> dict[int, list[int]]:
    """Return which matches of each shard the referee plays again: all, or a sample drawn by the run's id."""
    full = plan.shard_matches(0)
    places: Sequence[int] = range(sum(map(plan.shard_matches, present)))
    if not everything and len(places) > SAMPLE:
        places = sorted(random.Random(run_id).sample(places, SAMPLE))
    chosen: dict[int, list[int]] = {shard: [] for shard in present}
    for place in places:
        shard = present[place // full]  # only the run's last shard may hold fewer
        chosen[shard].append(shard * full + place % full)
    return chosen


def _reports(run: Run, plan: Plan, chosen: dict[int, list[int]], jobs: int) -> Iterator[Report]:
    """Yield what is found in each shard, in order."""
    first = {} if jobs == 1 else {"initializer": begin, "initargs": (os.getpid(),)}
    workers = joblib.Parallel(jobs, return_as="generator", batch_size=1, max_nbytes=None, **first)
    tasks = (joblib.delayed(_check_shard)(run, plan, shard, matches) for shard, matches in chosen.items())
    with closing(workers(tasks)) as reports:
        yield from reports


def _check_shard(run: Run, plan: Plan, shard: int, chosen: list[int]) -> Report:
    """Check one shard: its files; if they are right, the places of its rows; if they are, all that is in them."""
    began = time.perf_counter()
    tables, wrong = read_checked(run, shard)
    heights = {table: frame.height for table, frame in tables.items()}
    rows = {table: Rows(table, frame, plan.labels) for table, frame in tables.items()}
    wrong = wrong or [*check_schedule(rows["matches"], plan, shard), *check_keys(rows["deals"], rows["matches"])]
    replayed = 0 if wrong else len(chosen)
    findings = wrong or chain(check_rows(**rows, plan=plan), replay(tables, plan, chosen))
    faults, kept = _first(findings)
    return Report(faults, kept, **heights, replayed=replayed, seconds=time.perf_counter() - began)


def check_rows(matches: Rows, deals: Rows, tricks: Rows, plan: Plan) -> Iterator[Finding]:
    """Check the rows of a shard against the rules, the seed and each other, column by column."""
    bidding = bidding_of(deals, plan.rules)
    yield from check_matches(matches, deals, plan)
    yield from check_deals(deals, matches, bidding, plan)
    yield from check_tricks(tricks, deals, bidding, plan)


def _first(findings: Iterable[Finding]) -> tuple[int, list[Finding]]:
    """Count findings and keep the first."""
    count, kept = 0, list[Finding]()
    for count, finding in enumerate(findings, start=1):
        if count <= SHOWN:
            kept.append(finding)
    return count, kept
