"""L1 to L5: leading, following, bloopers and winning."""

import pytest

from sim.game.house import Rules
from sim.game.record import BOARD
from tests.rules.deals import EAST, NORTH, SOUTH, WEST, dealt, in_order, leader_wins, one_suit_each

# Hearts are trump in the deals of this file, 9H turned, except where a joker is turned or it says otherwise.


@pytest.mark.parametrize(
    "bids, leader",
    [
        ([1, 2, 3, 4], NORTH),
        ([4, 2, 3, 1], EAST),
        ([2, 4, 4, 1], SOUTH),
        ([0, 0, 1, 1], WEST),
        ([0, 0, 0, 1], NORTH),
        ([3, 3, 3, 3], EAST),
    ],
)
def test_l1_the_highest_number_leads_the_first_of_equals(play, bids, leader):
    record = play(in_order(6), bids)
    assert record.leader == record.tricks[0].leader == leader


@pytest.mark.parametrize("dealer", range(4))
def test_l1_the_first_of_equals_is_counted_from_the_dealers_left(play, dealer):
    assert play(in_order(6, dealer), [2, 3, 3, 3]).leader == (dealer + 2) % 4


def test_l1_a_player_leads_not_the_side_with_the_higher_sum(play):
    assert play(in_order(6), [3, 4, 3, 0]).leader == SOUTH


@pytest.mark.parametrize(
    "bids, leader",
    [
        ([12, BOARD, 12, 12], SOUTH),
        ([BOARD, 12, 12, 12], EAST),
        ([BOARD, 0, BOARD, 12], WEST),
        ([BOARD, BOARD, BOARD, BOARD], NORTH),
        ([0, 0, 0, BOARD], NORTH),
    ],
)
def test_l1_a_board_beats_any_number_and_the_last_board_leads(play, bids, leader):
    assert play(one_suit_each(), bids).leader == leader


# North has plain cards and trumps, East can ruff spades, South and West follow.
MIXED = dealt("AS KS AH", "QC JH TH", "2S 3S 2C", "4S 5S 3C", "9H")
NORTH_LEADS = [0, 0, 0, 2]


def test_l2_trump_may_not_be_led_before_it_is_broken(legal_at):
    assert legal_at(MIXED, NORTH_LEADS) == {"AS", "KS"}


def test_l2_a_trick_without_trump_breaks_nothing(legal_at):
    deal = dealt("AS KS AH", "QS JS TH", "2S 3S 2C", "4S 5S 3C", "9H")
    assert legal_at(deal, NORTH_LEADS, ["AS JS 2S 4S"]) == {"KS"}


def test_l2_leading_trump_early_is_refused(refusal):
    assert "trump-led" in refusal(MIXED, NORTH_LEADS, ["AH"])


def test_l2_a_ruff_breaks_trump(legal_at):
    deal = dealt("AS KS AH", "QC JH TH", "2S 3S 2C", "4S 5S QH", "9H")
    assert legal_at(deal, NORTH_LEADS, ["AS QC 2S 4S"]) == {"KS"}  # East threw a club
    assert legal_at(deal, NORTH_LEADS, ["AS TH 2S 4S"]) == {"JH", "QC"}


def test_l2_a_joker_is_a_trump_not_to_be_led(legal_at):
    deal = dealt("AS BB LB", "QC JH TH", "2S 3S 2C", "4S 5S QH", "9H")
    assert legal_at(deal, NORTH_LEADS) == {"AS"}


def test_l2_a_joker_played_breaks_trump(legal_at):
    deal = dealt("AS KS AH", "BB QC JH", "2S 3S 2C", "4S 5S QH", "9H")
    assert legal_at(deal, NORTH_LEADS, ["AS BB 2S 4S"]) == {"QC", "JH"}


def test_l2_a_trump_led_breaks_trump(legal_at):
    deal = dealt("QH JH TH", "KH 2S 8H", "2H 3S 4S", "3H 5S 6S", "9H")
    assert legal_at(deal, NORTH_LEADS, ["QH KH 2H 3H"]) == {"2S", "8H"}


