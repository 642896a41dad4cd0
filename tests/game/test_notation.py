"""The text form: what it looks like, that nothing is lost in it, and how it refuses what is malformed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.game import notation
from sim.game.record import BOARD, Deal, Record, read_deals, read_records
from sim.game.referee import replay
from tests import generators
from tests.game.golden import SWAP, TEXT


@pytest.mark.parametrize("text", [TEXT, SWAP])
def test_the_golden_records_are_written_as_they_are_read(text):
    record = Record.from_text(text)
    assert record.to_text() == text
    assert replay(record.deal, record.bids, [trick.cards for trick in record.tricks]) == record


def test_the_form_is_explained_with_the_golden_record():
    explained = notation.__doc__.partition("::\n\n")[2].partition("\n\n")[0].splitlines()
    for line, shown in zip(TEXT.splitlines(), explained, strict=True):
        assert shown.startswith("    " + line)


@given(generators.records())
def test_a_record_survives_its_text(record):
    text = record.to_text()
    assert text.isascii()
    assert Record.from_text(text) == record
    assert Record.from_text(text).to_text() == text


@given(generators.deals())
def test_a_deal_survives_its_text(deal):
    assert Deal.from_text(deal.to_text()) == deal


@given(generators.records())
def test_the_deal_of_a_record_is_read_without_the_play(record):
    assert Deal.from_text(record.to_text()) == record.deal
    assert record.to_text().startswith(record.deal.to_text())


@given(st.lists(generators.records(), max_size=4), st.sampled_from(["", "\n", "\n\n# and next\n"]))
def test_many_records_are_read_with_or_without_blank_lines_between(records, between):
    assert read_records(between.join(record.to_text() for record in records)) == records


@given(generators.records(), st.randoms())
def test_the_lines_after_the_first_may_come_in_any_order(record, random):
    first, *others = record.to_text().splitlines()
    tricks = [line for line in others if line[0].isdigit()]
    lines = [line for line in others if not line[0].isdigit()]
    random.shuffle(lines)
    assert Record.from_text("\n".join([first, *tricks, *lines])) == record


def test_blank_lines_and_comments_count_for_nothing():
    spaced = TEXT.replace("\n", "\n\n  # a word\n").replace("turned  ", "  turned\t")
    assert Record.from_text("# a title\n\n" + spaced) == Record.from_text(TEXT)


def test_a_hand_may_be_written_in_other_ways():
    deal = Deal.from_text("dealer East\nEast D:2A\nNorth S:102\nSouth 10H H:9\nturned TD\nWest C:T lb")
    assert deal == Deal(["TS 2S", "AD 2D", "TH 9H", "LB TC"], "TD", 1)


def test_a_ten_is_written_in_one_way_and_read_in_two():
    assert "H:10\n" in TEXT and "10H" in TEXT
    assert Record.from_text(TEXT.replace("H:10", "H:T").replace("10H", "TH")).to_text() == TEXT


def test_a_text_of_nothing_holds_no_record():
    assert read_records("# only a word\n\n") == [] == read_deals("")
    with pytest.raises(ValueError, match="one record is asked for, the text holds 0"):
        Record.from_text("")
    with pytest.raises(ValueError, match="one record is asked for, the text holds 2"):
        Deal.from_text(TEXT + TEXT)


@pytest.mark.parametrize(
    "old, new, words",
    [
        ("dealer     North", "dealer     Nort", "line 1, dealer: 'Nort' is none of North, East, South, West"),
        ("dealer     North", "", "line 2, North: a record starts with its line 'dealer'"),
        ("S:AK4", "S:AKK", "line 2, North: KS is there twice"),
        ("S:AK4", "S:AK1", "line 2, North: no card is named '1S'"),
        ("S:AK4", "X:AK4", "line 2, North: 'X:AK4' names no suit"),
        ("S:AK4", "S:AKQ", "record at line 1: QS: in two places of the deal"),
        ("S:AK4", "S:AK", "the hands hold [4, 5, 5, 5] cards"),
        ("East       S:QJ H:3 D:95\n", "", "record at line 1: no line East"),
        ("East       S", "North      S", "line 3, North: this record has that line already"),
        ("turned     2H", "turned     2H 3H", "line 6, turned: '2H 3H' is 2 words where 1 belong"),
        ("turned     2H", "turned", "line 6, turned: '' is 0 words where 1 belong"),
        ("turned     2H", "turns      2H", "line 6, turns: a line starts with one of dealer"),
        ("7C 2D", "7C 2X", "line 7, stock: no card is named '2X'"),
        ("7C 2D", "7C AS", "record at line 1: AS: in two places of the deal"),
        ("trump      hearts", "trump      heart", "line 8, trump: 'heart' is none of clubs, diamonds"),
        ("trump      hearts 2H\n", "", "record at line 1: no line trump"),
        ("East pass", "East passes", "line 9, bids: 'passes' is no bid: pass, 1 … 12, board, double"),
        ("East pass", "East 13", "line 9, bids: '13' is no bid"),
        ("East pass", "East 99", "line 9, bids: '99' is no bid"),
        ("East pass  ", "", "line 9, bids: 'South 2 West board North double' is not one word for each of North, East"),
        ("East pass  South", "South pass  South", "line 9, bids: 'South pass South 2"),
        ("outcome    played", "outcome    lost", "line 10, outcome: 'lost' is none of played, thrown-in, stalled"),
        ("outcome    played", "outcome    thrown-in", "5 tricks; an outcome 'thrown-in' has 0"),
        ("leader     North\n", "", "record at line 1: no line leader"),
        ("1          North BB  3H", "1          North 3H", "line 12, 1: 'North 3H 4C LB North' is 5 words"),
        ("2          North 10H", "3          North 10H", "line 13, 3: a line starts with one of"),
        ("5          South KD  QC  KS  5D   South\n", "", "4 tricks; an outcome 'played' has 5"),
        ("NS double  EW board\n", "NS double  EW lost\n", "line 17, contracts: 'lost' is no whole number"),
        ("points     NS -100", "points     NS 1e2", "line 19, points: '1e2' is no whole number"),
        ("points     NS -100", "points     NS ٣", "line 19, points"),
        ("outcome    played", "tricks     played", "line 10, tricks: a line starts with one of"),
        ("stock      7C 2D", "swap       East LB 7C", "record at line 1, swap: East was not dealt the joker 'LB'"),
        ("stock      7C 2D", "swap       North AS 7C", "swap: North was not dealt the joker 'AS'"),
    ],
)
def test_what_is_malformed_is_named_with_its_line(old, new, words):
    assert TEXT.count(old) == 1
    with pytest.raises(ValueError) as refused:
        Record.from_text(TEXT.replace(old, new))
    assert words in str(refused.value)


def test_lines_are_counted_through_the_whole_text():
    with pytest.raises(ValueError, match="line 28, bids"):
        read_records(TEXT + TEXT.replace("East pass", "East pas"))


@given(st.text(alphabet="dealerNorth SHDC:AK23TB\n#0159-", max_size=200) | st.text(max_size=60))
def test_any_text_is_read_or_refused_as_a_value(text):
    for read in (read_deals, read_records):
        try:
            read(text)
        except ValueError as error:
            assert "line" in str(error)


@given(st.data())
def test_a_record_with_words_missing_or_changed_is_read_or_refused(data):
    words = data.draw(st.sampled_from([TEXT, SWAP])).split(" ")
    at = data.draw(st.integers(0, len(words) - 1))
    words[at] = data.draw(st.sampled_from(["", "AS", "BB", "North", "board", "7", "-1", "S:AA", "\n", "#"]))
    try:
        record = Record.from_text(" ".join(words))
    except ValueError as error:
        assert "record" in str(error) or "line" in str(error)
    else:
        assert Record.from_text(record.to_text()) == record


def test_bids_and_contracts_in_words():
    bids = [(0, 0), (7, 0), (BOARD, 1), (BOARD, 4)]
    assert [notation.bid(*bid) for bid in bids] == ["pass", "7", "board", "quadruple"]
    assert [notation.contract(*goal) for goal in [(0, 0), (15, 0), (None, 3)]] == ["0", "15", "triple"]
