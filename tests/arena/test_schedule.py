"""Who is dealt what, and where it is played: nothing but its own place in the tournament decides a match."""

from dataclasses import replace
from itertools import product

import numpy as np
import polars as pl
import pytest

from sim.arena import engine
from sim.arena.decks import decks_of
from sim.arena.shard import play_shard
from sim.game.house import Rules
from tests.arena.fellows import Careless, Claimer, Passer, Steady
from tests.arena.rows import equal, of_matches, plan_of, tables_of

SEATS = ("north", "east", "south", "west")
HANDS = [f"{seat}_hand" for seat in SEATS]
FOUR = ("random_legal", Steady, Claimer, (Passer, Steady(less=0)))


def test_the_engine_compiles_once_for_any_field() -> None:
    """Twelve strategies of four classes meet in 66 pairings, and others meet under other rules."""
    field = [Steady(less=n) for n in range(6)] + [Careless(since=n) for n in range(4)] + [Claimer, "random_legal"]
    plan = plan_of(*field, matches=2, on_fault="forfeit")
    assert len(plan.pairings) == 66
    tables_of(plan)
    tables_of(plan_of(Passer, Claimer, rules=Rules(hand_sizes=(1,), all_pass="score-zero")))
    assert len(engine.play_matches.signatures) == 1


@pytest.mark.parametrize("shard_shuffles", [1, 3, 5, 64])
def test_rows_do_not_depend_on_the_size_of_shards(shard_shuffles: int) -> None:
    plan = plan_of(*FOUR, matches=14, shard_shuffles=shard_shuffles)
    parts = [play_shard(plan, shard).columns for shard in range(plan.shards)]
    whole = play_shard(replace(plan, shard_shuffles=plan.shuffles), 0).columns
    for table, columns in whole.items():
        for name, values in columns.items():
            assert np.array_equal(np.concatenate([part[table][name] for part in parts]), values), (table, name)


def test_a_match_replayed_alone_has_the_same_rows() -> None:
    plan = plan_of(*FOUR, matches=14)
    whole = tables_of(plan)
    for shuffle, pairing in product((0, 3, 6), range(6)):
        alone = replace(plan, pairings=plan.pairings[pairing : pairing + 1],
                        pairing_names=plan.pairing_names[pairing : pairing + 1])  # fmt: skip
        ids = [plan.match_id(shuffle, pairing, table) for table in (0, 1)]
        rows = tables_of(alone, range(shuffle, shuffle + 1))
        there = of_matches(whole, ids, rows["matches"]["match_id"].to_list())
        there["matches"] = there["matches"].with_columns(pairing=pl.lit(0, pl.UInt16))
        assert equal(rows, there)


def test_a_strategy_more_changes_no_rows_of_the_others() -> None:
    few, many = plan_of("random_legal", Steady), plan_of(Claimer, "random_legal", Passer, Steady)
    pairing = many.pairing_names.index(("random_legal", "steady"))
    ids = [many.match_id(shuffle, pairing, table) for shuffle in range(4) for table in (0, 1)]
    there = of_matches(tables_of(many), ids, list(range(8)))
    there["matches"] = there["matches"].with_columns(pairing=pl.lit(0, pl.UInt16))
    assert equal(tables_of(few), there)


def test_a_deterministic_strategy_against_itself_has_no_margin_on_any_shuffle() -> None:
    matches = tables_of(plan_of(Steady, format="self", matches=200, rules=Rules()))["matches"]
    margin = pl.col("ns_score") - pl.col("ew_score")
    own = pl.when(pl.col("table") == 0).then(margin).otherwise(-margin)
    margins = matches.group_by("shuffle_id").agg(own.sum())
    assert margins.height == 100
    assert set(margins["ns_score"]) == {0}
    assert matches["ns_score"].n_unique() > 50


def shuffles(seed: int) -> set[bytes]:
    ids, deals, attempts = (np.array(column) for column in zip(*product(range(100), range(1, 26), (1, 2)), strict=True))
    return {deck.tobytes() for deck in decks_of(seed, ids, deals, attempts)[0]}


def test_neighbouring_seeds_share_no_shuffle() -> None:
    assert len(shuffles(42)) == len(shuffles(43)) == 5000
    assert not shuffles(42) & shuffles(43)


def test_every_pairing_is_dealt_the_same_cards() -> None:
    tables = tables_of(plan_of(*FOUR, matches=40))
    dealt = tables["deals"].join(tables["matches"].select("match_id", "shuffle_id"), on="match_id")
    cards = dealt.group_by("shuffle_id", "deal", "attempt").agg(pl.col(*HANDS, "turned", "swap_seat").n_unique())
    assert (cards.select(*HANDS, "turned", "swap_seat").to_numpy() == 1).all()
    assert (tables["matches"].group_by("shuffle_id").agg(pl.col("first_dealer").n_unique())["first_dealer"] == 1).all()
    assert tables["matches"]["first_dealer"].n_unique() == 4


def test_duplicates_exchange_north_with_east_and_south_with_west() -> None:
    plan = plan_of((Passer, "random_legal"), (Steady, Claimer))
    matches = tables_of(plan)["matches"]
    first, second = (matches.filter(pl.col("table") == table) for table in (0, 1))
    assert first.select(SEATS).unique().rows() == [("passer", "steady", "random_legal", "claimer")]
    assert second.select(SEATS).unique().rows() == [("steady", "passer", "claimer", "random_legal")]
    assert first["shuffle_id"].to_list() == second["shuffle_id"].to_list() == [0, 1, 2, 3]


def test_a_hand_thrown_in_is_dealt_by_the_next_dealer_from_another_shuffle() -> None:
    """B5, and cards that depend on the attempt but on no bid."""
    deals = tables_of(plan_of(Passer, format="self", matches=2, rules=Rules(hand_sizes=(5, 5), max_redeals=4)))["deals"]
    assert deals["attempt"].to_list() == [1, 2, 3, 4] * 4
    assert deals["outcome"].to_list() == (["thrown-in"] * 3 + ["stalled"]) * 4
    dealers = deals["dealer"].to_list()
    assert dealers == [(dealers[0] + turn) % 4 for turn in range(8)] * 2
    assert deals[:8].select("north_hand", "turned").n_unique() == 8
    assert deals[:8].select(*HANDS, "turned").equals(deals[8:].select(*HANDS, "turned"))
