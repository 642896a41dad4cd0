"""What the library's players read from the table: what is out, who may ruff, which card of a set. Not what to do."""

from sim import View, cards, helper

# What the cards seen so far tell


@helper
def unseen(view: View) -> int:
    """Return the cards that are neither in the own hand, played, nor turned up: in other hands, or in the stock."""
    north, east, south, west = view.played
    return cards.ALL & ~(view.hand | north | east | south | west | cards.single(view.turned))


@helper
def opponents_may_ruff(view: View) -> bool:
    """Return whether a trump is out and not both opponents have shown that they have none."""
    north, east, south, west = view.void
    both_void = north & south if view.seat & 1 else east & west
    return unseen(view) & cards.trumps(view.trump) != 0 and not both_void >> view.trump & 1


@helper
def last_may_win(view: View) -> bool:
    """Return whether, for third hand, the last player may beat the card that is winning.

    The last player is taken to follow suit unless known to be void, and then to ruff unless known to be out of trumps.
    """
    trump_set, winning = cards.trumps(view.trump), view.winning_card
    suit = view.trump if cards.contains(trump_set, winning) else winning // 13
    void = at(view.void, view.seat + 1)
    if not void >> suit & 1:
        return unseen(view) & same_suit(winning, trump_set) & above(winning) != 0
    return unseen(view) & trump_set != 0 and not void >> view.trump & 1


@helper
def boards(view: View) -> tuple[int, int]:
    """Return the level of the partner's board and the higher one of the opponents', 0 without."""
    levels = view.board_level
    return at(levels, view.seat + 2), max(at(levels, view.seat + 1), at(levels, view.seat + 3))


@helper
def at(four: tuple[int, int, int, int], seat: int) -> int:
    """Return what a seat has of something kept by seat; seats go on round the table beyond 3."""
    north_or_east = four[1] if seat & 1 else four[0]
    south_or_west = four[3] if seat & 1 else four[2]
    return south_or_west if seat & 2 else north_or_east


# Sets of cards


@helper
def above(card: int) -> int:
    """Return all cards of a higher code: within a suit, the higher cards. Above no card (−1) are all."""
    return -1 << card + 1


@helper
def same_suit(card: int, trump_set: int) -> int:
    """Return all cards of a card's suit, jokers being trumps."""
    return trump_set if cards.contains(trump_set, card) else cards.lane(card // 13)


@helper
def beating(card: int, trump_set: int) -> int:
    """Return the cards that win against a card that is led or winning: higher ones of its suit, and trumps."""
    higher = same_suit(card, trump_set) & above(card)
    return higher if cards.contains(trump_set, card) else higher | trump_set


_LANE = cards.lane(cards.CLUBS)
_TWOS = cards.to_set("2C 2D 2H 2S")
_DOWN_1, _DOWN_2, _DOWN_4, _DOWN_8 = (_TWOS * (_LANE >> by) for by in (1, 2, 4, 8))


@helper
def not_above(out: int) -> int:
    """Return the plain cards that are in a set or lower than a card of their suit in it.

    All others are masters against that set: no card of their suit in it is higher.
    """
    out |= out >> 1 & _DOWN_1
    out |= out >> 2 & _DOWN_2
    out |= out >> 4 & _DOWN_4
    return out | out >> 8 & _DOWN_8


@helper
def lowest_of_all(plain: int) -> int:
    """Return the plain card of lowest rank in a set, whatever its suit."""
    ranks = (plain | plain >> 13 | plain >> 26 | plain >> 39) & _LANE
    return cards.lowest(plain & _TWOS * (ranks & -ranks))


@helper
def from_shortest(plain: int) -> int:
    """Return the lowest card of the shortest suit in a set of plain cards."""
    best = 1 << 20
    for suit in range(4):
        if plain & cards.lane(suit):
            best = min(best, _by_length(plain, suit))
    return best & 63


@helper
def from_longest(plain: int) -> int:
    """Return the lowest card of the longest suit in a set of plain cards."""
    best = 0
    for suit in range(4):
        if plain & cards.lane(suit):
            best = max(best, _by_length(plain, suit))
    return best & 63


@helper
def _by_length(plain: int, suit: int) -> int:
    """Return a number that sorts suits by length, then by their lowest card, whose code is in the last six bits."""
    held = plain & cards.lane(suit)
    low = cards.lowest(held)
    return cards.count(held) << 10 | low - 13 * suit << 6 | low
