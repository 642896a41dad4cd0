"""The shuffles of a run dealt again, compiled: what `verify`, `show` and ``Run.deal`` start from."""

import numba
import numpy as np

from ..game.record import Deal
from ..game.seeding import first_dealer, hand_key, shuffle, shuffle_key
from ..players.code_cache import CodeCache, cache_key


def _lay_out(key, shuffle_ids, deals, attempts, decks, dealers):
    for row in range(shuffle_ids.size):
        key_0, key_1 = hand_key(key[0], key[1], shuffle_ids[row], deals[row], attempts[row])
        shuffle(decks[row], key_0, key_1, 54)
        dealers[row] = first_dealer(key[0], key[1], shuffle_ids[row])


_compiled_lay_out = numba.njit(nogil=True)(_lay_out)
_compiled_lay_out._cache = CodeCache(cache_key("decks", _lay_out))


def decks_of(
    seed: int, shuffle_ids: np.ndarray, deals: np.ndarray, attempts: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the shuffled decks of hands and the first dealers of their matches.

    Parameters
    ----------
    seed : int
        The run's.
    shuffle_ids, deals, attempts : int arrays[rows]

    Returns
    -------
    decks : int64[rows, 54]
        Card codes: hand by hand from North, the turned card, the stock (RULES D3).
    dealers : int64[rows]
        Seat of each match's first dealer (D2).
    """
    rows = len(shuffle_ids)
    decks, dealers = np.empty((rows, 54), np.int64), np.empty(rows, np.int64)
    columns = (np.ascontiguousarray(column, np.int64) for column in (shuffle_ids, deals, attempts))
    _compiled_lay_out(shuffle_key(seed), *columns, decks, dealers)
    return decks, dealers


def deal_from(deck: np.ndarray, hand_size: int, dealer: int) -> Deal:
    """Return the deal that a deck makes at a hand size."""
    codes = deck.tolist()
    north, east, south, west = (_set_of(codes[seat * hand_size : (seat + 1) * hand_size]) for seat in range(4))
    turned, *stock = codes[4 * hand_size :]
    return Deal((north, east, south, west), turned, dealer, tuple(stock))


def _set_of(codes: list[int]) -> int:
    return sum([1 << code for code in codes])
