"""What a tournament accepts, whom it pairs with whom, and how it cuts its matches into shards."""

import pickle
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from sim.arena.plan import Plan
from sim.arena.tournament import Tournament
from sim.errors import BackAlleyError, ConfigError, SpecError
from sim.game import cards
from sim.game.house import Rules
from sim.players.strategy import Strategy


class Low(Strategy):
    """Plays low."""

    margin: float = 1.0

    def bid(self, view):
        return 0

    def play(self, view):
        return cards.lowest(view.legal)


class High(Low):
    """Plays high."""

    def play(self, view):
        return cards.highest(view.legal)


class Mid(Low):
    """Plays low, interpreted."""

    compiled = False


FIELD = (Low, High, Mid)


def named(format: str, *entries: Any) -> list[tuple[str, str]]:
    return list(Tournament(entries or FIELD, format=format).plan().pairing_names)


def test_round_robin_pairs_all_in_the_order_given() -> None:
    assert named("round-robin") == [("low", "high"), ("low", "mid"), ("high", "mid")]


def test_gauntlet_pairs_the_first_with_each_other() -> None:
    assert named("gauntlet") == [("low", "high"), ("low", "mid")]


def test_self_pairs_each_with_itself() -> None:
    assert named("self") == [("low", "low"), ("high", "high"), ("mid", "mid")]
    assert named("self", Low) == [("low", "low")]


def test_partners_share_a_side_north_or_east_first() -> None:
    plan = Tournament([(Low, High), Mid, (High, Low)]).plan()
    assert plan.labels == ("low", "high", "mid")
    assert plan.pairing_names == (("low+high", "mid"), ("low+high", "high+low"), ("mid", "high+low"))
    assert plan.pairings == (((0, 1), (2, 2)), ((0, 1), (1, 0)), ((2, 2), (1, 0)))


def test_a_spec_with_a_plus_is_a_side_of_partners() -> None:
    plan = Tournament("random_legal+random_legal", format="self").plan()
    assert plan.pairing_names == (("random_legal", "random_legal"),)


def test_a_strategy_plays_once_under_its_label_however_often_it_is_named() -> None:
    plan = Tournament([Low, (Low(), High), Low(margin=0.5)]).plan()
    assert plan.labels == ("low", "high", "low:margin=0.5")


@pytest.mark.parametrize("entries", [(Low, High, Low), (Low, (Low, Low)), ((Low, High), (Low, High))])
def test_equal_labels_are_refused(entries: tuple[Any, ...]) -> None:
    with pytest.raises(ConfigError, match="is in the field 2 times"):
        Tournament(entries).plan()


def test_two_strategies_of_one_label_are_refused() -> None:
    other = type("Low", (High,), {"__doc__": "Another.", "__module__": __name__, "compiled": False})
    with pytest.raises(ConfigError, match="two different strategies have the label low"):
        Tournament([Low, (other, High)]).plan()


def test_one_strategy_alone_is_pointed_to_self() -> None:
    with pytest.raises(ConfigError, match=r'at least two strategies; here is one\n.*format = "self"'):
        Tournament([Low]).plan()


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"format": "swiss"}, 'format = \'swiss\' is refused: it must be "round-robin" or "gauntlet" or "self"'),
    ({"on_fault": "ignore"}, "on_fault = 'ignore' is refused"),
    ({"matches": 0}, "matches = 0 is refused: it must be an integer from 1 to"),
    ({"matches": 2.0}, "matches = 2.0 is refused"),
    ({"matches": True}, "matches = True is refused"),
    ({"matches": 7}, "matches = 7 is refused: it must be even when duplicate"),
    ({"duplicate": "yes"}, "duplicate = 'yes' is refused: it must be true or false"),
    ({"seed": -1}, r"seed = -1 is refused: it must be an integer from 0 to 2\*\*63 - 1"),
    ({"seed": 2**63}, "seed = 9223372036854775808 is refused"),
    ({"shard_shuffles": 0}, "shard_shuffles = 0 is refused"),
    ({"rules": {}}, "rules = {} is refused: it must be a Rules object"),
    ({"strategies": []}, "no strategies"),
    ({"strategies": Low}, "strategies = .* is refused: it must be a list"),
]


