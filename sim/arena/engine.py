"""The match as it is played, compiled once whatever the strategies: deal, bid, play tricks, score.

What is allowed and who wins is in `game.rules`; what a player sees in `players.view`. Here is the order of things, the
state of one table, and the rows that are logged. Strategies are called by address. A view is written, never read back.
"""

from typing import NamedTuple

import numba
import numpy as np

from ..game import rules
from ..game.cards import single, trumps
from ..game.record import BOARD
from ..game.seeding import decision_random, first_dealer, hand_key, shuffle
from ..players import compile as entries
from ..players.code_cache import CodeCache, cache_key
from . import log
from .table import call, store_8, store_16, store_32, store_64

DECIDED, FAULTED, STOPPED = 0, 1, 2

part = numba.njit(nogil=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)


class Schedule(NamedTuple):
    """Who plays whom in a shard, and from which secrets its cards and decisions come.

    Match number i of the shard is ``(shuffle * pairings + pairing) * tables + table``, shuffles counted from
    `first_shuffle`.
    """

    first_shuffle: int
    pairings: int
    tables: int
    seating: np.ndarray
    """int64[pairings, tables, 4]: the strategy in each seat."""
    entries: np.ndarray
    """int64[strategies, 3]: addresses of bid, play and parameter block."""
    shuffle_key: np.ndarray
    decision_keys: np.ndarray
    """uint64[2] and uint64[pairings, 2]."""
    given_deck: np.ndarray
    """int64[54], or empty: cards to deal in place of a shuffle."""
    given_dealer: int
    forfeit: bool


@part
def _fault(table, shown, reason, seat, value):
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
def _play_fault(card, hand, leads, of_suit_led):
    """Return which rule a card breaks."""
    if card < 0 or card > 53 or not hand & single(card):
        return log.CARD_NOT_HELD
    if leads:
        return log.TRUMP_LED
    return log.FORCED_TRUMP if single(card) & of_suit_led else log.REVOKE


@part
def _deal(table, house, hand_size):
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
def _bid_in_turn(table, shown, house, hand_size, dealer, key_0, key_1):
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
def _play_trick(table, shown, house, trick, leader, trump, trump_set, broken, key_0, key_1):
    """Ask for one card each from the leader on (L2–L4). Returns the state of affairs, the winner (L5), the cards as a set."""
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
def _play_tricks(table, shown, house, tricks, match, hand_size, leader, trump, key_0, key_1):
    """Play and log the tricks of a deal, the winner of each leading the next (L5). Returns the state of affairs."""
    trump_set = trumps(trump)
    row = table.tricks_done
    broken = False
    for trick in range(1, hand_size + 1):
        shown.trump_broken = broken
        state, winner, played = _play_trick(table, shown, house, trick, leader, trump, trump_set, broken, key_0, key_1)
        if state != DECIDED:
            return state
        broken = broken or played & trump_set != 0
        table.tricks_won[winner] += 1
        shown.tricks_won[winner] += 1
        store_32(tricks.match, row, match)
        store_8(tricks.deal, row, shown.deal)
        store_8(tricks.trick, row, trick)
        store_8(tricks.leader, row, leader)
        store_8(tricks.winner, row, winner)
        for place in range(4):
            store_8(tricks.cards[place], row, table.trick_cards[place])
        row += 1
        leader = winner
    table.tricks_done = row
    return DECIDED


@part
def _score(table, house, deals, row, hand_size, level):
    """Score both sides of a deal that was played (S1–S3), and log what the score is made of."""
    for side in range(2):
        bid = rules.contract(table.bids[side], table.bids[side + 2])
        own_level = max(table.levels[side], table.levels[side + 2])
        won = table.tricks_won[side] + table.tricks_won[side + 2]
        points = rules.side_points(bid, own_level, level, won, hand_size, house)
        table.score[side] += points
        store_8(deals.contracts[side], row, bid if own_level == 0 else log.NONE_8)
        store_8(deals.boards[side], row, own_level)
        store_16(deals.points[side], row, points)
    for seat in range(4):
        store_8(deals.tricks_won[seat], row, table.tricks_won[seat])


