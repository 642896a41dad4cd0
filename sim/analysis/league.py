"""The league table of a run: how each side fared against its field, with intervals. How it is printed is in `tables`.

The sample is the shuffle: all matches of a side on one shuffle id are averaged first, since its pairings are dealt the
same cards. The database adds integers only, so the table is the same whatever order it adds in.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import Any

from ..arena.run import Run
from .stats import Estimate, t_interval
from .tables import aligned, plus_minus, share

_PAIRINGS = """
CREATE TEMP TABLE pairings AS
SELECT unnest(range(len($first))) AS pairing, unnest($first) AS first, unnest($second) AS second
"""

# Under forfeit both tables of a faulted shuffle leave that pairing's statistics.
_LEFT_OUT = """
CREATE TEMP TABLE left_out AS
SELECT match_id FROM matches
SEMI JOIN (SELECT pairing, shuffle_id FROM matches WHERE fault IS NOT NULL) USING (pairing, shuffle_id)
"""

_SAMPLES = """
WITH kept AS (SELECT * FROM matches ANTI JOIN left_out USING (match_id)),
scores AS (
    SELECT first AS side, shuffle_id, if("table" = 0, ns_score, ew_score)::BIGINT AS own,
        if("table" = 0, ew_score, ns_score)::BIGINT AS other
    FROM kept JOIN pairings USING (pairing)
    UNION ALL
    SELECT second, shuffle_id, if("table" = 0, ew_score, ns_score), if("table" = 0, ns_score, ew_score)
    FROM kept JOIN pairings USING (pairing)
),
samples AS (
    SELECT side, count(*) AS matches, sum(own)::BIGINT AS points, sum(own - other)::BIGINT AS margin,
        sum(1 + sign(own - other))::BIGINT AS won
    FROM scores GROUP BY side, shuffle_id
)
SELECT side, matches, count(*), sum(points), sum(points::HUGEINT * points), sum(margin), sum(margin::HUGEINT * margin),
    sum(won), sum(won::HUGEINT * won)
FROM samples GROUP BY side, matches ORDER BY side, matches
"""

# Contracts, boards and tricks are null unless the deal was played, so nothing else is counted. Deals that are alike are
# counted first, since few kinds are left then to be told apart.
_DEALS = """
WITH kinds AS (
    SELECT match_id % ($pairings * $tables) AS place, hand_size, ns_contract, ew_contract, ns_board, ew_board,
        north_tricks + south_tricks AS ns_tricks, count(*) AS deals
    FROM deals ANTI JOIN left_out USING (match_id) WHERE north_tricks IS NOT NULL GROUP BY ALL
),
counts AS (
    SELECT place,
        sum(deals) FILTER (ns_contract > 0), sum(deals) FILTER (ns_contract > 0 AND ns_tricks >= ns_contract),
        sum(deals) FILTER (ns_board > 0), sum(deals) FILTER (ns_board > 0 AND ns_tricks = hand_size),
        sum(deals) FILTER (ew_contract > 0),
        sum(deals) FILTER (ew_contract > 0 AND hand_size - ns_tricks >= ew_contract),
        sum(deals) FILTER (ew_board > 0), sum(deals) FILTER (ew_board > 0 AND ns_tricks = 0)
    FROM kinds GROUP BY place
)
SELECT place // $tables, place % $tables, coalesce(COLUMNS(* EXCLUDE place), 0)::BIGINT FROM counts ORDER BY place
"""

_TROUBLE = """
SELECT pairing, count(*), sum(stalled)::BIGINT,
    count(*) FILTER (fault_seat % 2 = "table"), count(*) FILTER (fault_seat % 2 != "table")
FROM matches GROUP BY pairing ORDER BY pairing
"""


@dataclass(frozen=True)
class Standing:
    """One side's line in the league.

    Attributes
    ----------
    strategy : str
        The side by label: ``counter``, or ``counter+bold``.
    matches, shuffles : int
        Matches played and shuffles that the means are over (under forfeit without those that fell out).
    margin, points : Estimate
        Points more than the other side, and own points, a match.
    won : Estimate
        Share of matches won, a tie counting half. Its interval is Student's like the others: over few shuffles it may
        reach beyond 0 or 1, and is printed cut there.
    contracts, contracts_made : int
        Deals with a number contract above 0, and those made.
    boards, boards_made : int
        Deals on board, and those made.
    boards_a_match : float
        Boards by the matches sat through, both sides counted in a match against itself.
    faults, stalled : int
        Matches that ended by its fault, and stalled deals (RULES B6) in its matches, none left out.
    """

    strategy: str
    matches: int
    shuffles: int
    margin: Estimate
    points: Estimate
    won: Estimate
    contracts: int
    contracts_made: int
    boards: int
    boards_made: int
    boards_a_match: float
    faults: int
    stalled: int


@dataclass(frozen=True)
class League:
    """A run's league, best margin first.

    Attributes
    ----------
    run : Run
    matches, shards : int
        Matches and shards that were there to count.
    standings : tuple of Standing
    """

    run: Run
    matches: int
    shards: int
    standings: tuple[Standing, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the league ready for JSON; what is open for want of shuffles is None."""
        run_id, settings = self.run.manifest["run_id"], self.run.manifest["tournament"]
        facts = {key: settings[key] for key in ("format", "seed", "shuffles", "duplicate", "on_fault")}
        counts = {"matches": self.matches, "shards": self.shards, "shards_in_all": self.run.shards}
        return {"run_id": run_id, **facts, **counts, "standings": [_plain(each) for each in self.standings]}

    def to_text(self) -> str:
        """Return the league as lines to read: what run it is of, the table, what ± means."""
        rows = [_HEADINGS, *map(_cells, self.standings)]
        return "\n".join([*self._facts(), "", *aligned(rows), "", _LEGEND])

    def _facts(self) -> Iterator[str]:
        settings = self.run.manifest["tournament"]
        pairings = len(self.run.manifest["pairings"])
        each = f"{settings['matches']:,} matches"
        yield f"run {self.run.manifest['run_id']}, seed {settings['seed']}: {settings['format']}, " + (
            f"{pairings} pairings of {each}" if pairings > 1 else f"one pairing of {each}"
        )
        twice = ", each at both tables" if settings["duplicate"] else ""
        part = "" if self.shards == self.run.shards else f"; so far {self.shards} of {self.run.shards} shards"
        shuffles = self.matches // (pairings * self.run.tables)
        yield f"{self.matches:,} matches on {shuffles:,} shuffle{'s' * (shuffles != 1)}{twice}{part}"