def test_l2_the_leader_of_trumps_alone_may_lead_them(legal_at):
    deal = dealt("AH KH BB", "2S JS TS", "2H 3S 2C", "3H 5S 3C", "9H")
    assert legal_at(deal, NORTH_LEADS) == {"AH", "KH", "BB"}
    later = dealt("AS AH KH", "2S JS TS", "3S 2H 2C", "4S 5S 3C", "9H")
    assert legal_at(later, NORTH_LEADS, ["AS 2S 3S 4S"]) == {"AH", "KH"}


def test_l2_a_board_bidder_may_lead_trump_to_the_very_first_trick(legal_at):
    assert legal_at(MIXED, [0, 0, 0, BOARD]) == {"AS", "KS", "AH"}


def test_l2_a_board_bidder_may_lead_trump_whenever_in_the_lead(legal_at):
    # East claims a board, South doubles and leads; East wins a trick and may lead trump.
    deal = dealt("2S 3S 2H", "AS KS AH", "4S 5S 3H", "6S 7S 4H", "9H")
    assert legal_at(deal, [BOARD, BOARD, 0, 0], ["4S 6S 2S AS"]) == {"KS", "AH"}


def test_l2_the_partner_of_a_board_bidder_may_not_lead_trump(legal_at):
    deal = dealt("2S 3S 2H", "4S 5S 3H", "AS KS AH", "6S 7S 4H", "9H")
    assert legal_at(deal, [0, 0, 0, BOARD], ["2S 4S AS 6S"]) == {"KS"}


def test_l2_an_opponents_board_gives_no_leave(legal_at):
    deal = dealt("2S 3S 2H", "AS KS AH", "4S 5S 3H", "6S 7S 4H", "9H")
    assert legal_at(deal, [0, 0, 0, BOARD], ["2S AS 4S 6S"]) == {"KS"}


def test_l2_without_trump_any_card_may_be_led(legal_at):
    deal = dealt("AS KS AH", "QC JH TH", "2S 3S 2C", "4S 5S 3C", "BB")
    assert legal_at(deal, NORTH_LEADS) == {"AS", "KS", "AH"}


class TestL2BoardLeadsTrump:
    """The house setting `board_leads_trump`."""

    # North leads; each player can win the first spade trick according to the script, and holds a trump.
    deal = dealt("JS 3S 2H", "QS 5S 3H", "KS 7S 4H", "AS 8S 5H", "9H")
    to_north = ("JS 5S 7S 8S",)
    to_south = ("JS 5S KS 8S",)

    @staticmethod
    def rules(choice: str) -> Rules:
        return Rules(board_leads_trump=choice)

    def test_bidder_is_the_default(self):
        assert Rules().board_leads_trump == "bidder"

    @pytest.mark.parametrize("choice, may", [("bidder", 1), ("bidder-after-first", 0), ("side", 1), ("nobody", 0)])
    def test_l2_the_bidder_at_the_first_trick(self, legal_at, choice, may):
        legal = legal_at(self.deal, [0, 0, 0, BOARD], rules=self.rules(choice))
        assert legal == {"JS", "3S"} | ({"2H"} if may else set())

    @pytest.mark.parametrize("choice, may", [("bidder", 1), ("bidder-after-first", 1), ("side", 1), ("nobody", 0)])
    def test_l2_the_bidder_after_the_first_trick(self, legal_at, choice, may):
        legal = legal_at(self.deal, [0, 0, 0, BOARD], self.to_north, self.rules(choice))
        assert legal == {"3S"} | ({"2H"} if may else set())

    @pytest.mark.parametrize("choice, may", [("bidder", 0), ("bidder-after-first", 0), ("side", 1), ("nobody", 0)])
    def test_l2_the_bidders_partner(self, legal_at, choice, may):
        legal = legal_at(self.deal, [0, 0, 0, BOARD], self.to_south, self.rules(choice))
        assert legal == {"7S"} | ({"4H"} if may else set())

    @pytest.mark.parametrize("choice", ["bidder", "bidder-after-first", "side", "nobody"])
    def test_l2_an_opponent_of_the_bidder(self, legal_at, choice):
        legal = legal_at(self.deal, [0, 0, 0, BOARD], ["JS QS 7S 8S"], self.rules(choice))
        assert legal == {"5S"}

    @pytest.mark.parametrize("choice", ["bidder", "bidder-after-first", "side", "nobody"])
    def test_l2_trumps_alone_may_be_led_to_the_first_trick(self, legal_at, choice):
        deal = dealt("AH KH", "2S JS", "2H 3S", "3H 5S", "9H")
        assert legal_at(deal, [0, 0, 0, BOARD], rules=self.rules(choice)) == {"AH", "KH"}
        assert legal_at(deal, [0, 0, 0, 1], rules=self.rules(choice)) == {"AH", "KH"}

    @pytest.mark.parametrize("choice", ["bidder", "bidder-after-first", "side", "nobody"])
    def test_l2_broken_trump_may_be_led_by_anyone(self, legal_at, choice):
        deal = dealt("JS 3S 2H 6H", "QC 5C 3H 7H", "KS 7S 4H 8H", "AS 8S 5H TH", "9H")
        assert legal_at(deal, [0, 0, 0, 1], ["JS 3H 7S 8S"], self.rules(choice)) == {"QC", "5C", "7H"}