@part
def _score_nothing(deals, row):
    """Log a deal in which all passed: nothing that comes after the bids (B5, B6)."""
    for side in range(2):
        store_8(deals.contracts[side], row, log.NONE_8)
        store_8(deals.boards[side], row, log.NONE_8)
        store_16(deals.points[side], row, log.NONE_16)
    for seat in range(4):
        store_8(deals.tricks_won[seat], row, log.NONE_8)


@part
def _outcome(house, leader, attempt):
    """Return what becomes of a hand after the bidding (B5, B6)."""
    if leader >= 0:
        return log.PLAYED
    if house.all_pass == rules.SCORE_ZERO:
        return log.PASSED_OUT
    return log.STALLED if attempt == house.max_redeals else log.THROWN_IN


@part
def _open_view(table, shown, dealer, attempt, hand_size, turned, swap_seat):
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
def _log_hand(table, shown, deals, row, match, deal, dealer, swap_seat, swap_card):
    """Log the cards of a hand as they lie at the bidding."""
    store_32(deals.match, row, match)
    store_8(deals.deal, row, deal)
    store_8(deals.attempt, row, shown.attempt)
    store_8(deals.hand_size, row, shown.hand_size)
    store_8(deals.dealer, row, dealer)
    store_8(deals.turned, row, shown.turned)
    store_8(deals.trump, row, shown.trump)
    store_8(deals.swap_seat, row, swap_seat if swap_seat >= 0 else log.NONE_8)
    store_8(deals.swap_card, row, swap_card if swap_seat >= 0 else log.NONE_8)
    for seat in range(4):
        store_64(deals.hands[seat], row, table.hands[seat])


@part
def _play_hand(table, shown, house, schedule, deals, tricks, match, deal, attempt, hand_size, dealer, cards, decisions):
    """Deal, bid, play tricks, score: one hand. `cards` and `decisions` are its keys. Returns state and outcome."""
    if schedule.given_deck.size:
        for place in range(54):
            table.deck[place] = schedule.given_deck[place]
    else:
        shuffle(table.deck, cards[0], cards[1], min(4 * hand_size + 3, 54))
    turned, swap_seat, swap_card = _deal(table, house, hand_size)
    _open_view(table, shown, dealer, attempt, hand_size, turned, swap_seat)
    row = table.hands_done
    _log_hand(table, shown, deals, row, match, deal, dealer, swap_seat, swap_card)
    state, leader, level = _bid_in_turn(table, shown, house, hand_size, dealer, decisions[0], decisions[1])
    if state != DECIDED:
        return state, log.PLAYED
    outcome = _outcome(house, leader, attempt)
    if outcome == log.PLAYED:
        trump = rules.trump_of(turned)
        state = _play_tricks(table, shown, house, tricks, match, hand_size, leader, trump, decisions[0], decisions[1])
        if state != DECIDED:
            return state, outcome
        _score(table, house, deals, row, hand_size, level)
    else:
        _score_nothing(deals, row)
    store_8(deals.outcome, row, outcome)
    store_8(deals.leader, row, leader if leader >= 0 else log.NONE_8)
    for seat in range(4):
        store_8(deals.bids[seat], row, table.bids[seat])
    for side in range(2):
        store_32(deals.score[side], row, table.score[side])
    table.hands_done = row + 1
    return DECIDED, outcome


@part
def _seat_players(table, shown, house, schedule, matches, match, pairing, side_table, deals_in_match):
    """Put the match's four players to the table and show them what holds for the whole match."""
    for seat in range(4):
        strategy = schedule.seating[pairing, side_table, seat]
        store_16(matches.seats[seat], match, strategy)
        table.bid_entry[seat] = schedule.entries[strategy, 0]
        table.play_entry[seat] = schedule.entries[strategy, 1]
        table.parameters[seat] = schedule.entries[strategy, 2]
    shown.deals = deals_in_match
    shown.points_per_bid_trick = house.points_per_bid_trick
    shown.points_per_overtrick = house.points_per_overtrick
    shown.points_per_board_trick = house.points_per_board_trick
    shown.board_multiplier = house.board_multiplier
    shown.board_leads_trump = house.board_leads_trump
    shown.blooper_partner = house.blooper_partner
    shown.little_blooper_forces = house.little_blooper_forces
    table.score[0] = table.score[1] = 0


