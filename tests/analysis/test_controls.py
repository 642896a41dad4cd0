"""The controls of a run made by hand, and of one that was played."""

from pathlib import Path

import numpy as np

import sim
from sim.analysis.controls import controls
from tests.analysis.synthetic import about
from tests.arena.fellows import Careless, Passer, Steady
from tests.arena.stored import stored, tables


def test_everything_is_counted(tmp_path: Path) -> None:
    seats = (
        {"north": "a", "south": "a", "east": "b", "west": "b"},
        {"north": "b", "south": "b", "east": "a", "west": "a"},
    )
    scores = [(100, 60), (80, 90), (10, 30), (50, 40)]
    matches = [
        {"match_id": i, "shuffle_id": i // 2, "table": i % 2, "first_dealer": 3 * (i // 2)} | seats[i % 2]
        | {"ns_score": ns, "ew_score": ew, "thrown_in": 1, "stalled": i % 2} for i, (ns, ew) in enumerate(scores)
    ]  # fmt: skip
    deals = [{"match_id": i, "deal": 1, "attempt": 1, "north_hand": 8191 + i // 2} for i in range(4)]
    found = controls(stored(tmp_path, about([("a", "b")], "ab", 3, shard_shuffles=2), tables(matches, deals)))
    assert (found.shuffles, found.shuffles_expected, found.first_hands, found.matches) == (2, 3, 2, 4)
    assert found.seats == {"a": (2, 2, 2, 2), "b": (2, 2, 2, 2)}
    assert found.dealers == (1, 0, 0, 1)
    assert found.seat_margin.mean == (40 - 10 - 20 + 10) / 4
    assert (found.stalled, found.thrown_in, found.faults, found.left_out) == (2, 4, {}, 0)
    assert found.self_matches == ()


def test_an_empty_run_has_empty_controls(tmp_path: Path) -> None:
    found = controls(stored(tmp_path, about([("a", "a")], "a", shuffles=3)))
    assert (found.shuffles, found.shuffles_expected, found.matches, found.dealers) == (0, 3, 0, (0, 0, 0, 0))
    assert np.isnan(found.seat_margin.mean) and np.isnan(found.self_matches[0].margin.mean)


def test_faults_are_counted_and_their_shuffles_left_out(tmp_path: Path) -> None:
    rules = sim.Rules(hand_sizes=[4, 3, 2])
    field = [Careless(since=2), Passer()]
    run = sim.play(sim.Tournament(field, matches=40, seed=5, on_fault="forfeit", rules=rules), tmp_path / "run")
    found = controls(run)
    assert sum(found.faults.values()) >= found.left_out > 0
    assert found.matches == 40 and found.shuffles == found.shuffles_expected == 20


def test_players_without_chance_are_level_with_themselves_on_every_shuffle(tmp_path: Path) -> None:
    rules = sim.Rules(hand_sizes=[5, 4, 3])
    run = sim.play(sim.Tournament([Steady(), "random_legal"], "self", 60, seed=5, rules=rules), tmp_path / "run")
    steady, random = controls(run).self_matches
    assert (steady.side, steady.largest, steady.margin) == ("steady", 0, (0, 0, 0))
    assert random.largest > 0 and random.margin.low < 0 < random.margin.high
    assert all(north == east and south == west for north, east, south, west in controls(run).seats.values())
    assert controls(run).first_hands == 30
    assert sum(controls(run).dealers) == 30


def test_they_read_as_facts(tmp_path: Path) -> None:
    rules = sim.Rules(hand_sizes=(2, 1))
    run = sim.play(
        sim.Tournament(["passer", "counter"], format="self", matches=8, seed=3, rules=rules), tmp_path / "run"
    )
    facts = controls(run).facts()
    assert facts["shuffles there, of those planned"] == "4 of 4" and facts["matches"] == "16"
    assert facts["sides against themselves, margin"] == "passer +0.0 ± 0.0 (largest 0); counter +0.0 ± 0.0 (largest 0)"
    assert facts["counter in North, East, South, West"] == "8, 8, 8, 8" and facts["faults"] == "none"
