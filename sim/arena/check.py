"""The conformance kit: whether a strategy plays by the contract, tried from all sides, with the first case where not.

For authors of strategies, before a tournament or in their own tests. The checks are in `checks`.
"""

from dataclasses import asdict, dataclass
from typing import Any

from ..players import registry
from ..players.strategy import Strategy
from .checks import CHECKS, Failed, Subject
from .counter_example import CounterExample


@dataclass(frozen=True)
class Verdict:
    """What one check found: its name, whether it passed, and a line on it."""

    check: str
    ok: bool
    said: str


@dataclass(frozen=True)
class Report:
    """What the checks of a strategy found, up to the first that failed.

    Attributes
    ----------
    label : str
    verdicts : tuple of Verdict
    counter_example : CounterExample or None
        Where the last one failed, if it did.
    """

    label: str
    verdicts: tuple[Verdict, ...]
    counter_example: CounterExample | None = None

    @property
    def ok(self) -> bool:
        """Whether every check passed."""
        return all(verdict.ok for verdict in self.verdicts)

    @property
    def failed(self) -> str | None:
        """The name of the check that failed, if one did."""
        return next((verdict.check for verdict in self.verdicts if not verdict.ok), None)

    def to_text(self) -> str:
        """Return a line a check, then the counter-example, a text record for `backalley show`."""
        lines = [f"{'ok' if v.ok else 'FAILED':<7} {v.check:<8} {v.said}" for v in self.verdicts]
        if self.counter_example:
            lines += ["", self.counter_example.to_text().rstrip()]
        return "\n".join([self.label, *lines])

    def to_dict(self) -> dict[str, Any]:
        """Return it ready for JSON, the counter-example as text."""
        text = self.counter_example.to_text() if self.counter_example else None
        return {
            "label": self.label,
            "ok": self.ok,
            "checks": [asdict(v) for v in self.verdicts],
            "counter_example": text,
        }


def check_strategy(spec: str | type[Strategy] | Strategy, deals: int = 1000, seed: int = 1) -> Report:
    """Try a strategy from all sides, up to the first check that fails.

    Parameters
    ----------
    spec : str, Strategy class or Strategy
    deals : int
        Deals to play, 1 or more; hands thrown in come on top.
    seed : int
        0 … 2**63 − 1. A seed makes the same deals each time.

    Returns
    -------
    Report
        ``report.ok`` says whether it passed.

    Raises
    ------
    SpecError
        If nothing answers to the spec.
    CompileError
        If one of its methods does not compile.

    Examples
    --------
    >>> report = check_strategy("random_legal", deals=100)
    >>> report.ok
    True
    """
    subject = Subject(registry.load(spec), deals, seed)
    verdicts: list[Verdict] = []
    for check in CHECKS:
        try:
            verdicts.append(Verdict(check.__name__, True, check(subject)))
        except Failed as failed:
            verdicts.append(Verdict(check.__name__, False, failed.said))
            return Report(subject.strategy.label, tuple(verdicts), failed.counter_example)
    return Report(subject.strategy.label, tuple(verdicts))


def assert_conforms(spec: str | type[Strategy] | Strategy, deals: int = 1000, seed: int = 1) -> None:
    """Raise an AssertionError that tells the first check a strategy fails. For tests; see `check_strategy`."""
    report = check_strategy(spec, deals, seed)
    assert report.ok, f"\n{report.to_text()}"
