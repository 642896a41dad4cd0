"""The command line: `backalley`. Each verb is the library function of the same name, and loads it when it is called."""

import errno
import json
import os
import shlex
import signal
import sys
from collections.abc import Callable
from dataclasses import asdict
from importlib import resources
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, NoReturn, cast

import click

from . import __version__
from .arena.choices import BACKENDS, FORMATS, ON_FAULT
from .commands import check, compare, inspection, one_polars_thread, report, sql
from .commands.rule_options import RULE_HELP, integers, rule_options
from .errors import BackAlleyError

if TYPE_CHECKING:
    from .arena.run import Run

Command = Callable[..., Any]

TOURNAMENT_KEYS = ("strategies", "format", "matches", "duplicate", "seed", "on_fault", "shard_shuffles")
WORKER_KEYS = ("jobs", "backend", "scheduler", "time_limit", "memory_limit")


class Door(click.Group):
    """The group of verbs: it turns errors into a few lines and an exit code, and signals into theirs."""

    stopped_by = signal.SIGINT

    def stop(self, number: int, frame: Any) -> NoReturn:
        """Take a signal to end as an interrupt, and keep in mind which it was.

        While a module is imported the process ends at once: some extension modules abort over an exception then.
        """
        self.stopped_by = signal.Signals(number)
        if _importing(frame):
            os.write(sys.stderr.fileno(), f"stopped by {self.stopped_by.name}\n".encode())
            os._exit(128 + number)
        raise KeyboardInterrupt

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the verbs in the order of a day's work, not of the alphabet."""
        return list(self.commands)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a verb."""
        try:
            return super().invoke(ctx)
        except BackAlleyError as error:
            if ctx.params.get("debug"):
                raise
            _leave(ctx, f"error: {error}", error, error.exit_code)
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left to print has no place to go
            _leave(ctx, f"error: the output cannot be written: {error.strerror}", error, 1)
        except KeyboardInterrupt as error:
            _leave(ctx, f"stopped by {self.stopped_by.name}", error, 128 + self.stopped_by)


def main() -> None:
    """Run the command line, as the installed command does."""
    signal.signal(signal.SIGTERM, backalley.stop)
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, backalley.stop)
    backalley()


@click.group(cls=Door, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="backalley")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
def backalley(debug: bool) -> None:
    """Play Back Alley tournaments, keep every trick, and ask what the data say.

    \b
    Begin with:
      backalley strategies
      backalley run --strategies counter,bold --matches 2000 --seed 7
      backalley rules
    """  # noqa: D301


def _worker_options(command: Command) -> Command:
    """Add the options that say who plays, on which no row depends."""
    options = (
        click.option("--jobs", type=int, default=1, show_default=True, help="Workers; -1 for every core."),
        click.option("--backend", type=click.Choice(BACKENDS), default="loky", help="What workers are; see below."),
        click.option("--scheduler", metavar="ADDRESS", help="The Dask cluster; one of this machine by default."),
        click.option("--time-limit", type=float, metavar="SECONDS", help="For a shard; 600 by default, see below."),
        click.option("--memory-limit", type=int, metavar="MB", help="For a worker; by default a share of the machine."),
        click.option("--json", "as_json", is_flag=True, help="Print the league as JSON."),
    )
    for option in reversed(options):
        command = option(command)
    return command


@backalley.command()
@click.argument("config", required=False, metavar="[CONFIG.toml]")
@click.option("--strategies", metavar="A,B+C,…", help="Who plays; a+b seats two partners.")
@click.option("--format", type=click.Choice(FORMATS), help="All against all, the first against each, or each itself.")
@click.option("--matches", type=int, help="Matches for each pairing, both tables counted; 1000 by default.")
@click.option("--duplicate/--no-duplicate", default=None, help="Whether each shuffle is played twice, sides exchanged.")
@click.option("--seed", type=int, help="0 to 2**63 - 1; drawn if not given.")
@click.option("--on-fault", type=click.Choice(ON_FAULT), help="What an illegal bid or card does.")
@click.option("--shard-shuffles", type=int, help="Shuffles in a unit of work. Rows do not depend on it.")
@rule_options
@click.option("--out", metavar="DIR", help="The run's folder; data/runs/<run id> by default.")
@click.option("--overwrite", is_flag=True, help="Replace the run that is in the folder.")
@_worker_options
def run(config: str | None, out: str | None, overwrite: bool, as_json: bool, **options: Any) -> None:
    """Play a tournament and print its league.

    Every deal and trick is stored in the run's folder.

    Settings come from a TOML file, from options of the same names, or from both: an option overrides the file.

    Workers are processes (loky), threads, processes of a Dask cluster, or this process (sequential, for debugging). A
    process that goes over a limit is ended, and the strategy that it was is named. A shard with an interpreted
    strategy has ten seconds a match, if that is more.

    \b
    Examples:
      backalley run --strategies counter,bold --matches 20000 --seed 7 --jobs -1
      backalley run --strategies counter,counter:margin=0.5,mine.py:Mine --format gauntlet
      backalley run tournament.toml --blooper-partner free --out data/runs/free

    \b
    Such a file:
      [tournament]
      strategies = ["counter", "counter:margin=0.5", "bold+gambler", "mine.py:Mine"]
      matches = 2000
      [rules]
      blooper_partner = "free"
    """  # noqa: D301
    one_polars_thread()
    from .arena.runner import play
    from .arena.tournament import Tournament

    workers = {key: options.pop(key) for key in WORKER_KEYS}
    tournament = Tournament.from_dict(_settings(config, options))
    played = play(tournament, out, progress=True, overwrite=overwrite, **workers)
    _print_league(played, as_json)
    _say_what_next(played)


@backalley.command()
@click.argument("run", metavar="RUN")
@_worker_options
def resume(run: str, as_json: bool, **workers: Any) -> None:
    """Play what an interrupted run lacks, and print its league.

    Exactly the missing shards are played. The strategies, rules and versions must be what they were when it began.

    \b
    Example:
      backalley resume data/runs/a --jobs -1
    """  # noqa: D301
    one_polars_thread()
    from .arena import runner
    from .arena.run import open_run

    if open_run(run).complete:
        click.echo("nothing is missing: the run is complete", err=True)
    played = runner.resume(run, progress=True, **workers)
    _print_league(played, as_json)
    _say_what_next(played)


@backalley.command()
@click.argument("run", metavar="RUN")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def status(run: str, as_json: bool) -> None:
    """Say what of a run is there, and who is at it.

    \b
    Example:
      backalley status data/runs/a
    """  # noqa: D301
    from .arena.status import status as look

    state = look(run)
    if as_json:
        click.echo(json.dumps(asdict(state), indent=1))
        return
    rate = f", {state.matches_a_second:,.0f} a second" if state.matches_a_second else ""
    click.echo(f"run {state.run_id}: {state.state}" + (f", process {state.writer} is at it" if state.writer else ""))
    click.echo(f"{state.shards:,} of {state.shards_in_all:,} shards, {state.matches:,} matches{rate}")
    click.echo(f"{state.faults:,} faults, {state.stalled:,} stalled deals, {state.bytes / 1e6:,.2f} MB")


@backalley.command()
@click.argument("run", metavar="RUN")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def league(run: str, as_json: bool) -> None:
    """Print the league of a run, with intervals.

    Margin, points and matches won, contracts and boards, faults and stalled deals; of an unfinished run,
    from what is there.

    \b
    Example:
      backalley league data/runs/a --json
    """  # noqa: D301
    from .arena.run import open_run

    _print_league(open_run(run), as_json)


backalley.add_command(inspection.verify)
backalley.add_command(inspection.show)
backalley.add_command(sql.sql)
backalley.add_command(cast(click.Command, rule_options(compare.compare)))
backalley.add_command(report.report)


@backalley.command()
def rules() -> None:
    """Print the rules, each with its number."""
    click.echo(resources.files("sim").joinpath("RULES.md").read_text(encoding="utf-8"), nl=False)


@backalley.group(invoke_without_command=True)
@click.pass_context
def strategies(ctx: click.Context) -> None:
    """Look at the strategies there are.

    \b
    Examples:
      backalley strategies
      backalley strategies show counter:margin=0.5
      backalley strategies show mine.py:Mine
      backalley strategies check mine.py:Mine
    """  # noqa: D301
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_strategies)


strategies.add_command(check.check)


@strategies.command("list")
def list_strategies() -> None:
    """List the library and what plug-ins bring: label, distribution, parameters and idea of each."""
    from .analysis.tables import aligned
    from .players import registry

    found = {label: (strategy, "library") for label, strategy in registry.library().items()} | registry.plug_ins()
    rows = [_line_of_list(label, strategy, home) for label, (strategy, home) in found.items()]
    click.echo("\n".join(aligned([("strategy", "from", "parameters", "compiled", "idea"), *rows], left=5)))


def _line_of_list(label: str, strategy: Any, home: str) -> tuple[str, ...]:
    """Return a strategy's line of the list; of one that cannot be had, why."""
    if isinstance(strategy, BackAlleyError):
        return label, home, "", "", str(strategy).partition("\n")[0]
    try:
        parameters = _parameters(strategy())
    except BackAlleyError as error:
        return label, home, "", "", str(error).partition("\n")[0]
    idea = (strategy.__doc__ or "").strip().partition("\n")[0]
    return label, home, parameters, "yes" if strategy.compiled else "no", idea


