"""What a report says of the run it is about: what was played by whom, with which software, and how to do it again."""

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import PurePath
from typing import Any

from ..arena.manifest import Manifest, software, stored_plan
from ..arena.run import Run
from ..arena.tournament import Tournament
from ..game.house import Rules

_PLOTTING = ("duckdb", "matplotlib", "numpy", "scipy")


@dataclass(frozen=True)
class Facts:
    """What stands about a run in its report, none of it dependent on the machine or the day.

    Attributes
    ----------
    summary : str
        One line.
    so_far : str or None
        How much of an unfinished run is there.
    rows : list of (str, str)
        Names and values.
    commands : list of str
        They make the run and the report again.
    """

    summary: str
    so_far: str | None
    rows: list[tuple[str, str]]
    commands: list[str]


def facts_of(run: Run, notebook: str, options: tuple[str, ...] = ()) -> Facts:
    """Return what is to be said of a run, in a report made from `notebook` with these options of the command line."""
    about, plan, there = run.manifest, stored_plan(run.manifest), len(run.shards_present)
    settings = about["tournament"]
    matches = f"{plan.matches:,} matches on {plan.shuffles:,} shuffles"
    if there < run.shards:
        matches = (
            f"{sum(plan.shard_matches(shard) for shard in run.shards_present if shard < run.shards):,} of {matches}"
        )
    summary = f"run {about['run_id']}, seed {plan.seed}: {settings['format']}, {matches}"
    rows = [
        ("run", about["run_id"]),
        ("seed", str(plan.seed)),
        ("format", f"{settings['format']}, {_tables(plan.tables)}, on a fault: {plan.on_fault}"),
        ("matches", f"{matches}, {settings['matches']:,} for each of {len(plan.pairings):,} pairings"),
        ("rules", "; ".join(_house_rules(about["rules"])) or "the standard ones"),
        ("strategies", "; ".join(map(_described, about["strategies"]))),
        ("played with", _versions(about["software"]) + (f", commit {about['git']}" if about.get("git") else "")),
        ("reported with", _versions(software() | {name: metadata.version(name) for name in _PLOTTING})),
    ]
    name = run.path.resolve().name or "RUN"
    again = ["backalley", "report", name, "--notebook", notebook, *options]
    going_on = there < run.shards and about["status"] != "finished"
    so_far = f"so far {there:,} of {run.shards:,} shards" if going_on else None
    return Facts(summary, so_far, rows, [run_command(about, name), shlex.join(again)])


def run_command(about: Manifest, out: str) -> str:
    """Return the command that plays a run again, into the folder `out`.

    Files of strategies are given by name where they lay elsewhere. Of a run that no command can play, one with a
    notebook's strategies or with arrays for parameters, it says so.
    """
    settings, entries = about["tournament"], {entry["label"]: entry for entry in about["strategies"]}
    if not all(_has_spec(entry) for entry in entries.values()):
        return "# played from Python, with strategies that no command line can name: sim.play(sim.Tournament(…))"
    sides = dict.fromkeys(side for pairing in about["pairings"] for side in pairing)
    field = ",".join(_side_spec(side, entries) for side in sides)
    words = ["backalley", "run", "--strategies", field, "--matches", str(settings["matches"])]
    words += ["--seed", str(settings["seed"]), *_tournament_options(about), *_rule_options(about["rules"])]
    return shlex.join([*words, "--out", out])


def _tournament_options(about: Manifest) -> Iterator[str]:
    """Yield the options of a tournament that are not as usual."""
    settings = about["tournament"]
    if settings["format"] != "round-robin":
        yield from ("--format", settings["format"])
    if not settings["duplicate"]:
        yield "--no-duplicate"
    if settings["on_fault"] != "stop":
        yield from ("--on-fault", settings["on_fault"])
    alike = Tournament(("a",), matches=settings["matches"], duplicate=settings["duplicate"], rules=_rules(about))
    compiled = all(entry["compiled"] for entry in about["strategies"])
    if settings["shard_shuffles"] != alike.usual_shard_shuffles(len(about["pairings"]), compiled):
        yield from ("--shard-shuffles", str(settings["shard_shuffles"]))


def _rule_options(rules: Mapping[str, Any]) -> Iterator[str]:
    for name, value, _ in _unusual(rules):
        option = name.replace("_", "-")
        if isinstance(value, bool):
            yield f"--{option}" if value else f"--no-{option}"
        else:
            yield from (f"--{option}", ",".join(map(str, value)) if isinstance(value, list) else str(value))


def _house_rules(rules: Mapping[str, Any]) -> Iterator[str]:
    for name, value, usual in _unusual(rules):
        shown = ", ".join(map(str, value)) if isinstance(value, list) else value
        yield f"{name} = {shown}" + ("" if isinstance(usual, list) else f" (standard {usual})")


def _unusual(rules: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """Yield the settings that differ from the standard game: name, value, and the standard one."""
    standard = Rules().to_dict()
    yield from ((name, value, standard[name]) for name, value in Rules.from_dict(rules).unusual().items())


def _rules(about: Manifest) -> Rules:
    return Rules.from_dict(about["rules"])


def _has_spec(entry: Mapping[str, Any]) -> bool:
    arrays = any(isinstance(value, list) for value in entry["parameters"].values())
    return not arrays and not entry["class"].startswith("__main__:")


def _side_spec(side: str, entries: Mapping[str, Mapping[str, Any]]) -> str:
    """Return how a command names a side, ``a`` or ``a+b``, given its strategies' entries by label."""
    labels = [side] if side in entries else side.split("+")
    return "+".join(_spec(entries[label]) if label in entries else label for label in labels)


def _spec(entry: Mapping[str, Any]) -> str:
    """Return a strategy's spec: a label of the library is one, else there are the class and the label's parameters."""
    _, colon, parameters = entry["label"].partition(":")
    return entry["label"] if _is_of_library(entry) else _class_of(entry) + colon + parameters


def _is_of_library(entry: Mapping[str, Any]) -> bool:
    return entry["class"].startswith("strategies.")


def _class_of(entry: Mapping[str, Any]) -> str:
    """Return where a class is found, without the folders of one machine."""
    place, _, name = entry["class"].rpartition(":")
    return f"{PurePath(place).name if PurePath(place).is_absolute() else place}:{name}"


def _described(entry: Mapping[str, Any]) -> str:
    return f"{entry['label']} ({_class_of(entry)}, source {entry['source_sha256'][:12]})"


def _tables(tables: int) -> str:
    return "each shuffle at two tables, the sides exchanged" if tables == 2 else "each shuffle at one table"


def _versions(versions: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {version}" for name, version in versions.items())
