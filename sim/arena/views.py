"""The views and macros that make a run's tables pleasant to ask, as SQL for DuckDB.

What each column means is in data/README.md. Every view is worked out from the stored tables when it is asked. A run has
a schema, of which its views name everything in full, so that several runs can lie side by side on one connection.

Who sits where at a table of a pairing comes from the small table `seating`, found by the match's number, so that no
view over deals or tricks has to join the matches. Its one key is a whole number without gaps, a chair: DuckDB then
looks a strategy up by place instead of by hash.
"""

from collections.abc import Iterator, Sequence

import duckdb

from ..game.record import BOARD, SEATS

_SEAT = tuple(seat.lower() for seat in SEATS)
_JOKERS = (1 << 52) | (1 << 53)
_LANE = (1 << 13) - 1
_TRUMPS = tuple(_LANE << 13 * suit | _JOKERS for suit in range(4))
_ACES = sum(1 << (13 * suit + 12) for suit in range(4))
_KINGS = sum(1 << (13 * suit + 11) for suit in range(4))

MACROS = (
    "card_suit(code) AS CASE WHEN code < 52 THEN (code // 13)::INTEGER END",
    "card_rank(code) AS CASE WHEN code < 52 THEN (code % 13)::INTEGER END",
    """card_name(code) AS CASE
        WHEN code = 53 THEN 'BB' WHEN code = 52 THEN 'LB'
        WHEN code < 52 THEN ['2','3','4','5','6','7','8','9','10','J','Q','K','A'][code::INTEGER % 13 + 1]
            || ['C','D','H','S'][code::INTEGER // 13 + 1] END""",
    """set_size("set") AS bit_count("set"::UBIGINT)::INTEGER""",
    """cards("set") AS CASE WHEN "set" IS NOT NULL THEN coalesce(array_to_string(
        [card_name(53 - i) FOR i IN range(54) IF ("set"::UBIGINT >> (53 - i)::UBIGINT) & 1 = 1], ' '), '') END""",
    "ratio(above, below) AS sum(above)::DOUBLE / nullif(sum(below), 0)",
    """ratio_error(above, below) AS
        sqrt(count(below) / nullif(count(below) - 1, 0) * greatest(0, sum(above * above)::DOUBLE
            - 2 * ratio(above, below) * sum(above * below)::DOUBLE
            + ratio(above, below) * ratio(above, below) * sum(below * below)::DOUBLE)) / sum(below)::DOUBLE""",
)
"""Macros by the text that follows ``CREATE MACRO``."""


def seats_view(schema: str, places: int) -> str:
    """Return the view with a row a seat a match."""
    return " UNION ALL ".join(
        f"""SELECT match_id, pairing, shuffle_id, "table", {seat}::UTINYINT AS seat, '{own.upper()}' AS side,
            {_SEAT[seat]} AS strategy, {_SEAT[seat ^ 2]} AS partner, {own}_score AS score_for,
            {other}_score AS score_against,
            {own}_score - {other}_score AS margin,
            CASE sign({own}_score - {other}_score) WHEN 1 THEN 'won' WHEN 0 THEN 'tied' WHEN -1 THEN 'lost' END
                AS result
        FROM {schema}.matches"""
        for seat, own, other in _seats_and_sides()
    )


def bids_view(schema: str, places: int) -> str:
    """Return the view with a row a seat a dealt hand.

    The deals are read once for each seat: unnesting lists of four costs three times as much.
    """
    order = "((seat + 3 - dealer) % 4)"
    inner = " UNION ALL ".join(
        f"""SELECT match_id, deal, attempt, hand_size, dealer, {seat}::UTINYINT AS seat, {_SEAT[seat]}_bid AS bid,
            {_board_level(seat)} AS board_level, {_SEAT[seat]}_hand AS hand, trump, outcome,
            {own}_contract AS side_contract, {own}_board AS side_board,
            ({_SEAT[seat]}_tricks + {_SEAT[seat ^ 2]}_tricks)::UTINYINT AS side_tricks, {own}_points AS points,
            {_chair(str(seat), places)} AS chair
        FROM {schema}.deals"""
        for seat, own, _ in _seats_and_sides()
    )
    voids = " + ".join(f"(trump != {suit} AND hand & {_LANE << 13 * suit} = 0)::UTINYINT" for suit in range(4))
    trumps = " ".join(f"WHEN {suit} THEN {held}::UBIGINT" for suit, held in enumerate(_TRUMPS))
    return f"""SELECT match_id, deal, attempt, hand_size, seat, strategy, ({order} + 1)::UTINYINT AS bid_order, bid,
            bid = {BOARD} AS is_board, board_level, hand, trump,
            bit_count(hand & CASE trump {trumps} ELSE 0 END)::UTINYINT AS trump_length,
            bit_count(hand & {_JOKERS})::UTINYINT AS jokers, bit_count(hand & {_ACES})::UTINYINT AS aces,
            bit_count(hand & {_KINGS})::UTINYINT AS kings, ({voids})::UTINYINT AS void_suits, outcome, side_contract,
            side_board, side_tricks,
            CASE WHEN side_board > 0 THEN side_tricks = hand_size ELSE side_tricks >= side_contract END AS made, points
        FROM ({inner}) JOIN {schema}.seating USING (chair)"""


