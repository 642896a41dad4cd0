"""The largest and the smallest numbers that the rules allow: nothing wraps round, nothing reads as null."""

from itertools import product

import polars as pl
import pytest

from sim import play_deal
from sim.arena.finding import Rows
from sim.arena.plan import Plan
from sim.arena.schema import TABLES
from sim.arena.verify import check_rows
from sim.game.house import Rules
from sim.game.record import Deal
from tests.arena.fellows import Careless, Claimer, Passer, Steady
from tests.arena.rows import Tables, plan_of, tables_of

HIGH = {"points_per_bid_trick": 100, "points_per_overtrick": 100, "points_per_board_trick": 100}
SUITS = [[f"{rank}{suit}" for rank in "23456789TJQKA"] for suit in "CDHS"]


def right(plan: Plan, tables: Tables) -> bool:
    return not list(check_rows(**{table: Rows(table, tables[table], plan.labels) for table in TABLES}, plan=plan))


def four_suits(trump: int) -> Deal:
    """Return a deal in which each player holds a suit but for a low card; the trumps are North's, jokers included."""
    clubs, diamonds, hearts, spades = (suit[:] for suit in SUITS)
    low = [suit.pop(0) for suit in (clubs, diamonds, hearts, spades)]
    north = [*clubs[1:], "BB", "LB"]
    return Deal([north, diamonds + low[1:2], hearts + low[2:3], spades + low[3:]], clubs[0], 3, [low[0]])


def test_one_deal_is_worth_5200_points_at_most() -> None:
    rules = Rules(**HIGH, board_multiplier="table")
    record = play_deal([Claimer] * 4, four_suits(0), rules=rules)
    assert record.tricks_won == (13, 0, 0, 0)
    assert record.points == (5200, -5200)


@pytest.mark.parametrize(("size", "points"), [(13, 5200), (1, 400)])
def test_255_deals_of_quadruples_at_the_highest_stake(size: int, points: int) -> None:
    rules = Rules(hand_sizes=(size,) * 255, **HIGH, board_multiplier="table")
    plan = plan_of(Claimer, format="self", matches=2, rules=rules)
    tables = tables_of(plan)
    assert right(plan, tables)
    assert set(tables["deals"]["ns_points"]) == set(tables["deals"]["ew_points"]) == {-points, points}
    assert tables["deals"]["deal"].to_list() == [*range(1, 256)] * 2
    for match, side in product(tables["matches"].iter_rows(named=True), ("ns", "ew")):
        won = tables["deals"].filter(pl.col("match_id") == match["match_id"])[f"{side}_points"].to_list()
        assert match[f"{side}_score"] == sum(won)
    assert size == 1 or tables["matches"]["ns_score"].max() < -1_200_000


def test_a_match_of_hands_thrown_in_alone() -> None:
    plan = plan_of(Passer, format="self", matches=2, rules=Rules(hand_sizes=(13,) * 255, max_redeals=250))
    tables = tables_of(plan)
    assert right(plan, tables)
    assert tables["deals"].height == 2 * 255 * 250
    assert tables["deals"]["attempt"].max() == 250
    assert tables["matches"]["thrown_in"].to_list() == [255 * 249] * 2
    assert tables["matches"]["stalled"].to_list() == [255] * 2


def test_a_fault_in_the_last_of_255_deals() -> None:
    rules = Rules(hand_sizes=(*[1] * 254, 13))
    plan = plan_of(Careless(since=255), Steady, matches=8, rules=rules, on_fault="forfeit")
    matches = tables_of(plan)["matches"]
    assert matches["fault"].null_count() == 0
    assert set(matches["fault_deal"]) == {255}
