"""Cards and card sets: 54 codes, 54 bits, and the questions one asks of them.

A card is its code: ``suit * 13 + rank`` with suits clubs 0, diamonds 1, hearts 2, spades 3 and ranks two 0 … ace 12;
the Little Blooper is 52, the Big Blooper 53 (RULES T2). A set of cards is an integer with bit ``code`` set for each
card, so each suit is a lane of 13 bits with the jokers above them all, and within the trump suit a higher bit is a
higher card (T3). Functions here work in plain Python and in compiled strategies. No rule of play lives here.
"""

from collections.abc import Iterable
from numbers import Integral

from .bits import count, helper, highest, lowest, scale, select

__all__ = [
    "ALL", "BIG_BLOOPER", "CLUBS", "DIAMONDS", "HEARTS", "JOKERS", "LITTLE_BLOOPER", "NO_TRUMP", "SPADES",
    "below", "contains", "count", "highest", "lane", "lowest", "name", "names", "parse", "pick", "rank", "select",
    "single", "suit", "to_codes", "to_set", "trumps",
]  # fmt: skip

CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
NO_TRUMP = 4
LITTLE_BLOOPER, BIG_BLOOPER = 52, 53
DECK_SIZE = 54
ALL = (1 << DECK_SIZE) - 1
JOKERS = 1 << LITTLE_BLOOPER | 1 << BIG_BLOOPER
LANE = (1 << 13) - 1

_RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
_NAMES = (*(rank + suit for suit in "CDHS" for rank in _RANKS), "LB", "BB")
_CODES = {name: code for code, name in enumerate(_NAMES)} | {"T" + suit: 13 * s + 8 for s, suit in enumerate("CDHS")}


@helper
def single(card: int) -> int:
    """Return the set that holds one card."""
    return 1 << card


@helper
def contains(cards: int, card: int) -> bool:
    """Return whether a card (0 … 53) is in a set."""
    return (cards >> card) & 1 == 1


@helper
def suit(card: int) -> int:
    """Return the suit of a plain card, 0 … 3; 4 for a joker, whose suit depends on trump (T3)."""
    return card // 13


@helper
def rank(card: int) -> int:
    """Return the rank of a plain card, two 0 … ace 12; 0 and 1 for the Little and the Big Blooper."""
    return card % 13


@helper
def lane(suit: int) -> int:
    """Return the set of the 13 plain cards of a suit (0 … 3)."""
    return LANE << 13 * suit


@helper
def trumps(trump: int) -> int:
    """Return the trump suit, jokers included (T3); the empty set without trump (4)."""
    return (LANE << 13 * trump | JOKERS) if trump < NO_TRUMP else 0


@helper
def below(random: int, n: int) -> int:
    """Return an even choice of 0 … n − 1 from 63 random bits such as ``view.random`` (bias below n / 2**63)."""
    return scale(random, n)


@helper
def pick(cards: int, random: int) -> int:
    """Return an even choice of one card's code out of a set that is not empty, from 63 random bits."""
    return select(cards, scale(random, count(cards)))


def name(card: int) -> str:
    """Return a card's name: ``AS``, ``10H``, ``LB``, ``BB``.

    Raises
    ------
    ValueError
        If `card` is not a code from 0 to 53.
    """
    return _NAMES[_code(card)]


def parse(card: str | int) -> int:
    """Return the code of a card given by name (``AS``, ``10H`` or ``TH``, ``LB``, ``BB``; any case) or by code.

    Raises
    ------
    ValueError
        If there is no such card.
    """
    if not isinstance(card, str):
        return _code(card)
    code = _CODES.get(card.strip().upper())
    if code is None:
        raise ValueError(f"no card is named {card!r}: write a rank and a suit (AS, 10H or TH, 2C), LB or BB")
    return code


def to_set(cards: int | str | Iterable[str | int]) -> int:
    """Return the set of cards given as a set already, or as names or codes, each at most once.

    Raises
    ------
    ValueError
        If a card does not exist or is named twice, or a given set has bits beyond the 54 cards.
    """
    if not isinstance(cards, Iterable):
        return _set(cards)
    result = 0
    for card in map(parse, cards.split() if isinstance(cards, str) else cards):
        if result >> card & 1:
            raise ValueError(f"{name(card)} is there twice")
        result |= 1 << card
    return result


def to_codes(cards: int) -> list[int]:
    """Return the codes of a set's cards, lowest first.

    Raises
    ------
    ValueError
        If `cards` is no set of the 54 cards.
    """
    cards, codes = _set(cards), []
    while cards:
        codes.append(lowest(cards))
        cards &= cards - 1
    return codes


def names(cards: int) -> str:
    """Return a set as people read it: jokers, then spades, hearts, diamonds, clubs, each from high to low.

    Raises
    ------
    ValueError
        If `cards` is no set of the 54 cards.
    """
    return " ".join(name(code) for code in reversed(to_codes(cards)))


def _code(value: object) -> int:
    code = _integer(value)
    if code is None or not 0 <= code < DECK_SIZE:
        raise ValueError(f"no card has the code {value!r}: codes run from 0 (2C) to 53 (BB)")
    return code


def _set(value: object) -> int:
    cards = _integer(value)
    if cards is None or not 0 <= cards <= ALL:
        raise ValueError(f"{value!r} is no set of the 54 cards")
    return cards


def _integer(value: object) -> int | None:
    """Return an integer as a plain one; None for whatever only looks like one, such as True and 2.0."""
    return int(value) if isinstance(value, Integral) and not isinstance(value, bool) else None
