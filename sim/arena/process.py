"""What a worker process does first of all. It imports nothing, so that it comes before what must be told in time."""

import os
import signal
import threading
import time

SECONDS_BETWEEN_LOOKS = 1.0


def begin(parent: int) -> None:
    """Keep Polars to one thread (it asks when it is first imported), and end when the parent process does.

    A Ctrl-C, which every process of a terminal gets, is the parent's to act on.

    Parameters
    ----------
    parent : int
        The number of the process that started this one.
    """
    os.environ["POLARS_MAX_THREADS"] = "1"
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(SECONDS_BETWEEN_LOOKS)
    os._exit(1)
