"""Interpreted strategies: what they return becomes a decision or a fault, and an interrupt is never a move."""

import ctypes
import os
import signal

import numba
import numpy as np
import pytest

import sim
from sim.arena.shard import Play
from sim.errors import StrategyFault
from sim.players.compile import NOT_AN_INTEGER, RAISED, STOPPED, entry_of
from tests.players.kit import CALL, Passer, ask, ask_entry, words_of


class Slow(Passer):
    compiled = False


class Count(int):
    def __int__(self):
        raise ValueError("uncountable")

    def __index__(self):
        raise ValueError("uncountable")


@pytest.fixture
def interruptible():
    """Hear an interrupt as Python does, also where the tests run in the background of a shell, which shuts its ears."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def returning(value):
    return type("Returning", (Slow,), {"bid": lambda self, view: value})()


@pytest.mark.parametrize("value", [0, 3, 99, -1, np.int8(3), np.uint64(7), np.int64(-5)])
def test_integers_arrive_as_they_are(value):
    assert ask(returning(value)) == value


@pytest.mark.parametrize("value", [None, True, False, np.True_, 2.0, np.float64(2), float("nan"), "2", [2], (2,), 2j])
def test_anything_else_is_not_an_integer(value):
    entry = entry_of(returning(value))
    assert ask_entry(entry, "bid", words_of()) == NOT_AN_INTEGER
    assert entry.alive[0].returned is value


@pytest.mark.parametrize("value", [10**30, -(10**30), 2**63, 2**64 + 3, -(2**63), -(2**63) + 1, np.uint64(2**64 - 1)])
def test_a_huge_integer_is_no_bid_and_no_card_nor_one_of_the_codes(value):
    answer = ask(returning(value))
    assert abs(answer) > 2**60 and answer not in (RAISED, NOT_AN_INTEGER, STOPPED)


def test_an_integer_that_cannot_be_read_is_an_exception():
    entry = entry_of(returning(Count(3)))
    assert ask_entry(entry, "bid", words_of()) == RAISED and str(entry.alive[0].error) == "uncountable"


@pytest.mark.parametrize("error", [ValueError("no"), SystemExit(3), RecursionError(), StopIteration()])
def test_an_exception_of_any_kind_is_caught_and_kept(error):
    class Raising(Slow):
        def bid(self, view):
            if view.seat == 0:
                raise error
            return view.seat

    entry = entry_of(Raising())
    answers = [ask_entry(entry, "bid", words_of(seat=seat)) for seat in (2, 0, 3, 0)]
    assert answers == [2, RAISED, 3, RAISED] and entry.alive[0].error is error


@pytest.mark.parametrize(
    "value, reason, shown",
    [
        (None, "not-an-integer", "it returned None, of type NoneType"),
        (True, "not-an-integer", "it returned True, of type bool"),
        (2.0, "not-an-integer", "it returned 2.0, of type float"),
        (float("nan"), "not-an-integer", "it returned nan, of type float"),
        ("x", "not-an-integer", "it returned 'x', of type str"),
        (-1, "bid-illegal", "it returned -1"),
        (13, "bid-illegal", "it returned 13"),
        (np.int64(14), "bid-illegal", "it returned 14"),
        (10**30, "bid-illegal", "it returned "),
    ],
)
def test_a_run_names_what_was_returned(value, reason, shown):
    tournament = sim.Tournament(strategies=[returning(value)], format="self", matches=2, seed=1)
    with pytest.raises(StrategyFault) as fault:
        Play(tournament.plan(), 0, 2).run()
    assert "faulted in" in str(fault.value) and reason in str(fault.value) and shown in str(fault.value)
    assert len(str(fault.value).splitlines()) <= 6


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_while_a_strategy_is_asked_is_an_interrupt():
    class Interrupting(Slow):
        def bid(self, view):
            os.kill(os.getpid(), signal.SIGINT)
            return 0

    entry = entry_of(Interrupting())
    assert ask_entry(entry, "bid", words_of()) == STOPPED
    assert isinstance(entry.alive[0].error, KeyboardInterrupt)
    assert ask_entry(entry, "play", words_of(legal=8)) == 3  # and the next question is answered


def test_a_machine_without_memory_left_is_no_fault_of_the_strategys():
    class Large(Slow):
        def bid(self, view):
            raise MemoryError

    assert ask(Large()) == STOPPED


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_before_the_strategy_is_reached_is_an_interrupt_too(capfd):
    entry = entry_of(returning(2))
    bid, interrupt = CALL(entry.bid), ctypes.CDLL(None)["raise"]
    interrupt.argtypes = [ctypes.c_int]

    @numba.njit(nogil=True)
    def interrupted(parameters, view):
        interrupt(2)  # Python looks for it in the first instruction that it comes to
        return bid(parameters, view)

    view = words_of()
    assert interrupted(entry.parameters, view.ctypes.data) == STOPPED
    assert isinstance(entry.alive[0].error, KeyboardInterrupt)
    assert ask_entry(entry, "bid", view) == 2
    assert capfd.readouterr().err == ""
