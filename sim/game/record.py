"""The shapes of one deal: the cards as they lie, and all that happened with them.

No rule lives here. How they are written as text is said in `notation`, how they are drawn in `diagram`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from . import cards, diagram, notation
from .notation import BOARD, PASS, SEATS, SIDES

__all__ = ["BOARD", "PASS", "SEATS", "SIDES", "Deal", "Record", "Trick", "read_deals", "read_records"]


@dataclass(frozen=True)
class Deal:
    """One deal's cards before the bidding, as dealt: a joker not yet swapped, nothing burnt (RULES D3, D4).

    Parameters
    ----------
    hands : four of (set, or sequence of names or codes)
        North, East, South and West, 1 to 13 cards each, equally many.
    turned : str or int
        The first card turned up, by name or code.
    dealer : int
        Seat of the dealer, 0 North … 3 West.
    stock : sequence of str or int
        The undealt rest, top first: cards drawn for a swap or burnt after a joker come from here. It may be
        shorter than the full rest when nothing is drawn that is not there.

    Raises
    ------
    ValueError
        If a card is unknown or is in two places, the hands differ in size, or the dealer is no seat.
    """

    hands: tuple[int, int, int, int]
    turned: int
    dealer: int = 0
    stock: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        put = object.__setattr__
        hands = tuple(self.hands)
        if len(hands) != 4:
            raise ValueError(f"a deal has four hands, by seat; here are {len(hands)}")
        put(self, "hands", tuple(cards.to_set(hand) for hand in hands))
        put(self, "turned", cards.parse(self.turned))
        put(self, "stock", tuple(cards.parse(card) for card in self.stock))
        if isinstance(self.dealer, bool) or self.dealer not in range(4):
            raise ValueError(f"the dealer {self.dealer!r} is no seat: 0 North, 1 East, 2 South, 3 West")
        put(self, "dealer", int(self.dealer))
        self._check_cards()

    def _check_cards(self) -> None:
        sizes = [cards.count(hand) for hand in self.hands]
        if len(set(sizes)) != 1 or not 1 <= sizes[0] <= 13:
            raise ValueError(f"the hands hold {sizes} cards: all four must hold equally many, 1 to 13")
        seen = 0
        for place in (*self.hands, *(1 << card for card in (self.turned, *self.stock))):
            if seen & place:
                raise ValueError(f"{cards.names(seen & place)}: in two places of the deal")
            seen |= place

    @property
    def hand_size(self) -> int:
        """Cards each player was dealt, 1 … 13."""
        return cards.count(self.hands[0])

    def to_text(self) -> str:
        """Return the deal in the text form of `notation`."""
        return notation.write_deal(self._values())

    @classmethod
    def from_text(cls, text: str) -> "Deal":
        """Read one deal from its text form; of a full record, the deal.

        Raises
        ------
        ValueError
            If the text is not that of one deal; the message names the line and the wrong part.
        """
        return _only(read_deals(text))

    def _values(self) -> notation.DealValues:
        return {"dealer": self.dealer, "hands": self.hands, "turned": self.turned, "stock": self.stock}


class Trick(NamedTuple):
    """One trick: `cards` are codes in the order played, from the leader clockwise."""

    leader: int
    cards: tuple[int, int, int, int]
    winner: int


@dataclass(frozen=True)
class Record:
    """All that happened in one deal. By seat: North, East, South, West; by side: NS, EW.

    Attributes
    ----------
    deal : Deal
        The cards as dealt.
    turned, trump : int
        The card that decided trump (under the burn rule the last one turned) and the trump suit, 4 for none.
    swap_seat, swap_card : int or None
        Who gave up the other joker and the card drawn for it (RULES D4).
    hands : four sets
        The hands held at bidding, after a swap.
    bids : four of int
        0 pass, 1 … 12 tricks, 99 board; −1 not yet, in an unfinished deal.
    board_levels : four of int
        Level of each seat's claim (B3), 0 without one.
    outcome : str
        ``played``; ``thrown-in`` (all passed, B5); ``passed-out`` (the same under ``all_pass = "score-zero"``);
        in a match, ``stalled`` (B6). ``unfinished``: the play as far as it came, in
        whose last trick −1 is a card or a winner not yet there.
    leader : int or None
        Who led to the first trick (L1); None when nobody did, and the rest is empty or 0.
    tricks : tuple of Trick
    tricks_won : four of int
        Tricks by seat; this and the rest 0 unless played.
    contracts : pair of (int or None)
        Sum of a side's numbers (B4), None for a side on board.
    boards : pair of int
        A side's own board level, 0 if none.
    points : pair of int
        This deal's points; (0, 0) unless played.
    """

    deal: Deal
    turned: int
    trump: int
    swap_seat: int | None
    swap_card: int | None
    hands: tuple[int, int, int, int]
    bids: tuple[int, int, int, int]
    board_levels: tuple[int, int, int, int]
    outcome: str
    leader: int | None
    tricks: tuple[Trick, ...]
    tricks_won: tuple[int, int, int, int]
    contracts: tuple[int | None, int | None]
    boards: tuple[int, int]
    points: tuple[int, int]

    def to_text(self) -> str:
        """Return the record in the text form of `notation`."""
        return notation.write_record(self._values())

    @classmethod
    def from_text(cls, text: str) -> "Record":
        """Read one record from its text form.

        Raises
        ------
        ValueError
            If the text is not that of one record; the message names the line and the wrong part.
        """
        return _only(read_records(text))

    def pretty(self) -> str:
        """Return a picture of the deal for people: hands around the table, bids, tricks and points."""
        return diagram.draw(self._values())

    def _values(self) -> notation.RecordValues:
        return {
            **self.deal._values(),
            "trump": self.trump,
            "decided": self.turned,
            "swap": self._swap(),
            "bids": self.bids,
            "board_levels": self.board_levels,
            "outcome": self.outcome,
            "leader": self.leader,
            "tricks": tuple((trick.leader, trick.cards, trick.winner) for trick in self.tricks),
            "contracts": self.contracts,
            "boards": self.boards,
            "won": self.tricks_won,
            "points": self.points,
        }

    def _swap(self) -> tuple[int, int, int] | None:
        if self.swap_seat is None or self.swap_card is None:
            return None
        return self.swap_seat, cards.highest(self.deal.hands[self.swap_seat] & cards.JOKERS), self.swap_card


def read_deals(text: str) -> list[Deal]:
    """Read the deals of a text; of full records, the deals.

    Raises
    ------
    ValueError
        If a part of the text is wrong or missing; the message names the line and the wrong part.
    """
    return [_deal(values) for values in notation.read_deals(text)]


def read_records(text: str) -> list[Record]:
    """Read the records of a text, such as a whole match.

    Raises
    ------
    ValueError
        If a part of the text is wrong or missing; the message names the line and the wrong part.
    """
    return [_record(values) for values in notation.read_records(text)]


T = TypeVar("T")


def _only(found: Sequence[T]) -> T:
    if len(found) != 1:
        raise ValueError(f"one record is asked for, the text holds {len(found)}")
    return found[0]


def _deal(values: notation.DealValues) -> Deal:
    try:
        return Deal(values["hands"], values["turned"], values["dealer"], values["stock"])
    except ValueError as error:
        raise ValueError(f"record at line {values['line']}: {error}") from None


def _record(values: notation.RecordValues) -> Record:
    deal, hands = _deal(values), list(values["hands"])
    swap_seat = swap_card = None
    if values["swap"]:
        swap_seat, joker, swap_card = values["swap"]
        hands[swap_seat] = hands[swap_seat] & ~(1 << joker) | 1 << swap_card
    return Record(
        deal=deal,
        turned=values["decided"],
        trump=values["trump"],
        swap_seat=swap_seat,
        swap_card=swap_card,
        hands=(hands[0], hands[1], hands[2], hands[3]),
        bids=values["bids"],
        board_levels=values["board_levels"],
        outcome=values["outcome"],
        leader=values["leader"],
        tricks=tuple(Trick(*trick) for trick in values["tricks"]),
        tricks_won=values["won"],
        contracts=values["contracts"],
        boards=values["boards"],
        points=values["points"],
    )
