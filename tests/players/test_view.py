"""The view: the fields of the contract, the same compiled and interpreted, and no way from it to anything else."""

import copy
import pickle

import numpy as np
import pytest

import sim
from sim.players.interpreted import read_view
from sim.players.view import FLAGS, SLOTS, View
from tests.players.kit import Passer, ask, some_words, words_of

ONE = {
    "seat", "dealer", "deal", "attempt", "hand_size", "trump", "turned", "swap_seat", "deals", "tricks_after", "hand",
    "legal", "trick", "leader", "position", "winning_card", "winning_seat", "trump_broken", "random",
    "points_per_bid_trick", "points_per_overtrick", "points_per_board_trick", "board_multiplier", "board_leads_trump",
    "blooper_partner", "little_blooper_forces",
}  # fmt: skip
FOUR = {"bids", "board_level", "trick_cards", "tricks_won", "played", "void"}


def view_in(words):
    return read_view(words.ctypes.data)


def test_the_fields_are_those_of_the_contract():
    lengths = {name: slot.length for name, slot in SLOTS.items()}
    assert lengths == dict.fromkeys(ONE, 1) | dict.fromkeys(FOUR, 4) | {"score": 2}
    assert set(View.__annotations__) == set(SLOTS)


def test_the_words_of_the_buffer_are_all_in_use_and_none_twice():
    used = [word for slot in SLOTS.values() for word in range(slot.start, slot.start + slot.length)]
    assert used == list(range(len(words_of())))


def probe_of(name):
    """A strategy that bids a field's value, or a mix of its parts."""
    if SLOTS[name].length == 1:
        body = f"1 if view.{name} else 2" if name in FLAGS else f"view.{name}"
    else:
        body = " ^ ".join(f"({i + 3} * view.{name}[{i}])" for i in range(SLOTS[name].length))
    space = {"Passer": Passer}
    exec(f"class Probe(Passer):\n    def bid(self, view):\n        return {body}", space)
    return space["Probe"]()


def wrapped(number):
    return (number + 2**63) % 2**64 - 2**63


@pytest.mark.parametrize("name", SLOTS)
def test_a_field_has_the_same_value_compiled_and_interpreted(name):
    probe = probe_of(name)
    for seed in range(4):
        words = some_words(seed)
        view = view_in(words)
        field = getattr(view, name)
        assert ask(probe, words=words) == wrapped(probe.bid(view))
        slot = SLOTS[name]
        held = words[slot.start : slot.start + slot.length].tolist()
        assert (list(field) if slot.length > 1 else [field]) == held
        assert type(field) is (tuple if slot.length > 1 else bool if name in FLAGS else int)


def test_fields_by_seat_are_read_by_any_index():
    def bid(self, view):
        total = 0
        for seat in range(-4, 4):
            total = 10 * total + view.bids[seat]
        return total

    strategy = type("Indexed", (Passer,), {"bid": bid})()
    words = words_of(bids=[1, 2, 3, 4])
    assert ask(strategy, words=words) == strategy.bid(view_in(words)) == 12341234


def test_a_view_cannot_be_changed():
    view = view_in(words_of(seat=2, bids=[1, 2, 3, 4]))
    for attempt in (
        lambda: setattr(view, "seat", 3),
        lambda: setattr(view, "memory", 3),
        lambda: setattr(view, "_words", ()),
        lambda: delattr(view, "seat"),
    ):
        with pytest.raises(AttributeError, match=r"the view is read-only: view\.\w+ cannot be assigned to"):
            attempt()
    with pytest.raises(TypeError):
        view.bids[0] = 3
    assert view.seat == 2


def test_a_view_is_a_copy():
    words = words_of(seat=2)
    view = view_in(words)
    words[:] = 7
    assert view.seat == 2 and view.hand == 0


def test_an_unknown_field_is_an_error_that_helps():
    view = view_in(words_of())
    with pytest.raises(AttributeError, match=r"the view has no field 'hand_sise': did you mean 'hand_size'\?"):
        _ = view.hand_sise
    with pytest.raises(AttributeError, match=r"the view has no field 'qqq': help\(sim.View\) lists its fields"):
        _ = view.qqq


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda view: pickle.loads(pickle.dumps(view))])
def test_a_view_may_be_copied_and_sent(copied):
    view = view_in(some_words(3))
    assert repr(copied(view)) == repr(view) and type(copied(view)) is View


def test_a_view_shows_its_fields():
    view = view_in(words_of(seat=2, bids=[-1, 0, 1, 99]))
    assert dir(view) == sorted(SLOTS)
    assert repr(view).startswith("View(seat=2, dealer=0,") and "bids=(-1, 0, 1, 99)" in repr(view)


def flat(value):
    return [part for item in value for part in flat(item)] if isinstance(value, tuple) else [value]


def test_a_view_holds_numbers_and_nothing_that_leads_further():
    words = some_words(5)
    view = view_in(words)
    data = {name for name in object.__dir__(view) if not callable(getattr(view, name))}
    of_the_class = {"__annotations__", "__doc__", "__module__", "__slots__"}
    assert data - of_the_class == {"_words"} and not hasattr(view, "__dict__")
    held = [
        *flat(view._words),
        *flat(view.__reduce__()[1]),
        *(x for name in dir(view) for x in flat(getattr(view, name))),
    ]
    assert {type(value) for value in held} == {int, bool} and set(held) <= {*words.tolist(), True, False}


def test_what_the_engine_shows_is_what_the_class_says():
    from sim.arena.table import SHOWN

    assert SHOWN.itemsize == words_of().nbytes
    for name, slot in SLOTS.items():
        dtype, offset = SHOWN.fields[name][:2]
        assert offset == 8 * slot.start and dtype.base == np.int64
    assert sim.View is View
