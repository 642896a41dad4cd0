"""The digests of a run's files, kept in its manifest so that readers can tell that they are those that were written."""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from hashlib import blake2b, file_digest
from pathlib import Path

from ..errors import StoreError
from .schema import TABLES
from .store import RunFolder

THREADS = 4
_SIZE = 32


def file_digests(folder: RunFolder, shards: Iterable[int]) -> dict[str, str]:
    """Return for each table a digest of its part files: equal versions give equal runs equal ones.

    It is the BLAKE2b (64 hex digits) of the parts' own, 32 bytes each, in order of name. A gigabyte takes some two
    seconds: hashing lets go of the interpreter, so a few threads read at a time.

    Raises
    ------
    StoreError
        If a part cannot be read.
    """
    shards = sorted(shards)
    with ThreadPoolExecutor(THREADS) as threads:
        parts = {table: threads.map(_digest, [folder.part(table, shard) for shard in shards]) for table in TABLES}
        return {table: blake2b(b"".join(of_parts), digest_size=_SIZE).hexdigest() for table, of_parts in parts.items()}


def _digest(part: Path) -> bytes:
    try:
        with part.open("rb") as file:
            return file_digest(file, lambda: blake2b(digest_size=_SIZE)).digest()
    except OSError as error:
        raise StoreError(f"cannot read {part}: {error.strerror}") from error
