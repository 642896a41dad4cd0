"""What does not compile, or may not be: each refusal names class, line and reason, and the way that works."""

import functools
import inspect
import re

import numba
import numpy as np
import pytest

import sim
from sim import cards
from tests.players.kit import Passer, ask, refusal

MEMORY = [1, 2, 3]


def unmarked(number):
    return number + 1


@sim.helper
def adds_text(number):
    return number + "a"  # here


@sim.helper
def calls_it(number):
    return adds_text(number)


@sim.helper
def keeps(self):
    self.kept = 3  # here
    return 1


class Base(Passer):
    margin: float = 1.5
    REACH = 3
    WEIGHTS = [1, 2]  # noqa: RUF012
    TABLE = {"a": 1}  # noqa: RUF012

    def bid(self, view):
        return self.strength(view)

    def strength(self, view):
        return 2

    @property
    def reach(self):
        return 3

    @classmethod
    def reached(cls):
        return 3

    @staticmethod
    def stamped(number):
        return number + "a"  # here

    def texted(self, view):
        return view.seat + "a"  # here

    def again(self, number):
        return 1 if number < 1 else self.again(number - 1)  # here


def view_field(self, view):
    return view.nonsense  # here


def view_field_misspelt(self, view):
    return view.hand_sise  # here


def view_write(self, view):
    view.seat = 3  # here
    return 0


def view_new_field(self, view):
    view.memory = 3  # here
    return 0


def view_item(self, view):
    view.bids[0] = 3  # here
    return 0


def imports(self, view):
    import math  # here

    return math.floor(2.5)


def calls_unmarked(self, view):
    return unmarked(view.seat)  # here


def helper_at_fault(self, view):
    return adds_text(view.seat)  # from here


def deep_helper_at_fault(self, view):
    return calls_it(view.seat)  # from here


def method_at_fault(self, view):
    return self.texted(view)  # from here


def static_at_fault(self, view):
    return self.stamped(view.seat)  # from here


def helper_keeps(self, view):
    return keeps(self)  # from here


def self_misspelt(self, view):
    return int(self.margn)  # here


def self_unknown(self, view):
    return self.qqqqqqq  # here


def reads_property(self, view):
    return self.reach  # here


def calls_classmethod(self, view):
    return self.reached()  # here


def reads_list(self, view):
    return self.WEIGHTS[0]  # here


def reads_dict(self, view):
    return self.TABLE["a"]  # here


def reads_global_list(self, view):
    return MEMORY[view.seat]  # here


def class_parameter(self, view):
    return int(Base.margin)  # here


def class_unknown(self, view):
    return Base.nothing  # here


def wrong_arguments(self, view):
    return self.strength(view, 3)  # here


def recursive_method(self, view):
    return self.again(3)  # from here


def undefined(self, view):
    return nowhere  # noqa: F821  # here


def interpreted_card_function(self, view):
    return len(cards.names(view.hand))  # here


def numpy_random(self, view):
    return np.random.default_rng(3).integers(3)  # here


def opens_file(self, view):
    with open("x") as file:
        return len(file.read())


def catches_one(self, view):
    try:
        return view.bids[view.seat]
    except IndexError:  # here
        return 0


def changes_type(self, view):
    found = 1
    for seat in range(view.seat):  # here
        found = (found, seat)
    return 1


def own_class_name(self, view):
    return len(type(self).__name__)  # here


REFUSED = [
    (view_field, "the view has no field 'nonsense': help(sim.View) lists its fields"),
    (view_field_misspelt, "the view has no field 'hand_sise': did you mean 'hand_size'?"),
    (view_write, "the view is read-only: view.seat cannot be assigned to"),
    (view_new_field, "the view cannot be written to: nothing is kept in .memory"),
    (view_item, "no such operation: setitem(tuple of 4 int, 0, 3)"),
    (imports, "it imports inside the method: import at the file's top"),
    (calls_unmarked, "unmarked is not marked for compiled code: put @sim.helper above it"),
    (helper_at_fault, "no such operation: add(int, 'a')"),
    (deep_helper_at_fault, "no such operation: add(int, 'a')"),
    (method_at_fault, "no such operation: add(int, 'a')"),
    (static_at_fault, "no such operation: add(int, 'a')"),
    (helper_keeps, "self cannot be written to: nothing is kept in .kept"),
    (self_misspelt, "self has no attribute 'margn': did you mean 'margin'?"),
    (self_unknown, "self has no attribute 'qqqqqqq'"),
    (reads_property, "self.reach is a property, which cannot be compiled: make it a method that takes self"),
    (calls_classmethod, "self.reached is a classmethod, which cannot be compiled: make it a method that takes self"),
    (reads_list, "self.WEIGHTS is a list, which cannot be compiled: make it a tuple or a NumPy array"),
    (reads_dict, "self.TABLE is a dict, which cannot be compiled: make it a tuple or a NumPy array"),
    (reads_global_list, "MEMORY is a list, which cannot be a constant here: make it a tuple or an array"),
    (class_parameter, "Base.margin is a parameter: read it as self.margin"),
    (class_unknown, "Base.nothing does not exist"),
    (wrong_arguments, "called with (self, View, 3), but it takes (self, view)"),
    (recursive_method, "it calls itself, by way of self"),
    (undefined, "the name nowhere is not defined"),
    (interpreted_card_function, "sim.game.cards.names does not exist in compiled code"),
    (numpy_random, "numpy.random.default_rng does not exist in compiled code"),
    (opens_file, "it uses with, which compiled code lacks here"),
    (catches_one, "it catches one kind of exception: write except Exception"),
    (changes_type, "found is 1 in one place and Tuple(1, int) in another"),
    (own_class_name, "no such operation: type(self)"),
]


