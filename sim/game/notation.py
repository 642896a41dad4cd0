"""The text record of a deal: how the cards lay, what was bid and played, what came of it. No rule lives here.

One line says one thing, its first word what; `dealer` opens a record, the other lines may come in any order. Blank
lines and lines that start with ``#`` count for nothing. ::

    dealer     North
    North      BB S:AK4 H:10                            a hand as dealt: jokers, then suits with their ranks
    East       S:QJ H:3 D:95
    South      S:98 D:AK C:4
    West       LB H:K D:3 C:KQ
    turned     2H                                       the first card turned up
    stock      7C 2D                                    the rest as far as known, top first; no line without any
    trump      hearts 2H                                the suit, or none, and the card that decided it
    bids       East pass  South 2  West board  North double
    outcome    played                                   or thrown-in, stalled, passed-out, unfinished
    leader     North                                    to the first trick; no line unless played
    1          North BB  3H  4C  LB   North             leader, cards in the order played, winner
    2          North 10H JS  8S  KH   West
    3          West  KC  4S  QS  9S   West
    4          West  3D  AS  9D  AD   South
    5          South KD  QC  KS  5D   South
    contracts  NS double  EW board                      a number, or the side's own board
    won        North 1  East 0  South 2  West 2         tricks
    points     NS -100  EW -50

A ten is ``10``, in a hand too; ``T`` is read as well, as ``TH`` is for ``10H``.
After ``trump`` there may be ``swap East BB 10C``: who gave up which joker, and the card drawn for it.
The outcome ``unfinished`` is that of a deal that was left: a bid, card or winner not yet there is ``-``, and the last
three lines are not written. The first lines, up to `stock`, are a deal by themselves. Here text meets plain values;
`record` makes deals of them.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NotRequired, TypedDict

from . import cards

SEATS = ("North", "East", "South", "West")
SIDES = ("NS", "EW")
PASS, BOARD = 0, 99
BOARDS = ("board", "double", "triple", "quadruple")
TRUMPS = ("clubs", "diamonds", "hearts", "spades", "none")
UNFINISHED = "unfinished"
OUTCOMES = ("played", "thrown-in", "stalled", "passed-out", UNFINISHED)
NOT_YET = -1

Four = tuple[int, int, int, int]


class DealValues(TypedDict):
    """A deal as plain values: sets for hands, codes for cards; `line` is where it was read."""

    dealer: int
    hands: Four
    turned: int
    stock: tuple[int, ...]
    line: NotRequired[int]


class RecordValues(DealValues):
    """A deal and its play as plain values.

    `decided` is the card that decided trump; `swap` is (seat, joker, card drawn); a trick is (leader, cards, winner).
    A board is the bid 99 and its level; a side on board has no contract. In an unfinished deal −1 is a bid, a card or a
    winner not yet there.
    """

    trump: int
    decided: int
    swap: tuple[int, int, int] | None
    bids: Four
    board_levels: Four
    outcome: str
    leader: int | None
    tricks: tuple[tuple[int, Four, int], ...]
    contracts: tuple[int | None, int | None]
    boards: tuple[int, int]
    won: Four
    points: tuple[int, int]


def write_deal(deal: DealValues) -> str:
    """Return a deal's lines."""
    lines = [_line("dealer", SEATS[deal["dealer"]])]
    lines += [_line(seat, hand(cards_held)) for seat, cards_held in zip(SEATS, deal["hands"], strict=True)]
    lines += [_line("turned", cards.name(deal["turned"]))]
    lines += [_line("stock", *map(cards.name, deal["stock"]))] if deal["stock"] else []
    return "".join(lines)


def write_record(record: RecordValues) -> str:
    """Return a record's lines, those of its deal first."""
    lines = [write_deal(record), _line("trump", TRUMPS[record["trump"]], cards.name(record["decided"]))]
    if record["swap"]:
        seat, joker, drawn = record["swap"]
        lines += [_line("swap", SEATS[seat], cards.name(joker), cards.name(drawn))]
    in_turn = [(record["dealer"] + step) % 4 for step in (1, 2, 3, 4)]
    bids = [bid(record["bids"][seat], record["board_levels"][seat]) for seat in in_turn]
    contracts = map(contract, record["contracts"], record["boards"])
    lines += [_pairs_line("bids", [SEATS[seat] for seat in in_turn], bids)]
    lines += [_line("outcome", record["outcome"])]
    lines += [_line("leader", SEATS[record["leader"]])] if record["leader"] is not None else []
    lines += [_trick_line(number, *trick) for number, trick in enumerate(record["tricks"], start=1)]
    if record["outcome"] == UNFINISHED:
        return "".join(lines)
    lines += [_pairs_line("contracts", SIDES, contracts)]
    lines += [_pairs_line("won", SEATS, record["won"]), _pairs_line("points", SIDES, record["points"])]
    return "".join(lines)


