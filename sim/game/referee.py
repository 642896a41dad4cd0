"""The referee: the rules a second time, in plain Python, as a person would apply them at the table.

Written from RULES.md alone and sharing no rule code with the compiled game, so that each can check the other. `Table`
plays one deal step by step, `replay` one whose bids and cards are known, `Match` keeps the order of the deals and the
score. Numbers such as L4 are those of RULES.md.
"""

from collections.abc import Iterable, Iterator, Sequence
from numbers import Integral

from .cards import BIG_BLOOPER, DECK_SIZE, LITTLE_BLOOPER, NO_TRUMP, name, names, parse
from .house import Rules
from .record import BOARD, PASS, SEATS, Deal, Record, Trick

STANDARD = Rules()

SUITS = tuple(0b1111111111111 << 13 * suit for suit in range(4))
BLOOPERS = 1 << LITTLE_BLOOPER | 1 << BIG_BLOOPER


class IllegalMove(ValueError):
    """A bid or a card that the rules forbid. The table it was tried at stands as before.

    Attributes
    ----------
    reason : str
        ``bid-illegal``, ``card-not-held``, ``trump-led``, ``revoke``, ``forced-trump`` or ``not-an-integer``.
    rule : str
        The number of the rule broken.
    seat, trick : int
        Who moved, and in which trick: 1 for the first, 0 in the bidding.
    message : str
        What was wrong, and what was legal.
    """

    def __init__(self, reason: str, rule: str, seat: int, trick: int, message: str) -> None:
        super().__init__(reason, rule, seat, trick, message)
        self.reason, self.rule, self.seat, self.trick, self.message = reason, rule, seat, trick, message

    def __str__(self) -> str:
        place = f"trick {self.trick}" if self.trick else "bidding"
        return f"{place}, {SEATS[self.seat]}: {self.message} ({self.rule})"


def next_seat(seat: int) -> int:
    """Return the seat to the left: the next to bid, to play (T1) or to deal (D2)."""
    return (seat + 1) % 4


def partner(seat: int) -> int:
    """Return the seat opposite (T1)."""
    return (seat + 2) % 4