def test_l3_follow_the_suit_led_if_able(legal_at):
    deal = dealt("AS KH", "2S AD", "QH 3D", "3C 4C", "9H")
    assert legal_at(deal, [0, 0, 0, 1], ["AS"]) == {"2S"}


def test_l3_else_play_any_card_trump_or_not(legal_at):
    deal = dealt("AS KH", "2S AD", "QH 3D", "BB 4C", "9H")
    assert legal_at(deal, [0, 0, 0, 1], ["AS 2S"]) == {"QH", "3D"}
    assert legal_at(deal, [0, 0, 0, 1], ["AS 2S 3D"]) == {"BB", "4C"}


def test_l3_a_joker_follows_trump_and_no_other_suit(legal_at):
    deal = dealt("KH QH", "LB AD", "2H 3D", "BB 4C", "9H")
    assert legal_at(deal, [0, 0, 0, 1], ["KH"]) == {"LB"}
    assert legal_at(deal, [0, 0, 0, 1], ["KH LB 2H"]) == {"BB"}


def test_l3_a_joker_led_calls_for_trump(legal_at):
    deal = dealt("BB KH", "2H AD", "AC 3D", "QH 4C", "9H")
    assert legal_at(deal, [0, 0, 0, BOARD], ["BB"]) == {"2H"}
    assert legal_at(deal, [0, 0, 0, BOARD], ["BB 2H"]) == {"AC", "3D"}


def test_l3_the_suit_led_counts_not_the_ruff(legal_at):
    deal = dealt("AS KC", "2H AD", "2S QH", "3S 4H", "9H")
    assert legal_at(deal, [0, 0, 0, 1], ["AS 2H"]) == {"2S"}


def test_l3_a_revoke_is_refused(refusal):
    deal = dealt("AS KH", "2S AD", "QH 3D", "3C 4C", "9H")
    assert "revoke" in refusal(deal, [0, 0, 0, 1], ["AS AD"])


def test_l3_a_card_not_held_is_refused(refusal):
    deal = dealt("AS KH", "2S AD", "QH 3D", "3C 4C", "9H")
    assert "card-not-held" in refusal(deal, [0, 0, 0, 1], ["AS 3S"])
    assert "card-not-held" in refusal(deal, [0, 0, 0, 1], ["AS 2S 3D 3C", "AS"])


# Clubs are trump; North leads the Big Blooper.
BIG_LED = dealt("BB KS QS", "AC 2C 3S", "KC TC 4C", "LB QC 5C", "9C")


def test_l4_big_blooper_draws_the_highest_trumps(legal_at):
    assert legal_at(BIG_LED, [0, 0, 0, BOARD], ["BB"]) == {"AC"}
    assert legal_at(BIG_LED, [0, 0, 0, BOARD], ["BB AC"]) == {"KC"}
    assert legal_at(BIG_LED, [0, 0, 0, BOARD], ["BB AC KC"]) == {"LB"}


