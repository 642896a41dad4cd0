"""The engine plays as the referee does: the same record of any deal, and at every decision the same view."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sim import BOARD, Strategy, View, cards, play_deal
from sim.arena.decks import deal_from, decks_of
from sim.arena.shard import Play
from sim.arena.tournament import Tournament
from sim.game.house import Rules
from sim.game.match import Match
from sim.game.record import Deal, Record
from sim.game.referee import Table
from sim.players.view import SLOTS
from tests import generators
from tests.arena.onlooker import sight

FIELDS = [name for name in SLOTS if name != "random"]


@dataclass
class Script:
    """What the players are to do, and what they saw and did."""

    bids: tuple[int, ...] = ()
    choices: bytes = b""
    decisions: list[tuple[View, int]] = field(default_factory=list)

    def decide(self, view: View, decision: int) -> int:
        self.decisions.append((view, decision))
        return decision


script = Script()


class Scripted(Strategy):
    """Bids as the script says and plays the legal card that it picks."""

    compiled = False

    def bid(self, view):
        return script.decide(view, script.bids[view.seat])

    def play(self, view):
        at = 4 * (view.trick - 1) + view.position
        return script.decide(view, generators.choose(view.legal, script.choices[at]))


class Wanderer(Strategy):
    """Bids and plays by chance."""

    compiled = False

    def bid(self, view):
        bid = cards.below(view.random, view.hand_size + 1)
        return script.decide(view, bid if bid < view.hand_size else BOARD)

    def play(self, view):
        return script.decide(view, cards.pick(view.legal, view.random))


@st.composite
def scripted_deals(draw: st.DrawFn) -> tuple[Deal, Rules, tuple[int, ...], bytes]:
    deal = draw(generators.deals())
    return deal, draw(generators.rules()), draw(generators.bids(deal.hand_size)), draw(generators.CHOICES_OF_CARDS)


@settings(max_examples=200, deadline=None)
@given(scripted_deals(), st.integers(0, 2**63 - 1))
def test_a_deal_is_played_as_at_the_referees_table(
    drawn: tuple[Deal, Rules, tuple[int, ...], bytes], seed: int
) -> None:
    deal, rules, script.bids, script.choices = drawn
    script.decisions = []
    record = play_deal([Scripted] * 4, deal, rules=rules, seed=seed)
    follow(iter(script.decisions), deal, Match(deal.dealer, one_deal(rules, deal.hand_size)), record)


def one_deal(rules: Rules, size: int) -> Rules:
    return Rules.from_dict(rules.to_dict() | {"hand_sizes": [size]})


def follow(decisions: Iterator[tuple[View, int]], deal: Deal, match: Match, record: Record | None = None) -> Table:
    """Let the referee go through decisions, each one's view compared, and compare the record in every field."""
    table = Table(deal, match.rules)
    while not table.finished:
        view, decision = next(decisions)
        assert {name: getattr(view, name) for name in FIELDS} == sight(table, match)
        table.play(decision) if len(table.bids) == 4 else table.bid(decision)
    if record is not None:
        assert next(decisions, None) is None
        assert record == table.result()
    return table


SIZES = st.lists(st.integers(1, 13), min_size=1, max_size=4)


@settings(max_examples=25, deadline=None)
@given(generators.rules(hand_sizes=SIZES, max_redeals=st.integers(1, 4)), st.integers(0, 2**63 - 1), st.booleans())
def test_a_match_is_played_as_at_the_referees_table(rules: Rules, seed: int, duplicate: bool) -> None:
    tournament = Tournament([Wanderer], format="self", matches=2, duplicate=duplicate, seed=seed, rules=rules)
    script.decisions = []
    play = Play(tournament.plan(), first_shuffle=0, matches=2)
    play.run()
    decisions, deals = iter(script.decisions), iter(play.columns()["deals"]["dealer"])
    for match_id in range(2):
        match = Match(int(play.match_log.first_dealer[match_id]), rules)
        while not match.finished:
            shuffle = match_id if not duplicate else 0
            place = (np.array([number]) for number in (shuffle, match.deal, match.attempt))
            deck = decks_of(seed, *place)[0][0]
            table = follow(decisions, deal_from(deck, match.hand_size, match.dealer), match)
            assert next(deals) == match.dealer
            match.enter(table.result())
        assert [int(score[match_id]) for score in play.match_log.score] == match.score
    assert next(decisions, None) is next(deals, None) is None
    randoms = [view.random for view, _ in script.decisions]
    assert len(set(randoms)) == len(randoms)
    assert all(0 <= random < 2**63 for random in randoms)
