"""Scripted deals played by either implementation: by the referee's table and by the engine with scripted players.

`bids` come in the order of the bidding, from the dealer's left. `script` holds the cards of each trick in the order
played, ``["AS 2S 3S 4S", "KS …"]``; where it ends, everyone plays the lowest legal card.
"""

from collections.abc import Callable, Sequence

import pytest

from sim.game import cards
from sim.game.house import Rules
from sim.game.record import Deal, Record
from sim.game.referee import Table

STANDARD = Rules()

Driver = Callable[[Deal, Sequence[object], list[int], Rules], tuple[Record, list[int]]]


def by_referee(deal: Deal, bids: Sequence[object], script: list[int], rules: Rules) -> tuple[Record, list[int]]:
    table, legal = Table(deal, rules), []
    for bid in bids:
        table.bid(bid)
    while not table.finished:
        legal.append(table.legal_cards())
        at = len(legal) - 1
        table.play(script[at] if at < len(script) else cards.lowest(legal[at]))
    return table.result(), legal


def by_engine(deal: Deal, bids: Sequence[object], script: list[int], rules: Rules) -> tuple[Record, list[int]]:
    import sim

    legal: list[int] = []

    class Scripted(sim.Strategy):
        """Bids and plays what the script says."""

        compiled = False

        def bid(self, view):
            return bids[(view.seat - view.dealer - 1) % 4]

        def play(self, view):
            legal.append(int(view.legal))
            at = 4 * (view.trick - 1) + view.position
            return script[at] if at < len(script) else cards.lowest(view.legal)

    return sim.play_deal([Scripted()] * 4, deal, rules=rules, seed=0), legal


def codes(script: Sequence[str]) -> list[int]:
    return [cards.parse(card) for trick in script for card in trick.split()]


@pytest.fixture(params=[by_referee, by_engine], ids=["referee", "engine"])
def drive(request) -> Driver:
    return request.param


@pytest.fixture
def play(drive: Driver) -> Callable[..., Record]:
    """Play a scripted deal and return its record."""

    def play(deal: Deal, bids: Sequence[object], script: Sequence[str] = (), rules: Rules = STANDARD) -> Record:
        return drive(deal, bids, codes(script), rules)[0]

    return play


@pytest.fixture
def legal_at(drive: Driver) -> Callable[..., set[str]]:
    """Return the names (ten as T) of the cards that were legal where the script ends."""

    def legal_at(deal: Deal, bids: Sequence[object], script: Sequence[str] = (), rules: Rules = STANDARD) -> set[str]:
        legal = drive(deal, bids, codes(script), rules)[1]
        return set(cards.names(legal[len(codes(script))]).replace("10", "T").split())

    return legal_at


@pytest.fixture
def refusal(drive: Driver) -> Callable[..., str]:
    """Return the error, reason code included, that a script with an illegal move ends in."""

    def refusal(deal: Deal, bids: Sequence[object], script: Sequence[str] = (), rules: Rules = STANDARD) -> str:
        with pytest.raises(Exception, match=r"\S") as caught:
            drive(deal, bids, codes(script), rules)
        return f"{getattr(caught.value, 'reason', '')} {caught.value}"

    return refusal