def _board_level(seat: int) -> str:
    """Return the level of a seat's claim, one more than the boards claimed before it, as SQL over a row of `deals`."""
    others = [(seat + step) % 4 for step in (1, 2, 3)]
    earlier = " + ".join(
        f"({_SEAT[other]}_bid = {BOARD} AND ({other} + 3 - dealer) % 4 < ({seat} + 3 - dealer) % 4)::UTINYINT"
        for other in others
    )
    return f"CASE WHEN {_SEAT[seat]}_bid = {BOARD} THEN {earlier} + 1 ELSE 0 END::UTINYINT"


def plays_view(schema: str, places: int) -> str:
    """Return the view with a row a card.

    Trump comes from the deals, four bits each, sixteen deals in one number: a thirteenth of the rows to join.
    """
    seat = "((leader + play_order + 3) % 4)::UTINYINT"
    nibble = "(deal % 16 * 4)::UBIGINT"
    return f"""SELECT match_id, deal, trick, play_order, seat, strategy, card,
            trump < 4 AND (card >= 52 OR card // 13 = trump) AS is_trump, winner = seat AS won
        FROM (
            SELECT match_id, deal, trick, play_order, {seat} AS seat, card, winner,
                ((trumps >> {nibble}) & 15)::UTINYINT AS trump, {_chair(seat, places)} AS chair
            FROM (
                SELECT match_id, deal, trick, leader, winner, trumps,
                    unnest([1, 2, 3, 4]::UTINYINT[]) AS play_order, unnest([card_1, card_2, card_3, card_4]) AS card
                FROM (SELECT *, deal // 16 AS sixteen FROM {schema}.tricks)
                JOIN (
                    SELECT match_id, deal // 16 AS sixteen, bit_or(trump::UBIGINT << {nibble}) AS trumps
                    FROM {schema}.deals WHERE outcome = 'played' GROUP BY ALL
                ) USING (match_id, sixteen)
            )
        ) JOIN {schema}.seating USING (chair)"""


def _chair(seat: str, places: int) -> str:
    """Return the key of `seating` as SQL, over a row with a match's number."""
    return f"(match_id % {places} * 4 + {seat})::UINTEGER"


VIEWS = {"seats": seats_view, "bids": bids_view, "plays": plays_view}
"""What makes each view, by its name, from a schema and the number of places: of matches on a shuffle."""


def seating_rows(pairings: Sequence[Sequence[Sequence[str]]], tables: int) -> Iterator[tuple[int, str]]:
    """Yield the rows of `seating`: a chair, four times a match's place on its shuffle and the seat, and who sits there.

    Parameters
    ----------
    pairings : sequence of pairs of sides
        Each side the labels of its North-or-East and its South-or-West.
    tables : {1, 2}
    """
    for pairing, sides in enumerate(pairings):
        for table in range(tables):
            (north, south), (east, west) = sides if table == 0 else reversed(sides)
            for seat, label in enumerate((north, east, south, west)):
                yield (pairing * tables + table) * 4 + seat, label


def register_macros(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the macros on a connection."""
    for macro in MACROS:
        connection.execute(f"CREATE MACRO {macro}")


def register(
    connection: duckdb.DuckDBPyConnection, schema: str, sides: Sequence[Sequence[Sequence[str]]], tables: int
) -> None:
    """Make the table `seating` and the views of a run whose three tables a connection has.

    Parameters
    ----------
    connection : DuckDBPyConnection
    schema : str
        Where the tables are, quoted if it must be.
    sides : sequence of pairs of sides
        The run's pairings, each side the labels of its two players.
    tables : {1, 2}
    """
    connection.execute(f"CREATE TABLE {schema}.seating (chair UINTEGER, strategy VARCHAR)")
    rows = list(zip(*seating_rows(sides, tables), strict=True))
    insert = f"INSERT INTO {schema}.seating SELECT unnest($1::UINTEGER[]), unnest($2::VARCHAR[])"
    connection.execute(insert, [list(column) for column in rows])
    for name, view in VIEWS.items():
        connection.execute(f"CREATE VIEW {schema}.{name} AS {view(schema, len(sides) * tables)}")


def _seats_and_sides() -> list[tuple[int, str, str]]:
    """Return each seat with its own side and the other."""
    return [(seat, "ns", "ew") if seat % 2 == 0 else (seat, "ew", "ns") for seat in range(4)]