@pytest.mark.parametrize("bid, reason", REFUSED, ids=lambda value: getattr(value, "__name__", ""))
def test_a_method_that_does_not_compile(bid, reason):
    lines = refusal(type("Wrong", (Base,), {"bid": bid}))
    assert lines[0] == f"Wrong.{bid.__name__} does not compile: {reason}"
    assert re.match(rf"  {re.escape(__file__)}, line \d+:  .+", lines[1])
    assert lines[-1] == "To run the class as ordinary Python, a hundred times slower, write: compiled = False"
    if bid is not opens_file:
        assert lines[1].endswith("# here")
    if len(lines) == 4:
        assert lines[2].startswith(f"  called from {__file__}, line ") and lines[2].endswith("# from here")
    assert (len(lines) == 4) == ("# from here" in inspect.getsource(bid))


def none(self, view):
    pass  # here


def sometimes_none(self, view):
    if view.seat:
        return 1
    return None  # here


def a_float(self, view):
    return view.hand_size / 2  # here


def sometimes_a_float(self, view):
    if view.seat:
        return 1
    return 2.0  # here


def a_bool(self, view):
    return view.seat == 2  # here


def sometimes_a_bool(self, view):
    if view.seat:
        return 3
    return view.trump_broken  # here


def a_text(self, view):
    return "pass"  # here


def a_tuple(self, view):
    return view.bids  # here


def an_optional(self, view):
    return {1: 2}.get(view.seat)  # here


def a_generator(self, view):  # here
    yield 1


@pytest.mark.parametrize(
    "bid, what",
    [
        (none, "None (or nothing)"),
        (sometimes_none, "None (or nothing)"),
        (a_float, "a float"),
        (sometimes_a_float, "a float"),
        (a_bool, "True or False"),
        (sometimes_a_bool, "True or False"),
        (a_text, "'pass'"),
        (a_tuple, "tuple of 4 int"),
        (an_optional, "an integer on one path and None on another"),
        (a_generator, "a generator"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_compiled_method_returns_integers_on_every_path(bid, what):
    lines = refusal(type("Wrong", (Base,), {"bid": bid}))
    assert lines[0] == f"Wrong.{bid.__name__} returns {what} where an integer is due"
    assert lines[1].endswith("# here")
    assert (
        lines[2]
        == "Every path must come to an end and return an integer: a bid (PASS, a number, BOARD) or a card's code."
    )


class Middle(Base):
    def bid(self, view):
        return super().bid(view)  # here


class SuperOfAnother(Middle):
    def bid(self, view):
        return 1

    def strength(self, view):
        return 1 + super(SuperOfAnother, self).strength(view)  # noqa: UP008  # here


def test_super_is_refused_with_the_call_that_works():
    lines = refusal(Middle)
    assert lines[0] == "Middle.bid calls super(), which cannot be compiled"
    assert lines[1].endswith("return super().bid(view)  # here")
    assert lines[2] == "Name the class instead: Base.bid(self, view) works compiled and interpreted."
    assert refusal(SuperOfAnother)[2].startswith("Name the class instead: Base.")

    class Interpreted(Middle):
        compiled = False

    assert ask(Interpreted()) == 2


def missing_argument(self):
    return 0


def one_too_many(self, view, extra):
    return 0


@pytest.mark.parametrize(
    "members, words",
    [
        ({"play": Passer.play}, "Wrong.bid is missing: a strategy says how to bid and how to play"),
        ({"bid": Passer.bid}, "Wrong.play is missing: a strategy says how to bid and how to play"),
        ({"bid": missing_argument, "play": Passer.play}, "Wrong.missing_argument takes (self), not (self, view)"),
        ({"bid": one_too_many, "play": Passer.play}, "Wrong.one_too_many takes (self, view, extra), not (self, view)"),
        ({"bid": staticmethod(len), "play": Passer.play}, "Wrong.bid is a staticmethod, not a plain method"),
        ({"bid": classmethod(len), "play": Passer.play}, "Wrong.bid is a classmethod, not a plain method"),
        ({"bid": numba.njit(Passer.bid), "play": Passer.play}, "Wrong.bid is a CPUDispatcher, not a plain method"),
        ({"bid": functools.cache(Passer.bid), "play": Passer.play}, "Wrong.bid is a _lru_cache_wrapper, not a plain"),
        ({"bid": 3, "play": Passer.play}, "Wrong.bid is a int, not a plain method"),
    ],
)
def test_both_methods_are_there_and_plain(members, words):
    lines = refusal(type("Wrong", (sim.Strategy,), members))
    assert words in lines[0]
    assert re.fullmatch(r"Write it as a plain method: def (bid|play)\(self, view\): …", lines[-1])
