"""The card play of the whole library, by a player who never bids. How hands are valued is in `counter`."""

from sim import PASS, Strategy, cards, helper


class Passer(Strategy):
    """Never bids, and takes every trick it can: a contract of nothing cannot fail, and each trick is a point.

    The play is what whist and bridge tables teach. On lead: draw trump with a top trump, cash masters, else lead low
    from the shortest suit to ruff it later. Second hand wins cheaply or with a master, third hand plays high, last hand
    wins as cheaply as it can, and nobody overtakes a partner whose card will hold. Every trick counts whatever the
    contract (it makes ours, breaks theirs or scores its point), so the play need not ask for bids.
    """

    def bid(self, view) -> int:
        return PASS

    def play(self, view) -> int:
        legal = view.legal
        if legal & (legal - 1) == 0:
            return cards.lowest(legal)
        return self.follow(view) if view.position else self.lead(view)

    def lead(self, view):
        """Return the card to lead.

        A top trump goes first if one card at most can beat it and an opponent may still hold trumps. Of the Bloopers
        that is the best use: the Big draws everyone's highest trump, the Little their lowest, the Big spared.
        """
        trump_set = cards.trumps(view.trump)
        trumps, plain = view.legal & trump_set, view.legal & ~trump_set
        out = unseen(view)
        if trumps:
            top = cards.highest(trumps)
            nearly_master = cards.count(out & trump_set & above(top)) <= 1
            if not plain or nearly_master and opponents_may_ruff(view, out):
                return top
        masters = plain & ~headed(out)
        if masters:
            return cards.highest(masters)
        return from_shortest(plain) if view.hand & trump_set else from_longest(plain)

    def follow(self, view):
        """Return the card to play to a trick that another player led."""
        trump_set = cards.trumps(view.trump)
        winners = view.legal & beating(view.winning_card, trump_set)
        partner_wins = view.winning_seat == view.seat ^ 2
        if not winners or partner_wins and partner_will_hold(view):
            return self.throw(view)
        led = view.trick_cards[0]
        suit_led = trump_set if cards.contains(trump_set, led) else cards.lane(led // 13)
        if view.position == 3 or not view.legal & suit_led:
            return cards.lowest(winners)
        out = unseen(view) & suit_led
        top = cards.highest(winners)
        if view.position == 1 and out & above(top):
            return cards.lowest(winners)
        next_below = cards.highest(out & ~above(top))
        if partner_wins and next_below < view.winning_card:
            return cards.lowest(view.legal)
        return cards.lowest(winners & above(next_below))

    def throw(self, view):
        """Return the card least missed: a low one, and from the shortest suit while there are trumps to ruff it with."""
        trump_set = cards.trumps(view.trump)
        plain = view.legal & ~trump_set
        if not plain:
            return cards.lowest(view.legal)
        return from_shortest(plain) if view.hand & trump_set else lowest_in_rank(plain)


# What the cards seen so far tell


@helper
def unseen(view) -> int:
    """Return the cards that are neither in the own hand, played, nor turned up: out against us, or in the stock."""
    north, east, south, west = view.played
    return cards.ALL & ~(view.hand | north | east | south | west | cards.single(view.turned))


@helper
def opponents_may_ruff(view, out) -> bool:
    """Return whether a trump is out and not both opponents have shown that they have none."""
    north, east, south, west = view.void
    both_void = north & south if view.seat & 1 else east & west
    return out & cards.trumps(view.trump) != 0 and not both_void >> view.trump & 1


@helper
def partner_will_hold(view) -> bool:
    """Return whether the last player cannot be thought to beat the partner's winning card.

    That player is taken to follow suit unless known to be void, and then to ruff unless known to be out of trumps.
    """
    if view.position == 3:
        return True
    trump_set, winning = cards.trumps(view.trump), view.winning_card
    void = at(view.void, view.seat + 1)
    out = unseen(view)
    if cards.contains(trump_set, winning):
        return not (out & trump_set & above(winning)) or void >> view.trump & 1 == 1
    if void >> winning // 13 & 1:
        return not (out & trump_set) or void >> view.trump & 1 == 1
    return not (out & cards.lane(winning // 13) & above(winning))


@helper
def at(four, seat) -> int:
    """Return what one seat has of something kept by seat (seats beyond 3 go round again)."""
    north_or_east = four[1] if seat & 1 else four[0]
    south_or_west = four[3] if seat & 1 else four[2]
    return south_or_west if seat & 2 else north_or_east


# Sets of cards


@helper
def above(card) -> int:
    """Return the set of all cards with a higher code; for no card (−1), all cards."""
    return -1 << card + 1


@helper
def beating(winning, trump_set) -> int:
    """Return the cards that beat the card now winning a trick."""
    if cards.contains(trump_set, winning):
        return trump_set & above(winning)
    return cards.lane(winning // 13) & above(winning) | trump_set


_TWOS = sum(cards.single(13 * suit) for suit in range(4))
_LANE = cards.lane(cards.CLUBS)


@helper
def headed(out) -> int:
    """Return the plain cards that are in a set or below one of its suit: all others are masters against it."""
    out |= out >> 1 & _TWOS * (_LANE >> 1)
    out |= out >> 2 & _TWOS * (_LANE >> 2)
    out |= out >> 4 & _TWOS * (_LANE >> 4)
    return out | out >> 8 & _TWOS * (_LANE >> 8)


@helper
def lowest_in_rank(plain) -> int:
    """Return the plain card of lowest rank, whatever its suit."""
    ranks = (plain | plain >> 13 | plain >> 26 | plain >> 39) & _LANE
    return cards.lowest(plain & _TWOS * (ranks & -ranks))


@helper
def by_length(plain, suit) -> int:
    """Return a number that orders suits by their length, then by their lowest card; its last six bits are that card."""
    held = plain & cards.lane(suit)
    low = cards.lowest(held)
    return cards.count(held) << 10 | low - 13 * suit << 6 | low


@helper
def from_shortest(plain) -> int:
    """Return the lowest card of the shortest suit in a set of plain cards."""
    best = 1 << 20
    for suit in range(4):
        if plain & cards.lane(suit):
            best = min(best, by_length(plain, suit))
    return best & 63


@helper
def from_longest(plain) -> int:
    """Return the lowest card of the longest suit in a set of plain cards."""
    best = 0
    for suit in range(4):
        if plain & cards.lane(suit):
            best = max(best, by_length(plain, suit))
    return best & 63