def test_l4_little_blooper_draws_the_lowest_trumps(legal_at):
    deal = dealt("LB KS QS", "AC 2C 3S", "KC TC 4C", "BB QC 5C", "9C")
    assert legal_at(deal, [0, 0, 0, BOARD], ["LB"]) == {"2C"}
    assert legal_at(deal, [0, 0, 0, BOARD], ["LB 2C"]) == {"4C"}
    assert legal_at(deal, [0, 0, 0, BOARD], ["LB 2C 4C"]) == {"5C"}


def test_l4_the_big_alone_falls_to_the_little_and_wins(legal_at, play):
    deal = dealt("LB KS", "BB AS", "KC TC", "AC QC", "9C")
    assert legal_at(deal, [0, 0, 0, BOARD], ["LB"]) == {"BB"}
    assert play(deal, [0, 0, 0, BOARD], ["LB BB TC QC"]).tricks[0].winner == EAST


@pytest.mark.parametrize("joker", ["BB", "LB"])
def test_l4_a_player_without_trump_plays_any_card(legal_at, joker):
    deal = dealt(f"{joker} KS", "AS 2D", "KC TC", "AC QC", "9C")
    assert legal_at(deal, [0, 0, 0, BOARD], [joker]) == {"AS", "2D"}


def test_l4_a_joker_not_led_forces_nothing(legal_at):
    deal = dealt("2C KS", "BB LB", "KC TC", "AC QC", "9C")
    assert legal_at(deal, [0, 0, 0, BOARD], ["2C BB"]) == {"KC", "TC"}
    assert legal_at(deal, [0, 0, 0, BOARD], ["2C BB KC"]) == {"AC", "QC"}
    assert legal_at(deal, [0, 0, 0, BOARD], ["2C LB"]) == {"KC", "TC"}


def test_l4_a_ruff_with_a_joker_forces_nothing(legal_at):
    deal = dealt("2S KS", "BB AD", "KC TC", "3S QC", "9C")
    assert legal_at(deal, [0, 0, 0, 1], ["2S BB"]) == {"KC", "TC"}
    assert legal_at(deal, [0, 0, 0, 1], ["2S BB KC"]) == {"3S"}


def test_l4_the_force_ends_with_the_trick(legal_at):
    deal = dealt("BB 2C KS", "AC 3C 5C", "KC QC TC", "JC 4C 6C", "9C")
    assert legal_at(deal, [0, 0, 0, BOARD], ["BB AC KC JC", "2C"]) == {"3C", "5C"}


def test_l4_another_trump_than_the_forced_one_is_refused(refusal):
    assert "forced-trump" in refusal(BIG_LED, [0, 0, 0, BOARD], ["BB 2C"])
    assert "revoke" in refusal(BIG_LED, [0, 0, 0, BOARD], ["BB 3S"])


@pytest.mark.parametrize("choice, legal", [("forced", {"KC"}), ("free", {"KC", "TC", "4C"}), ("lowest", {"4C"})])
def test_l4_blooper_partner(legal_at, choice, legal):
    rules, bids = Rules(blooper_partner=choice), [0, 0, 0, BOARD]
    assert legal_at(BIG_LED, bids, ["BB AC"], rules) == legal
    assert legal_at(BIG_LED, bids, ["BB"], rules) == {"AC"}
    assert legal_at(BIG_LED, bids, ["BB AC 4C"] if choice != "forced" else ["BB AC KC"], rules) == {"LB"}


@pytest.mark.parametrize("choice", ["forced", "free", "lowest"])
def test_l4_blooper_partner_must_still_follow(legal_at, choice):
    deal = dealt("BB KS", "AC 2C", "LB AD", "JC QC", "9C")
    assert legal_at(deal, [0, 0, 0, BOARD], ["BB AC"], Rules(blooper_partner=choice)) == {"LB"}


@pytest.mark.parametrize("choice", ["forced", "free", "lowest"])
def test_l4_blooper_partner_says_nothing_of_the_little_blooper(legal_at, choice):
    deal = dealt("LB KS", "AC 2C", "KC 4C", "JC QC", "9C")
    assert legal_at(deal, [0, 0, 0, BOARD], ["LB 2C"], Rules(blooper_partner=choice)) == {"4C"}