@strategies.command("show")
@click.argument("spec")
def show_strategy(spec: str) -> None:
    """Show one strategy: its idea, its parameters, where its source is."""
    import inspect

    from .players import registry
    from .players.strategy_files import file_of

    strategy = registry.load(spec)
    click.echo(f"{strategy.label} ({registry.class_path(type(strategy))})\n")
    click.echo(inspect.getdoc(type(strategy)) or "It does not say what it does.")
    click.echo(f"\nparameters: {_parameters(strategy) or 'none'}")
    click.echo(f"played: {'compiled' if strategy.compiled else 'interpreted'}")
    click.echo(f"source: {file_of(type(strategy)) or inspect.getsourcefile(type(strategy))}")


@backalley.command()
@click.option("--peer", is_flag=True, help="Time OpenSpiel beside it, an action at a time (the extra `peer`).")
@click.option("--analysis", metavar="RUN", help="Time the prepared queries on a run instead.")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def bench(peer: bool, analysis: str | None, as_json: bool) -> None:
    """Measure speed, memory and bytes a match.

    On this machine, beside a C loop that is timed just before and after. It takes some minutes.

    \b
    Example:
      backalley bench --json > bench.json
      backalley bench --analysis data/runs/a
    """  # noqa: D301
    if analysis:
        from .commands.bench_analysis import bench_analysis

        bench_analysis(analysis, as_json)
        return
    from .bench import bench as measure

    result = measure(peer, say=lambda text: click.echo(f"measuring {text}", err=True))
    click.echo(json.dumps(result.to_dict(), indent=1) if as_json else result.to_text())


