"""Deals made for the tests of the rules."""

from sim.game import cards
from sim.game.record import Deal

NORTH, EAST, SOUTH, WEST = range(4)
RANKS = "AKQJT98765432"


def dealt(north: str, east: str, south: str, west: str, turned: str, dealer: int = NORTH, stock: str = "") -> Deal:
    """Return a deal of hands written as names with spaces between."""
    return Deal([north, east, south, west], turned, dealer, stock.split())


def leader_wins(tricks: int, size: int, leader: int = NORTH, dealer: int = NORTH) -> Deal:
    """Return a deal without trump in which the first leader wins so many tricks and the player to the left the rest.

    It does so when everyone plays the lowest legal card: the leader runs the top clubs, then leads low diamonds.
    """
    assert size <= 6
    rest = size - tricks
    hands = [
        [rank + "C" for rank in RANKS[:tricks]] + [rank + "D" for rank in RANKS[::-1][:rest]],
        [rank + "C" for rank in RANKS[::-1][:tricks]] + [rank + "D" for rank in RANKS[:rest]],
        [rank + "S" for rank in RANKS[:size]],
        [rank + "H" for rank in RANKS[:size]],
    ]
    return Deal([hands[(seat - leader) % 4] for seat in range(4)], "BB", dealer)


def one_suit_each(dealer: int = NORTH) -> Deal:
    """Return 13 cards each without trump, a whole suit in each hand: whoever leads wins every trick."""
    return Deal([cards.lane(suit) for suit in range(4)], "BB", dealer, ["LB"])


def in_order(size: int, dealer: int = NORTH) -> Deal:
    """Return a deal of the unshuffled pack: the lowest cards North's, and so on up."""
    hands = [range(seat * size, (seat + 1) * size) for seat in range(4)]
    return Deal(hands, 4 * size, dealer, range(4 * size + 1, 54))
