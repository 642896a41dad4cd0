"""Samples made up to be like those of tournaments, but with strengths that are known."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from sim.analysis.samples import Samples
from sim.game.house import Rules
from tests.arena.stored import manifest

CARDS, TASTE, PLAY = 200.0, 60.0, 150.0
"""Standard deviations, points a match: the cards' luck, how a shuffle suits a side, and all else at a table."""


def tournament(
    chance: np.random.Generator,
    strengths: Sequence[float],
    shuffles: int,
    pairings: Sequence[tuple[int, int]] | None = None,
    excess: np.ndarray | None = None,
) -> Samples:
    """Return samples of sides 0, 1, … of given strengths: round robin, duplicate, all pairings on the same shuffles.

    ``excess[a, b]`` is what a wins by against b beyond the difference of their strengths.
    """
    meetings = np.array(pairings or list(combinations(range(len(strengths)), 2)))
    first, second = meetings.T
    cards = chance.normal(0, CARDS, (shuffles, 1, 1)) * np.array([1, -1])
    taste = chance.normal(0, TASTE, (shuffles, len(strengths)))
    true = np.asarray(strengths, float)
    expected = true[first] - true[second] + (0 if excess is None else excess[first, second])
    margins = (expected + taste[:, first] - taste[:, second])[..., None] + cards
    margins = np.rint(margins + chance.normal(0, PLAY, (shuffles, len(meetings), 2))).astype(np.int64)
    own = np.rint(chance.normal(300, 100, margins.shape)).astype(np.int64)
    return Samples(
        run_id="0123456789abcdef",
        players=tuple(map(label, range(len(strengths)))),
        pairings=tuple((label(a), label(b)) for a, b in meetings.tolist()),
        shuffle_ids=np.arange(shuffles),
        scores=np.stack([own + margins, own], axis=-1),
        counted=np.ones((shuffles, len(meetings)), bool),
    )


def about(pairings: Sequence[tuple[str, str]], players: Sequence[str], shuffles: int, shard_shuffles: int = 1) -> dict:
    """Return the manifest of a run of players known by label alone."""
    content = {"strategies": [{"label": player} for player in players], "rules": Rules().to_dict()}
    return manifest(pairings, shuffles, shard_shuffles) | content


def label(side: int) -> str:
    return f"s{side:02}"
