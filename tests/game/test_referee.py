"""The referee's table: what holds in every deal, and how it refuses."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.game import cards
from sim.game.house import Rules
from sim.game.record import BOARD, PASS, Deal
from sim.game.referee import IllegalMove, Table, replay
from tests import generators

DEAL = Deal(["AS KS AH", "QC JH TH", "2S 3S 2C", "4S 5S 3C"], "9H")  # North deals, hearts are trump


@given(generators.played_deals())
def test_every_card_held_is_played_once_by_its_holder(played):
    record, _, _ = played
    assert len(record.tricks) == (record.deal.hand_size if record.outcome == "played" else 0)
    by_seat = [0, 0, 0, 0]
    for trick in record.tricks:
        for place, card in enumerate(trick.cards):
            by_seat[(trick.leader + place) % 4] |= 1 << card
    assert tuple(by_seat) == (record.hands if record.tricks else (0, 0, 0, 0))


@given(generators.played_deals())
def test_tricks_follow_each_other_and_are_counted(played):
    record, _, _ = played
    leader = record.leader
    for trick in record.tricks:
        assert trick.leader == leader
        leader = trick.winner
    winners = [trick.winner for trick in record.tricks]
    assert record.tricks_won == tuple(winners.count(seat) for seat in range(4))


def strength(card: int, led: int, trump: int) -> tuple[int, int]:
    """Rank a card of a trick, by suits and ranks one by one."""
    if trump < 4 and (card >= 52 or card // 13 == trump):
        return 2, (100 + card if card >= 52 else card % 13)
    return (1, card % 13) if card // 13 == led // 13 else (0, 0)


@given(generators.played_deals())
def test_the_strongest_card_wins_every_trick(played):
    record, _, _ = played
    for trick in record.tricks:
        best = max(trick.cards, key=lambda card, led=trick.cards[0]: strength(card, led, record.trump))
        assert trick.winner == (trick.leader + trick.cards.index(best)) % 4


@given(generators.played_deals())
def test_everyone_follows_suit_if_able(played):
    record, _, _ = played

    def suit(card: int) -> int:
        return record.trump if card >= 52 else card // 13

    held = [set(cards.to_codes(hand)) for hand in record.hands]
    for trick in record.tricks:
        for place, card in enumerate(trick.cards):
            hand = held[(trick.leader + place) % 4]
            if suit(card) != suit(trick.cards[0]):
                assert all(suit(other) != suit(trick.cards[0]) for other in hand)
            hand.remove(card)


@given(generators.played_deals())
def test_points_are_those_of_board_or_contract(played):
    record, rules, _ = played
    size = record.deal.hand_size
    for side in (0, 1):
        seats = (side, side + 2)
        won = sum(record.tricks_won[seat] for seat in seats)
        boards = [record.board_levels[seat] for seat in seats if record.bids[seat] == BOARD]
        assert record.boards[side] == max(boards, default=0)
        if boards:
            level = max(record.board_levels) if rules.board_multiplier == "table" else max(boards)
            worth = rules.points_per_board_trick * size * level
            assert record.contracts[side] is None
            assert record.points[side] == (worth if won == size else -worth)
        else:
            contract = sum(record.bids[seat] for seat in seats)
            made = rules.points_per_bid_trick * contract + rules.points_per_overtrick * (won - contract)
            assert record.contracts[side] == contract
            assert record.points[side] == (made if won >= contract else -rules.points_per_bid_trick * contract)


@given(generators.played_deals())
def test_some_card_is_always_legal_and_it_is_held(played):
    record, _, legal = played
    held, moves = list(record.hands), iter(legal)
    for trick in record.tricks:
        for place, card in enumerate(trick.cards):
            seat, allowed = (trick.leader + place) % 4, next(moves)
            assert allowed and not allowed & ~held[seat] and allowed >> card & 1
            held[seat] ^= 1 << card


@given(generators.played_deals())
def test_replaying_a_record_gives_it_again(played):
    record, rules, _ = played
    assert replay(record.deal, record.bids, [trick.cards for trick in record.tricks], rules) == record


def state(table: Table) -> tuple:
    return (
        list(table.hands), dict(table.bids), list(table.levels), table.to_act, table.leader, list(table.trick),
        list(table.tricks), table.trump_broken, table.legal_cards(),
    )  # fmt: skip


@settings(max_examples=40)
@given(generators.deals(st.integers(1, 6)), generators.rules(), generators.CHOICES_OF_CARDS, st.data())
def test_a_card_not_legal_is_refused_and_changes_nothing(deal, rules, choices, data):
    table = Table(deal, rules)
    bids = data.draw(generators.bids(deal.hand_size))
    while len(table.bids) < 4:
        table.bid(bids[table.to_act])
    for choice in choices:
        if table.finished:
            break
        before, legal = state(table), table.legal_cards()
        for card in cards.to_codes(cards.ALL & ~legal):
            held = table.hands[table.to_act] >> card & 1
            with pytest.raises(IllegalMove) as refused:
                table.play(card)
            assert (refused.value.reason == "card-not-held") == (not held)
            assert refused.value.seat == table.to_act and refused.value.trick == len(table.tricks) + 1
        assert state(table) == before
        table.play(generators.choose(legal, choice))


def bid_all(*bids: int, deal: Deal = DEAL) -> Table:
    table = Table(deal)
    for bid in bids:
        table.bid(bid)
    return table


@pytest.mark.parametrize(
    "cards_before, card, reason, rule, words",
    [
        ([], "AH", "trump-led", "L2", "trick 1, North: AH led, but trump is not broken; legal: AS KS (L2)"),
        (["AS", "QC"], "2C", "revoke", "L3", "trick 1, South: 2C does not follow suit to AS; legal: 3S 2S (L3)"),
        (["AS", "QC", "2S"], "KS", "card-not-held", "D3", "KS is not in the hand; legal: 5S 4S"),
        (["AS"], "AS", "card-not-held", "D3", "AS is not in the hand"),
        ([], 54, "card-not-held", "T2", "54 is no card"),
        ([], -1, "card-not-held", "T2", "-1 is no card"),
        ([], 10**30, "card-not-held", "T2", "is no card"),
        ([], "1S", "card-not-held", "T2", "no card is named '1S'"),
        ([], None, "not-an-integer", "T2", "None is no card"),
        ([], True, "not-an-integer", "T2", "True is no card"),
        ([], 51.0, "not-an-integer", "T2", "51.0 is no card"),
        ([], np.bool_(True), "not-an-integer", "T2", "is no card"),
    ],
)
def test_a_card_is_refused_for_a_reason(cards_before, card, reason, rule, words):
    table = bid_all(0, 0, 0, 2)
    for before in cards_before:
        table.play(before)
    with pytest.raises(IllegalMove) as refused:
        table.play(card)
    assert (refused.value.reason, refused.value.rule) == (reason, rule)
    assert words in str(refused.value)


@pytest.mark.parametrize("joker, card", [("BB", "2C"), ("LB", "AC")])
def test_a_trump_that_is_not_the_forced_one_is_refused(joker, card):
    table = bid_all(0, 0, 0, BOARD, deal=Deal([[joker, "KS"], ["AC", "2C"], ["KC", "QC"], ["JC", "3C"]], "9C"))
    table.play(joker)
    with pytest.raises(IllegalMove) as refused:
        table.play(card)
    assert (refused.value.reason, refused.value.rule) == ("forced-trump", "L4")


@pytest.mark.parametrize("bid", [-1, 3, 13, 14, 98, 100, 10**30])
def test_a_number_that_is_no_bid_is_refused(bid):
    table = bid_all(1)
    with pytest.raises(IllegalMove) as refused:
        table.bid(bid)
    assert (refused.value.reason, refused.value.rule, refused.value.trick) == ("bid-illegal", "B2", 0)
    assert f"bidding, South: {bid} is no bid; legal: pass (0), 1 … 2, board (99) (B2)" == str(refused.value)
    assert table.bids == {1: 1} and table.to_act == 2


@pytest.mark.parametrize("bid", [None, True, False, 2.0, float("nan"), "2", np.float64(1), np.bool_(False)])
def test_a_bid_that_is_no_integer_is_refused(bid):
    with pytest.raises(IllegalMove) as refused:
        Table(DEAL).bid(bid)
    assert (refused.value.reason, refused.value.rule) == ("not-an-integer", "B2")


@pytest.mark.parametrize("integer", [np.int8, np.int64, np.uint8, np.uint64])
def test_numpy_integers_are_integers(integer):
    table = bid_all(0, 0, 0, integer(2))
    table.play(integer(cards.parse("AS")))
    assert table.bids[0] == 2 and table.trick == [cards.parse("AS")]
    assert type(table.bids[0]) is int and type(table.trick[0]) is int


def test_a_refusal_travels_between_processes():
    with pytest.raises(IllegalMove) as refused:
        bid_all(7)
    copy = pickle.loads(pickle.dumps(refused.value))
    assert (str(copy), copy.reason, copy.rule) == (str(refused.value), "bid-illegal", "B2")


def test_moves_out_of_turn_are_no_illegal_moves_but_errors():
    table = Table(DEAL)
    with pytest.raises(ValueError, match="East is to bid"):
        table.play("QC")
    with pytest.raises(ValueError, match="not over: East is to act"):
        table.result()
    table = bid_all(PASS, PASS, PASS, 2)
    with pytest.raises(ValueError, match="the bidding is over"):
        table.bid(1)
    table = bid_all(PASS, PASS, PASS, PASS)
    with pytest.raises(ValueError, match="the bidding is over"):
        table.bid(1)
    with pytest.raises(ValueError, match="the deal is over"):
        table.play("QC")


def test_what_a_table_shows_step_by_step():
    table = Table(DEAL)
    assert (table.to_act, table.leader, table.legal_cards(), table.finished) == (1, None, 0, False)
    assert table.legal_bids() == [PASS, 1, 2, BOARD]
    for bid in (BOARD, 1, BOARD, PASS):
        table.bid(bid)
    assert (table.bids, table.levels) == ({1: BOARD, 2: 1, 3: BOARD, 0: PASS}, [0, 1, 0, 2])
    assert (table.to_act, table.leader, table.legal_bids()) == (3, 3, [])
    for card in ("4S", "KS", "TH", "2S"):
        table.play(card)
    assert (table.to_act, table.leader, table.trick, table.trump_broken) == (1, 1, [], True)
    assert (table.tricks_won, table.hands[1]) == ([0, 1, 0, 0], cards.to_set("QC JH"))
    assert [cards.name(card) for card in table.tricks[0].cards] == ["4S", "KS", "10H", "2S"]


@pytest.mark.parametrize(
    "deal, rules",
    [
        (Deal(["AS", "LB", "AD", "AC"], "BB"), Rules()),
        (Deal(["AS", "AH", "AD", "AC"], "BB"), Rules(joker_turned="burn")),
        (Deal(["AS", "AH", "AD", "AC"], "BB", stock=["LB"]), Rules(joker_turned="burn")),
    ],
)
def test_a_stock_without_the_card_needed_is_an_error(deal, rules):
    with pytest.raises(ValueError, match="stock has no card to draw"):
        Table(deal, rules)


def test_a_replay_says_where_the_first_illegal_move_is():
    with pytest.raises(IllegalMove, match="trick 2, North"):
        replay(DEAL, (2, 0, 0, 0), [["AS", "QC", "2S", "4S"], ["AH"]])
    with pytest.raises(IllegalMove, match="bidding, West"):
        replay(DEAL, (2, 0, 0, 7), [])


def test_a_replay_wants_all_the_cards_and_no_more():
    record = replay(DEAL, (2, 0, 0, 0), [["AS", "QC", "2S", "4S"], ["KS", "JH", "3S", "5S"], ["TH", "2C", "3C", "AH"]])
    assert record.tricks_won == (2, 1, 0, 0) and record.points == (10, 1)
    with pytest.raises(ValueError, match="not over"):
        replay(DEAL, (2, 0, 0, 0), [["AS", "QC", "2S", "4S"]])
    with pytest.raises(ValueError, match="is over"):
        replay(DEAL, (0, 0, 0, 0), [["AS"]])
