"""The verbs that look into what is stored: `verify` and `show`. They belong to the command line, see `cli`."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import ConfigError
from . import one_polars_thread

if TYPE_CHECKING:
    from ..game.record import Record


@click.command()
@click.argument("run", metavar="RUN")
@click.option("--all", "everything", is_flag=True, help="Let the referee replay every match, of a large run too.")
@click.option("--jobs", type=int, default=1, show_default=True, help="Processes; -1 for every core.")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
@click.pass_context
def verify(ctx: click.Context, run: str, everything: bool, jobs: int, as_json: bool) -> None:
    """Check every row of a run, let the referee replay its matches, and print its hashes.

    Exit code 1 if there is a fault; the first twenty are named. Equal runs have equal hashes.

    \b
    Example:
      backalley verify data/runs/a --all --jobs -1
    """  # noqa: D301
    one_polars_thread()
    from ..arena.run import open_run
    from ..arena.verify import verify as look

    result = look(open_run(run), everything, jobs, progress=True)
    click.echo(json.dumps(result.to_dict(), indent=1) if as_json else result.to_text())
    ctx.exit(0 if result.ok else 1)


@click.command()
@click.argument("where", metavar="RUN|FILE")
@click.argument("match", type=int, required=False)
@click.argument("deal", type=int, required=False)
@click.option("--text", is_flag=True, help="Print text records instead, the form of files and bug reports.")
def show(where: str, match: int | None, deal: int | None, text: bool) -> None:
    """Show a match of a run, one deal of it, or the text records in a file.

    \b
    Examples:
      backalley show data/runs/a 17        the scorecard of match 17
      backalley show data/runs/a 17 3      its deal 3: hands, bids, tricks, points
      backalley show data/runs/a 17 --text > match.txt
      backalley show match.txt             the deals in a file; - for standard input
    """  # noqa: D301
    if match is not None:
        click.echo(_stored(where, match, deal, text), nl=False)
    elif where != "-" and Path(where).is_dir():
        raise ConfigError(f"which match? Give its number, such as: backalley show {where} 0")
    else:
        records = _read(where)
        click.echo("\n".join(record.to_text() if text else record.pretty() for record in records), nl=False)


def _stored(where: str, match: int, deal: int | None, text: bool) -> str:
    """Return a stored match or deal as it is to be printed."""
    from ..analysis.scorecard import scorecard
    from ..arena.records import to_text
    from ..arena.run import open_run

    run = open_run(where)
    if deal is not None:
        record = run.deal(match, deal)
        return record.to_text() if text else record.pretty()
    return to_text(run.match(match), f"match {match}") if text else scorecard(run, match)


def _read(where: str) -> "list[Record]":
    """Read the text records of a file."""
    from ..game.record import read_records

    try:
        with click.open_file(where, encoding="utf-8") as file:
            records = read_records(file.read())
    except OSError as error:
        raise ConfigError(f"cannot read {where}: {error.strerror}") from None
    except ValueError as error:
        raise ConfigError(f"{where} is no file of text records: {error}") from None
    if not records:
        raise ConfigError(f"{where} holds no text record")
    return records
