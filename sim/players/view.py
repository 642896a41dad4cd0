"""What a player sees, all of it and nothing more.

One table of slots gives the engine its buffer, compiled strategies their getters (`view_type`) and interpreted ones the
read-only `View`. The buffer is an array of 64-bit integers with nothing else in it; the engine writes it and never
reads it back.
"""

from difflib import get_close_matches
from typing import Any, NamedTuple

_FIELDS = (
    "seat", "dealer", "deal", "attempt", "hand_size", "trump", "turned", "swap_seat", "deals", "tricks_after", "hand",
    "bids", "board_level", "score",
    "legal", "trick", "leader", "position", "trick_cards", "winning_card", "winning_seat", "tricks_won", "played",
    "void", "trump_broken", "random",
    "points_per_bid_trick", "points_per_overtrick", "points_per_board_trick",
    "board_multiplier", "board_leads_trump", "blooper_partner", "little_blooper_forces",
)  # fmt: skip
_BY_SEAT = frozenset({"bids", "board_level", "trick_cards", "tricks_won", "played", "void"})
_BY_SIDE = frozenset({"score"})
FLAGS = frozenset({"trump_broken"})
"""The fields that are true or false."""


class Slot(NamedTuple):
    """Where a field lies in the buffer: its first word, and how many words it has (1 is a plain integer)."""

    start: int
    length: int


def _lay_out() -> tuple[dict[str, Slot], int]:
    slots, start = {}, 0
    for name in _FIELDS:
        slots[name] = Slot(start, 4 if name in _BY_SEAT else 2 if name in _BY_SIDE else 1)
        start += slots[name].length
    return slots, start


SLOTS, LENGTH = _lay_out()


class View:
    """All that a player at the table knows at one decision, and nothing more. Read-only.

    Seats are 0 North, 1 East, 2 South, 3 West, clockwise; sides 0 NS, 1 EW; −1 means none or not yet. Card sets are
    integers for the functions of `sim.cards`. In a compiled strategy the same fields are read straight from the
    engine's buffer.

    Attributes
    ----------
    seat, dealer : int
        Own seat and the dealer's.
    deal, attempt : int
        The counted deal, from 1, and which dealing of it this is (2 after a hand thrown in).
    hand_size : int
        Cards a player in this deal, 1 … 13: a bid is PASS, 1 … hand_size − 1, or BOARD.
    trump, turned, swap_seat : int
        Trump suit 0 … 3, 4 for none; the card turned up; who swapped the other joker.
    deals, tricks_after : int
        Deals in the match; tricks in the deals still to come after this one.
    hand : int
        Own cards, a set.
    bids, board_level : tuple of 4 int
        By seat: the bid (−1 before it), the level of a claimed board (0 without).
    score : tuple of 2 int
        The sides' totals before this deal.
    legal : int
        While playing, the cards that may be played now, a set; 0 while bidding.
    trick, leader, position : int
        The trick's number from 1, who led it, own place in it 0 … 3.
    trick_cards : tuple of 4 int
        The trick so far in the order played, −1 not yet.
    winning_card, winning_seat : int
        Of the trick so far; −1 on lead.
    tricks_won : tuple of 4 int
        This deal, by seat.
    played : tuple of 4 int
        The set of cards each seat has played this deal, this trick's included.
    void : tuple of 4 int
        By seat, bit s set: has failed to follow suit s (trump included).
    trump_broken : bool
        A trump was played to an earlier trick of this deal (RULES L2).
    random : int
        63 fresh random bits for this decision, the only randomness a strategy may use: see `cards.below`, `cards.pick`.
    points_per_bid_trick, points_per_overtrick, points_per_board_trick : int
        The scores in force.
    board_multiplier, board_leads_trump, blooper_partner, little_blooper_forces : int
        House settings: a choice is its place in the list of RULES.md, from 0; little_blooper_forces is 1 or 0.
    """

    __slots__ = ("_words",)

    seat: int
    dealer: int
    deal: int
    attempt: int
    hand_size: int
    trump: int
    turned: int
    swap_seat: int
    deals: int
    tricks_after: int
    hand: int
    bids: tuple[int, int, int, int]
    board_level: tuple[int, int, int, int]
    score: tuple[int, int]
    legal: int
    trick: int
    leader: int
    position: int
    trick_cards: tuple[int, int, int, int]
    winning_card: int
    winning_seat: int
    tricks_won: tuple[int, int, int, int]
    played: tuple[int, int, int, int]
    void: tuple[int, int, int, int]
    trump_broken: bool
    random: int
    points_per_bid_trick: int
    points_per_overtrick: int
    points_per_board_trick: int
    board_multiplier: int
    board_leads_trump: int
    blooper_partner: int
    little_blooper_forces: int

    def __init__(self, words: tuple[int, ...]) -> None:
        object.__setattr__(self, "_words", words)

    def __getattr__(self, name: str) -> Any:
        slot = SLOTS.get(name)
        if slot is None:
            raise AttributeError(unknown_field(name))
        if slot.length > 1:
            return self._words[slot.start : slot.start + slot.length]
        value = self._words[slot.start]
        return bool(value) if name in FLAGS else value

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"the view is read-only: view.{name} cannot be assigned to")

    def __delattr__(self, name: str) -> None:
        self.__setattr__(name, None)

    def __dir__(self) -> list[str]:
        return list(SLOTS)

    def __reduce__(self) -> tuple[type["View"], tuple[tuple[int, ...]]]:
        return View, (self._words,)

    def __repr__(self) -> str:
        return f"View({', '.join(f'{name}={getattr(self, name)!r}' for name in SLOTS)})"


def unknown_field(name: str) -> str:
    """Return what to say of a field that a view does not have."""
    near = get_close_matches(name, SLOTS, n=1)
    hint = f"did you mean {near[0]!r}?" if near else "help(sim.View) lists its fields"
    return f"the view has no field {name!r}: {hint}"
