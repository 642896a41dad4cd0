"""What the player to act sees, put together from the referee's table: the other half of every comparison of views."""

from typing import Any

from sim.game.house import CHOICES
from sim.game.match import Match
from sim.game.record import Trick
from sim.game.referee import Table

SETTINGS = ("points_per_bid_trick", "points_per_overtrick", "points_per_board_trick", "board_multiplier",
            "board_leads_trump", "blooper_partner", "little_blooper_forces")  # fmt: skip
NO_TRUMP, LITTLE = 4, 52


def sight(table: Table, match: Match) -> dict[str, Any]:
    """Return every field of the view but `random`, for the seat to act at a table and the match it belongs to."""
    sizes, playing = match.rules.hand_sizes, len(table.bids) == 4
    return {
        "seat": table.to_act,
        "dealer": table.deal.dealer,
        "deal": match.deal,
        "attempt": match.attempt,
        "hand_size": table.deal.hand_size,
        "trump": table.trump,
        "turned": table.turned,
        "swap_seat": -1 if table.swap_seat is None else table.swap_seat,
        "deals": len(sizes),
        "tricks_after": sum(sizes[match.deal :]),
        "hand": table.hands[table.to_act],
        "bids": tuple(table.bids.get(seat, -1) for seat in range(4)),
        "board_level": tuple(table.levels),
        "score": tuple(match.score),
        "legal": table.legal_cards(),
        "trick": len(table.tricks) + 1 if playing else 0,
        "leader": table.leader if playing else -1,
        "position": len(table.trick) if playing else -1,
        "tricks_won": tuple(table.tricks_won),
        "trump_broken": table.trump_broken,
        **trick_so_far(table),
        **cards_so_far(table),
        **{name: setting(match, name) for name in SETTINGS},
    }


def setting(match: Match, name: str) -> int:
    value = getattr(match.rules, name)
    return CHOICES[name].index(value) if name in CHOICES else int(value)


def suit(card: int, trump: int) -> int:
    """Return a card's suit, a joker's being trump (T3)."""
    return trump if card >= LITTLE else card // 13


def trick_so_far(table: Table) -> dict[str, Any]:
    """Return the cards on the table and which of them wins: the highest trump, else of the suit led (L5)."""
    cards, trump = table.trick, table.trump
    if not cards:
        return {"trick_cards": (-1,) * 4, "winning_card": -1, "winning_seat": -1}
    led = suit(cards[0], trump)
    best = max(cards, key=lambda card: (suit(card, trump) == trump, suit(card, trump) == led, card))
    return {
        "trick_cards": (*cards, *[-1] * (4 - len(cards))),
        "winning_card": best,
        "winning_seat": (table.leader + cards.index(best)) % 4,
    }


def cards_so_far(table: Table) -> dict[str, Any]:
    """Return what each seat has played, and which suits it has failed to follow."""
    played, void = [0] * 4, [0] * 4
    unfinished = [Trick(table.leader, tuple(table.trick), -1)] if table.trick else []
    for leader, cards, _ in [*table.tricks, *unfinished]:
        led = suit(cards[0], table.trump)
        for place, card in enumerate(cards):
            seat = (leader + place) % 4
            played[seat] |= 1 << card
            void[seat] |= (suit(card, table.trump) != led) << led
    return {"played": tuple(played), "void": tuple(void)}
