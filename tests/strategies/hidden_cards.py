"""The guard against peeking: a decision may not change when cards that the player cannot see change places.

A deal is played with the strategy in one seat and chance in the others. Then it is dealt again with the cards of the
other hands and of the stock exchanged, as far as all that the player had seen by one of its decisions stays as it was;
the others do again what they did, and so must the player.
"""

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sim import BOARD, PASS, Deal, Record, Rules, Strategy, cards, play_deal
from sim.game.referee import IllegalMove, Table

EXCHANGES = 12
"""Pairs of hidden cards that are tried for a new deal; those that the player would notice are not made."""


class Script:
    """What the other three players are to do: the moves of a deal so far, and chance from there on."""

    moves: Sequence[int] = ()


class Follower(Strategy):
    """Makes the moves of the script as long as they are to be made, then any legal ones."""

    compiled = False

    def bid(self, view):
        place = (view.seat - view.dealer - 1) % 4
        if place < len(Script.moves):
            return Script.moves[place]
        bid = cards.below(view.random, view.hand_size + 1)
        return bid if bid < view.hand_size else BOARD

    def play(self, view):
        place = 4 * view.trick + view.position
        if place < len(Script.moves) and cards.contains(view.legal, Script.moves[place]):
            return Script.moves[place]
        return cards.pick(view.legal, view.random)


def changed_mind(strategy: Strategy, deal: Deal, rules: Rules, chance: random.Random, tries: int = 3) -> str | None:
    """Return how a strategy's decision hangs on cards that it cannot see, None if no such decision was found.

    Parameters
    ----------
    strategy : Strategy
    deal : Deal
        With all 54 cards: the whole stock too.
    rules : Rules
    chance : random.Random
        Draws the seat, the decisions that are tried and the exchanges.
    tries : int
        How many of the strategy's decisions in this deal to try.
    """
    seat = chance.randrange(4)
    first = played_after((), strategy, seat, deal, rules)
    moves = moves_of(first)
    own = [place for place, (player, _) in enumerate(moves) if player == seat]
    for place in chance.sample(own, min(tries, len(own))):
        before = [move for _, move in moves[:place]]
        other = rearranged(deal, rules, before, seat, chance)
        again = moves_of(played_after(before, strategy, seat, other, rules))
        for (_, once), (player, now) in zip(moves[: place + 1], again, strict=False):
            if once != now:
                return f"seat {player}: {once} became {now}\n{first.to_text()}\ndealt again as\n{other.to_text()}"
    return None


def played_after(moves: Sequence[int], strategy: Strategy, seat: int, deal: Deal, rules: Rules) -> Record:
    """Play a deal in which the other three begin with given moves."""
    Script.moves = moves
    players: list[Any] = [Follower] * 4
    players[seat] = strategy
    return play_deal(players, deal, rules)


def moves_of(record: Record) -> list[tuple[int, int]]:
    """Return a deal's bids and cards in order, each with its seat."""
    bidders = [(record.deal.dealer + turn) % 4 for turn in range(1, 5)]
    moves = [(seat, record.bids[seat]) for seat in bidders]
    for trick in record.tricks:
        moves += [((trick.leader + place) % 4, card) for place, card in enumerate(trick.cards)]
    return moves


def rearranged(deal: Deal, rules: Rules, moves: Sequence[int], seat: int, chance: random.Random) -> Deal:
    """Return a deal with hidden cards exchanged, in which the same moves look the same from a seat."""
    known = seen(deal, rules, moves, seat)
    assert known is not None
    shown = {deal.turned, *moves[4:], *cards.to_codes(deal.hands[seat])}
    hidden = [card for card in range(cards.DECK_SIZE) if card not in shown]
    for _ in range(EXCHANGES if len(hidden) > 1 else 0):
        exchanged = with_exchanged(deal, *chance.sample(hidden, 2))
        if seen(exchanged, rules, moves, seat) == known:
            deal = exchanged
    return deal


def with_exchanged(deal: Deal, one: int, other: int) -> Deal:
    """Return a deal in which two cards have changed places."""
    places = {one: other, other: one}

    def move(card: int) -> int:
        return places.get(card, card)

    hands = [[move(card) for card in cards.to_codes(hand)] for hand in deal.hands]
    return replace(deal, hands=hands, stock=tuple(map(move, deal.stock)))


def seen(deal: Deal, rules: Rules, moves: Sequence[int], seat: int) -> tuple[Any, ...] | None:
    """Return what a player knows beyond the moves themselves, None where the moves are not to be made."""
    table = Table(deal, rules)
    own = table.hands[seat]
    try:
        for move in moves:
            table.play(move) if len(table.bids) == 4 else table.bid(move)
    except IllegalMove:
        return None
    return own, table.turned, table.swap_seat, table.hands[seat], table.legal_cards() if len(table.bids) == 4 else PASS
