"""House settings: the defaults of the rules page, what is refused with which words, the numbers of compiled code."""

import dataclasses

import pytest

from sim import Rules
from sim.game.house import CHOICES, RANGES, STANDARD_HAND_SIZES, House


def test_the_defaults_are_those_of_the_rules_page():
    assert Rules() == Rules(
        hand_sizes=(13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13),
        joker_turned="no-trump",
        all_pass="redeal",
        max_redeals=20,
        board_leads_trump="bidder",
        blooper_partner="forced",
        little_blooper_forces=True,
        board_multiplier="side",
        points_per_bid_trick=5,
        points_per_overtrick=1,
        points_per_board_trick=10,
    )
    assert len(STANDARD_HAND_SIZES) == 25 and sum(STANDARD_HAND_SIZES) == 181


@pytest.mark.parametrize(
    "field, value, words",
    [
        ("joker_turned", "burned", 'rule joker_turned = \'burned\' is refused: it must be "no-trump" or "burn"'),
        ("joker_turned", 1, 'it must be "no-trump" or "burn"'),
        ("all_pass", None, 'it must be "redeal" or "score-zero"'),
        ("board_leads_trump", "all", 'it must be "bidder" or "bidder-after-first" or "side" or "nobody"'),
        ("blooper_partner", True, 'it must be "forced" or "free" or "lowest"'),
        ("board_multiplier", "Side", 'it must be "side" or "table"'),
        ("little_blooper_forces", 1, "rule little_blooper_forces = 1 is refused: it must be true or false"),
        ("max_redeals", 0, "rule max_redeals = 0 is refused: it must be an integer from 1 to 250"),
        ("max_redeals", 251, "an integer from 1 to 250"),
        ("max_redeals", True, "an integer from 1 to 250"),
        ("max_redeals", 2.0, "an integer from 1 to 250"),
        ("points_per_bid_trick", -1, "an integer from 0 to 100"),
        ("points_per_overtrick", 101, "an integer from 0 to 100"),
        ("points_per_board_trick", "10", "an integer from 0 to 100"),
        (
            "hand_sizes",
            [],
            "rule hand_sizes = '0 sizes' is refused: it must be a list of 1 to 255 integers from 1 to 13",
        ),
        ("hand_sizes", [1] * 256, "rule hand_sizes = '256 sizes' is refused"),
        ("hand_sizes", [14], "rule hand_sizes is refused: deal 1 has 14 cards a player, which must be an integer"),
        ("hand_sizes", [1, 0], "rule hand_sizes is refused: deal 2 has 0 cards a player"),
        ("hand_sizes", [True], "rule hand_sizes is refused: deal 1 has True cards a player"),
        ("hand_sizes", [2.0], "rule hand_sizes is refused: deal 1 has 2.0 cards a player"),
        ("hand_sizes", "13", "rule hand_sizes = '13' is refused"),
        ("hand_sizes", 13, "rule hand_sizes = 13 is refused"),
    ],
)
def test_a_bad_value_is_refused_with_field_value_and_choices(field, value, words):
    with pytest.raises(ValueError) as refused:
        Rules(**{field: value})
    assert words in str(refused.value) and len(str(refused.value).splitlines()) == 1


@pytest.mark.parametrize("field", [*CHOICES, *RANGES])
def test_every_choice_and_both_ends_of_every_range_are_taken(field):
    for number, value in enumerate(CHOICES.get(field, RANGES.get(field))):
        house = Rules(**{field: value}).house()
        assert getattr(house, field) == (number if field in CHOICES else value)


def test_any_sequence_of_sizes_is_taken():
    for sizes in ([3, 1], (3, 1), iter([3, 1])):
        assert Rules(hand_sizes=sizes).hand_sizes == (3, 1)
    assert Rules(hand_sizes=range(1, 14)).hand_sizes == tuple(range(1, 14))
    assert len(Rules(hand_sizes=[13] * 255).hand_sizes) == 255


def test_compiled_code_gets_plain_integers():
    house = Rules(little_blooper_forces=False).house()
    assert all(type(value) is int for value in house) and house.little_blooper_forces == 0
    assert set(House._fields) == {field.name for field in dataclasses.fields(Rules)} - {"hand_sizes"}


def test_rules_are_written_and_read_back():
    rules = Rules(hand_sizes=[2, 1], blooper_partner="free", little_blooper_forces=False)
    assert Rules.from_dict(rules.to_dict()) == rules and rules.to_dict()["hand_sizes"] == [2, 1]


def test_an_unknown_rule_lists_what_there_is():
    with pytest.raises(ValueError, match=r"unknown rule 'blooper_partners': did you mean 'blooper_partner'?"):
        Rules.from_dict({"blooper_partners": "free"})
    with pytest.raises(ValueError, match="unknown rule 'qqq': the settings are hand_sizes, joker_turned"):
        Rules.from_dict({"qqq": 1})


def test_rules_do_not_change():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Rules().max_redeals = 3
    assert hash(Rules()) == hash(Rules())
