"""Playing two sides against each other until a sequential test says which is better, and by how much.

The tests themselves are in `sequential`, the playing in `playing`. Nothing is stored unless asked for.
"""

import shlex
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from math import isfinite
from pathlib import Path
from typing import Any

from ..arena import runner, shard
from ..arena.limits import Limits, limits_of
from ..arena.manifest import new_manifest
from ..arena.plan import Plan
from ..arena.sides import Spec, distinct, load_side, name_of
from ..arena.store import folder_named
from ..arena.tournament import Tournament
from ..arena.workers import number_of
from ..errors import ConfigError, RunError
from ..game.house import Rules
from .live import LiveLine
from .playing import margins
from .sequential import NO_DIFFERENCE, UNDECIDED, Design, Outcome, run_tests
from .stats import Estimate

SHARDS_A_BATCH = 4


@dataclass(frozen=True)
class Comparison:
    """What a comparison found, and all that makes it again.

    Attributes
    ----------
    first, second : str
        The sides by label.
    design : Design
        What was tested; its budget and batch are in shuffles, each of two matches.
    outcome : Outcome
        Of the first against the second.
    rules : Rules
    seed : int
    run_id : str
        Of the run that holds these matches, stored or not.
    command : str
        Makes the comparison again.
    """

    first: str
    second: str
    design: Design
    outcome: Outcome
    rules: Rules
    seed: int
    run_id: str
    command: str

    @property
    def verdict(self) -> str:
        """``better``, ``worse``, ``no difference`` (none as large as asked) or ``undecided`` (budget or variance)."""
        return self.outcome.verdict

    @property
    def margin(self) -> Estimate:
        """Points a match that the first wins by: the mean, biased by stopping, and an interval of 1 − α that is not."""
        return self.outcome.margin

    @property
    def deviation(self) -> float:
        """Standard deviation of a shuffle's margin, its two tables averaged; points a match."""
        return float(self.outcome.sums.variance**0.5)

    @property
    def shuffles(self) -> int:
        """Shuffles played: the samples."""
        return self.outcome.sums.shuffles

    @property
    def matches(self) -> int:
        """Matches played, two a shuffle."""
        return self.outcome.sums.tables * self.shuffles

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison ready for JSON; what is open for want of variance is None."""
        names = ("first", "second", "verdict", "deviation", "shuffles", "matches", "seed", "run_id", "command")
        margin = {name: value if isfinite(value) else None for name, value in self.margin._asdict().items()}
        design = asdict(self.design) | {name: 2 * getattr(self.design, name) for name in ("budget", "batch")}
        return (
            {name: getattr(self, name) for name in names}
            | {"margin": margin}
            | design
            | {"rules": self.rules.to_dict()}
        )

    def to_text(self) -> str:
        """Return the comparison as lines to read."""
        mean, low, high = self.margin
        reach = (
            "no interval"
            if not isfinite(high - low)
            else f"{low:+,.1f} to {high:+,.1f} ({100 * (1 - self.design.alpha):g} %)"
        )
        return "\n".join(
            [
                f"{self.first} against {self.second}: {self._in_words()}",
                f"margin {mean:+,.1f} points a match, {reach}; standard deviation {self.deviation:,.1f}",
                f"{self.matches:,} matches on {self.shuffles:,} shuffles, each at both tables; seed {self.seed}",
                "",
                "The interval holds whenever a comparison stops; the mean of an early stop is a little too far from 0.",
                f"Run {self.run_id}; again with: {self.command}",
            ]
        )

    def _in_words(self) -> str:
        if self.verdict == NO_DIFFERENCE:
            return f"no difference of {self.design.difference:g} points"
        if self.verdict == UNDECIDED:
            return "undecided, " + (
                "the budget is spent" if self.deviation else "every shuffle has the same margin: they may play alike"
            )
        return self.verdict


def compare(
    first: Spec | tuple[Spec, Spec],
    second: Spec | tuple[Spec, Spec],
    difference: float = 5.0,
    alpha: float = 0.05,
    beta: float = 0.05,
    budget: int = 100_000,
    batch: int = 1000,
    seed: int | None = None,
    jobs: int = 1,
    rules: Rules | None = None,
    out: str | Path | None = None,
    progress: bool | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = None,
) -> Comparison:
    """Play two sides against each other until it is plain which is better, or that it does not matter.

    The verdict depends on the seed, not on the number of jobs, and that of the second against the first is its mirror.

    Parameters
    ----------
    first, second : str, Strategy class, Strategy, or pair of these
        The sides; ``a+b`` or a pair seats two partners. They may be the same.
    difference : float
        The smallest margin of interest, points a match, above 0.
    alpha : float
        Chance of ``better`` or ``worse`` for equal sides, at most, 0 to 1.
    beta : float
        Chance that a margin as large as `difference` counts as none, at most, 0 to 1.
    budget, batch : int
        Matches at most, and matches between two looks; both even.
    seed : int, optional
        0 … 2**63 − 1; drawn if not given.
    jobs : int
        Worker processes; -1 takes every core.
    rules : Rules, optional
        The house settings.
    out : path, optional
        A folder to store the matches in, as a run. For that they are played once more.
    progress : bool, optional
        Whether to tell of progress on standard error; by default only on a terminal.
    time_limit, memory_limit
        What a worker may take for a shard, as for `sim.play`; a batch has four shards where it can be cut so.

    Raises
    ------
    ConfigError, SpecError, CompileError
        If a side or a setting is refused.
    RunError
        If `out` holds a run already.
    StrategyFault
        If a strategy faults, goes over a limit or takes its process down.
    """
    workers = number_of(jobs)
    if out is not None and folder_named(out).manifest.exists():
        raise RunError(f"{out} holds a run already: name another folder")
    most = _shuffles("budget", budget)
    design = Design(difference, alpha, beta, min(_shuffles("batch", batch), most), most)
    tournament = _tournament(first, second, seed, rules or Rules(), design)
    plan = tournament.plan()
    outcome = _played(plan, design, workers, limits_of(plan, workers, time_limit, memory_limit), progress)
    names = [name_of(load_side(side)) for side in (first, second)]
    kept = replace(tournament, matches=2 * outcome.sums.shuffles, shard_shuffles=None)
    if out is not None:
        runner.play(kept, out, jobs, progress=progress, time_limit=time_limit, memory_limit=memory_limit)
    return Comparison(
        first=names[0],
        second=names[1],
        design=design,
        outcome=outcome if names == sorted(names) else outcome.mirrored(),
        rules=kept.rules,
        seed=kept.seed or 0,
        run_id=new_manifest(kept, kept.plan())["run_id"],
        command=_command(first, second, design, kept),
    )


def _shuffles(name: str, matches: int) -> int:
    if not isinstance(matches, int) or matches < 2 or matches % 2:
        raise ConfigError(f"{name} = {matches!r} is refused: it must be 2 or more matches and even, half at each table")
    return matches // 2


def _tournament(first: Any, second: Any, seed: int | None, rules: Rules, design: Design) -> Tournament:
    """Return the tournament of the whole budget. The sides stand in alphabetical order, whoever comes first."""
    loaded = [load_side(side) for side in (first, second)]
    distinct(loaded)
    sides = dict(zip(map(name_of, loaded), (first, second), strict=True))
    return Tournament(
        strategies=[sides[name] for name in sorted(sides)],
        format="self" if len(sides) == 1 else "round-robin",
        matches=2 * design.budget,
        seed=seed,
        rules=rules,
        shard_shuffles=design.batch // SHARDS_A_BATCH if design.batch % SHARDS_A_BATCH == 0 else design.batch,
    )


def _played(plan: Plan, design: Design, workers: int, limits: Limits, progress: bool | None) -> Outcome:
    shard.prepare(plan)
    with closing(LiveLine(design, progress)) as line, closing(margins(plan, workers, limits, progress)) as shards:
        return run_tests(design, shards, line.look)


def _command(first: Any, second: Any, design: Design, played: Tournament) -> str:
    sides = [side if isinstance(side, str) else name_of(load_side(side)) for side in (first, second)]
    options = {
        "difference": design.difference,
        "alpha": design.alpha,
        "beta": design.beta,
        "budget": 2 * design.budget,
        "batch": 2 * design.batch,
        "seed": played.seed,
    }
    words = (word for name, value in options.items() for word in (f"--{name}", str(value)))
    return shlex.join(["backalley", "compare", *sides, *words, *_rule_options(played.rules)])


def _rule_options(rules: Rules) -> list[str]:
    """Return the options that give rules other than the usual."""
    usual, words = Rules().to_dict(), []
    for name, value in rules.to_dict().items():
        flag = name.replace("_", "-")
        if value == usual[name]:
            continue
        if isinstance(value, bool):
            words.append(f"--{flag}" if value else f"--no-{flag}")
        else:
            words += [f"--{flag}", ",".join(map(str, value)) if isinstance(value, list) else str(value)]
    return words
