"""Checks of the rows of `tricks`: each is there, who led and won it, and that every card of a hand was played once."""

from collections.abc import Iterator

import numpy as np

from .deal_checks import LITTLE, NO_TRUMP, Bidding, sizes_of
from .finding import NULL, Finding, Rows
from .plan import Plan
from .schema import LABELS

CARDS = tuple(f"card_{place}" for place in range(1, 5))


def check_tricks(tricks: Rows, deals: Rows, bidding: Bidding, plan: Plan) -> Iterator[Finding]:
    """Check the tricks of a shard against the hands that were played."""
    hands = np.flatnonzero(bidding.played)
    keys, first = np.unique(_key(deals)[hands], return_index=True)
    hands = hands[first]
    size = sizes_of(deals, plan.rules)[hands]
    number = np.arange(size.sum()) - np.repeat(np.cumsum(size) - size, size) + 1
    due = np.repeat(keys, size) << 8 | number
    if not np.array_equal(_key(tricks) << 8 | tricks["trick"], due):
        yield from _misplaced(tricks, due)
        return
    home = np.repeat(hands, size)
    yield from _check_winners(tricks, deals, home, number)
    yield from _check_cards_played(tricks, deals, hands, home)


def _key(rows: Rows) -> np.ndarray:
    return rows["match_id"] << 8 | rows["deal"]


def _misplaced(tricks: Rows, due: np.ndarray) -> Iterator[Finding]:
    """Name the tricks that are missing, of no hand that was played, doubled or out of order."""
    keys = _key(tricks) << 8 | tricks["trick"]
    for key in np.setdiff1d(due, keys).tolist():
        yield Finding("tricks", "L5", "the trick is missing", key >> 16, key >> 8 & 255, key & 255)
    yield from tricks.where(~np.isin(keys, due), "L5", "the trick is of no hand that was played")
    yield from tricks.where(keys <= np.append(-1, keys[:-1]), "L5", "the trick is doubled or out of order")


def _check_winners(tricks: Rows, deals: Rows, home: np.ndarray, number: np.ndarray) -> Iterator[Finding]:
    """Check that the highest trump or card of the suit led won each trick, and that the winner led the next (L5)."""
    cards = np.array([tricks[name] for name in CARDS])
    trump = deals["trump"][home]
    is_trump = (cards // 13 == trump) | (cards >= LITTLE) & (trump != NO_TRUMP)
    suit_led = np.where(is_trump[0], trump, cards[0] // 13)
    height = np.where(is_trump, cards + 64, np.where(cards // 13 == suit_led, cards, -1))
    yield from tricks.unequal("winner", (tricks["leader"] + np.argmax(height, axis=0)) % 4, "L5")
    leader = np.where(number == 1, deals["leader"][home], np.roll(tricks["winner"], 1))
    yield from tricks.unequal("leader", leader, "L5")


def _check_cards_played(tricks: Rows, deals: Rows, hands: np.ndarray, home: np.ndarray) -> Iterator[Finding]:
    """Check that each player played the cards held (D3), each once, and count the tricks each won (L5).

    `hands` are the rows of `deals` that were played, `home` says of each trick in which of them.
    """
    cards, every = np.array([tricks[name] for name in CARDS]), np.arange(len(tricks))
    first = np.flatnonzero(np.diff(home, prepend=-1))
    for seat, name in enumerate(LABELS):
        card = np.int64(1) << cards[(seat - tricks["leader"]) % 4, every]
        held = deals[f"{name}_hand"]
        yield from tricks.where(card & held[home] == 0, "D3", f"{name} plays a card that is not in {name}_hand")
        # n powers of two make a number of n bits only if all of them differ, so the sum is as good as the set.
        sums = np.add.reduceat(card, first) if len(first) else card
        again = np.zeros(len(deals), bool)
        again[hands] = sums != held[hands]
        yield from deals.where(again, "D3", f"{name} did not play each card of {name}_hand once")
        won = np.full(len(deals), NULL)
        won[hands] = np.add.reduceat(tricks["winner"] == seat, first, dtype=np.int64) if len(first) else 0
        yield from deals.unequal(f"{name}_tricks", won, "L5")
