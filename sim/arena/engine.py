"""The match as it is played, compiled once whatever the strategies: deal, bid, play tricks, score.

The rules are in `game.rules`, the single hand in `hand`, the memory in `table`. Here is the order of things: tricks in
a hand, hands in a deal, deals in a match, matches in a shard.
"""

import numba
import numpy as np

from ..game import rules
from ..game.cards import trumps
from ..game.house import House
from ..game.seeding import first_dealer, hand_key, shuffle
from ..players.code_cache import CodeCache, cache_key
from . import log
from .hand import bid_in_turn, deal_cards, open_view, play_trick
from .rows import log_hand, log_match, log_no_score, log_trick, score
from .table import DECIDED, FAULTED, STOPPED, Record, Schedule, part, store_8, store_16, store_32


@part
def _play_tricks(
    table: Record,
    shown: Record,
    house: House,
    tricks: Record,
    match: int,
    hand_size: int,
    leader: int,
    trump: int,
    key_0: int,
    key_1: int,
) -> int:
    """Play and log the tricks of a deal, each winner leading the next (L5). Returns the state of affairs."""
    trump_set = trumps(trump)
    row = table.tricks_done
    broken = False
    for trick in range(1, hand_size + 1):
        shown.trump_broken = broken
        state, winner, played = play_trick(table, shown, house, trick, leader, trump, trump_set, broken, key_0, key_1)
        if state != DECIDED:
            return state
        broken = broken or played & trump_set != 0
        table.tricks_won[winner] += 1
        shown.tricks_won[winner] += 1
        log_trick(table, shown, tricks, row, match, trick, leader, winner)
        row += 1
        leader = winner
    table.tricks_done = row
    return DECIDED


@part
def _outcome(house: House, leader: int, attempt: int) -> int:
    """Return what becomes of a hand after the bidding (B5, B6)."""
    if leader >= 0:
        return log.PLAYED
    if house.all_pass == rules.SCORE_ZERO:
        return log.PASSED_OUT
    return log.STALLED if attempt == house.max_redeals else log.THROWN_IN


@part
def _play_hand(
    table: Record,
    shown: Record,
    house: House,
    schedule: Schedule,
    deals: Record,
    tricks: Record,
    match: int,
    deal: int,
    attempt: int,
    hand_size: int,
    dealer: int,
    cards: tuple[int, int],
    decisions: tuple[int, int],
) -> tuple[int, int]:
    """Deal, bid, play tricks, score: one hand. `cards` and `decisions` are its keys. Returns state and outcome."""
    if schedule.given_deck.size:
        for place in range(54):
            table.deck[place] = schedule.given_deck[place]
    else:
        shuffle(table.deck, cards[0], cards[1], min(4 * hand_size + 3, 54))
    turned, swap_seat, swap_card = deal_cards(table, house, hand_size)
    open_view(table, shown, dealer, attempt, hand_size, turned, swap_seat)
    row = table.hands_done
    log_hand(table, shown, deals, row, match, deal, dealer, swap_seat, swap_card)
    state, leader, level = bid_in_turn(table, shown, house, hand_size, dealer, decisions[0], decisions[1])
    if state != DECIDED:
        return state, log.PLAYED
    outcome = _outcome(house, leader, attempt)
    if outcome == log.PLAYED:
        trump = rules.trump_of(turned)
        state = _play_tricks(table, shown, house, tricks, match, hand_size, leader, trump, decisions[0], decisions[1])
        if state != DECIDED:
            return state, outcome
        score(table, house, deals, row, hand_size, level)
    else:
        log_no_score(deals, row)
    store_8(deals.outcome, row, outcome)
    store_8(deals.leader, row, leader if leader >= 0 else log.NONE_8)
    for seat in range(4):
        store_8(deals.bids[seat], row, table.bids[seat])
    for side in range(2):
        store_32(deals.score[side], row, table.score[side])
    table.hands_done = row + 1
    return DECIDED, outcome


@part
def _seat_players(
    table: Record,
    shown: Record,
    house: House,
    schedule: Schedule,
    matches: Record,
    match: int,
    pairing: int,
    side_table: int,
    deals_in_match: int,
) -> None:
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
def _play_match(
    table: Record,
    shown: Record,
    house: House,
    hand_sizes: np.ndarray,
    schedule: Schedule,
    matches: Record,
    deals: Record,
    tricks: Record,
    match: int,
) -> int:
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
    log_match(table, matches, match, thrown_in, stalled, fault_deal)
    return state


def _play_matches(
    table: Record,
    shown: Record,
    house: House,
    hand_sizes: np.ndarray,
    schedule: Schedule,
    matches: Record,
    deals: Record,
    tricks: Record,
    until: int,
    room: int,
) -> int:
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
play_matches._cache = CodeCache(cache_key("engine", _play_matches))
