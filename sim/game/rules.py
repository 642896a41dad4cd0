"""Every rule of the game as a small function, in the game's words. RULES.md says the same in prose, by number.

The functions take integers and card sets, keep no state, and work compiled and interpreted. The order of play that
calls them is in `arena.engine`; the house settings they ask for are explained in `house`. The referee uses none of
them.
"""

from .bits import helper, highest, lowest
from .cards import BIG_BLOOPER, JOKERS, LITTLE_BLOOPER, NO_TRUMP, lane, single
from .house import CHOICES, House
from .record import BOARD, PASS

BURN = CHOICES["joker_turned"].index("burn")
SCORE_ZERO = CHOICES["all_pass"].index("score-zero")
BIDDER, BIDDER_AFTER_FIRST, SIDE, NOBODY = range(len(CHOICES["board_leads_trump"]))
FORCED, FREE, LOWEST = range(len(CHOICES["blooper_partner"]))
TABLE = CHOICES["board_multiplier"].index("table")


# The table


@helper
def partner_of(seat: int) -> int:
    """Return the seat opposite (T1)."""
    return seat ^ 2


@helper
def next_seat(seat: int) -> int:
    """Return the next seat clockwise: the next to bid or play (T1), the next to deal (D2, B5)."""
    return (seat + 1) & 3


# Turning up trump


@helper
def is_joker(card: int) -> bool:
    """Return whether a card is one of the two Bloopers (T2)."""
    return card >= LITTLE_BLOOPER


@helper
def trump_of(turned: int) -> int:
    """Return the trump suit that a turned card makes, 4 (none) for a joker (D3, D4)."""
    return NO_TRUMP if is_joker(turned) else turned // 13


@helper
def other_joker(joker: int) -> int:
    """Return the other Blooper: the one whose holder must swap it when this one is turned (D4)."""
    return LITTLE_BLOOPER + BIG_BLOOPER - joker


# Bidding


@helper
def may_bid(bid: int, hand_size: int) -> bool:
    """Return whether a bid is one of pass, a number from 1 to n − 1, and board (B2)."""
    return PASS <= bid < hand_size or bid == BOARD


@helper
def outbids(bid: int, best: int) -> bool:
    """Return whether a later bid takes the lead from the best so far: higher, or a further board (L1)."""
    return bid > best or bid == BOARD


@helper
def contract(bid: int, partners_bid: int) -> int:
    """Return a side's contract, the sum of its numbers; −1 for a side on board, whose numbers are void (B4)."""
    return -1 if bid == BOARD or partners_bid == BOARD else bid + partners_bid


# Play


@helper
def may_lead_trump_early(house: House, trick: int, has_board: bool, partner_has_board: bool) -> bool:
    """Return whether a board lets the leader lead trump before it is broken; `trick` counts from 1 (L2)."""
    if house.board_leads_trump == BIDDER:
        return has_board
    if house.board_leads_trump == BIDDER_AFTER_FIRST:
        return has_board and trick > 1
    if house.board_leads_trump == SIDE:
        return has_board or partner_has_board
    return False


@helper
def may_lead(hand: int, trump_set: int, trump_broken: bool, board_opens_trump: bool) -> int:
    """Return the cards that may be led: all, or all but trumps while a plain card is held and trump is closed (L2)."""
    plain = hand & ~trump_set
    return plain if plain and not (trump_broken or board_opens_trump) else hand


@helper
def suit_led(card: int, trump: int) -> int:
    """Return the suit of a led card: a joker's is trump (T3)."""
    return trump if is_joker(card) else card // 13


@helper
def cards_of_suit(suit: int, trump: int) -> int:
    """Return all cards that belong to a suit: jokers are part of the trump suit (T3)."""
    return lane(suit) | (JOKERS if suit == trump else 0)


@helper
def forced_trump(following: int, led: int, leads_partner: bool, house: House) -> int:
    """Return which of the trumps a follower holds may be played to a led joker (L4).

    `following` is the follower's trumps, at least one; `leads_partner` tells that the leader is the follower's partner.
    """
    if led == BIG_BLOOPER:
        if not leads_partner or house.blooper_partner == FORCED:
            return single(highest(following))
        return following if house.blooper_partner == FREE else single(lowest(following))
    return single(lowest(following)) if house.little_blooper_forces else following


@helper
def may_follow(hand: int, led: int, of_suit: int, leads_partner: bool, house: House) -> int:
    """Return the cards that may be played to a trick: the suit led if able, else any (L3), as a led joker forces (L4).

    `of_suit` holds all cards of the suit led.
    """
    following = hand & of_suit
    if not following:
        return hand
    return forced_trump(following, led, leads_partner, house) if is_joker(led) else following


@helper
def winning_card(played: int, of_suit_led: int, trump_set: int) -> int:
    """Return the card that wins among those played: the highest trump, else the highest of the suit led (L5)."""
    ruffs = played & trump_set
    return highest(ruffs if ruffs else played & of_suit_led)


# Scoring


@helper
def contract_points(bid: int, won: int, house: House) -> int:
    """Return a side's points for its contract with `won` tricks (S1)."""
    if won < bid:
        return -house.points_per_bid_trick * bid
    return house.points_per_bid_trick * bid + house.points_per_overtrick * (won - bid)


@helper
def board_points(level: int, won: int, hand_size: int, house: House) -> int:
    """Return a side's points for a board at `level` with `won` of all the tricks (S2)."""
    stake = house.points_per_board_trick * hand_size * level
    return stake if won == hand_size else -stake


@helper
def scoring_level(own_level: int, table_level: int, house: House) -> int:
    """Return the level at which a side's board scores: its own, or the table's highest (S2)."""
    return table_level if house.board_multiplier == TABLE else own_level


@helper
def side_points(bid: int, level: int, table_level: int, won: int, hand_size: int, house: House) -> int:
    """Return a side's points for a deal: its board if it has one (level > 0), else its contract (S1, S2)."""
    if level > 0:
        return board_points(scoring_level(level, table_level, house), won, hand_size, house)
    return contract_points(bid, won, house)
