"""Checks of a run as one: keys, counts and totals across its three tables, all parts together, by DuckDB.

The checks by part compare each part with what is due in it, cell by cell. These read the tables as an analyst does, by
the run's own connection, and know nothing of shards: a match that is there twice, or whose rows are in no part, is
named here whatever each part says of itself. One finding names the first row of its kind and counts the others.
"""

from collections.abc import Iterator, Mapping
from contextlib import closing

import duckdb

from ..errors import StoreError
from .finding import DATASET, Finding
from .plan import Plan
from .run import Run
from .schema import LABELS

MEMORY = "1GB"
"""What DuckDB may take; beyond it, it goes to disk."""

_SEATS = tuple(enumerate(LABELS))
_DEAL = "(hash(deal) & 1099511627775)::BIGINT"
_WINNERS = " + ".join(
    f"{label}_tricks * (hash(deal, {seat}::UTINYINT) & 1099511627775)::BIGINT" for seat, label in _SEATS
)

_SUMS = {
    "matches": """CREATE TEMP TABLE of_matches AS SELECT match_id, count(*) AS copies FROM matches GROUP BY match_id""",
    "deals": f"""CREATE TEMP TABLE of_deals AS SELECT match_id, count(*) AS hands,
            count(*) FILTER (attempt = 1) AS firsts,
            bit_or(1::UBIGINT << least(deal, 63)::UBIGINT) FILTER (attempt = 1) AS numbers,
            count(*) FILTER (outcome = 'thrown-in') AS thrown_in,
            coalesce(sum(ns_points), 0)::BIGINT AS ns_points, coalesce(sum(ew_points), 0)::BIGINT AS ew_points,
            sum(((2 << least(hand_size, 20)::INTEGER) - 2) * {_DEAL}) FILTER (outcome = 'played') AS tricks,
            sum({_WINNERS}) AS winners
        FROM deals GROUP BY match_id""",
    "tricks": f"""CREATE TEMP TABLE of_tricks AS SELECT match_id,
            sum((1::INTEGER << least(trick, 20)::INTEGER) * {_DEAL}) AS tricks,
            sum((hash(deal, winner) & 1099511627775)::BIGINT) AS winners
        FROM tricks GROUP BY match_id""",
}  # fmt: skip
"""What each table says of each match.

A sum over tricks tells where the two tables differ without a row a deal. In it a deal, or a seat in a deal, weighs a
number of 40 bits that stands for it, and trick t counts 2^t times: only tricks 1 to n, each once, make 2^(n+1) - 2.
"""

_MATCHES = "matches LEFT JOIN of_deals USING (match_id), house WHERE"
_LAST = "greatest(least(coalesce(fault_deal::BIGINT - 1, deals), 60), 0)::UBIGINT"
_KEYS = {
    ("matches", DATASET, "the match is stored more than once"): "SELECT match_id FROM of_matches WHERE copies > 1",
    ("matches", DATASET, "the match is missing"): "SELECT match_id FROM due ANTI JOIN of_matches USING (match_id)",
    ("matches", DATASET, "the match is not due"): "SELECT match_id FROM of_matches ANTI JOIN due USING (match_id)",
    ("deals", DATASET, "the hand is of no match"):
        "SELECT match_id FROM of_deals ANTI JOIN of_matches USING (match_id)",
    ("deals", DATASET, "the hand is stored more than once"): """SELECT match_id, deal, attempt FROM deals
        SEMI JOIN (FROM of_deals WHERE hands > firsts OR firsts > bit_count(numbers)) USING (match_id)
        GROUP BY ALL HAVING count(*) > 1""",
    ("tricks", DATASET, "the trick is of no match"):
        "SELECT match_id FROM of_tricks ANTI JOIN of_matches USING (match_id)",
}  # fmt: skip
_TOTALS = {
    ("matches", "D1", "its deals are not all there, or there are more"):
        f"SELECT match_id FROM {_MATCHES} coalesce(numbers, 0) != (2::UBIGINT << {_LAST}) - 2",
    ("matches", "B5", "its hands are not its deals and the hands thrown in"):
        f"""SELECT match_id FROM {_MATCHES} coalesce(hands, 0) != {_LAST} + matches.thrown_in
            OR matches.thrown_in < of_deals.thrown_in""",
    ("matches", "S4", "the points of its deals do not add up to ns_score"):
        f"SELECT match_id FROM {_MATCHES} fault IS NULL AND ns_points IS DISTINCT FROM ns_score",
    ("matches", "S4", "the points of its deals do not add up to ew_score"):
        f"SELECT match_id FROM {_MATCHES} fault IS NULL AND ew_points IS DISTINCT FROM ew_score",
}  # fmt: skip
"""By table, rule and what is wrong, the query of the keys of the rows in which it is."""