def hand(held: int) -> str:
    """Return a hand as text: jokers, then suits from spades down with their ranks, ``BB S:AK4 H:10``."""
    words = cards.names(held & cards.JOKERS).split()
    for suit in (cards.SPADES, cards.HEARTS, cards.DIAMONDS, cards.CLUBS):
        ranks = "".join(name[:-1] for name in cards.names(held & cards.lane(suit)).split())
        words += [f"{'CDHS'[suit]}:{ranks}"] if ranks else []
    return " ".join(words)


def bid(number: int, level: int) -> str:
    """Return a bid as text: ``pass``, a number, the board by its level, ``board`` … ``quadruple``; ``-`` is not yet."""
    if number == NOT_YET:
        return "-"
    return BOARDS[level - 1] if level else str(number or "pass")


def contract(number: int | None, level: int) -> str:
    """Return a side's contract as text: a number, or the board by its level."""
    return BOARDS[level - 1] if level else str(number)


def _line(key: str, *words: str) -> str:
    return f"{key:<10} {' '.join(words)}".rstrip() + "\n"


def _pairs_line(key: str, names: Sequence[str], values: Iterable[object]) -> str:
    return _line(key, *(f"{name} {value} " for name, value in zip(names, values, strict=True)))


def _trick_line(number: int, leader: int, played: Sequence[int], winner: int) -> str:
    in_order = " ".join(f"{'-' if card == NOT_YET else cards.name(card):<3}" for card in played)
    return _line(str(number), f"{SEATS[leader]:<5} {in_order}  {'-' if winner == NOT_YET else SEATS[winner]}")


def read_deals(text: str) -> list[DealValues]:
    """Return the deals of a text; the play of full records is passed over.

    Raises
    ------
    ValueError
        If a line is wrong or missing; the message names the line and the wrong part.
    """
    return [_deal(start, lines) for start, lines in _split(text)]


def read_records(text: str) -> list[RecordValues]:
    """Return the full records of a text.

    Raises
    ------
    ValueError
        If a line is wrong or missing; the message names the line and the wrong part.
    """
    return [_record(start, lines) for start, lines in _split(text)]


