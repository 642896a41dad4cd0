"""What an author may write in a compiled strategy: it compiles, and decides as the same class in plain Python does."""

import numba
import numpy as np
import pytest

import sim
from sim import cards
from sim.players.compile import compiled_method, entry_of
from sim.players.view import View
from tests.players.kit import Passer, ask, both, words_of

REACH = 3
SIZES = (5, 7, 11)
WEIGHTS = np.array([0.5, 1.5, 4.0])


@sim.helper
def twice(number):
    return 2 * number


@sim.helper
def with_default(number, more=10):
    return twice(number) + more


@sim.helper
def of_self(self, view):
    return self.reach + view.seat


@sim.helper
def factorial(number):
    return 1 if number < 2 else number * factorial(number - 1)


@numba.njit
def jitted(number):
    return number + 100


class Base(Passer):
    reach: int = 2
    margin: float = 1.5
    brave: bool = True
    table: np.ndarray = np.arange(6.0).reshape(2, 3)
    bytes: np.ndarray = np.array([1, -2, 3], np.int8)
    flags: np.ndarray = np.array([True, False])
    LIMIT = 4
    HALF = 0.5
    EAGER = True
    STEPS = (1, 2, 3)
    LADDER = np.array([2, 3, 5])
    NAME = "base"

    def bid(self, view):
        return self.strength(view)

    def strength(self, view):
        return self.reach + view.seat

    def scaled(self, number, by=3, more=0):
        return number * by + more

    @staticmethod
    def doubled(number):
        return 2 * number


def parameters(self, view):
    total = self.reach + int(self.margin * 2) + int(self.table[1, 2]) + self.table.shape[0] + self.bytes[1]
    return total + (100 if self.brave and self.flags[0] and not self.flags[1] else 0)


def constants(self, view):
    eager = self.LIMIT if self.EAGER else 0
    return eager + int(self.HALF * 4) + self.STEPS[view.seat] + self.LADDER[2] + len(self.NAME)


def method(self, view):
    return self.strength(view) + self.strength(view)


def method_with_names(self, view):
    return self.scaled(5) + self.scaled(5, 2) + self.scaled(number=5, by=view.seat, more=7)


def method_as_value(self, view):
    strength = self.strength
    return strength(view) + 1


def static_method(self, view):
    return self.doubled(4) + Base.doubled(view.seat)


def base_method(self, view):
    return Base.bid(self, view) + Base.LIMIT + Base.LADDER[0]


def helpers(self, view):
    return twice(view.seat) + with_default(1) + with_default(1, more=2) + jitted(1) + factorial(5)


def helper_of_self(self, view):
    return of_self(self, view)


def module_values(self, view):
    return REACH + SIZES[view.seat] + int(WEIGHTS[2]) + sim.PASS + cards.count(cards.ALL)


def nested_function(self, view):
    def more(number):
        return number + view.seat

    return more(self.reach)


def nested_truth(self, view):
    def held(card):
        return view.hand >> card & 1 == 1

    return 5 if held(view.seat) else len([card for card in range(5) if held(card)])


def caught(self, view):
    try:
        return SIZES[view.seat + 5]
    except Exception:
        return 3


@pytest.mark.parametrize(
    "bid, answer",
    [
        (parameters, 112 - 2),
        (constants, 4 + 2 + 2 + 5 + 4),
        (method, 6),
        (method_with_names, 15 + 10 + 12),
        (method_as_value, 4),
        (static_method, 8 + 2),
        (base_method, 3 + 4 + 2),
        (helpers, 2 + 12 + 4 + 101 + 120),
        (helper_of_self, 3),
        (module_values, 3 + 7 + 4 + 54),
        (nested_function, 3),
        (nested_truth, 0),
        (caught, 3),
    ],
)
def test_it_works_compiled_and_interpreted(bid, answer):
    assert both(bid, words_of(seat=1), Base) == answer


def test_a_parameter_is_swept_without_compiling_anew():
    low, high = Base(reach=1), Base(reach=7, table=np.zeros((2, 3)))
    assert entry_of(low)[:2] == entry_of(high)[:2]
    assert (ask(low), ask(high)) == (1, 7)


def test_a_subclass_inherits_and_shares_compiled_play():
    class Bidder(Passer):
        def bid(self, view):
            return 3

    class Wider(Passer):
        width: int = 2

        def bid(self, view):
            return self.width

    plays = {compiled_method(strategy, "play").address for strategy in (Passer, Bidder, Wider)}
    bids = {compiled_method(strategy, "bid").address for strategy in (Passer, Bidder, Wider)}
    assert len(plays) == 1 and len(bids) == 3
    assert (ask(Bidder()), ask(Wider(width=9))) == (3, 9)


def test_a_subclass_that_changes_a_constant_or_a_method_changes_what_its_base_decides():
    class Changed(Base):
        reach = 5

        def strength(self, view):
            return 10 * self.reach

    assert ask(Base(), words=words_of(seat=1)) == 3
    assert ask(Changed()) == 50

    class Limited(Passer):
        LIMIT = 1

        def bid(self, view):
            return self.LIMIT

    class Unlimited(Limited):
        LIMIT = 9

    assert (ask(Limited()), ask(Unlimited())) == (1, 9)


def test_a_mixin_brings_methods():
    class Careful:
        CARE = 2

        def care(self, view):
            return view.hand_size - self.CARE

    class Mixed(Passer, Careful):
        def bid(self, view):
            return self.care(view)

    class MixedFirst(Careful, Passer):
        def bid(self, view):
            return self.care(view)

    assert [ask(strategy(), words=words_of(hand_size=9)) for strategy in (Mixed, MixedFirst)] == [7, 7]


def test_narrow_and_unsigned_integers_are_widened():
    def narrow(self, view):
        return np.int8(-3)

    def unsigned(self, view):
        return np.uint32(7)

    assert (both(narrow), both(unsigned)) == (-3, 7)


def test_helper_takes_functions_written_in_python_alone():
    assert twice(3) == 6 and twice.__name__ == "twice"
    for value in (len, Passer, 3):
        with pytest.raises(TypeError, match="helper marks a function written in Python, not"):
            sim.helper(value)


def test_an_exception_in_compiled_code_is_an_answer_of_its_own():
    def out_of_range(self, view):
        return view.bids[view.seat + 4]

    def out_of_an_array(self, view):
        return int(self.table[view.seat + 2, 0])

    def divides_by_zero(self, view):
        return 10 // view.seat

    def raises(self, view):
        if view.seat == 0:
            raise ValueError("no seat")
        return 1

    def in_a_helper(self, view):
        return twice(self.LADDER[view.seat + 3])

    for bid in (out_of_range, out_of_an_array, divides_by_zero, raises, in_a_helper):
        strategy = type("Failing", (Base,), {"bid": bid})
        assert ask(strategy()) == -(2**63), bid.__name__
        with pytest.raises((IndexError, ZeroDivisionError, ValueError)):
            strategy().bid(View(tuple(words_of().tolist())))
