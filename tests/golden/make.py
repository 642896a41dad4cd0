"""Whole matches in text, one for each value of each house setting: how they are made, and what must hold of them.

Each file is one match of four Drifters; its first lines are the settings as TOML, the rest its hands as text records.
`tests/test_golden.py` lets the referee play them line by line and the engine from the seed. To write all of them anew,
after a change that is meant to change results, and then to be named in CHANGELOG under "Results changed"::

    python -m tests.golden.make
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

from sim.arena.reading import hands_of
from sim.arena.records import to_text
from sim.game.house import CHOICES, Rules
from sim.game.record import Record
from tests.arena.fellows import Drifter
from tests.arena.rows import plan_of, tables_of

FOLDER = Path(__file__).parent
SHORT = Rules(hand_sizes=(5, 3, 1, 2))
VALUES: dict[str, tuple[Any, ...]] = {
    "hand_sizes": ((5, 3, 1, 2), (13,), Rules().hand_sizes),
    **CHOICES,
    "max_redeals": (20, 2),
    "little_blooper_forces": (True, False),
    "points_per_bid_trick": (5, 7),
    "points_per_overtrick": (1, 0),
    "points_per_board_trick": (10, 25),
}
"""The values of each setting that have a match, the default among them."""


def cases() -> Iterator[tuple[str, str, Rules]]:
    """Yield the name of each file, the setting it is for, and its rules."""
    for setting, values in VALUES.items():
        for value in values:
            yield name_of(setting, value), setting, replace(SHORT, **{setting: value})


def name_of(setting: str, value: Any) -> str:
    """Return a file's name: ``joker_turned.burn.txt``, ``hand_sizes.5-3-1-2.txt``."""
    if value == Rules().hand_sizes:
        value = "standard"
    shown = "-".join(map(str, value)) if isinstance(value, tuple) else str(value).lower()
    return f"{setting}.{shown}.txt"


def play(rules: Rules, seed: int) -> tuple[dict[str, Any], list[Record]]:
    """Return a match's row and its hands, as the engine plays it."""
    plan = plan_of(Drifter, format="self", matches=1, duplicate=False, seed=seed, rules=rules)
    tables = tables_of(plan)
    return tables["matches"].row(0, named=True), hands_of(tables["deals"], tables["tricks"], plan)


def matters(setting: str, rules: Rules, seed: int) -> bool:
    """Tell whether a match would have gone or been scored otherwise under any other value of a setting."""
    others = [value for value in VALUES[setting] if value != getattr(rules, setting)]
    hands = play(rules, seed)[1]
    return all(play(replace(rules, **{setting: other}), seed)[1] != hands for other in others)


def text_of(rules: Rules, seed: int) -> str:
    """Return the text of a match: settings and result as TOML behind ``#``, then its hands."""
    row, hands = play(rules, seed)
    score = [row["ns_score"], row["ew_score"]]
    told = {
        "seed": seed,
        **rules.to_dict(),
        "first_dealer": row["first_dealer"],
        "score": score,
        "winner": row["winner"],
    }
    lines = [f"# {name} = {json.dumps(value)}" for name, value in told.items()]
    return "\n".join([*lines, "", to_text(hands, "four Drifters")])


def main() -> None:
    """Write every file, each with the first seed for which its setting matters."""
    for name, setting, rules in cases():
        seed = next(seed for seed in count() if matters(setting, rules, seed))
        (FOLDER / name).write_text(text_of(rules, seed), encoding="utf-8")


if __name__ == "__main__":
    main()
