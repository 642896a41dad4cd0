"""The verb `strategies check`: a strategy tried before a tournament. It belongs to the command line, see `cli`."""

import json

import click


@click.command("check")
@click.argument("spec")
@click.option("--deals", type=click.IntRange(1), default=1000, show_default=True, help="Deals to play.")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=1, show_default=True, help="Makes the deals.")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
@click.pass_context
def check(ctx: click.Context, spec: str, deals: int, seed: int, as_json: bool) -> None:
    """Try a strategy from all sides, and show the first case where it breaks the contract.

    It must load and compile, read past no array, play legally under all house rules, use no chance but its own,
    repeat itself, be blind to hidden cards, keep no state, and decide the same compiled and interpreted. The time of
    a decision is said beside. Exit code 1 if a check fails: the hand it failed in follows as a text record, which
    `backalley show` draws.

    \b
    Examples:
      backalley strategies check mine.py:Mine
      backalley strategies check mine.py:Mine --deals 100 --json
    """  # noqa: D301
    from ..arena.check import check_strategy

    report = check_strategy(spec, deals, seed)
    click.echo(json.dumps(report.to_dict(), indent=1) if as_json else report.to_text())
    ctx.exit(0 if report.ok else 1)
