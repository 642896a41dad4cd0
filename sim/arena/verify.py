"""Is a stored run right? Every row is looked over (`checks`), and the referee plays matches again, move by move."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256

import joblib
import numpy as np
import polars as pl

from ..errors import RunError
from ..game import referee
from ..game.record import Record
from .checks import Columns, Finding, check_deals, check_matches, check_tricks, integers
from .decks import deal_from, decks_of
from .log import OUTCOMES
from .manifest import stored_plan
from .plan import Plan
from .progress import telling
from .records import record_of
from .run import Run
from .schema import TABLES

SAMPLE = 2000
SHOWN = 20


@dataclass
class Verification:
    """What a look over a run found.

    Attributes
    ----------
    shards, shards_present : int
        Of the whole run, and there.
    rows : dict of str to int
        Rows in each table.
    hashes : dict of str to str
        For each table, the hash of its sorted rows (`rows_hash`): equal runs have equal ones.
    replayed : int
        Matches that the referee played again.
    faults : int
        Findings in all; `findings` holds the first twenty.
    """

    shards: int
    shards_present: int
    rows: Counter[str] = field(default_factory=Counter)
    hashes: dict[str, str] = field(default_factory=dict)
    replayed: int = 0
    faults: int = 0
    findings: list[Finding] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether nothing was found."""
        return self.faults == 0


def verify(run: Run, everything: bool = False, jobs: int = 1, progress: bool | None = None) -> Verification:
    """Check a run's rows against the rules, the seed and each other.

    Every row of every table is checked by column. The referee plays again all matches of a run of up to 2000, else
    2000 drawn by the run id; with `everything`, all of any run.

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
    RunError
        If the manifest is damaged or a file cannot be read.
    """
    plan = stored_plan(run.manifest)
    present = run.shards_present
    result = Verification(run.shards, len(present))
    chosen = _sample(run, plan, everything)
    workers = joblib.Parallel(jobs, return_as="generator", batch_size=1)
    tasks = (joblib.delayed(_check_shard)(run, plan, shard, chosen.get(shard, [])) for shard in present)
    with telling(progress)(sum(map(plan.shard_matches, present))) as teller:
        for rows, replayed, faults, findings in workers(tasks):
            result.rows.update(rows)
            result.replayed += replayed
            result.faults += faults
            result.findings += findings[: SHOWN - len(result.findings)]
            teller.advance(rows["matches"])
    result.hashes = {table: rows_hash(run, table) for table in TABLES}
    return result


def rows_hash(run: Run, table: str) -> str:
    """Return the SHA-256 of a table's sorted rows, the same whatever the shards.

    Column by column, the values of all parts in order: numbers as little-endian bytes of the column's width with 0 for
    null, text as UTF-8 and a zero byte; then the column's nulls, a byte a row; last, over the digests of all columns.
    """
    values = {column.name: (sha256(), sha256()) for column in TABLES[table]}
    for shard in run.shards_present:
        frame = _read(run, table, shard)
        for column in TABLES[table]:
            series = frame[column.name]
            content, nulls = values[column.name]
            if column.dtype == pl.String:
                content.update("".join(f"{text or ''}\0" for text in series.to_list()).encode())
            else:
                content.update(np.ascontiguousarray(series.fill_null(0).to_numpy()))
            nulls.update(series.is_null().to_numpy().astype(np.uint8))
    both = (digest for pair in values.values() for digest in pair)
    return sha256(b"".join(digest.digest() for digest in both)).hexdigest()


def _sample(run: Run, plan: Plan, everything: bool) -> dict[int, list[int]]:
    """Return which matches of which shard the referee plays again."""
    ids = [range(*_span(plan, shard)) for shard in run.shards_present]
    total = sum(map(len, ids))
    if everything or total <= SAMPLE:
        return {shard: list(span) for shard, span in zip(run.shards_present, ids, strict=True)}
    places = sorted(random.Random(run.manifest["run_id"]).sample(range(total), SAMPLE))
    chosen: dict[int, list[int]] = {}
    for place in places:
        for shard, span in zip(run.shards_present, ids, strict=True):
            if place < len(span):
                chosen.setdefault(shard, []).append(span[place])
                break
            place -= len(span)
    return chosen


def _span(plan: Plan, shard: int) -> tuple[int, int]:
    first, shuffles = plan.shard_range(shard)
    return first * plan.matches_per_shuffle, (first + shuffles) * plan.matches_per_shuffle


