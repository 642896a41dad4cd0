"""The views and macros, held against the records of the same hands read one by one."""

from typing import Any

import duckdb
import numpy as np
import pytest

import sim
from sim import cards
from sim.game.record import BOARD


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> sim.Run:
    """A run with boards, partners that differ, and hands thrown in."""
    field = ["random_legal", "random_legal+passer", "passer"]
    rules = sim.Rules(hand_sizes=(5, 2, 1, 1, 3), max_redeals=3)
    tournament = sim.Tournament(field, matches=20, seed=5, rules=rules)
    return sim.play(tournament, out=tmp_path_factory.mktemp("views") / "run")


@pytest.fixture(scope="module")
def con(run: sim.Run) -> duckdb.DuckDBPyConnection:
    return run.connect()


def _rows(con: duckdb.DuckDBPyConnection, query: str) -> list[dict[str, Any]]:
    relation = con.sql(query)
    return [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]


def test_seats_tell_each_match_from_each_seat(run: sim.Run, con: duckdb.DuckDBPyConnection) -> None:
    rows = _rows(con, "SELECT * FROM seats ORDER BY match_id, seat")
    assert len(rows) == 4 * 60
    for row in rows:
        match = run.match_row(row["match_id"])
        seats = [match[seat] for seat in ("north", "east", "south", "west")]
        own, other = (("ns", "ew"), ("ew", "ns"))[row["seat"] % 2]
        assert row["strategy"] == seats[row["seat"]]
        assert row["partner"] == seats[(row["seat"] + 2) % 4]
        assert row["side"] == own.upper()
        assert (row["score_for"], row["score_against"]) == (match[f"{own}_score"], match[f"{other}_score"])
        assert row["margin"] == row["score_for"] - row["score_against"]
        assert row["result"] == ("tied", "won", "lost")[(row["margin"] > 0) - (row["margin"] < 0)]


def test_bids_tell_each_hand_from_each_seat(run: sim.Run, con: duckdb.DuckDBPyConnection) -> None:
    query = "SELECT * FROM bids ORDER BY match_id, deal, attempt, bid_order"
    rows = _rows(con, query)
    seen = []
    for match_id in range(60):
        seats = [run.match_row(match_id)[seat] for seat in ("north", "east", "south", "west")]
        for record in run.match(match_id):
            for order in range(1, 5):
                seat = (record.deal.dealer + order) % 4
                seen.append(_bid_row(record, seat, order) | {"strategy": seats[seat]})
    assert len(seen) == len(rows) > 60 * 5 * 4
    for row, right in zip(rows, seen, strict=True):
        assert {key: row[key] for key in right} == right


def _bid_row(record: sim.Record, seat: int, order: int) -> dict[str, object]:
    hand, trump, played = record.hands[seat], record.trump, record.outcome == "played"
    held = cards.names(hand).split()
    plain = [suit for suit in range(4) if suit != trump]
    won = record.tricks_won[seat] + record.tricks_won[(seat + 2) % 4]
    board, contract = record.boards[seat % 2], record.contracts[seat % 2]
    made = won == record.deal.hand_size if board else won >= (contract or 0)
    return {
        "seat": seat,
        "bid_order": order,
        "bid": record.bids[seat],
        "is_board": record.bids[seat] == BOARD,
        "board_level": record.board_levels[seat],
        "hand": hand,
        "trump": trump,
        "trump_length": cards.count(hand & cards.trumps(trump)),
        "jokers": sum(name in ("BB", "LB") for name in held),
        "aces": sum(name[0] == "A" for name in held),
        "kings": sum(name[0] == "K" for name in held),
        "void_suits": sum(not hand & cards.lane(suit) for suit in plain),
        "side_contract": contract if played else None,
        "side_board": board if played else None,
        "side_tricks": won if played else None,
        "made": made if played else None,
        "points": record.points[seat % 2] if played else None,
    }


def test_plays_tell_each_card(run: sim.Run, con: duckdb.DuckDBPyConnection) -> None:
    rows = con.execute("SELECT * FROM plays ORDER BY match_id, deal, trick, play_order").fetchall()
    right = []
    for match_id in range(60):
        seats = [run.match_row(match_id)[seat] for seat in ("north", "east", "south", "west")]
        for deal in range(1, 6):
            record = run.deal(match_id, deal)
            for number, trick in enumerate(record.tricks, start=1):
                for place, card in enumerate(trick.cards):
                    seat = (trick.leader + place) % 4
                    is_trump = bool(cards.trumps(record.trump) >> card & 1)
                    key = (match_id, deal, number, place + 1, seat, seats[seat])
                    right.append((*key, card, is_trump, seat == trick.winner))
    assert rows == right


@pytest.mark.parametrize("code", range(54))
def test_macros_name_a_card_as_the_game_does(con: duckdb.DuckDBPyConnection, code: int) -> None:
    query = "SELECT card_name($1::UTINYINT), card_suit($1::UTINYINT), card_rank($1::UTINYINT)"
    plain = code < cards.LITTLE_BLOOPER
    right = cards.name(code), cards.suit(code) if plain else None, cards.rank(code) if plain else None
    assert con.execute(query, [code]).fetchone() == right


@pytest.mark.parametrize("names", ["", "BB LB", "AS 2S KH 10D 3C 2C", "BB AC"])
def test_macros_read_a_set_out(con: duckdb.DuckDBPyConnection, names: str) -> None:
    held = cards.to_set(names)
    assert con.execute("SELECT cards($1::UBIGINT), set_size($1::UBIGINT)", [held]).fetchone() == (
        names,
        len(names.split()),
    )


def test_a_ratio_has_the_error_of_its_rows_scatter_about_it(con: duckdb.DuckDBPyConnection) -> None:
    above, below = np.array([3, 0, 2, 7, 1]), np.array([4, 1, 3, 5, 2])
    rows = f"(SELECT unnest({above.tolist()}) AS made, unnest({below.tolist()}) AS claims)"
    ratio = above.sum() / below.sum()
    error = np.sqrt(5 / 4 * ((above - ratio * below) ** 2).sum()) / below.sum()
    (found,) = con.execute(f"SELECT ratio(made, claims), ratio_error(made, claims) FROM {rows}").fetchall()
    assert found == pytest.approx((ratio, error))
    (alone,) = con.execute("SELECT ratio(1, 2), ratio_error(1, 2), ratio(1, 0)").fetchall()
    assert alone == (0.5, None, None)