def _settings(config: str | None, options: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of a file with the options that were given put over them."""
    from .arena.tournament import read_toml

    settings = read_toml(config) if config else {}
    given = {key: value for key, value in options.items() if value is not None}
    if "hand_sizes" in given:
        given["hand_sizes"] = integers("--hand-sizes", given["hand_sizes"])
    for table, keys in (("tournament", TOURNAMENT_KEYS), ("rules", tuple(RULE_HELP))):
        over = {key: given[key] for key in keys if key in given}
        if over and isinstance(settings.setdefault(table, {}), dict):
            settings[table] |= over
    return settings


def _parameters(strategy: Any) -> str:
    return ", ".join(f"{name}={value}" for name, value in strategy.parameters.items())


def _print_league(run: "Run", as_json: bool) -> None:
    from .analysis.league import league

    table = league(run)
    click.echo(json.dumps(table.to_dict(), indent=1) if as_json else table.to_text())


def _say_what_next(run: "Run") -> None:
    where = shlex.quote(os.path.relpath(run.path) if run.path.is_relative_to(Path.cwd()) else str(run.path))
    click.echo(f"\nEvery deal and trick is in {where}. Next:", err=True)
    for verb in (f"verify {where}", f"show {where} 0 1", f"league {where}"):
        click.echo(f"  backalley {verb}", err=True)


def _importing(frame: FrameType | None) -> bool:
    """Return whether a frame of the main thread is within an import."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _leave(ctx: click.Context, text: str, error: BaseException, code: int) -> NoReturn:
    for line in (text, *getattr(error, "__notes__", ())):
        click.echo(line, err=True)
    ctx.exit(code)


if __name__ == "__main__":
    main()