@pytest.mark.parametrize(("settings", "message"), REFUSED, ids=[str(settings) for settings, _ in REFUSED])
def test_a_bad_value_is_named_with_its_field_and_what_is_allowed(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        Tournament(**{"strategies": FIELD} | settings)


@pytest.mark.parametrize("seed", [0, 2**63 - 1])
def test_seeds_at_the_ends_are_taken(seed: int) -> None:
    assert Tournament(FIELD, seed=seed).plan().seed == seed


def test_a_seed_is_drawn_when_none_is_given() -> None:
    seeds = {Tournament(FIELD).seed for _ in range(8)}
    assert len(seeds) == 8
    assert all(isinstance(seed, int) and 0 <= seed < 2**63 for seed in seeds)


def test_odd_matches_are_fine_without_duplicate() -> None:
    plan = Tournament(FIELD, matches=7, duplicate=False).plan()
    assert (plan.tables, plan.shuffles, plan.matches) == (1, 7, 21)


def test_matches_are_each_pairings_with_both_tables_counted() -> None:
    plan = Tournament(FIELD, matches=10).plan()
    assert (plan.tables, plan.shuffles, plan.matches) == (2, 5, 30)


def test_too_many_matches_and_pairings_are_refused() -> None:
    with pytest.raises(ConfigError, match="are too many: a run numbers 4,294,967,296"):
        Tournament(FIELD, matches=2**32).plan()
    pairing = ((0, 0), (1, 1))
    with pytest.raises(ConfigError, match="65,537 pairings are too many"):
        plan(pairings=(pairing,) * (2**16 + 1))


def plan(**changes: Any) -> Plan:
    usual: dict[str, Any] = {
        "rules": Rules(), "seed": 1, "strategies": (Low(), High()), "pairings": (((0, 0), (1, 1)),),
        "pairing_names": (("low", "high"),), "tables": 2, "shuffles": 10, "shard_shuffles": 4, "on_fault": "stop",
    }  # fmt: skip
    return Plan(**usual | changes)


def test_match_ids_count_table_pairing_and_shuffle_from_the_innermost() -> None:
    three = Tournament(FIELD, matches=8).plan()
    every = [
        three.match_id(shuffle, pairing, table)
        for shuffle in range(three.shuffles)
        for pairing in range(3)
        for table in range(2)
    ]
    assert every == list(range(three.matches))


@pytest.mark.parametrize("shard_shuffles", [1, 3, 4, 10, 11])
def test_shards_cover_every_shuffle_once(shard_shuffles: int) -> None:
    cut = plan(shard_shuffles=shard_shuffles)
    covered = [first + i for first, n in map(cut.shard_range, range(cut.shards)) for i in range(n)]
    assert covered == list(range(10))
    assert sum(map(cut.shard_matches, range(cut.shards))) == cut.matches
    with pytest.raises(IndexError):
        cut.shard_range(cut.shards)


def test_large_runs_have_shards_of_about_4096_matches() -> None:
    assert Tournament((Low, High), matches=1_000_000).plan().shard_shuffles == 2048
    field = [Low(margin=float(i)) for i in range(12)]
    plan = Tournament(field, matches=100_000).plan()
    assert plan.shard_matches(0) == 31 * 132


def test_longer_and_interpreted_matches_have_smaller_shards() -> None:
    long = Rules(hand_sizes=(13,) * 255)
    assert Tournament((Low, High), matches=1_000_000, rules=long).plan().shard_shuffles == 111
    assert Tournament((Low, Mid), matches=1_000_000).plan().shard_shuffles == 128


def test_small_runs_have_enough_shards_to_share_out() -> None:
    assert Tournament((Low, High), matches=1000).plan().shards == 16
    assert Tournament((Low, High), matches=2).plan().shards == 1


def test_a_plan_can_be_sent_to_a_worker() -> None:
    sent = Tournament("random_legal", format="self").plan()
    assert pickle.loads(pickle.dumps(sent)).pairing_names == sent.pairing_names


def from_toml(tmp_path: Path, text: str) -> Tournament:
    path = tmp_path / "t.toml"
    path.write_text(text, encoding="utf-8")
    return Tournament.from_toml(path)


def test_toml_settings_are_the_fields(tmp_path: Path) -> None:
    read = from_toml(
        tmp_path,
        """
        [tournament]
        strategies = ["random_legal", "random_legal+random_legal"]
        format = "self"
        matches = 4
        duplicate = false
        seed = 7
        on_fault = "forfeit"
        [rules]
        blooper_partner = "free"
        hand_sizes = [3, 2, 1]
        """,
    )
    rules = Rules(blooper_partner="free", hand_sizes=(3, 2, 1))
    strategies = ("random_legal", "random_legal+random_legal")
    assert read == Tournament(strategies, "self", 4, False, 7, "forfeit", rules)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[tournament]\nmatch = 3", r"unknown key 'match' in \[tournament\]: did you mean 'matches'\?"),
        ("[tournament]\nzzz = 3", r"unknown key 'zzz' in \[tournament\]: there are strategies, format, matches"),
        ("[rule]\nx = 3", "unknown table 'rule': did you mean 'rules'"),
        ("[tournament]\nstrategies = ['a']\n[rules]\nblooper_partners = 'free'", "did you mean 'blooper_partner'"),
        ("[tournament]\nstrategies = ['a']\n[rules]\nblooper_partner = 'no'", "blooper_partner = 'no' is refused"),
        ("tournament = 3", "tournament must be a table"),
        ("[tournament]\nmatches = 3", "no strategies"),
        ("[tournament", "is not TOML"),
    ],
)
def test_what_is_wrong_in_a_toml_file_is_said(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        from_toml(tmp_path, text)


def test_a_missing_toml_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot read .*none\.toml: No such file"):
        Tournament.from_toml(tmp_path / "none.toml")


def test_strategies_files_are_found_beside_the_toml(tmp_path: Path) -> None:
    text = 'from strategies.random_legal import RandomLegal\nclass Mine(RandomLegal):\n    """Mine."""\n'
    (tmp_path / "mine.py").write_text(text)
    read = from_toml(tmp_path, '[tournament]\nstrategies = ["mine.py:Mine", "random_legal+mine.py:Mine"]')
    assert read.plan().pairing_names == (("mine", "random_legal+mine"),)


@pytest.mark.parametrize("spec", ["nobody", "random_legal:depth=3", "a+b+c", "random_legal+"])
def test_a_spec_that_names_nothing_is_a_spec_error(spec: str) -> None:
    with pytest.raises(SpecError):
        Tournament([spec, "random_legal"]).plan()


def test_no_mixture_of_values_raises_anything_but_plain_errors() -> None:
    chance = random.Random(5)
    values = [None, 0, 1, -1, 2, 7.5, "x", "self", True, (), [], {}, 2**70, "stop", "random_legal", Low, High()]
    for _ in range(300):
        settings: Mapping[str, Any] = {
            key: chance.choice(values)
            for key in ("strategies", "format", "matches", "duplicate", "seed", "on_fault", "rules", "shard_shuffles")
        }
        try:
            Tournament(**settings).plan()
        except BackAlleyError as error:
            assert 1 <= len(error.args) <= 6
