"""A strategy keeps no state: whatever assigns to itself is refused, compiled and interpreted, before it plays."""

import numpy as np
import pytest

from sim.errors import CompileError
from sim.players import registry
from tests.players.kit import Passer, ask, refusal


class Keeper(Passer):
    REACH = 3
    WEIGHTS = [1, 2]  # noqa: RUF012


def assigns(self, view):
    self.kept = 1  # here
    return 0


def adds_to(self, view):
    self.REACH += 1  # here
    return 0


def deletes(self, view):
    del self.REACH  # here
    return 0


def assigns_in_a_tuple(self, view):
    first, self.kept = 1, 2  # here
    return first


def assigns_in_a_loop(self, view):
    for self.kept in range(3):  # here
        pass
    return 0


def assigns_an_item(self, view):
    self.WEIGHTS[0] = 3  # here
    return 0


def assigns_deeply(self, view):
    self.WEIGHTS.kept[0] = 3  # here
    return 0


def assigns_in_a_nested_function(self, view):
    def keep():
        self.kept = 3  # here

    keep()
    return 0


def calls_setattr(self, view):
    setattr(self, "kept", 3)  # noqa: B010  # here
    return 0


def calls_object_setattr(self, view):
    object.__setattr__(self, "kept", 3)  # here
    return 0


def assigns_to_its_class(self, view):
    Keeper.REACH = 3  # here
    return 0


def assigns_to_its_type(self, view):
    type(self).REACH = 3  # here
    return 0


def by_another_name(me, view):
    me.kept = 3  # here
    return 0


@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "interpreted"])
@pytest.mark.parametrize(
    "bid, target",
    [
        (assigns, "self.kept"),
        (adds_to, "self.REACH"),
        (deletes, "self.REACH"),
        (assigns_in_a_tuple, "self.kept"),
        (assigns_in_a_loop, "self.kept"),
        (assigns_an_item, "self.WEIGHTS[0]"),
        (assigns_deeply, "self.WEIGHTS.kept[0]"),
        (assigns_in_a_nested_function, "self.kept"),
        (calls_setattr, "self"),
        (calls_object_setattr, "self"),
        (assigns_to_its_class, "Keeper.REACH"),
        (assigns_to_its_type, "type(self).REACH"),
        (by_another_name, "me.kept"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_strategy_keeps_no_state(bid, target, compiled):
    lines = refusal(type("Wrong", (Keeper,), {"bid": bid, "compiled": compiled}))
    assert lines[0] == f"Wrong.{bid.__name__} assigns to {target}"
    assert lines[1].endswith("# here")
    assert lines[2] == "A strategy keeps no state: decide from the view and the parameters alone."


def test_a_constructor_keeps_no_state_either():
    class Wrong(Passer):
        def __init__(self, **parameters):
            super().__init__(**parameters)
            self.memory = {}

    with pytest.raises(CompileError, match=r"Wrong.__init__ assigns to self.memory"):
        registry.load(Wrong)


def test_what_is_local_may_be_assigned_to():
    def bid(self, view):
        held = np.zeros(4, np.int64)
        held[view.seat] += 2
        held[1] = 5
        return held[0] + held[1]

    assert ask(type("Local", (Keeper,), {"bid": bid})()) == 7


def test_a_method_without_source_is_refused_by_what_it_does():
    space = {"Passer": Passer}
    exec("class Wrong(Passer):\n    def bid(self, view):\n        self.margin = 3\n        return 0", space)
    assert (
        "Wrong.bid does not compile: self cannot be written to: nothing is kept in .margin"
        in refusal(space["Wrong"])[0]
    )