def _read(run: Run, table: str, shard: int) -> pl.DataFrame:
    path = run.folder.part(table, shard)
    try:
        frame = pl.read_parquet(path)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise RunError(f"cannot read {path}: {str(error).splitlines()[0]}") from error
    wanted = {column.name: column.dtype for column in TABLES[table]}
    if dict(frame.schema) != wanted:
        raise RunError(f"{path} does not have the columns and types of a {table} part")
    return frame


def _check_shard(
    run: Run, plan: Plan, shard: int, chosen: list[int]
) -> tuple[dict[str, int], int, int, list[Finding]]:
    """Check one shard. Returns its rows, the matches played again, the number of faults and the first of them."""
    frames = {table: _read(run, table, shard) for table in TABLES}
    codes = pl.Series(OUTCOMES)
    deals = integers(frames["deals"])
    deals["outcome_code"] = frames["deals"]["outcome"].replace_strict(codes, range(len(OUTCOMES)), default=-1).to_numpy()
    tricks = integers(frames["tricks"])
    faults, findings = 0, []
    for finding in _findings(frames, deals, tricks, plan, shard, chosen):
        faults += 1
        if len(findings) < SHOWN:
            findings.append(finding)
    return {table: frame.height for table, frame in frames.items()}, len(chosen), faults, findings


def _findings(
    frames: dict[str, pl.DataFrame], deals: Columns, tricks: Columns, plan: Plan, shard: int, chosen: list[int]
) -> Iterator[Finding]:
    ids = deals["match_id"]
    strangers = ~np.isin(ids, frames["matches"]["match_id"].to_numpy())
    if strangers.any():
        row = int(np.argmax(strangers))
        place = int(ids[row]), int(deals["deal"][row]), int(deals["attempt"][row])
        yield Finding("deals", *place, "match_id", "the hand belongs to no match of its shard")
        return
    yield from check_matches(frames["matches"], deals, plan, shard)
    yield from check_deals(deals, frames["matches"], plan)
    yield from check_tricks(tricks, deals)
    yield from _replay(frames, deals, plan, chosen)


def _replay(frames: dict[str, pl.DataFrame], deals: Columns, plan: Plan, chosen: list[int]) -> Iterator[Finding]:
    """Let the referee play the chosen matches again, from the shuffle of the seed to the score."""
    of_deals = frames["deals"].filter(pl.col("match_id").is_in(chosen))
    of_tricks = frames["tricks"].filter(pl.col("match_id").is_in(chosen))
    columns = integers(of_deals.select("match_id", "deal", "attempt"))
    shuffle = columns["match_id"] // plan.matches_per_shuffle
    decks, _ = decks_of(plan.seed, shuffle, columns["deal"], columns["attempt"])
    played = of_tricks.partition_by("match_id", "deal", as_dict=True, maintain_order=True)
    for row, deck in zip(of_deals.iter_rows(named=True), decks, strict=True):
        tricks = played.get((row["match_id"], row["deal"])) if row["outcome"] == "played" else None
        yield from _replay_hand(row, deck, tricks, plan)


def _replay_hand(row: dict, deck: np.ndarray, tricks: pl.DataFrame | None, plan: Plan) -> Iterator[Finding]:
    key = row["match_id"], row["deal"], row["attempt"]
    try:
        deal = deal_from(deck, row["hand_size"], row["dealer"])
        stored = record_of(deal, row, tricks.rows() if tricks is not None else [])
        played = referee.replay(deal, stored.bids, [trick.cards for trick in stored.tricks], plan.rules)
    except referee.IllegalMove as move:
        table, place = ("tricks", move.trick) if move.trick else ("deals", row["attempt"])
        yield Finding(table, row["match_id"], row["deal"], place, move.rule, f"{move.reason}: {move.message}")
        return
    except (ValueError, IndexError) as error:
        yield Finding("deals", *key, "D3", f"the referee cannot play this: {error}")
        return
    for name in Record.__dataclass_fields__:
        told, seen = getattr(stored, name), getattr(played, name)
        if told != seen and not (name == "outcome" and told == "stalled"):
            yield Finding("deals", *key, _RULE_OF.get(name, "referee"), f"{name} is {told}, the referee has {seen}")


_RULE_OF = {
    "turned": "D3", "trump": "D3", "swap_seat": "D4", "swap_card": "D4", "hands": "D3", "board_levels": "B3",
    "outcome": "B5", "leader": "L1", "tricks": "L5", "tricks_won": "L5", "contracts": "B4", "boards": "B4",
    "points": "S1, S2",
}  # fmt: skip