_UNLIKE = """SELECT match_id FROM of_deals FULL JOIN of_tricks USING (match_id)
    WHERE (of_deals.tricks, of_deals.winners) IS DISTINCT FROM (of_tricks.tricks, of_tricks.winners)"""
_DEALS_UNLIKE = f"""WITH
    there AS (SELECT deal, sum(1::BIGINT << least(trick, 20)::BIGINT)::BIGINT AS tricks,
            {", ".join(f"count(*) FILTER (winner = {seat}) AS {label}" for seat, label in _SEATS)}
        FROM tricks WHERE match_id = $1 GROUP BY deal),
    due AS (SELECT deal, sum((2 << least(hand_size, 20)::INTEGER) - 2)::BIGINT AS tricks,
            {", ".join(f"sum({label}_tricks)::BIGINT AS {label}" for _, label in _SEATS)}
        FROM deals WHERE match_id = $1 AND outcome = 'played' GROUP BY deal)
    SELECT deal, there.tricks IS NOT DISTINCT FROM due.tricks FROM there FULL JOIN due USING (deal)
    WHERE {" OR ".join(f"there.{name} IS DISTINCT FROM due.{name}" for name in ("tricks", *LABELS))}
    ORDER BY deal LIMIT 1"""


def check_whole(run: Run, plan: Plan, counted: Mapping[str, int], threads: int) -> Iterator[Finding]:
    """Check the tables of a run as one.

    Parameters
    ----------
    run : Run
    plan : Plan
        The run's.
    counted : mapping of str to int
        For tables whose parts were counted one by one, their rows.
    threads : int
        For DuckDB.
    """
    settings = f"SET threads = {threads}; SET memory_limit = '{MEMORY}'; SET preserve_insertion_order = false"
    try:
        with closing(run.connect()) as connection:
            connection.execute(settings)
            _add_up(connection, run, plan)
            yield from _check_counts(connection, counted)
            for (table, rule, what), query in (_KEYS | _TOTALS).items():
                yield from _first(connection, table, rule, what, query)
            yield from _check_tricks(connection)
    except (duckdb.Error, StoreError) as error:
        yield Finding("tables", DATASET, f"DuckDB cannot read them as one: {str(error).splitlines()[0]}")


def _add_up(connection: duckdb.DuckDBPyConnection, run: Run, plan: Plan) -> None:
    """Make the tables that the checks ask: what is due, and what is there of each match."""
    connection.execute("CREATE TEMP TABLE house AS SELECT $1::UBIGINT AS deals", [len(plan.rules.hand_sizes)])
    ranges = [plan.shard_range(shard) for shard in run.shards_present if shard < plan.shards]
    ends = [[place * plan.matches_per_shuffle for place in (first, first + count)] for first, count in ranges]
    due = "SELECT unnest(range(ends[1], ends[2]))::UINTEGER AS match_id FROM (SELECT unnest($1::BIGINT[][]) AS ends)"
    connection.execute(f"CREATE TEMP TABLE due AS {due}", [ends])
    for query in _SUMS.values():
        connection.execute(query)


def _check_counts(connection: duckdb.DuckDBPyConnection, counted: Mapping[str, int]) -> Iterator[Finding]:
    """Check that a table has the rows that its parts have."""
    for table, due in counted.items():
        ((rows,),) = connection.execute(f"SELECT count(*) FROM {table}").fetchall()
        if rows != due:
            yield Finding(table, DATASET, f"{rows:,} rows as one, but {due:,} part by part")


def _first(connection: duckdb.DuckDBPyConnection, table: str, rule: str, what: str, query: str) -> Iterator[Finding]:
    """Find the first of the rows whose keys a query returns, and say how many more there are."""
    (keys,) = connection.execute(f"SELECT count(*) OVER (), * FROM ({query}) ORDER BY ALL LIMIT 1").fetchall() or [()]
    if keys:
        yield Finding(table, rule, what + _more(keys[0]), *keys[1:])


def _check_tricks(connection: duckdb.DuckDBPyConnection) -> Iterator[Finding]:
    """Check that the tricks of each deal are 1 to its hand size, and that each seat won what `deals` says."""
    found = connection.execute(f"SELECT match_id, count(*) OVER () FROM ({_UNLIKE}) ORDER BY ALL LIMIT 1").fetchall()
    for match, count in found:
        for deal, complete in connection.execute(_DEALS_UNLIKE, [match]).fetchall():
            what = "the seats did not win what deals says" if complete else "the tricks are not 1 to the hand size"
            yield Finding("tricks", "L5", what + _more(count), match, deal)


def _more(count: int) -> str:
    return f", and {count - 1:,} more so" if count > 1 else ""
