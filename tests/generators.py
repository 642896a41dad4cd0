"""Hypothesis generators that several tests share: house rules, deals, bids, and choices among legal cards."""

from hypothesis import strategies as st

from sim.game import cards
from sim.game.house import CHOICES, Rules
from sim.game.record import BOARD, PASS, Deal, Record
from sim.game.referee import Table

SETTINGS = {
    **{name: st.sampled_from(choices) for name, choices in CHOICES.items()},
    "little_blooper_forces": st.booleans(),
    "max_redeals": st.integers(1, 250),
    "points_per_bid_trick": st.integers(0, 100),
    "points_per_overtrick": st.integers(0, 100),
    "points_per_board_trick": st.integers(0, 100),
}


def rules(**fixed: st.SearchStrategy) -> st.SearchStrategy[Rules]:
    """House rules with every setting free but `hand_sizes`; a setting given by name is drawn from what is given."""
    return st.builds(Rules, **(SETTINGS | fixed))


def _place(deck: list[int], card: int, at: int) -> None:
    there = deck.index(card)
    deck[there], deck[at] = deck[at], card


SIZES = st.integers(1, 13)


@st.composite
def deals(draw: st.DrawFn, sizes: st.SearchStrategy[int] = SIZES) -> Deal:
    """Whole deals of all 54 cards. A joker is turned often, the other one then in a hand or next in the stock."""
    deck, size = list(draw(st.permutations(range(54)))), draw(sizes)
    turned = draw(st.sampled_from((None, cards.LITTLE_BLOOPER, cards.BIG_BLOOPER)))
    if turned is not None:
        other = cards.LITTLE_BLOOPER + cards.BIG_BLOOPER - turned
        _place(deck, other, draw(st.sampled_from((0, size, 2 * size, 3 * size, 4 * size + 1))))
        _place(deck, turned, 4 * size)
    hands = [deck[seat * size : (seat + 1) * size] for seat in range(4)]
    return Deal(hands, deck[4 * size], draw(st.integers(0, 3)), deck[4 * size + 1 :])


def bids(hand_size: int) -> st.SearchStrategy[tuple[int, int, int, int]]:
    """Four legal bids; passes and boards more often than an even choice would give."""
    numbers = [st.integers(1, hand_size - 1)] if hand_size > 1 else []
    bid = st.one_of(st.just(PASS), *numbers, st.just(BOARD))
    return st.tuples(bid, bid, bid, bid)


CHOICES_OF_CARDS = st.binary(min_size=52, max_size=52)
"""A number for each card of a deal, to `choose` it by."""


def choose(legal: int, choice: int) -> int:
    """Return the card of a legal set that a number picks."""
    return cards.select(legal, choice % cards.count(legal))


@st.composite
def played_deals(draw: st.DrawFn) -> tuple[Record, Rules, list[int]]:
    """A deal played at the referee's table: its record, its rules, and the legal set at each card."""
    house, deal = draw(rules()), draw(deals())
    table, legal = Table(deal, house), []
    four_bids, choices = draw(bids(deal.hand_size)), draw(CHOICES_OF_CARDS)
    while len(table.bids) < 4:
        table.bid(four_bids[table.to_act])
    while not table.finished:
        legal.append(table.legal_cards())
        table.play(choose(legal[-1], choices[len(legal) - 1]))
    return table.result(), house, legal


def records() -> st.SearchStrategy[Record]:
    """Records of deals played at the referee's table."""
    return played_deals().map(lambda played: played[0])
