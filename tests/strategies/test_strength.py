"""Who beats whom, and by how much at least: a slip in bidding or play that no other test sees shows here."""

import numpy as np
import pytest

from sim import Tournament
from sim.arena.shard import play_shard

MATCHES = 20_000


def results(one: str, other: str, matches: int = MATCHES):
    """Points and matches won by the first side over the second, by shuffle, both tables averaged; the deals' rows."""
    plan = Tournament([one, other], matches=matches, seed=7, shard_shuffles=matches).plan()
    columns = play_shard(plan, 0).columns
    rows, deals = columns["matches"], columns["deals"]
    sign = np.where(rows["table"] == 0, 1, -1)
    margin = sign * (rows["ns_score"] - rows["ew_score"])
    by_shuffle = (each.reshape(-1, 2).mean(axis=1) for each in (margin, (1 + np.sign(margin)) / 2))
    return *by_shuffle, deals


def least(sample: np.ndarray) -> float:
    """The mean less four standard errors."""
    return sample.mean() - 4 * sample.std(ddof=1) / len(sample) ** 0.5


@pytest.mark.parametrize(
    ("one", "other", "points"),
    [
        ("passer", "random_legal", 950),
        ("counter", "random_legal", 1100),
        ("counter", "passer", 160),
        ("counter", "cautious", 10),
        ("counter", "bold", 10),
        ("gambler", "counter", 0.5),
        ("doubler", "gambler", 0.2),
    ],
)
def test_scores_more(one: str, other: str, points: float) -> None:
    margin, _, _ = results(one, other)
    assert least(margin) > points


def test_clockwatch_scores_fewer_points_than_counter_and_wins_more_matches() -> None:
    margin, won, _ = results("clockwatch", "counter")
    assert least(won) > 0.51 and least(-margin) > 5


def test_hardly_a_deal_stalls_among_sensible_players() -> None:
    _, _, deals = results("counter", "gambler", 2000)
    stalled = deals["outcome"] == 2
    assert stalled.mean() < 0.001