def test_l4_blooper_partner_follows_the_leader_of_the_trick(legal_at):
    # West leads the Big Blooper to the second trick: East is the partner, North and South are not.
    deal = dealt("2S 3C 5C", "3S 6C 7C", "4S 8C TC", "AS BB QC", "9C")
    rules = Rules(blooper_partner="free")
    bids, first = [0, 0, BOARD, BOARD], "2S 3S 4S AS"
    assert legal_at(deal, bids, [first, "BB"], rules) == {"5C"}
    assert legal_at(deal, bids, [first, "BB 5C"], rules) == {"6C", "7C"}
    assert legal_at(deal, bids, [first, "BB 5C 7C"], rules) == {"TC"}


def test_l4_the_partner_is_forced_by_default():
    assert Rules().blooper_partner == "forced" and Rules().little_blooper_forces is True


@pytest.mark.parametrize("forces, legal", [(True, {"2C"}), (False, {"AC", "2C"})])
def test_l4_little_blooper_forces(legal_at, forces, legal):
    deal = dealt("LB KS QS", "AC 2C 3S", "KC TC 4C", "BB QC 5C", "9C")
    assert legal_at(deal, [0, 0, 0, BOARD], ["LB"], Rules(little_blooper_forces=forces)) == legal


@pytest.mark.parametrize("forces", [True, False])
def test_l4_the_big_forces_whatever_the_little_does(legal_at, forces):
    rules = Rules(little_blooper_forces=forces)
    assert legal_at(BIG_LED, [0, 0, 0, BOARD], ["BB"], rules) == {"AC"}


def test_l5_the_highest_trump_wins(play):
    deal = dealt("AS 2D", "2H 3D", "KS 4D", "3H 5D", "9H")
    assert play(deal, [0, 0, 0, 1], ["AS 2H KS 3H"]).tricks[0].winner == WEST


def test_l5_else_the_highest_card_of_the_suit_led(play):
    deal = dealt("2S 2D", "AH 3D", "3S AD", "KH 5D", "9C")
    record = play(deal, [0, 0, 0, 1], ["2S AH 3S KH"])
    assert record.tricks[0].winner == SOUTH


def test_l5_the_winner_leads_next(play):
    deal = dealt("2S 2D", "AS 3D", "3S AD", "4S 5D", "9C")
    record = play(deal, [0, 0, 0, 1], ["2S AS 3S 4S", "3D AD 5D 2D"])
    assert [trick.leader for trick in record.tricks] == [NORTH, EAST]
    assert [trick.winner for trick in record.tricks] == [EAST, SOUTH]
    assert record.tricks_won == (0, 1, 1, 0)


def test_l5_all_tricks_are_played_even_when_a_board_has_failed(play):
    record = play(leader_wins(0, 6), [0, 0, 0, BOARD])
    assert len(record.tricks) == 6 and record.tricks_won == (0, 6, 0, 0)


def test_case_10_the_bloopers_force(legal_at, play):
    board = [0, 0, 0, BOARD]
    assert legal_at(dealt("BB 2S 3S", "LB AC 2C", "3C 4C 5C", "AS KS QS", "9C"), board, ["BB"]) == {"LB"}
    assert legal_at(dealt("LB 2S", "BB 2C", "3C 4C", "AS KS", "9C"), board, ["LB"]) == {"2C"}
    alone = dealt("LB 2S", "BB QS", "3C 4C", "AS KS", "9C")
    assert legal_at(alone, board, ["LB"]) == {"BB"}
    assert play(alone, board, ["LB BB 3C AS"]).tricks[0].winner == EAST
    assert legal_at(alone, board, ["LB BB 3C"]) == {"AS", "KS"}


def test_case_12_a_number_bidder_with_trumps_alone(legal_at):
    deal = dealt("BB AC 2C", "KC QC 2S", "3C 4C 3S", "AS KS QS", "9C")
    assert legal_at(deal, [0, 0, 0, 2]) == {"BB", "AC", "2C"}
    assert legal_at(deal, [0, 0, 0, 2], ["BB"]) == {"KC"}
    assert legal_at(deal, [0, 0, 0, 2], ["2C QC 3C QS"]) == {"KC", "2S"}