@part
def _play_match(table, shown, house, hand_sizes, schedule, matches, deals, tricks, match):
    """Play one match: every deal counted (D1), the deal passing clockwise (D2), a hand thrown in dealt again (B5)."""
    side_table = match % schedule.tables
    pairing = match // schedule.tables % schedule.pairings
    shuffle_id = schedule.first_shuffle + match // schedule.tables // schedule.pairings
    secret, own = schedule.shuffle_key, schedule.decision_keys[pairing]
    _seat_players(table, shown, house, schedule, matches, match, pairing, side_table, hand_sizes.size)
    dealer = first_dealer(secret[0], secret[1], shuffle_id)
    if schedule.given_deck.size:
        dealer = schedule.given_dealer
    store_8(matches.first_dealer, match, dealer)
    thrown_in, stalled, tricks_after = 0, 0, 0
    for hand_size in hand_sizes:
        tricks_after += hand_size
    state, fault_deal = DECIDED, 0
    for number in range(hand_sizes.size):
        deal, hand_size = number + 1, hand_sizes[number]
        tricks_after -= hand_size
        shown.deal = deal
        shown.tricks_after = tricks_after
        deal_row, trick_row, attempt, outcome = table.hands_done, table.tricks_done, 0, log.THROWN_IN
        while state == DECIDED and outcome == log.THROWN_IN:
            attempt += 1
            cards = hand_key(secret[0], secret[1], shuffle_id, deal, attempt)
            decisions = hand_key(own[0], own[1], 2 * shuffle_id + side_table, deal, attempt)
            state, outcome = _play_hand(
                table, shown, house, schedule, deals, tricks, match, deal, attempt, hand_size, dealer, cards, decisions
            )
            dealer = rules.next_seat(dealer)
            if schedule.given_deck.size:
                break
        if state != DECIDED:
            table.hands_done, table.tricks_done, fault_deal = deal_row, trick_row, deal
            break
        thrown_in += attempt - 1
        stalled += outcome == log.STALLED
    _log_match(table, matches, match, thrown_in, stalled, fault_deal)
    return state


@part
def _log_match(table, matches, match, thrown_in, stalled, fault_deal):
    """Log how a match ended (S4), or who ended it before its time and how."""
    ns, ew = table.score[0], table.score[1]
    faulted = fault_deal > 0
    store_32(matches.score[0], match, log.NONE_32 if faulted else ns)
    store_32(matches.score[1], match, log.NONE_32 if faulted else ew)
    store_8(matches.winner, match, log.NONE_8 if faulted else (0 if ns > ew else (1 if ew > ns else 2)))
    store_16(matches.thrown_in, match, thrown_in)
    store_8(matches.stalled, match, stalled)
    store_8(matches.fault, match, table.fault_reason if faulted else log.NONE_8)
    store_8(matches.fault_seat, match, table.fault_seat if faulted else log.NONE_8)
    store_8(matches.fault_deal, match, fault_deal if faulted else log.NONE_8)


def _play_matches(table, shown, house, hand_sizes, schedule, matches, deals, tricks, until, room):
    """Play matches from where the table stands to number `until`, or to a fault, or to the end of the room for hands.

    Parameters
    ----------
    table : Table
        ``done`` says where to go on, and at the end how far it came; ``fault`` who did what.
    house : House
    hand_sizes : int64[deals]
    schedule : Schedule
    matches, deals, tricks : MatchLog, DealLog, TrickLog
    until : int
        The first match not to play.

    Returns
    -------
    int
        DECIDED, FAULTED (unless faults forfeit) or STOPPED.
    """
    most_hands = hand_sizes.size * house.max_redeals
    while table.matches_done < until and table.hands_done + most_hands <= room:
        state = _play_match(table, shown, house, hand_sizes, schedule, matches, deals, tricks, table.matches_done)
        if state == STOPPED or (state == FAULTED and not schedule.forfeit):
            return state
        table.matches_done += 1
    return DECIDED


play_matches = numba.njit(nogil=True, error_model="numpy")(_play_matches)
play_matches._cache = CodeCache(cache_key("engine"))
