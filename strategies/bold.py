"""Counter with a narrower margin."""

from .counter import Counter


class Bold(Counter):
    """Counter, but keeps half a trick less back: bids what a good day brings, and fails on the others."""

    margin: float = 0.5
