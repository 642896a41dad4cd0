"""Who may play into a folder: nobody where there is something foreign, another writer, or a run that is to be kept."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from shlex import quote

from ..errors import RunError
from .lock import writing
from .manifest import Manifest, read_manifest
from .run import Run
from .store import RunFolder, storing


@contextmanager
def claimed(folder: RunFolder) -> Iterator[None]:
    """Be the folder's one writer while the block runs. A folder left empty is removed.

    Raises
    ------
    RunError
        If it holds what no run of ours left there, or another process is its writer.
    """
    if folder.path.exists() and not folder.path.is_dir():
        raise RunError(f"{folder.path} is a file, not a folder", "name another with --out")
    if strange := folder.foreign():
        raise RunError(
            f"{folder.path} holds what no run of ours left there: {', '.join(strange[:3])}",
            "name another folder with --out",
        )
    with storing(folder.path):
        folder.path.mkdir(parents=True, exist_ok=True)
    try:
        with writing(folder.lock):
            yield
    finally:
        with suppress(OSError):
            folder.path.rmdir()


def make_room(folder: RunFolder, manifest: Manifest, overwrite: bool) -> None:
    """Refuse a folder that holds a run, or remove that run if told so, and make the folders of a new one.

    Raises
    ------
    RunError
        If it holds a run that is not to be overwritten (what to do is said), or a ``run.json`` of something else.
    """
    if folder.manifest.exists():
        there = Run(folder.path, read_manifest(folder))
        if not overwrite:
            raise _refusal(there, manifest["run_id"])
        folder.clear()
    folder.make()


def _refusal(there: Run, run_id: str) -> RunError:
    if there.manifest["run_id"] != run_id:
        holds, then = f"another run, {there.manifest['run_id']}", "name another folder with --out"
    elif there.complete:
        holds, then = "this run already, complete", f"see `backalley league {quote(str(there.path))}`"
    else:
        holds = f"this run, {len(there.shards_present)} of {there.shards} shards played"
        then = f"go on with `backalley resume {quote(str(there.path))}`"
    return RunError(f"{there.path} holds {holds}", f"{then}, or replace it with --overwrite")
