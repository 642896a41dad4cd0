"""Fields and labels: what a parameter takes, what it refuses and with which words, how a label shows it."""

import copy
import pickle
from typing import ClassVar

import numpy as np
import pytest

import sim
from sim.errors import SpecError
from sim.players.strategy import fields, snake_case


class Counter(sim.Strategy):
    margin: float = 1.0
    reach: int = 2
    brave: bool = False
    SCALE: ClassVar[int] = 3
    REACH = 4


class Tabled(sim.Strategy):
    table: np.ndarray = np.arange(6.0).reshape(2, 3)
    small: np.ndarray = np.zeros(4, np.int8)


class Bold(Counter):
    margin = 0.5
    width: int = 7


def test_fields_are_the_annotated_attributes_and_a_base_class_comes_first():
    assert list(fields(Counter)) == ["margin", "reach", "brave"]
    assert list(fields(Bold)) == ["margin", "reach", "brave", "width"]
    assert Bold().parameters == {"margin": 0.5, "reach": 2, "brave": False, "width": 7}


@pytest.mark.parametrize(
    "name, given, taken",
    [
        ("margin", 1, 1.0),
        ("margin", np.float32(0.5), 0.5),
        ("margin", np.int64(3), 3.0),
        ("margin", float("inf"), float("inf")),
        ("reach", np.uint8(5), 5),
        ("reach", -(2**63), -(2**63)),
        ("brave", np.True_, True),
    ],
)
def test_values_become_plain_ones_of_the_fields_type(name, given, taken):
    value = Counter(**{name: given}).parameters[name]
    assert value == taken and type(value) is type(taken)


@pytest.mark.parametrize(
    "name, given, words",
    [
        ("margin", "0.5", "Counter.margin = '0.5' is refused: it must be a number"),
        ("margin", True, "Counter.margin = True is refused: it must be a number"),
        ("margin", float("nan"), "Counter.margin = nan is refused: it must be a number"),
        ("margin", None, "Counter.margin = None is refused: it must be a number"),
        ("margin", 10**400, "is refused: it does not fit 64 bits"),
        ("reach", 2.0, "Counter.reach = 2.0 is refused: it must be an integer"),
        ("reach", False, "Counter.reach = False is refused: it must be an integer"),
        ("reach", 2**63, "Counter.reach = 9223372036854775808 is refused: it does not fit 64 bits"),
        ("brave", 1, "Counter.brave = 1 is refused: it must be true or false"),
        ("brave", "yes", "Counter.brave = 'yes' is refused: it must be true or false"),
    ],
)
def test_what_is_of_another_kind_or_too_large_is_refused(name, given, words):
    with pytest.raises(SpecError) as refused:
        Counter(**{name: given})
    assert words in str(refused.value) and len(str(refused.value)) < 200


@pytest.mark.parametrize(
    "name, given, words",
    [
        ("table", np.zeros((3, 2)), "Tabled.table has shape (3, 2); its default has (2, 3)"),
        ("table", [[1, 2, 3], [4, 5]], "Tabled.table is refused: "),
        ("table", np.zeros((2, 3), complex), "Tabled.table is an array of complex128; its default is one of float64"),
        ("table", "abc", "Tabled.table has shape ()"),
        ("small", [1, 2, 3, 300], "Tabled.small has numbers that do not fit int8"),
        ("small", np.ones(4), "Tabled.small is an array of float64; its default is one of int8"),
    ],
)
def test_arrays_of_another_shape_or_kind_are_refused(name, given, words):
    with pytest.raises(SpecError) as refused:
        Tabled(**{name: given})
    assert words in str(refused.value)


def test_an_array_is_copied_and_cannot_be_written():
    given = np.ones((2, 3))
    strategy = Tabled(table=given)
    given[0, 0] = 9
    assert strategy.table[0, 0] == 1 and Tabled(table=[[1, 2, 3], [4, 5, 6]]).table.dtype == np.float64
    with pytest.raises(ValueError, match="read-only"):
        strategy.table[0, 0] = 2


@pytest.mark.parametrize("copied", [lambda s: pickle.loads(pickle.dumps(s)), copy.copy, copy.deepcopy])
def test_a_copy_has_the_same_parameters_and_is_as_frozen(copied):
    strategy = copied(Tabled(table=np.ones((2, 3))))
    assert strategy.label == Tabled(table=np.ones((2, 3))).label and not strategy.table.flags.writeable
    with pytest.raises(AttributeError):
        strategy.table = None


