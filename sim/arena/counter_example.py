"""The hand in which a check failed, as a text record up to there, with what went wrong in comment lines above it."""

from collections.abc import Iterable
from dataclasses import dataclass

from ..game import cards
from ..game.house import Rules
from ..game.notation import NOT_YET, UNFINISHED
from ..game.record import BOARD, SEATS, Deal, Record, Trick
from ..game.referee import Table
from ..players.compile import NOT_AN_INTEGER, RAISED
from .notes import Decision, deal_of, moves_before
from .trials import Trial


@dataclass(frozen=True)
class CounterExample:
    """What went wrong, and where.

    Attributes
    ----------
    lines : tuple of str
        Who did what, what was legal, under which rules.
    record : Record
        The hand up to there: an unfinished one.
    """

    lines: tuple[str, ...]
    record: Record

    def to_text(self) -> str:
        """Return the record in the text form, which `backalley show` reads, under the lines as comments."""
        return "".join(f"# {line}\n" for line in self.lines) + self.record.to_text()


def at_decision(trials: list[Trial], decisions: list[Decision], place: int, lines: Iterable[str]) -> CounterExample:
    """Return the counter-example that a decision of a trial is."""
    decision = decisions[place]
    trial = trials[decision.trial]
    rules = trial.plan.rules
    table = after_moves(deal_of(trial, decision), rules, moves_before(decisions, place))
    sizes = ", ".join(map(str, rules.hand_sizes))
    where = f"deal {decision.get('deal')} of {sizes} cards, attempt {decision.get('attempt')}, seed {trial.plan.seed}"
    return at_table(table, [*lines, where])


def at_table(table: Table, lines: Iterable[str]) -> CounterExample:
    """Return the counter-example that the decision now due at a table is."""
    return CounterExample((*lines, legal_at(table), rules_in_words(table.rules)), so_far(table))


def after_moves(deal: Deal, rules: Rules, moves: Iterable[int]) -> Table:
    """Return the referee's table at which these bids and cards were made, in their order.

    Raises
    ------
    IllegalMove
        If one of them is not legal.
    """
    table = Table(deal, rules)
    for move in moves:
        table.bid(move) if len(table.bids) < 4 else table.play(move)
    return table


def so_far(table: Table) -> Record:
    """Return what has happened at a table, as the record of an unfinished deal."""
    north, east, south, west = Table(table.deal, table.rules).hands
    tricks = list(table.tricks)
    if table.trick:
        assert table.leader is not None
        one, two, three, four = (*table.trick, *[NOT_YET] * (4 - len(table.trick)))
        tricks.append(Trick(table.leader, (one, two, three, four), NOT_YET))
    bids, levels = table.bids, table.levels
    return Record(
        deal=table.deal,
        turned=table.turned,
        trump=table.trump,
        swap_seat=table.swap_seat,
        swap_card=table.swap_card,
        hands=(north, east, south, west),
        bids=(bids.get(0, NOT_YET), bids.get(1, NOT_YET), bids.get(2, NOT_YET), bids.get(3, NOT_YET)),
        board_levels=(levels[0], levels[1], levels[2], levels[3]),
        outcome=UNFINISHED,
        leader=tricks[0].leader if tricks else table.leader,
        tricks=tuple(tricks),
        tricks_won=(0, 0, 0, 0),
        contracts=(0, 0),
        boards=(0, 0),
        points=(0, 0),
    )


def legal_at(table: Table) -> str:
    """Return what the seat to act may do, in words."""
    if len(table.bids) < 4:
        return f"legal: {', '.join(answer_in_words(bid, bidding=True) for bid in table.legal_bids())}"
    return f"legal: {cards.names(table.legal_cards())}"


def rules_in_words(rules: Rules) -> str:
    """Return the house settings that are not the default; the sizes of hands are not among them."""
    changed = [f"{name} = {value}" for name, value in rules.unusual().items() if name != "hand_sizes"]
    return f"rules: {', '.join(changed) or 'all by default'}"


def seat_in_words(decision: Decision) -> str:
    """Return who decided, and when."""
    trick = decision.get("trick")
    return f"{SEATS[decision.get('seat')]}, {f'trick {trick}' if trick else 'bidding'}"


def answer_in_words(answer: int | None, bidding: bool) -> str:
    """Return an answer as people read it."""
    if answer is None:
        return "nothing"
    if answer in (RAISED, NOT_AN_INTEGER):
        return "an exception" if answer == RAISED else "no integer"
    if bidding:
        return {0: "pass (0)", BOARD: f"board ({BOARD})"}.get(answer, str(answer))
    return f"{cards.name(answer)} ({answer})" if 0 <= answer < cards.DECK_SIZE else str(answer)
