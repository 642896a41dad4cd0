"""``run.json``: what a run is, so that anyone can read it, repeat it, and go on with it."""

import json
import platform
import subprocess
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import BackAlleyError, RunError, SpecError
from ..game.house import Rules
from ..players import registry
from ..players.strategy import Strategy
from .plan import Plan, Side
from .sides import Spec
from .store import FORMAT, RunFolder
from .tournament import Tournament

Manifest = dict[str, Any]


def new_manifest(tournament: Tournament, plan: Plan) -> Manifest:
    """Return the manifest of a run that is about to begin."""
    content = {
        "tournament": {
            "format": tournament.format,
            "matches": tournament.matches,
            "duplicate": tournament.duplicate,
            "seating": "sides",
            "seed": plan.seed,
            "on_fault": plan.on_fault,
            "shuffles": plan.shuffles,
            "shard_shuffles": plan.shard_shuffles,
        },
        "rules": plan.rules.to_dict(),
        "strategies": [registry.describe(strategy) for strategy in plan.strategies],
        "pairings": [list(names) for names in plan.pairing_names],
    }
    opening = {"format": FORMAT, "run_id": run_id(content), "created": now(), "finished": None, "status": "playing"}
    return opening | content | {"software": software(), "git": source_state()}


def run_id(manifest: Mapping[str, Any]) -> str:
    """Return the name of a run's content: rules, tournament, strategies with their sources, and pairings."""
    content = {key: manifest[key] for key in ("tournament", "rules", "strategies", "pairings")}
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return sha256(canonical.encode()).hexdigest()[:16]


def write_manifest(folder: RunFolder, manifest: Manifest) -> None:
    """Write ``run.json`` whole or not at all.

    Raises
    ------
    StoreError
        If it cannot be written.
    """
    text = json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"
    folder.write_file(folder.manifest, text.encode())


_RUNS = "give the folder of a run, such as data/runs/a"


def read_manifest(folder: RunFolder) -> Manifest:
    """Read ``run.json``.

    Raises
    ------
    RunError
        If there is no run in the folder, or it is of another format.
    """
    try:
        manifest: Manifest = json.loads(folder.manifest.read_text(encoding="utf-8"))
        version = manifest["format"]
    except FileNotFoundError:
        raise RunError(f"there is no run in {folder.path}: it has no run.json", _RUNS) from None
    except NotADirectoryError:
        raise RunError(f"{folder.path} is a file: a run is a folder", _RUNS) from None
    except OSError as error:
        raise RunError(f"cannot read {folder.manifest}: {error.strerror}") from None
    except (ValueError, TypeError, KeyError):
        raise RunError(f"{folder.manifest} is not the manifest of a run") from None
    if version != FORMAT:
        raise RunError(f"{folder.path} holds a run of format {version}; this version reads format {FORMAT}")
    return manifest


def plan_again(manifest: Manifest, given: Iterable[Spec] = ()) -> Plan:
    """Work a stored run's plan out again, from its manifest and today's strategies.

    Parameters
    ----------
    manifest : dict
        As read.
    given : iterable of (str, Strategy class or Strategy)
        Strategies that cannot be found by their class's name, such as those of a notebook.

    Raises
    ------
    RunError
        If a strategy, a rule, a setting or a version is not what it was; what changed is named.
    """
    loaded = {strategy.label: strategy for strategy in map(registry.load, given)}
    strategies = tuple(loaded.get(entry["label"]) or _find(entry) for entry in manifest["strategies"])
    changed = [line for line in _changes(manifest, strategies) if line]
    if changed:
        raise RunError(
            f"run {manifest['run_id']} cannot go on as it began:",
            *changed[:3],
            *([f"and {len(changed) - 3} more changes"] if len(changed) > 3 else []),
            "undo the change, or play anew with `backalley run --overwrite`",
        )
    return _plan(manifest, strategies)


class Entrant(NamedTuple):
    """A strategy of a stored run, of which only the label is needed."""

    label: str


def stored_plan(manifest: Manifest) -> Plan:
    """Return a stored run's plan for reading its rows: who met whom and on which shuffles, but nobody to play.

    Raises
    ------
    RunError
        If the manifest is damaged.
    """
    try:
        return _plan(manifest, tuple(Entrant(entry["label"]) for entry in manifest["strategies"]))
    except (KeyError, TypeError, ValueError) as error:
        raise RunError(f"run.json is damaged: {type(error).__name__}: {error}") from error