def test_a_label_shows_what_differs_from_the_defaults():
    assert Counter().label == Counter(margin=1, reach=2, brave=False).label == "counter"
    assert Counter(brave=True, margin=0.5).label == "counter:margin=0.5:brave=true"
    assert Counter(reach=-3).label == "counter:reach=-3"
    assert Counter(margin=1e20).label == "counter:margin=1e20"  # no plus: it joins two partners
    assert Bold(margin=1.0).label == "bold:margin=1.0"


def test_an_array_shows_as_a_short_hash_of_its_content():
    first, again, other = Tabled(table=np.ones((2, 3))), Tabled(table=np.full((2, 3), 1)), Tabled(small=[0, 0, 0, 1])
    assert first.label == again.label and first.label.startswith("tabled:table=#")
    assert other.label.startswith("tabled:small=#") and len(other.label) == len("tabled:small=#") + 8
    assert Tabled(small=np.zeros(4, int)).label == "tabled"


def test_an_array_that_holds_nan_can_be_the_default():
    class Hollow(sim.Strategy):
        table: np.ndarray = np.array([np.nan, 1.0])

    assert Hollow().label == Hollow(table=[np.nan, 1.0]).label == "hollow"


@pytest.mark.parametrize(
    "name, label",
    [("RandomLegal", "random_legal"), ("Counter", "counter"), ("HTTPBidder2Fast", "http_bidder2_fast"), ("A", "a")],
)
def test_labels_are_in_snake_case(name, label):
    assert snake_case(name) == label


def test_an_unknown_parameter_lists_what_there_is():
    with pytest.raises(SpecError, match="Counter has no parameter 'marign': did you mean 'margin'"):
        Counter(marign=1)
    with pytest.raises(SpecError, match="Counter has no parameter 'xyz': its parameters are margin, reach, brave"):
        Counter(xyz=1)
    with pytest.raises(SpecError, match="Strategy has no parameter 'xyz': it has none"):
        sim.Strategy(xyz=1)


def test_annotations_may_be_text():
    class Texts(sim.Strategy):
        margin: "float" = 1.0
        table: "np.ndarray" = np.zeros(2)
        CONSTANT: "ClassVar[int]" = 3

    assert list(fields(Texts)) == ["margin", "table"]
    assert Texts.__annotations__["table"] is np.ndarray  # looked up at once: another process cannot


@pytest.mark.parametrize(
    "annotations, members, words",
    [
        ({"reach": list}, {"reach": []}, "annotated list, but a parameter is an int, a float, a bool or a NumPy array"),
        ({"reach": int | None}, {"reach": None}, "but a parameter is an int"),
        ({"reach": int}, {}, "Bad.reach needs a default: reach: int = …"),
        ({"reach": int}, {"reach": "2"}, "Bad.reach = '2' is refused: it must be an integer"),
        ({"label": int}, {"label": 2}, "Bad.label cannot be a parameter: the name is taken"),
        ({"bid": int}, {"bid": 2}, "Bad.bid cannot be a parameter: the name is taken"),
        ({"reach": "nowhere"}, {"reach": 2}, "Bad: an annotation of the class cannot be understood: "),
        ({"t": np.ndarray}, {"t": np.array(["a"])}, "Bad.t must be an array of numbers, not of <U1"),
        ({"t": np.ndarray}, {"t": np.zeros(2, np.float16)}, "Bad.t must be an array of numbers, not of float16"),
    ],
)
def test_a_field_that_cannot_be_is_refused(annotations, members, words):
    bad = type("Bad", (sim.Strategy,), {"__annotations__": annotations, **members})
    with pytest.raises(SpecError) as refused:
        bad()
    assert words in str(refused.value)


def test_to_say_that_a_class_is_interpreted_is_no_field():
    class Slow(sim.Strategy):
        compiled: bool = False

    assert not fields(Slow) and not Slow().compiled and Slow().label == "slow"


def test_an_instance_keeps_nothing():
    strategy = Counter()
    for attempt in (
        lambda: setattr(strategy, "margin", 2),
        lambda: setattr(strategy, "memory", []),
        lambda: delattr(strategy, "margin"),
    ):
        with pytest.raises(AttributeError, match=r"Counter assigns to self\.\w+, but a strategy keeps no state"):
            attempt()
    assert repr(strategy) == "Counter(margin=1.0, reach=2, brave=False)"
