"""Whether a strategy sees what it must not: hands played again with the hidden cards changed, the rest as it was.

The other three follow a script. Up to the first difference that all can see, the strategy must decide as it did.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

import numpy as np

from ..game import cards
from ..game.cards import BIG_BLOOPER, DECK_SIZE, LITTLE_BLOOPER
from ..game.house import Rules
from ..game.record import BOARD, SEATS, Deal, Record
from ..game.referee import IllegalMove, Table
from ..players.strategy import Strategy
from ..players.view import View
from .counter_example import CounterExample, after_moves, answer_in_words, at_table
from .decks import deal_from
from .single import play_deal
from .trials import some_rules

Moves = tuple[int, ...]
NO_SCRIPT = np.full((4, 14), -1, np.int64)


class Scripted(Strategy):
    """Bids and plays what a script says, by seat and decision, and by chance where that is silent or illegal."""

    compiled = False
    label = "scripted"  # whatever the script: the strategy's chances must not depend on it
    script: np.ndarray = NO_SCRIPT

    def bid(self, view: View) -> int:
        """Return the bid of the script."""
        bid = int(self.script[view.seat, 0])
        if bid >= 0:
            return bid
        bid = cards.below(view.random, view.hand_size + 1)
        return bid if bid < view.hand_size else BOARD

    def play(self, view: View) -> int:
        """Return the card of the script."""
        card = int(self.script[view.seat, view.trick])
        return card if card >= 0 and view.legal >> card & 1 else cards.pick(view.legal, view.random)


class Look(NamedTuple):
    """A hand with one seat at which the strategy sits."""

    strategy: Strategy
    seat: int
    rules: Rules
    seed: int

    def play(self, deal: Deal, script: np.ndarray = NO_SCRIPT) -> Record:
        """Play a deal, the other three by script."""
        players: list[Strategy] = [Scripted(script=script)] * 4
        players[self.seat] = self.strategy
        return play_deal(players, deal, self.rules, self.seed)


def peeks(strategy: Strategy, hands: int, seed: int) -> Iterator[CounterExample]:
    """Yield where a strategy's decision changes with cards it has not seen.

    Parameters
    ----------
    strategy : Strategy
    hands : int
        How many hands to play, each three times.
    seed : int

    Raises
    ------
    StrategyFault
        If it does something illegal.
    """
    random = Random(seed)
    for number in range(hands):
        size = 13 - number % 13
        look = Look(strategy, random.randrange(4), some_rules(random, (size,)), random.getrandbits(60))
        yield from _look(look, _some_deck(random, size), random)


def _some_deck(random: Random, size: int) -> np.ndarray:
    """Return a shuffled deck; in one of five a joker is turned."""
    deck = random.sample(range(DECK_SIZE), DECK_SIZE)
    if random.randrange(5) == 0:
        there = deck.index(random.choice((LITTLE_BLOOPER, BIG_BLOOPER)))
        deck[there], deck[4 * size] = deck[4 * size], deck[there]
    return np.array(deck)


def _look(look: Look, deck: np.ndarray, random: Random) -> Iterator[CounterExample]:
    """Play a hand, then with other hidden cards, then as at first, to see that it is the cards that matter."""
    size, dealer = look.rules.hand_sizes[0], random.randrange(4)
    deal = deal_from(deck, size, dealer)
    movers, moves = moves_of(look.play(deal))
    turn = random.choice([turn for turn, mover in enumerate(movers) if mover == look.seat])
    other = deal_from(permuted(deck, look, deal, moves[:turn], random), size, dealer)
    script = _script(movers, moves)
    changed = moves_of(look.play(other, script))[1]
    at = next((turn for turn, (one, two) in enumerate(zip(moves, changed, strict=False)) if one != two), None)
    if at is None or movers[at] != look.seat or moves_of(look.play(deal, script))[1] != moves:
        return
    one, two = (answer_in_words(answer, bidding=at < 4) for answer in (moves[at], changed[at]))
    who = f"{look.strategy.label} in {SEATS[look.seat]}'s seat chose {one}, but {two} had the cards lain otherwise:"
    table = after_moves(deal, look.rules, moves[:at])
    yield at_table(table, [who, *other.to_text().splitlines()])


def moves_of(record: Record) -> tuple[Sequence[int], Moves]:
    """Return a hand's movers and their bids and cards, in order."""
    movers = [(record.deal.dealer + step) % 4 for step in (1, 2, 3, 4)]
    moves = [record.bids[seat] for seat in movers]
    for leader, played, _ in record.tricks:
        movers += [(leader + place) % 4 for place in range(4)]
        moves += played
    return movers, tuple(moves)


def _script(movers: Sequence[int], moves: Moves) -> np.ndarray:
    script = NO_SCRIPT.copy()
    for turn, (mover, move) in enumerate(zip(movers, moves, strict=True)):
        script[mover, turn // 4] = move
    return script


def permuted(deck: np.ndarray, look: Look, deal: Deal, moves: Moves, random: Random) -> np.ndarray:
    """Return a deck whose hidden cards lie otherwise, as far as nobody can tell after these moves.

    Parameters
    ----------
    deck : int64[54]
        As dealt.
    look : Look
    deal : Deal
        What the deck makes.
    moves : tuple of int
        The bids and cards so far. All of them, and what each seat's could be told by, stay legal.
    random : Random
    """
    size, shown = deal.hand_size, set(moves[4:]) | {deal.turned}
    own = range(look.seat * size, (look.seat + 1) * size)
    free = [place for place in range(DECK_SIZE) if place not in own and deck[place] not in shown]
    seen = _seen(deal, look, moves)
    for count in (len(free), len(free) // 2, 8, 4, 2, 2, 2):
        places = random.sample(free, min(count, len(free)))
        candidate = deck.copy()
        candidate[places] = deck[random.sample(places, len(places))]
        if _seen(deal_from(candidate, size, deal.dealer), look, moves) == seen:
            deck = candidate
    return deck


def _seen(deal: Deal, look: Look, moves: Moves) -> tuple[object, ...] | None:
    """Return what the strategy's seat knows of a deal beside the moves; None if those are not legal in it."""
    try:
        opened: Table = Table(deal, look.rules)
        known = opened.turned, opened.trump, opened.swap_seat, opened.hands[look.seat]
        after_moves(deal, look.rules, moves)
    except (IllegalMove, ValueError):
        return None
    return known