class Table:
    """Four players at one deal, from the turned card to the points.

    Parameters
    ----------
    deal : Deal
        The cards as dealt.
    rules : Rules
        The house settings; `hand_sizes` and `max_redeals` concern the match and are not looked at.

    Attributes
    ----------
    turned, trump : int
        The card that decided trump (D3, D4) and the trump suit, 4 for none.
    swap_seat, swap_card : int or None
        Who gave up the other joker, and the card drawn for it (D4).
    hands : list of int
        The sets of cards the four seats hold now.
    bids : dict of int to int
        The bids made so far by seat, in the order of the bidding.
    levels : list of int
        The board level of each seat (B3), 0 without a board.
    to_act : int or None
        The seat to bid or to play; None when the deal is over.
    leader : int or None
        Who leads the trick now being played; None in the bidding and when all passed.
    trick : list of int
        The cards played to that trick so far, in order.
    tricks : list of Trick
        The tricks completed.
    tricks_won : list of int
        How many of them each seat has won.
    trump_broken : bool
        Whether a trump was played to one of them (L2).

    Raises
    ------
    ValueError
        If the deal's stock lacks a card that D4 takes from it.
    """

    __slots__ = (
        "_dealt", "_suit_led", "_trumps", "bids", "deal", "hands", "leader", "levels", "rules", "swap_card",
        "swap_seat", "to_act", "trick", "tricks", "tricks_won", "trump", "trump_broken", "turned",
    )  # fmt: skip

    def __init__(self, deal: Deal, rules: Rules = STANDARD) -> None:
        self.deal, self.rules = deal, rules
        self.hands = list(deal.hands)
        self._turn_up(iter(deal.stock))
        self._dealt = (self.hands[0], self.hands[1], self.hands[2], self.hands[3])
        self.bids: dict[int, int] = {}
        self.levels = [0] * 4
        self.to_act: int | None = next_seat(deal.dealer)
        self.leader: int | None = None
        self.trick: list[int] = []
        self.tricks: list[Trick] = []
        self.tricks_won = [0] * 4
        self.trump_broken = False

    def _turn_up(self, stock: Iterator[int]) -> None:
        """Find the trump suit (D3); burn or swap when a joker is turned (D4)."""
        self.turned = self.deal.turned
        self.swap_seat: int | None = None
        self.swap_card: int | None = None
        if self.rules.joker_turned == "burn":
            undealt = DECK_SIZE - 4 * self.deal.hand_size - 1
            while self.turned >= LITTLE_BLOOPER and undealt:
                self.turned, undealt = self._draw(stock), undealt - 1
        if self.turned < LITTLE_BLOOPER:
            self.trump = self.turned // 13
            self._trumps = SUITS[self.trump] | BLOOPERS
        else:
            self.trump, self._trumps = NO_TRUMP, 0
            self._swap(stock)

    def _swap(self, stock: Iterator[int]) -> None:
        """Let the player who was dealt the other joker, if any, draw a card for it (D4)."""
        for seat, hand in enumerate(self.hands):
            if hand & BLOOPERS:
                drawn = self._draw(stock)
                self.swap_seat, self.swap_card = seat, drawn
                self.hands[seat] = hand & ~BLOOPERS | 1 << drawn

    def _draw(self, stock: Iterator[int]) -> int:
        card = next(stock, None)
        if card is None:
            raise ValueError(f"{name(self.turned)} is turned, but the deal's stock has no card to draw next (D4)")
        return card

    @property
    def finished(self) -> bool:
        """Whether the deal is over: all tricks played, or all four passed."""
        return self.to_act is None

    def legal_bids(self) -> list[int]:
        """Return the bids open to the seat to act (B2): pass 0, the numbers, board 99; none after the bidding."""
        return [PASS, *range(1, self.deal.hand_size), BOARD] if len(self.bids) < 4 else []

    def bid(self, bid: int) -> None:
        """Make the bid of the seat to act.

        Raises
        ------
        IllegalMove
            If the bid is no integer, or not among `legal_bids`.
        ValueError
            If the bidding is over.
        """
        seat = self.to_act
        if seat is None or len(self.bids) == 4:
            raise ValueError("the bidding is over: each player bids once (B1)")
        number = bid if type(bid) is int else self._integer(bid, "bid", "B2")
        if number != BOARD and not 0 <= number < self.deal.hand_size:
            raise self._refusal("bid-illegal", "B2", f"{number} is no bid; legal: {self._bids_in_words()}")
        self.bids[seat] = number
        if number == BOARD:
            self.levels[seat] = max(self.levels) + 1  # B3: counted, not chosen
        self.to_act = next_seat(seat)
        if len(self.bids) == 4:
            self._open_play()

    def _bids_in_words(self) -> str:
        numbers = f"1 … {self.deal.hand_size - 1}, " if self.deal.hand_size > 1 else ""
        return f"pass ({PASS}), {numbers}board ({BOARD})"

    def _open_play(self) -> None:
        """Give the first lead to the highest bidder (L1), or end a deal that all four passed (B5)."""
        first_highest = max(self.bids, key=lambda seat: (self.levels[seat], self.bids[seat]))  # of equals, the first
        self.leader = self.to_act = first_highest if self.bids[first_highest] != PASS else None

    def legal_cards(self) -> int:
        """Return the set of cards that the seat to act may play; the empty set when nobody is to play."""
        seat = self.to_act
        if seat is None or self.leader is None:
            return 0
        hand = self.hands[seat]
        if not self.trick:
            return self._legal_leads(seat, hand)
        following = hand & self._suit_led
        if following and self.trick[0] >= LITTLE_BLOOPER:
            return self._drawn(following, seat == partner(self.leader))
        return following or hand  # L3

    def _legal_leads(self, seat: int, hand: int) -> int:
        """Return the cards that may be led; trumps when broken, for a board, or for want of other cards (L2)."""
        if self.trump_broken or self._board_leads_trump(seat):
            return hand
        return hand & ~self._trumps or hand

    def _board_leads_trump(self, seat: int) -> bool:
        on_board, whose = self.bids[seat] == BOARD, self.rules.board_leads_trump
        if whose == "side":
            return on_board or self.bids[partner(seat)] == BOARD
        if whose == "bidder-after-first":
            return on_board and len(self.tricks) > 0
        return on_board and whose == "bidder"

    def _drawn(self, held: int, by_partner: bool) -> int:
        """Return which of the trumps held may be played to the blooper that was led (L4)."""
        lowest, highest = held & -held, 1 << held.bit_length() - 1
        if self.trick[0] == LITTLE_BLOOPER:
            return lowest if self.rules.little_blooper_forces else held
        if by_partner and self.rules.blooper_partner != "forced":
            return lowest if self.rules.blooper_partner == "lowest" else held
        return highest

    def play(self, card: int | str) -> None:
        """Play a card, given by code or by name, from the hand of the seat to act.

        Raises
        ------
        IllegalMove
            If it is no card, is not held, or is not among `legal_cards`.
        ValueError
            If nobody is to play: the bidding is not over, or the deal is.
        """
        legal, seat = self.legal_cards(), self.to_act
        if seat is None or not legal:
            raise ValueError("the deal is over" if seat is None else f"{SEATS[seat]} is to bid, not to play (B1)")
        code = card if type(card) is int else self._code(card)
        if not 0 <= code < DECK_SIZE or not legal >> code & 1:
            raise self._illegal(code, seat, legal)
        self.hands[seat] ^= 1 << code
        if not self.trick:
            self._suit_led = self._trumps if self._trumps >> code & 1 else SUITS[code // 13]
        self.trick.append(code)
        self.to_act = (seat + 1) % 4
        if len(self.trick) == 4:
            self._end_trick(self.to_act)

    def _end_trick(self, leader: int) -> None:
        """Find the winner, who leads next (L5), unless that was the last trick."""
        first, second, third, fourth = self.trick
        played = 1 << first | 1 << second | 1 << third | 1 << fourth
        trumps = played & self._trumps
        best = (trumps or played & self._suit_led).bit_length() - 1
        winner = (leader + self.trick.index(best)) % 4
        self.tricks.append(Trick(leader, (first, second, third, fourth), winner))
        self.tricks_won[winner] += 1
        self.trump_broken = self.trump_broken or trumps != 0
        self.trick = []
        self.leader = winner
        self.to_act = winner if self.hands[winner] else None

    def result(self) -> Record:
        """Return all that happened, with the points.

        Raises
        ------
        ValueError
            If the deal is not over.
        """
        if self.to_act is not None:
            raise ValueError(f"the deal is not over: {SEATS[self.to_act]} is to act")
        passed = "passed-out" if self.rules.all_pass == "score-zero" else "thrown-in"
        won, levels = self.tricks_won, self.levels
        return Record(
            deal=self.deal,
            turned=self.turned,
            trump=self.trump,
            swap_seat=self.swap_seat,
            swap_card=self.swap_card,
            hands=self._dealt,
            bids=(self.bids[0], self.bids[1], self.bids[2], self.bids[3]),
            board_levels=(levels[0], levels[1], levels[2], levels[3]),
            outcome="played" if self.tricks else passed,
            leader=self.tricks[0].leader if self.tricks else None,
            tricks=tuple(self.tricks),
            tricks_won=(won[0], won[1], won[2], won[3]),
            contracts=(self._contract(0), self._contract(1)),
            boards=(self._board(0), self._board(1)),
            points=(self._points(0), self._points(1)),
        )

    def _board(self, side: int) -> int:
        """Return a side's board level, the higher one of two boards (B4); 0 without a board."""
        return max(self.levels[side], self.levels[partner(side)])

    def _contract(self, side: int) -> int | None:
        """Return the sum of a side's numbers; None for a side on board (B4)."""
        return None if self._board(side) else self.bids[side] + self.bids[partner(side)]

    def _points(self, side: int) -> int:
        """Return a side's points, for its board (S2) or for its contract (S1)."""
        rules, size, contract = self.rules, self.deal.hand_size, self._contract(side)
        won = self.tricks_won[side] + self.tricks_won[partner(side)]
        if contract is None:
            level = max(self.levels) if rules.board_multiplier == "table" else self._board(side)
            stake = rules.points_per_board_trick * size * level
            return stake if won == size else -stake
        if won < contract:
            return -rules.points_per_bid_trick * contract
        return rules.points_per_bid_trick * contract + rules.points_per_overtrick * (won - contract)

    def _code(self, card: int | str) -> int:
        if isinstance(card, str):
            try:
                return parse(card)
            except ValueError as error:
                raise self._refusal("card-not-held", "T2", str(error)) from None
        return self._integer(card, "card", "T2")

    def _integer(self, move: int, kind: str, rule: str) -> int:
        if isinstance(move, Integral) and not isinstance(move, bool):
            return int(move)
        raise self._refusal("not-an-integer", rule, f"{move!r} is no {kind}: it must be an integer")

    def _illegal(self, code: int, seat: int, legal: int) -> IllegalMove:
        """Say which rule a card breaks."""
        if not 0 <= code < DECK_SIZE:
            reason, rule, why = "card-not-held", "T2", f"{code} is no card"
        elif not self.hands[seat] >> code & 1:
            reason, rule, why = "card-not-held", "D3", f"{name(code)} is not in the hand"
        elif not self.trick:
            reason, rule, why = "trump-led", "L2", f"{name(code)} led, but trump is not broken"
        elif self._suit_led >> code & 1:
            reason, rule, why = "forced-trump", "L4", f"{name(code)} played to {name(self.trick[0])} led"
        else:
            reason, rule, why = "revoke", "L3", f"{name(code)} does not follow suit to {name(self.trick[0])}"
        return self._refusal(reason, rule, f"{why}; legal: {names(legal)}")

    def _refusal(self, reason: str, rule: str, message: str) -> IllegalMove:
        assert self.to_act is not None
        trick = 0 if self.leader is None else len(self.tricks) + 1
        return IllegalMove(reason, rule, self.to_act, trick, message)


def replay(deal: Deal, bids: Sequence[int], tricks: Iterable[Iterable[int | str]], rules: Rules = STANDARD) -> Record:
    """Play a deal whose bids and cards are known.

    Parameters
    ----------
    deal : Deal
    bids : four of int
        By seat: North, East, South, West.
    tricks : iterable of iterables of cards
        The cards of each trick in the order played; none when all passed.
    rules : Rules

    Raises
    ------
    IllegalMove
        At the first bid or card that is not legal; it says whose, and in which trick.
    ValueError
        If there are too few or too many cards, or D4 lacks a card of the stock.
    """
    table = Table(deal, rules)
    for _ in SEATS:
        assert table.to_act is not None
        table.bid(bids[table.to_act])
    for trick in tricks:
        for card in trick:
            table.play(card)
    return table.result()
