"""The picture of a played deal, for people at a terminal: hands around the table, bids, tricks and points.

Made from the plain values of `notation`, which is the form for files; this one is not read back.
"""

from . import cards
from .notation import NOT_YET, SEATS, SIDES, UNFINISHED, RecordValues, bid, contract

SYMBOLS = ("♣", "♦", "♥", "♠")


def draw(record: RecordValues) -> str:
    """Return the picture: what was turned, the four hands at bidding, the bids, the tricks, and what came of them."""
    parts = [_heading(record), _table(record), _bids(record), _tricks(record), _outcome(record)]
    return "\n\n".join("\n".join(line.rstrip() for line in part) for part in parts if part) + "\n"


def card(code: int) -> str:
    """Return a card as players read it: ``A♠``, ``10♥``, ``BB``."""
    return cards.name(code) if code >= cards.LITTLE_BLOOPER else cards.name(code)[:-1] + SYMBOLS[code // 13]


def _heading(record: RecordValues) -> list[str]:
    trump, size = record["trump"], cards.count(record["hands"][0])
    suit = "no trump" if trump == cards.NO_TRUMP else f"trump {SYMBOLS[trump]}"
    count = f"{size} card{'s' * (size > 1)}"
    lines = [f"{count}, dealer {SEATS[record['dealer']]}, {card(record['turned'])} turned: {suit}"]
    if record["decided"] != record["turned"]:
        lines += [f"{card(record['turned'])} was put aside, {card(record['decided'])} decided"]
    if record["swap"]:
        seat, joker, drawn = record["swap"]
        lines += [f"{SEATS[seat]} gave up {card(joker)} and drew {card(drawn)}"]
    return lines


def _table(record: RecordValues) -> list[str]:
    """Place the hands: North above, West and East beside each other, South below."""
    north, east, south, west = (_hand(record, seat) for seat in range(4))
    left = max(map(len, west)) + 2
    gap = max(map(len, [*north, *south])) + 2
    beside = [f"{ours:<{left + gap}}{theirs}" for ours, theirs in zip(west, east, strict=True)]
    return [" " * left + line for line in north] + beside + [" " * left + line for line in south]


def _hand(record: RecordValues, seat: int) -> list[str]:
    """Return a seat's name and its four suits at bidding, jokers in the trump suit."""
    held = record["hands"][seat]
    if record["swap"] and record["swap"][0] == seat:
        held = held & ~cards.JOKERS | 1 << record["swap"][2]
    lines = [SEATS[seat]]
    for suit in (cards.SPADES, cards.HEARTS, cards.DIAMONDS, cards.CLUBS):
        codes = cards.to_codes(held & (cards.trumps(suit) if suit == record["trump"] else cards.lane(suit)))
        ranks = [cards.name(code) if code >= cards.LITTLE_BLOOPER else cards.name(code)[:-1] for code in codes]
        lines += [f"{SYMBOLS[suit]} {' '.join(reversed(ranks)) or '–'}"]
    return lines


def _bids(record: RecordValues) -> list[str]:
    in_turn = [(record["dealer"] + step) % 4 for step in (1, 2, 3, 4)]
    bids = [f"{SEATS[seat]} {bid(record['bids'][seat], record['board_levels'][seat])}" for seat in in_turn]
    return ["Bids   " + ", ".join(bids)]


def _tricks(record: RecordValues) -> list[str]:
    """Return a row a trick with each seat's card under its name: ``>`` before the lead, ``*`` after the winner."""
    if not record["tricks"]:
        return []
    lines = ["Trick  " + "".join(f" {seat:<6}" for seat in SEATS) + "   > leads, * wins"]
    for number, (leader, played, winner) in enumerate(record["tricks"], start=1):
        row = f"{number:>5}  "
        for seat in range(4):
            code = played[(seat - leader) % 4]
            shown = "" if code == NOT_YET else card(code) + "*" * (seat == winner)
            row += f"{'>' if seat == leader else ' '}{shown:<6}"
        lines += [row]
    return lines


def _outcome(record: RecordValues) -> list[str]:
    if record["outcome"] == UNFINISHED:
        return ["The deal stops here."]
    if record["outcome"] != "played":
        return [f"All passed: {record['outcome']}"]
    lines = ["Side   contract   tricks   points"]
    for side, name in enumerate(SIDES):
        won = record["won"][side] + record["won"][side + 2]
        goal = contract(record["contracts"][side], record["boards"][side])
        lines += [f"{name:<6} {goal:<10} {won:>6}   {record['points'][side]:>+6}"]
    return lines
