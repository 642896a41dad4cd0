"""The verb `compare`. It belongs to the command line, see `cli`, which adds an option for each house setting to it."""

import json
from typing import TYPE_CHECKING, Any

import click

from ..errors import ConfigError
from . import one_polars_thread
from .rule_options import integers

if TYPE_CHECKING:
    from ..game.house import Rules


@click.command()
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.option("--difference", type=float, default=5.0, show_default=True, help="Smallest margin of interest, a match.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Chance to tell equal sides apart, at most.")
@click.option("--beta", type=float, default=0.05, show_default=True, help="Chance to miss such a margin, at most.")
@click.option("--budget", type=int, default=100_000, show_default=True, help="Matches at most, both tables counted.")
@click.option("--batch", type=int, default=1000, show_default=True, help="Matches between two looks.")
@click.option("--seed", type=int, help="0 to 2**63 - 1; drawn if not given.")
@click.option("--jobs", type=int, default=1, show_default=True, help="Workers; -1 for every core.")
@click.option("--time-limit", type=float, metavar="SECONDS", help="For a shard, a quarter of a batch; 600 by default.")
@click.option("--memory-limit", type=int, metavar="MB", help="For a worker; by default a share of the machine.")
@click.option("--out", metavar="DIR", help="Store the matches as a run, played once more; else nothing is stored.")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def compare(first: str, second: str, as_json: bool, **settings: Any) -> None:
    """Play A against B until it is plain which is better, or that the difference does not matter.

    Two sequential tests look at the margins after each batch; together they call equal sides different with chance
    alpha at most. The verdict on A is "better", "worse", "no difference" as large as asked, or "undecided".

    \b
    Examples:
      backalley compare counter bold --seed 7
      backalley compare counter counter:margin=0.5 --difference 2 --budget 1000000 --jobs -1
    """  # noqa: D301
    one_polars_thread()
    from ..analysis.compare import compare as play
    from ..game.house import Rules

    rules = {name: settings.pop(name) for name in Rules().to_dict() if name in settings}
    found = play(first, second, **settings, rules=_rules(rules), progress=True)
    click.echo(json.dumps(found.to_dict(), indent=1) if as_json else found.to_text())


def _rules(options: dict[str, Any]) -> "Rules":
    """Return the house settings that options give; one that was not given is None."""
    from ..game.house import Rules

    given = {name: value for name, value in options.items() if value is not None}
    if "hand_sizes" in given:
        given["hand_sizes"] = integers("--hand-sizes", given["hand_sizes"])
    try:
        return Rules.from_dict(given)
    except ValueError as error:
        raise ConfigError(str(error)) from None
