"""The house settings: which of the game's variants is played. What each one does is in `rules` and in RULES.md."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from difflib import get_close_matches
from typing import Any, NamedTuple

STANDARD_HAND_SIZES = (*range(13, 0, -1), *range(2, 14))

CHOICES = {
    "joker_turned": ("no-trump", "burn"),
    "all_pass": ("redeal", "score-zero"),
    "board_leads_trump": ("bidder", "bidder-after-first", "side", "nobody"),
    "blooper_partner": ("forced", "free", "lowest"),
    "board_multiplier": ("side", "table"),
}
RANGES = {
    "max_redeals": (1, 250),
    "points_per_bid_trick": (0, 100),
    "points_per_overtrick": (0, 100),
    "points_per_board_trick": (0, 100),
}


class House(NamedTuple):
    """The settings that compiled code asks for, as integers: a choice is its place in `CHOICES`, from 0."""

    joker_turned: int
    all_pass: int
    max_redeals: int
    board_leads_trump: int
    blooper_partner: int
    little_blooper_forces: int
    board_multiplier: int
    points_per_bid_trick: int
    points_per_overtrick: int
    points_per_board_trick: int


@dataclass(frozen=True)
class Rules:
    """The house settings of a match. Everything else about the game is fixed.

    Parameters
    ----------
    hand_sizes : sequence of int
        Cards a player in each deal, 1 to 255 sizes from 1 to 13 (RULES D1).
    joker_turned : {"no-trump", "burn"}
        What a joker turned up does (D4).
    all_pass : {"redeal", "score-zero"}
        What happens when all four pass (B5).
    max_redeals : int
        Hands in a row that may be thrown in before the deal stalls, 1 to 250 (B6).
    board_leads_trump : {"bidder", "bidder-after-first", "side", "nobody"}
        Who may lead trump early on account of a board (L2).
    blooper_partner : {"forced", "free", "lowest"}
        What the partner of a Big Blooper's leader must do (L4).
    little_blooper_forces : bool
        Whether the Little Blooper, led, draws the lowest trumps (L4).
    board_multiplier : {"side", "table"}
        Whether a board scores at its own level or at the table's highest (S2).
    points_per_bid_trick, points_per_overtrick, points_per_board_trick : int
        The scores, 0 to 100 (S3).

    Raises
    ------
    ValueError
        If a value is outside its range; the message names the field, the value and what is allowed.
    """

    hand_sizes: tuple[int, ...] = STANDARD_HAND_SIZES
    joker_turned: str = "no-trump"
    all_pass: str = "redeal"
    max_redeals: int = 20
    board_leads_trump: str = "bidder"
    blooper_partner: str = "forced"
    little_blooper_forces: bool = True
    board_multiplier: str = "side"
    points_per_bid_trick: int = 5
    points_per_overtrick: int = 1
    points_per_board_trick: int = 10

    def __post_init__(self) -> None:
        object.__setattr__(self, "hand_sizes", _hand_sizes(self.hand_sizes))
        for field, choices in CHOICES.items():
            if getattr(self, field) not in choices:
                raise _refusal(field, getattr(self, field), " or ".join(f'"{choice}"' for choice in choices))
        for field, (low, high) in RANGES.items():
            if not _is_int(getattr(self, field)) or not low <= getattr(self, field) <= high:
                raise _refusal(field, getattr(self, field), f"an integer from {low} to {high}")
        if not isinstance(self.little_blooper_forces, bool):
            raise _refusal("little_blooper_forces", self.little_blooper_forces, "true or false")

    @classmethod
    def from_dict(cls, settings: Mapping[str, Any]) -> "Rules":
        """Build rules from a mapping of settings, refusing names that are none.

        Raises
        ------
        ValueError
            If a name is unknown (near matches are listed) or a value is refused.
        """
        known = [field.name for field in fields(cls)]
        for key in settings:
            if key not in known:
                near = get_close_matches(key, known, n=1)
                hint = f"did you mean {near[0]!r}?" if near else f"the settings are {', '.join(known)}"
                raise ValueError(f"unknown rule {key!r}: {hint}")
        return cls(**settings)

    def to_dict(self) -> dict[str, Any]:
        """Return every setting by name, ready for JSON or TOML."""
        return asdict(self) | {"hand_sizes": list(self.hand_sizes)}

    def unusual(self) -> dict[str, Any]:
        """Return the settings that are not those of the standard game, by name, as in `to_dict`."""
        standard = Rules().to_dict()
        return {name: value for name, value in self.to_dict().items() if value != standard[name]}

    def house(self) -> House:
        """Return the settings as the integers that compiled code asks for."""
        values = {}
        for field in House._fields:
            value = getattr(self, field)
            values[field] = CHOICES[field].index(value) if field in CHOICES else int(value)
        return House(**values)


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _hand_sizes(value: Any) -> tuple[int, ...]:
    allowed = "a list of 1 to 255 integers from 1 to 13"
    if isinstance(value, str) or not hasattr(value, "__iter__"):
        raise _refusal("hand_sizes", value, allowed)
    sizes = tuple(value)
    if not 1 <= len(sizes) <= 255:
        raise _refusal("hand_sizes", f"{len(sizes)} sizes", allowed)
    for place, size in enumerate(sizes, start=1):
        if not _is_int(size) or not 1 <= size <= 13:
            raise ValueError(
                f"rule hand_sizes is refused: deal {place} has {size!r} cards a player, which must be an integer "
                "from 1 to 13: the 54 cards go to four players, and one is turned up"
            )
    return sizes


def _refusal(field: str, value: object, allowed: str) -> ValueError:
    return ValueError(f"rule {field} = {value!r} is refused: it must be {allowed}")