def league(run: Run) -> League:
    """Work out a run's league from the shards that are there.

    Parameters
    ----------
    run : Run
        Finished or not.

    Returns
    -------
    League
    """
    names = run.manifest["pairings"]
    sizes = {"tables": run.tables, "pairings": len(names)}
    with run.asked() as connection:
        connection.execute(_PAIRINGS, dict(zip(("first", "second"), map(list, zip(*names, strict=True)), strict=True)))
        connection.execute(_LEFT_OUT)
        samples = connection.execute(_SAMPLES).fetchall()
        deals = connection.execute(_DEALS, sizes).fetchall()
        trouble = connection.execute(_TROUBLE).fetchall()
    counts = _counts(names, deals, trouble)
    sides = dict.fromkeys(side for pairing in names for side in pairing)
    standings = [_standing(side, [row[1:] for row in samples if row[0] == side], counts) for side in sides]
    standings.sort(key=lambda each: (-each.margin.mean if each.shuffles else inf, each.strategy))
    return League(run, sum(row[1] for row in trouble), len(run.shards_present), tuple(standings))


Counts = Counter[tuple[str, str]]


def _counts(names: list[list[str]], deals: list[Any], trouble: list[Any]) -> Counts:
    """Add up what is counted by pairing for each side and each thing counted."""
    counts: Counts = Counter()
    for pairing, table, *numbers in deals:
        for side, own in zip(names[pairing], (numbers[:4], numbers[4:])[:: -1 if table else 1], strict=True):
            for thing, number in zip(("contracts", "contracts_made", "boards", "boards_made"), own, strict=True):
                counts[side, thing] += number
    for pairing, matches, stalled, first_faults, second_faults in trouble:
        for side in set(names[pairing]):
            counts[side, "matches"] += matches
            counts[side, "stalled"] += stalled
        for side, faults in zip(names[pairing], (first_faults, second_faults), strict=True):
            counts[side, "faults"] += faults
    return counts


def _standing(side: str, samples: list[Any], counts: Counts) -> Standing:
    """Put one side's line together. `samples` are sums over its shuffles, by its number of matches on a shuffle."""
    shuffles = sum(row[1] for row in samples)
    sides_sat = sum(row[0] * row[1] for row in samples)

    def estimate(column: int, unit: int = 1) -> Estimate:
        total = sum((Fraction(row[column], unit * row[0]) for row in samples), Fraction())
        squares = sum((Fraction(row[column + 1], (unit * row[0]) ** 2) for row in samples), Fraction())
        return t_interval(shuffles, total, squares)

    return Standing(
        strategy=side,
        matches=counts[side, "matches"],
        shuffles=shuffles,
        margin=estimate(4),
        points=estimate(2),
        won=estimate(6, unit=2),
        contracts=counts[side, "contracts"],
        contracts_made=counts[side, "contracts_made"],
        boards=counts[side, "boards"],
        boards_made=counts[side, "boards_made"],
        boards_a_match=counts[side, "boards"] / max(sides_sat, 1),
        faults=counts[side, "faults"],
        stalled=counts[side, "stalled"],
    )


_HEADINGS = ("strategy", "margin", "points", "won", "contracts", "boards", "faults", "stalled")
_LEGEND = """\
± is half a 95 % interval; the sample is the shuffle. Margin and points: a side's own, a match,
against its field. Won: a tie counts half; (… to …) is an interval cut at 0 or 100 %.
Contracts: made, of those above 0. Boards: a match, made. Stalled: deals given up since
all passed hand after hand (rule B6)."""


def _cells(standing: Standing) -> tuple[str, ...]:
    return (
        standing.strategy,
        plus_minus(standing.margin, signed=True),
        plus_minus(standing.points),
        plus_minus(standing.won, percent=True),
        share(standing.contracts_made, standing.contracts),
        f"{standing.boards_a_match:.2f}, {share(standing.boards_made, standing.boards)}",
        f"{standing.faults:,}",
        f"{standing.stalled:,}",
    )


def _plain(standing: Standing) -> dict[str, Any]:
    fields = dict(vars(standing))
    for name, value in fields.items():
        if isinstance(value, Estimate):
            fields[name] = {key: None if number != number else number for key, number in value._asdict().items()}
    return fields
