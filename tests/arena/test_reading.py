"""A stored match or deal comes back as it was played, and what is not there is said."""

from pathlib import Path

import pytest

from sim.arena.manifest import stored_plan
from sim.arena.run import Run, open_run
from sim.arena.runner import play
from sim.arena.tournament import Tournament
from sim.errors import RunError
from sim.game import referee
from sim.game.house import Rules
from sim.game.match import Match

FELLOWS = Path(__file__).with_name("fellows.py")
RULES = Rules(hand_sizes=(2, 1, 3, 1), max_redeals=2)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Two pairings of two tables on nine shuffles, in three shards; Passer meets Careless and Steady."""
    tournament = Tournament(
        ["random_legal", f"{FELLOWS}:Careless", f"{FELLOWS}:Passer"],
        format="gauntlet", matches=18, seed=3, rules=RULES, shard_shuffles=4, on_fault="forfeit",
    )  # fmt: skip
    return play(tournament, tmp_path_factory.mktemp("runs") / "run")


def test_a_match_comes_back_as_the_referee_plays_it(run: Run) -> None:
    for match_id in range(36):
        row = run.match_row(match_id)
        match = Match(row["first_dealer"], RULES)
        for hand in run.match(match_id):
            seen = referee.replay(hand.deal, hand.bids, [trick.cards for trick in hand.tricks], RULES)
            assert match.enter(seen) == hand.outcome
            assert seen.to_text().replace("thrown-in", hand.outcome) == hand.to_text()
        if row["fault"] is None:
            assert (match.finished, match.score) == (True, [row["ns_score"], row["ew_score"]])
        else:
            assert match.deal == row["fault_deal"]


def test_a_deal_comes_back_by_number_and_attempt(run: Run) -> None:
    again = next(match for match in range(36) if len(run.match(match)) > 4)
    outcomes = [hand.outcome for hand in run.match(again)]
    number = outcomes.index("thrown-in") + 1
    first, second = run.match(again)[number - 1 : number + 1]
    assert run.deal(again, number, attempt=1) == first
    assert run.deal(again, number, attempt=2) == run.deal(again, number) == second
    assert second.deal.dealer == (first.deal.dealer + 1) % 4


def test_the_whole_deck_is_there(run: Run) -> None:
    match = next(match for match in range(36) if run.match(match))
    deal = run.deal(match, 1).deal
    assert sum(deal.hands) + (1 << deal.turned) + sum(1 << card for card in deal.stock) == (1 << 54) - 1


def test_the_last_match_is_in_the_last_and_shorter_shard(run: Run) -> None:
    plan = stored_plan(run.manifest)
    assert (plan.shards, plan.shard_matches(2)) == (3, 4)
    assert run.match_row(35)["match_id"] == 35


@pytest.mark.parametrize("match_id", [-1, 36, 2**40])
def test_a_match_out_of_range_is_refused(run: Run, match_id: int) -> None:
    with pytest.raises(RunError, match=f"there is no match {match_id}: the run's matches are 0 to 35"):
        run.match(match_id)


def test_a_deal_or_an_attempt_that_is_not_there_is_refused(run: Run) -> None:
    whole = next(match for match in range(36) if len(run.match(match)) == 4)
    with pytest.raises(RunError, match=f"match {whole} has no deal 5: it has 1 to 4"):
        run.deal(whole, 5)
    with pytest.raises(RunError, match=f"deal 1 of match {whole} has no attempt 2: it has 1"):
        run.deal(whole, 1, attempt=2)


def test_a_match_that_ended_by_a_fault_has_the_deals_before_it(run: Run) -> None:
    row = next(row for row in map(run.match_row, range(36)) if row["fault"])
    with pytest.raises(RunError, match=f"match {row['match_id']} has no deal {row['fault_deal']}: it has "):
        run.deal(row["match_id"], row["fault_deal"])


def test_a_match_not_played_yet_is_refused_with_the_way_on(run: Run, tmp_path: Path) -> None:
    (tmp_path / "matches").mkdir()
    (tmp_path / "run.json").write_bytes(run.folder.manifest.read_bytes())
    with pytest.raises(
        RunError, match="match 20 is not played yet: it is in shard 1, 0 of 3 shards are there"
    ) as caught:
        open_run(tmp_path).match(20)
    assert str(caught.value).endswith(f"go on with `backalley resume {tmp_path}`")


def test_a_part_that_is_missing_is_named(run: Run, tmp_path: Path) -> None:
    (tmp_path / "matches").mkdir()
    for name in ("run.json", "matches/part-00000.parquet"):
        (tmp_path / name).write_bytes((run.path / name).read_bytes())
    with pytest.raises(RunError, match=r"deals/part-00000\.parquet is missing"):
        open_run(tmp_path).deal(0, 1)
