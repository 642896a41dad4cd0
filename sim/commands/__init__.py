"""The verbs of `backalley` that need more than a few lines, a file each; `cli` puts them together."""

import os


def one_polars_thread() -> None:
    """Keep Polars to one thread a process. It asks when it is first imported, and workers inherit the answer."""
    os.environ.setdefault("POLARS_MAX_THREADS", "1")
