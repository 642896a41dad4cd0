"""The views and macros that make a run's tables pleasant to ask, as SQL for DuckDB.

What each column means is in data/README.md. Every view is worked out from the stored tables when it is asked. Who sits
where at a table of a pairing comes from the small table `seating`, found by the match's number, so that no view over
deals or tricks has to join the matches.
"""

from collections.abc import Iterator, Sequence

import duckdb

from ..game.record import BOARD, SEATS

_SEAT = tuple(seat.lower() for seat in SEATS)
_JOKERS = (1 << 52) | (1 << 53)
_LANE = (1 << 13) - 1
_ACES = sum(1 << (13 * suit + 12) for suit in range(4))
_KINGS = sum(1 << (13 * suit + 11) for suit in range(4))

MACROS = (
    "card_suit(code) AS CASE WHEN code < 52 THEN (code // 13)::INTEGER END",
    "card_rank(code) AS CASE WHEN code < 52 THEN (code % 13)::INTEGER END",
    """card_name(code) AS CASE
        WHEN code = 53 THEN 'BB' WHEN code = 52 THEN 'LB'
        WHEN code < 52 THEN ['2','3','4','5','6','7','8','9','10','J','Q','K','A'][code::INTEGER % 13 + 1]
            || ['C','D','H','S'][code::INTEGER // 13 + 1] END""",
    "set_size(cards) AS bit_count(cards::UBIGINT)::INTEGER",
    """cards(cards) AS CASE WHEN cards IS NOT NULL THEN coalesce(array_to_string(
        [card_name(53 - i) FOR i IN range(54) IF (cards::UBIGINT >> (53 - i)::UBIGINT) & 1 = 1], ' '), '') END""",
)
"""Macros by the text that follows ``CREATE MACRO``."""


def seats_view(places: int) -> str:
    """Return the view with a row a seat a match."""
    return " UNION ALL ".join(
        f"""SELECT match_id, pairing, shuffle_id, "table", {seat}::UTINYINT AS seat, '{own.upper()}' AS side,
            {_SEAT[seat]} AS strategy, {_SEAT[seat ^ 2]} AS partner, {own}_score AS score_for,
            {other}_score AS score_against,
            {own}_score - {other}_score AS margin,
            CASE sign({own}_score - {other}_score) WHEN 1 THEN 'won' WHEN 0 THEN 'tied' WHEN -1 THEN 'lost' END
                AS result
        FROM matches"""
        for seat, own, other in _seats_and_sides()
    )


def bids_view(places: int) -> str:
    """Return the view with a row a seat a dealt hand. It joins `seating`, a small table of who sits where."""
    order = "((seat + 3 - dealer) % 4)"
    inner = " UNION ALL ".join(
        f"""SELECT match_id, deal, attempt, hand_size, dealer, {seat}::UTINYINT AS seat, {_SEAT[seat]}_bid AS bid,
            {_SEAT[seat]}_hand AS hand, trump, outcome, {own}_contract AS side_contract, {own}_board AS side_board,
            ({_SEAT[seat]}_tricks + {_SEAT[seat ^ 2]}_tricks)::UTINYINT AS side_tricks, {own}_points AS points,
            {_boards_before(seat)} AS boards_before, match_id % {places} AS place
        FROM deals"""
        for seat, own, _ in _seats_and_sides()
    )
    voids = " + ".join(f"(trump != {suit} AND hand & {_LANE << 13 * suit} = 0)::UTINYINT" for suit in range(4))
    trumps = f"CASE WHEN trump < 4 THEN ({_LANE}::UBIGINT << (13 * trump)::UBIGINT) | {_JOKERS} ELSE 0 END"
    return f"""SELECT match_id, deal, attempt, hand_size, seat, strategy, ({order} + 1)::UTINYINT AS bid_order, bid,
            bid = {BOARD} AS is_board,
            CASE WHEN bid = {BOARD} THEN boards_before + 1 ELSE 0 END::UTINYINT AS board_level,
            hand, trump, bit_count(hand & ({trumps}))::UTINYINT AS trump_length,
            bit_count(hand & {_JOKERS})::UTINYINT AS jokers, bit_count(hand & {_ACES})::UTINYINT AS aces,
            bit_count(hand & {_KINGS})::UTINYINT AS kings, ({voids})::UTINYINT AS void_suits, outcome, side_contract,
            side_board, side_tricks,
            CASE WHEN side_board > 0 THEN side_tricks = hand_size ELSE side_tricks >= side_contract END AS made, points
        FROM ({inner}) JOIN seating USING (place, seat)"""


def _boards_before(seat: int) -> str:
    """Return how many boards were claimed before a seat's bid, as SQL over a row of `deals`."""
    others = [(seat + step) % 4 for step in (1, 2, 3)]
    earlier = (
        f"({_SEAT[other]}_bid = {BOARD} AND ({other} + 3 - dealer) % 4 < ({seat} + 3 - dealer) % 4)::UTINYINT"
        for other in others
    )
    return " + ".join(earlier)


def plays_view(places: int) -> str:
    """Return the view with a row a card. Trump comes from the deal."""
    seat = "((leader + play_order + 3) % 4)::UTINYINT"
    card = "CASE play_order WHEN 1 THEN card_1 WHEN 2 THEN card_2 WHEN 3 THEN card_3 ELSE card_4 END"
    return f"""SELECT match_id, deal, trick, play_order, seat, strategy, card,
            trump < 4 AND (card >= 52 OR card // 13 = trump) AS is_trump, winner = seat AS won
        FROM (
            SELECT match_id, deal, trick, play_order, {seat} AS seat, {card} AS card, winner, trump,
                match_id % {places} AS place
            FROM tricks JOIN (SELECT match_id, deal, trump FROM deals WHERE outcome = 'played') USING (match_id, deal)
                CROSS JOIN (SELECT unnest([1, 2, 3, 4])::UTINYINT AS play_order)
        ) JOIN seating USING (place, seat)"""


VIEWS = {"seats": seats_view, "bids": bids_view, "plays": plays_view}
"""What makes each view, by its name, from the number of places: of matches on a shuffle."""


def seating_rows(pairings: Sequence[Sequence[Sequence[str]]], tables: int) -> Iterator[tuple[int, int, str]]:
    """Yield the rows of `seating`: a match's place on its shuffle, a seat, and the label of who sits there.

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
                yield pairing * tables + table, seat, label


def register(connection: duckdb.DuckDBPyConnection, sides: Sequence[Sequence[Sequence[str]]], tables: int) -> None:
    """Make the macros, the table `seating` and the views on a connection that has the three tables.

    Parameters
    ----------
    connection : DuckDBPyConnection
    sides : sequence of pairs of sides
        The run's pairings, each side the labels of its two players.
    tables : {1, 2}
    """
    for macro in MACROS:
        connection.execute(f"CREATE MACRO {macro}")
    connection.execute("CREATE TEMP TABLE seating (place UINTEGER, seat UTINYINT, strategy VARCHAR)")
    rows = list(zip(*seating_rows(sides, tables), strict=True))
    insert = "INSERT INTO seating SELECT unnest($1::UINTEGER[]), unnest($2::UTINYINT[]), unnest($3::VARCHAR[])"
    connection.execute(insert, [list(column) for column in rows])
    for name, view in VIEWS.items():
        connection.execute(f"CREATE VIEW {name} AS {view(len(sides) * tables)}")


def _seats_and_sides() -> list[tuple[int, str, str]]:
    """Return each seat with its own side and the other."""
    return [(seat, "ns", "ew") if seat % 2 == 0 else (seat, "ew", "ns") for seat in range(4)]
