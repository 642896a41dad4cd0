"""The picture of a deal for people."""

from hypothesis import given

from sim.game.house import Rules
from sim.game.record import Deal, Record
from sim.game.referee import Table
from tests import generators
from tests.game.golden import PICTURE, SWAP, TEXT


def test_the_golden_record_as_a_picture():
    assert Record.from_text(TEXT).pretty() == PICTURE


def test_a_swap_is_told_and_shown():
    picture = Record.from_text(SWAP).pretty()
    assert "1 card, dealer South, LB turned: no trump\nEast gave up BB and drew 10♣\n" in picture
    assert "♣ 10" in picture and "♥ BB" not in picture


def test_a_burn_is_told():
    table = Table(Deal(["AS", "AH", "AD", "AC"], "BB", stock=["2C"]), Rules(joker_turned="burn"))
    for _ in range(4):
        table.bid(0)
    picture = table.result().pretty()
    assert picture.startswith("1 card, dealer North, BB turned: trump ♣\nBB was put aside, 2♣ decided\n")
    assert picture.endswith("Bids   East pass, South pass, West pass, North pass\n\nAll passed: thrown-in\n")


@given(generators.records())
def test_every_record_has_a_picture_with_every_trick(record):
    picture = record.pretty()
    assert picture.count("*") == len(record.tricks) + bool(record.tricks)
    assert all(line == line.rstrip() and len(line) <= 120 for line in picture.split("\n"))