def _plan(manifest: Manifest, strategies: tuple[Any, ...]) -> Plan:
    settings = manifest["tournament"]
    places = {strategy.label: place for place, strategy in enumerate(strategies)}
    return Plan(
        rules=Rules.from_dict(manifest["rules"]),
        seed=settings["seed"],
        strategies=strategies,
        pairings=tuple((_seats(first, places), _seats(second, places)) for first, second in manifest["pairings"]),
        pairing_names=tuple((first, second) for first, second in manifest["pairings"]),
        tables=2 if settings["duplicate"] else 1,
        shuffles=settings["shuffles"],
        shard_shuffles=settings["shard_shuffles"],
        on_fault=settings["on_fault"],
    )


def now() -> str:
    """Return the time as manifests hold it, UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def software() -> dict[str, str]:
    """Return the versions that a run's rows and files may depend on."""
    installed = {name: metadata.version(name) for name in ("numba", "polars")}
    return {"backalley": version(), "python": platform.python_version(), **installed}


def version() -> str:
    """Return this project's version, or ``source`` where it is not installed."""
    try:
        return metadata.version("backalley")
    except metadata.PackageNotFoundError:
        return "source"


def source_state() -> str | None:
    """Return what git says of the checkout this package is in, or None outside one."""
    checkout = Path(__file__).parents[2]
    if not (checkout / ".git").exists():
        return None
    command = ["git", "-C", str(checkout), "describe", "--always", "--dirty"]
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=10).stdout.strip() or None
    except (OSError, subprocess.SubprocessError):
        return None


def _find(entry: Mapping[str, Any]) -> Strategy:
    """Find a stored strategy by its class, with its parameters."""
    try:
        return registry.find(entry["class"])(**entry["parameters"])
    except SpecError as error:
        raise RunError(
            f"strategy {entry['label']} of this run is not found: {error.args[0]}",
            "from Python, hand it to sim.resume(folder, strategies=[...])",
        ) from None


def differences(manifest: Manifest) -> list[str]:
    """Return what of a stored run's settings and strategies is not as it was, a line each; versions do not count.

    Raises
    ------
    RunError
        If the manifest is damaged.
    """
    try:
        found = list(_edits(manifest))
        for entry in manifest["strategies"]:
            try:
                found += _changes_of(entry, _find(entry), besides=("distribution",))
            except BackAlleyError as error:
                found.append(str(error.args[0]))
    except (KeyError, TypeError) as error:
        raise RunError(f"run.json is damaged: {type(error).__name__}: {error}") from error
    return found


def _changes(manifest: Manifest, strategies: tuple[Strategy, ...]) -> Iterable[str]:
    yield from _edits(manifest)
    for entry, strategy in zip(manifest["strategies"], strategies, strict=True):
        yield from _changes_of(entry, strategy)
    for name, installed in software().items():
        if manifest["software"].get(name) != installed:
            yield f"{name} was {manifest['software'].get(name)}, is {installed}"


def _edits(manifest: Manifest) -> Iterable[str]:
    if run_id(manifest) != manifest["run_id"]:
        yield "run.json was edited: its settings do not give its run id"


def _changes_of(entry: Mapping[str, Any], strategy: Strategy, besides: tuple[str, ...] = ()) -> Iterable[str]:
    """Yield what of a strategy is not as its entry says, `besides` left out."""
    today = json.loads(json.dumps(registry.describe(strategy)))
    for key in sorted({*entry, *today}.difference(besides)):
        if entry.get(key) != today.get(key):
            yield f"{entry['label']}: {key} was {entry.get(key)}, is {today.get(key)}"


def _seats(name: str, places: Mapping[str, int]) -> Side:
    """Return the places of a side's two strategies, by the side's name."""
    if name in places:
        return places[name], places[name]
    for at, sign in enumerate(name):
        if sign == "+" and name[:at] in places and name[at + 1 :] in places:
            return places[name[:at]], places[name[at + 1 :]]
    raise RunError(f"run.json is damaged: no strategies make the side {name}")
