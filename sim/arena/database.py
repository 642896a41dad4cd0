"""DuckDB as it is opened for a run: in memory, with nothing of it left behind and nothing fetched.

What is on the connection then is in `run` and `views`.
"""

import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from ..errors import StoreError
from .machine import memory_bytes

MEMORY = 3 << 30
"""Bytes that DuckDB takes at most; the process around it, with pictures and notebooks, then stays below 4 GiB."""

SHARE_OF_MACHINE = 0.8


def open_database() -> duckdb.DuckDBPyConnection:
    """Return a new DuckDB in memory.

    It takes three gigabytes at most, or four fifths of a smaller machine. What does not fit in is put down in a folder
    of its own among the system's temporary files, which goes when the connection is closed, and never where the user
    happens to be. Extensions are not fetched or loaded unasked, so no query reaches the network. All cores are
    used.
    """
    memory = min(MEMORY, int(SHARE_OF_MACHINE * memory_bytes()))
    settings: dict[str, str | bool | int | float | list[str]] = {
        "memory_limit": f"{memory >> 20}MiB",
        "temp_directory": str(Path(tempfile.gettempdir()) / f"backalley-{secrets.token_hex(8)}"),
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
    }
    return duckdb.connect(config=settings)


@contextmanager
def damage_named(run: Path) -> Iterator[None]:
    """Turn what DuckDB says of a run's files that it cannot read into an error that says what to do.

    Raises
    ------
    StoreError
    """
    try:
        yield
    except (duckdb.OutOfMemoryException, duckdb.InterruptException):
        raise
    except duckdb.Error as error:
        raise StoreError(
            f"a file of {run} cannot be read: {str(error).splitlines()[0]}",
            f"backalley verify {run} names each that is damaged or missing;",
            "once such a shard's part is removed from matches/, backalley resume plays the shard again",
        ) from error