def _split(text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield, for each record, the number of its first line and its lines' values by first word."""
    start, lines = 0, dict[str, Any]()
    for number, line in enumerate(text.splitlines(), start=1):
        key, *words = line.split() or ["#"]
        if key.startswith("#"):
            continue
        if key == "dealer" and lines:
            yield start, lines
        if key == "dealer":
            start, lines = number, {"tricks": ()}
        try:
            _read_line(key, words, lines)
        except ValueError as error:
            raise ValueError(f"line {number}, {key}: {error}") from None
    if lines:
        yield start, lines


def _read_line(key: str, words: list[str], lines: dict[str, Any]) -> None:
    if not lines:
        raise ValueError("a record starts with its line 'dealer'")
    if key in lines and key != "tricks":
        raise ValueError("this record has that line already")
    if key in _WORDS:
        lines[key] = _words(words, *_WORDS[key])
    elif key in _PAIRS:
        lines[key] = _pairs(words, *_PAIRS[key])
    elif key in SEATS:
        lines[key] = _hand(words)
    elif key == "stock":
        lines[key] = tuple(cards.parse(word) for word in words)
    elif key == str(len(lines["tricks"]) + 1):
        lines["tricks"] += (_trick(words),)
    else:
        known = ", ".join([*_WORDS, *SEATS, "stock", *_PAIRS])
        raise ValueError(f"a line starts with one of {known}, or the number of the next trick")


def _deal(start: int, lines: dict[str, Any]) -> DealValues:
    _require(start, lines, "turned", *SEATS)
    return {
        "dealer": lines["dealer"][0],
        "hands": (lines["North"], lines["East"], lines["South"], lines["West"]),
        "turned": lines["turned"][0],
        "stock": lines.get("stock", ()),
        "line": start,
    }


def _record(start: int, lines: dict[str, Any]) -> RecordValues:
    _require(start, lines, "trump", "outcome", "bids")
    deal, outcome = _deal(start, lines), lines["outcome"][0]
    if outcome == UNFINISHED:
        lines |= {"contracts": ((0, 0), (0, 0)), "won": (0, 0, 0, 0), "points": (0, 0)}
    _require(start, lines, *_PAIRS, *(["leader"] if outcome == "played" else []))
    _check_length(start, lines, outcome, max(map(cards.count, deal["hands"])))
    bids, board_levels = _unzip(lines["bids"])
    contracts, boards = _unzip(lines["contracts"])
    return {
        **deal,
        "trump": lines["trump"][0],
        "decided": lines["trump"][1],
        "swap": _checked_swap(start, lines),
        "bids": bids,
        "board_levels": board_levels,
        "outcome": outcome,
        "leader": lines.get("leader", (None,))[0],
        "tricks": lines["tricks"],
        "contracts": contracts,
        "boards": boards,
        "won": lines["won"],
        "points": lines["points"],
    }


def _check_length(start: int, lines: dict[str, Any], outcome: str, hand_size: int) -> None:
    """Refuse a record with too few or too many tricks, or with a ``-`` where the deal had gone on."""
    tricks, due = lines["tricks"], 0 if outcome in ("thrown-in", "stalled", "passed-out") else hand_size
    if len(tricks) > due or (len(tricks) < due and outcome != UNFINISHED):
        raise ValueError(f"record at line {start}: {len(tricks)} tricks; an outcome {outcome!r} has {due}")
    told = [] if outcome == UNFINISHED and not tricks else [number for number, _ in lines["bids"]]
    for _, played, winner in tricks[:-1] if outcome == UNFINISHED else tricks:
        told += [*played, winner]
    if NOT_YET in told:
        raise ValueError(f"record at line {start}: '-', not yet, stands only at the end of an unfinished deal")


def _checked_swap(start: int, lines: dict[str, Any]) -> tuple[int, int, int] | None:
    if "swap" not in lines:
        return None
    seat, joker, drawn = lines["swap"]
    if not lines[SEATS[seat]] & cards.JOKERS & 1 << joker:
        raise ValueError(f"record at line {start}, swap: {SEATS[seat]} was not dealt the joker {cards.name(joker)!r}")
    return seat, joker, drawn


def _unzip(pairs: Sequence[tuple[Any, Any]]) -> Any:
    return tuple(zip(*pairs, strict=True))


def _require(start: int, lines: dict[str, Any], *keys: str) -> None:
    missing = [key for key in keys if key not in lines]
    if missing:
        raise ValueError(f"record at line {start}: no line {', '.join(missing)}")


def _words(words: list[str], *readers: Callable[[str], Any]) -> tuple[Any, ...]:
    if len(words) != len(readers):
        raise ValueError(f"{' '.join(words)!r} is {len(words)} words where {len(readers)} belong")
    return tuple(read(word) for read, word in zip(readers, words, strict=True))


def _pairs(words: list[str], names: Sequence[str], read: Callable[[str], Any]) -> tuple[Any, ...]:
    given = dict(zip(words[::2], words[1::2], strict=False))
    if len(words) != 2 * len(names) or given.keys() != set(names):
        raise ValueError(f"{' '.join(words)!r} is not one word for each of {', '.join(names)}")
    return tuple(read(given[name]) for name in names)


def _hand(words: list[str]) -> int:
    held: list[str] = []
    for word in words:
        suit, colon, ranks = word.partition(":")
        if colon and suit not in ("S", "H", "D", "C"):
            raise ValueError(f"{word!r} names no suit: write S:, H:, D: or C: before the ranks")
        held += [rank + suit for rank in ranks.replace("10", "T")] if colon else [word]
    return cards.to_set(held)


def _trick(words: list[str]) -> tuple[int, Four, int]:
    leader, one, two, three, four, winner = _words(words, _seat, *[_or_not_yet(cards.parse)] * 4, _or_not_yet(_seat))
    return leader, (one, two, three, four), winner


def _choice(choices: Sequence[str]) -> Callable[[str], int]:
    def read(word: str) -> int:
        if word not in choices:
            raise ValueError(f"{word!r} is none of {', '.join(choices)}")
        return choices.index(word)

    return read


def _or_not_yet(read: Callable[[str], int]) -> Callable[[str], int]:
    return lambda word: NOT_YET if word == "-" else read(word)


def _integer(word: str) -> int:
    if not re.fullmatch("-?[0-9]{1,5}", word):
        raise ValueError(f"{word!r} is no whole number")
    return int(word)


def _bid(word: str) -> tuple[int, int]:
    if word in BOARDS:
        return BOARD, BOARDS.index(word) + 1
    if word == "-":
        return NOT_YET, 0
    if word != "pass" and word not in map(str, range(1, 13)):
        raise ValueError(f"{word!r} is no bid: pass, 1 … 12, {', '.join(BOARDS)}")
    return (PASS if word == "pass" else int(word)), 0


def _contract(word: str) -> tuple[int | None, int]:
    return (None, BOARDS.index(word) + 1) if word in BOARDS else (_integer(word), 0)


def _outcome(word: str) -> str:
    return OUTCOMES[_choice(OUTCOMES)(word)]


_seat = _choice(SEATS)

_WORDS: dict[str, tuple[Callable[[str], Any], ...]] = {
    "dealer": (_seat,),
    "turned": (cards.parse,),
    "trump": (_choice(TRUMPS), cards.parse),
    "swap": (_seat, cards.parse, cards.parse),
    "outcome": (_outcome,),
    "leader": (_seat,),
}
_PAIRS: dict[str, tuple[Sequence[str], Callable[[str], Any]]] = {
    "bids": (SEATS, _bid),
    "contracts": (SIDES, _contract),
    "won": (SEATS, _integer),
    "points": (SIDES, _integer),
}
