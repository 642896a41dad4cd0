"""How sure the ranking of a run is: how often each side would come first, second, … if other shuffles were drawn."""

from dataclasses import dataclass
from hashlib import blake2b

import numpy as np

from .linear import fit
from .samples import Samples
from .strength import side_design

DRAWS = 2000
_MOST_BLOCKS = 2000


@dataclass(frozen=True)
class Ranks:
    """The ranks that the sides take in bootstrap draws.

    Attributes
    ----------
    run_id : str
        Its digest is the seed.
    shuffles, draws : int
    sides : tuple of str
    shares : float64[sides, sides]
        Share of the draws, 0 to 1, in which the row's side takes rank 1, 2, … by strength; ties share their ranks.
        All NaN where the pairings do not tell the sides apart.
    """

    run_id: str
    shuffles: int
    draws: int
    sides: tuple[str, ...]
    shares: np.ndarray


def rank_shares(samples: Samples, draws: int = DRAWS) -> Ranks:
    """Draw a run's shuffles again and again with replacement, and rank the sides each time (Efron 1979).

    Parameters
    ----------
    samples : Samples
    draws : int
        At least 1. A share is known to about ± 1 / sqrt(`draws`).
    """
    fitted = fit(samples, side_design(samples))
    shares = np.full((len(samples.sides), len(samples.sides)), np.nan)
    if not fitted.unknown.size and len(samples.shuffle_ids):
        chance = np.random.default_rng(_seed(samples.run_id))
        shares = _shares(fitted.strengths + _moves(fitted.influence, draws, chance))
    return Ranks(samples.run_id, len(samples.shuffle_ids), draws, samples.sides, shares)


def _moves(influence: np.ndarray, draws: int, chance: np.random.Generator) -> np.ndarray:
    """Return how far each draw moves the strengths. Many shuffles are drawn in blocks of neighbours, to save time."""
    shuffles = len(influence)
    blocks = min(shuffles, _MOST_BLOCKS)
    starts = np.arange(blocks) * shuffles // blocks
    times = chance.multinomial(blocks, np.full(blocks, 1 / blocks), size=draws)
    moves: np.ndarray = times @ np.add.reduceat(influence, starts) / shuffles
    return moves


def _shares(strengths: np.ndarray) -> np.ndarray:
    """Return the share of draws in which each side takes each rank. `strengths` are float64[draws, sides]."""
    strengths = np.round(strengths, 9)
    sides = strengths.shape[1]
    shares = np.zeros((sides, sides))
    for side in range(sides):
        above = (strengths > strengths[:, [side]]).sum(axis=1)
        level = (strengths == strengths[:, [side]]).sum(axis=1)
        for rank in range(sides):
            shares[side, rank] = np.where((above <= rank) & (rank < above + level), 1 / level, 0.0).mean()
    return shares


def _seed(run_id: str) -> int:
    return int.from_bytes(blake2b(run_id.encode(), digest_size=8).digest(), "little")
