"""The house settings as options of the command line, alike for every verb that plays."""

from collections.abc import Callable
from dataclasses import fields
from typing import Any, cast

import click

from ..errors import ConfigError
from ..game.house import CHOICES, Rules

Command = Callable[..., Any]

RULE_HELP = {
    "hand_sizes": "Cards in each deal, such as 5,4,3,2,1 (rule D1).",
    "joker_turned": "What a joker turned up does (D4).",
    "all_pass": "What happens when all pass (B5).",
    "max_redeals": "Hands in a row that may be thrown in (B6).",
    "board_leads_trump": "Who may lead trump early on account of a board (L2).",
    "blooper_partner": "What the partner of a Big Blooper's leader must do (L4).",
    "little_blooper_forces": "Whether the Little Blooper, led, draws the lowest trumps (L4).",
    "board_multiplier": "Whether a board scores at its own level or the table's (S2).",
    "points_per_bid_trick": "Points a trick bid (S1).",
    "points_per_overtrick": "Points a trick above the contract (S1).",
    "points_per_board_trick": "Points a trick of a board (S2).",
}


def rule_options(command: Command) -> Command:
    """Add an option for each house setting."""
    # A finished command takes options at its end, a function to be decorated at its beginning.
    in_order = fields(Rules) if isinstance(command, click.Command) else reversed(fields(Rules))
    for field in in_order:
        name = field.name.replace("_", "-")
        flags, kind = f"--{name}", cast(Any, click.Choice(CHOICES[field.name]) if field.name in CHOICES else int)
        if field.name == "hand_sizes":
            kind = str
        elif isinstance(field.default, bool):
            flags, kind = f"--{name}/--no-{name}", bool
        command = click.option(flags, type=kind, default=None, help=RULE_HELP[field.name])(command)
    return command


def integers(option: str, text: str) -> list[int]:
    """Return the numbers of an option that holds several, with commas between.

    Raises
    ------
    ConfigError
        If one is no number.
    """
    try:
        return [int(number) for number in text.split(",")]
    except ValueError:
        raise ConfigError(f"{option} {text} is refused: it must be numbers with commas, such as 5,4,3,2,1") from None
