"""One hand at the table, compiled: dealing, bidding, a trick, what a player did wrong.

What is allowed and who wins is in `game.rules`. Who plays next is decided here and in `engine`. A player to act is
shown the view, which is written here and never read back.
"""

from ..game import rules
from ..game.cards import single
from ..game.house import House
from ..game.record import BOARD
from ..game.seeding import decision_random
from ..players import compile as entries
from . import log
from .table import DECIDED, FAULTED, STOPPED, Record, call, part


@part
def deal_cards(table: Record, house: House, hand_size: int) -> tuple[int, int, int]:
    """Deal the cards of the deck and turn one up (D3), swap or burn for a joker (D4).

    Returns the turned card that decides, and who swapped for which card (−1, −1: nobody).
    """
    for seat in range(4):
        hand = 0
        for place in range(seat * hand_size, (seat + 1) * hand_size):
            hand |= single(table.deck[place])
        table.hands[seat] = hand
    place = 4 * hand_size
    turned = table.deck[place]
    if not rules.is_joker(turned):
        return turned, -1, -1
    if house.joker_turned == rules.BURN:
        while rules.is_joker(turned) and place < 53:
            place += 1
            turned = table.deck[place]
        return turned, -1, -1
    other = single(rules.other_joker(turned))
    for seat in range(4):
        if table.hands[seat] & other:
            table.hands[seat] ^= other | single(table.deck[place + 1])
            return turned, seat, table.deck[place + 1]
    return turned, -1, -1


@part
def open_view(
    table: Record, shown: Record, dealer: int, attempt: int, hand_size: int, turned: int, swap_seat: int
) -> None:
    """Show what is known to all before the first bid of a hand."""
    shown.dealer = dealer
    shown.attempt = attempt
    shown.hand_size = hand_size
    shown.turned = turned
    shown.trump = rules.trump_of(turned)
    shown.swap_seat = swap_seat
    shown.legal = shown.trick = shown.trump_broken = 0
    shown.leader = shown.position = shown.winning_card = shown.winning_seat = -1
    for seat in range(4):
        table.bids[seat] = shown.bids[seat] = -1
        table.levels[seat] = shown.board_level[seat] = 0
        table.tricks_won[seat] = shown.tricks_won[seat] = 0
        shown.played[seat] = shown.void[seat] = 0
        shown.trick_cards[seat] = -1
    for side in range(2):
        shown.score[side] = table.score[side]


@part
def bid_in_turn(
    table: Record, shown: Record, house: House, hand_size: int, dealer: int, key_0: int, key_1: int
) -> tuple[int, int, int]:
    """Ask for one bid each from the dealer's left (B1), counting boards (B3).

    Returns the state of affairs, the highest bidder (L1; −1 if all passed) and the table's board level.
    """
    leader, best, level, seat = -1, 0, 0, dealer
    for _ in range(4):
        seat = rules.next_seat(seat)
        shown.seat = seat
        shown.hand = table.hands[seat]
        shown.random = decision_random(key_0, key_1, seat, 0)
        bid = call(table.bid_entry[seat], table.parameters[seat], shown)
        if not rules.may_bid(bid, hand_size):
            return _fault(table, shown, log.BID_ILLEGAL, seat, bid), -1, 0
        if bid == BOARD:
            level += 1
            table.levels[seat] = level
            shown.board_level[seat] = level
        if rules.outbids(bid, best):
            leader, best = seat, bid
        table.bids[seat] = bid
        shown.bids[seat] = bid
    return DECIDED, leader, level


@part
def play_trick(
    table: Record,
    shown: Record,
    house: House,
    trick: int,
    leader: int,
    trump: int,
    trump_set: int,
    broken: bool,
    key_0: int,
    key_1: int,
) -> tuple[int, int, int]:
    """Ask for one card each from the leader on (L2–L4).

    Returns the state of affairs, the winner (L5) and the cards played, as a set.
    """
    shown.trick = trick
    shown.leader = leader
    shown.winning_card = shown.winning_seat = -1
    for place in range(4):
        shown.trick_cards[place] = -1
    board, partners_board = table.levels[leader] > 0, table.levels[rules.partner_of(leader)] > 0
    opens = rules.may_lead_trump_early(house, trick, board, partners_board)
    played, led, suit, of_suit, best, winner = 0, -1, -1, 0, -1, leader
    for place in range(4):
        seat = (leader + place) & 3
        hand = table.hands[seat]
        if place == 0:
            legal = rules.may_lead(hand, trump_set, broken, opens)
        else:
            legal = rules.may_follow(hand, led, of_suit, place == 2, house)
        shown.seat = seat
        shown.hand = hand
        shown.legal = legal
        shown.position = place
        shown.random = decision_random(key_0, key_1, seat, trick)
        card = call(table.play_entry[seat], table.parameters[seat], shown)
        if card < 0 or card > 53 or not legal & single(card):
            return _fault(table, shown, _play_fault(card, hand, place == 0, of_suit), seat, card), -1, 0
        if place == 0:
            led = card
            suit = rules.suit_led(card, trump)
            of_suit = rules.cards_of_suit(suit, trump)
        elif not hand & of_suit:
            shown.void[seat] |= single(suit)
        table.hands[seat] = hand ^ single(card)
        table.trick_cards[place] = card
        shown.trick_cards[place] = card
        shown.played[seat] |= single(card)
        played |= single(card)
        best = rules.winning_card(played, of_suit, trump_set)
        winner = seat if best == card else winner
        shown.winning_card = best
        shown.winning_seat = winner
    return DECIDED, winner, played


@part
def _fault(table: Record, shown: Record, reason: int, seat: int, value: int) -> int:
    """Note what a player did wrong; a user's interrupt is no fault."""
    if value == entries.STOPPED:
        return STOPPED
    if value == entries.RAISED:
        reason = log.RAISED
    elif value == entries.NOT_AN_INTEGER:
        reason = log.NOT_AN_INTEGER
    table.fault_reason = reason
    table.fault_seat = seat
    table.fault_value = value
    return FAULTED


@part
def _play_fault(card: int, hand: int, leads: bool, of_suit_led: int) -> int:
    """Return which rule a card breaks."""
    if card < 0 or card > 53 or not hand & single(card):
        return log.CARD_NOT_HELD
    if leads:
        return log.TRUMP_LED
    return log.FORCED_TRUMP if single(card) & of_suit_led else log.REVOKE
