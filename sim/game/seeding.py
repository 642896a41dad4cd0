"""Where chance comes from: streams that depend on names alone, never on what was drawn before.

Two secrets are digested from the run's seed (BLAKE2b): one for shuffles, one a pairing for decisions. From a secret, a
chain of one-way mixing steps goes to the stream of one hand: (shuffle id, deal, attempt) for cards, those and the
table for decisions. So the cards never depend on a bid or a play, nobody's draws move anybody else's, and any hand can
be dealt again alone. A key is two 64-bit words (neighbouring seeds, ids and deals share nothing); in a draw the second
word whitens the middle of the first's finaliser (SplitMix64; Steele, Lea and Flood 2014), so a player who takes a
number apart finds neither word. Bounded numbers are unbiased (Lemire 2019, batched after Brackett-Rozinsky and Lemire
2024).
"""

from hashlib import blake2b
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.extending import intrinsic

from .bits import helper

MAX_SEED = 2**63 - 1

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MULTIPLIER_1 = np.uint64(0xBF58476D1CE4E5B9)
_MULTIPLIER_2 = np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S1 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(1)


def shuffle_key(seed: int) -> np.ndarray:
    """Return the secret of a run's shuffles, two UInt64 words."""
    return _digest(seed, b"shuffles", b"")


def decision_key(seed: int, first_side: str, second_side: str) -> np.ndarray:
    """Return the secret of a pairing's decisions, two UInt64 words: of the seed and the two sides' labels alone."""
    sides = b"".join(len(side.encode()).to_bytes(4, "little") + side.encode() for side in (first_side, second_side))
    return _digest(seed, b"decisions", sides)


def _digest(seed: int, purpose: bytes, of: bytes) -> np.ndarray:
    if not 0 <= seed <= MAX_SEED:
        raise ValueError(f"seed {seed} is refused: it must be an integer from 0 to 2**63 - 1")
    digest = blake2b(seed.to_bytes(8, "little") + of, digest_size=16, person=purpose).digest()
    return np.frombuffer(digest, dtype=np.uint64).copy()


@intrinsic
def _wide_product(typingctx: Any, a: Any, b: Any) -> Any:
    """Return the high and the low word of a 128-bit product of two UInt64."""
    wide = ir.IntType(128)
    pair = types.UniTuple(types.uint64, 2)

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        low = builder.trunc(product, ir.IntType(64))
        high = builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))
        return context.make_tuple(builder, pair, (high, low))

    return pair(types.uint64, types.uint64), emit


@helper
def _word(key_0: Any, key_1: Any, index: Any) -> Any:
    """Return word `index` of the stream of a key: 64 even bits."""
    z = key_0 + np.uint64(index) * _GOLDEN
    z = (z ^ (z >> _S30)) * _MULTIPLIER_1
    z ^= key_1
    z = (z ^ (z >> _S27)) * _MULTIPLIER_2
    return z ^ (z >> _S31)


@helper
def sub_key(key_0: Any, key_1: Any, name: Any) -> tuple[Any, Any]:
    """Return the two words of the key named `name` (an integer) under a key; the way back is closed."""
    name = np.uint64(2) * np.uint64(name)
    return key_0 ^ _word(key_0, key_1, name), key_1 ^ _word(key_0, key_1, name + _S1)


@helper
def hand_key(key_0: Any, key_1: Any, shuffle_id: int, deal: int, attempt: int) -> tuple[Any, Any]:
    """Return the key of one hand's stream under a run's or a pairing's."""
    key_0, key_1 = sub_key(key_0, key_1, shuffle_id)
    return sub_key(key_0, key_1, deal * 256 + attempt)


@helper
def decision_random(key_0: Any, key_1: Any, seat: int, decision: int) -> int:
    """Return the 63 random bits of a seat's decision in a hand: decision 0 is its bid, then its cards in order."""
    return int(np.int64(_word(key_0, key_1, seat * 16 + decision) >> _S1))


@helper
def first_dealer(key_0: Any, key_1: Any, shuffle_id: int) -> int:
    """Return the seat that deals first under a shuffle id, each as likely (D2)."""
    key_0, key_1 = sub_key(key_0, key_1, shuffle_id)
    return np.int64(_word(key_0, key_1, 0) >> np.uint64(62))  # type: ignore[return-value]


@helper
def shuffle(deck: np.ndarray, key_0: Any, key_1: Any, length: int) -> None:
    """Lay out the first `length` cards of a fresh shuffle of all 54 (D3).

    Parameters
    ----------
    deck : int64[54]
        Overwritten; a permutation of 0 … 53, the first `length` places drawn, each order as likely.
    key_0, key_1 : uint64
        The hand's key.
    length : int
        Places wanted, up to 54. A longer length begins with the same cards.
    """
    for card in range(54):
        deck[card] = card
    word_index = 0
    for start in range(0, length, 6):
        word_index = _draw_six(deck, key_0, key_1, start, word_index)


@helper
def _draw_six(deck: np.ndarray, key_0: Any, key_1: Any, start: int, word_index: int) -> int:
    """Draw the next six places of a Fisher-Yates shuffle from one word, or from the first that leaves no bias."""
    bound = np.uint64(1)
    for place in range(start, start + 6):
        bound *= np.uint64(54 - place)
    word = _word(key_0, key_1, word_index)
    word_index += 1
    if word * bound < bound:
        threshold = (np.uint64(0) - bound) % bound
        while word * bound < threshold:
            word = _word(key_0, key_1, word_index)
            word_index += 1
    for place in range(start, start + 6):
        step, word = _wide_product(word, np.uint64(54 - place))
        other = place + np.int64(step)
        deck[place], deck[other] = deck[other], deck[place]
    return word_index
