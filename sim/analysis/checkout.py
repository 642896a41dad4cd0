"""What comes with Back Alley beside its code: the notebooks, and in a checkout the sample run."""

from difflib import get_close_matches
from pathlib import Path

from ..errors import ConfigError, RunError
from ..players.code_digest import PACKAGE

CHECKOUT = PACKAGE.parent


def sample_run() -> Path:
    """Return the folder of the sample run that comes with a checkout of Back Alley.

    Raises
    ------
    RunError
        If this is no checkout, as where Back Alley is installed from a wheel.
    """
    folder = CHECKOUT / "data" / "sample"
    if not _is_checkout() or not (folder / "run.json").is_file():
        raise RunError(
            "the sample run is not here: it comes with Back Alley's source tree, not with the installed package",
            "name a run of your own, or play one: backalley run --strategies counter,cautious,bold --matches 600",
        )
    return folder


def find_notebook(name: str) -> Path:
    """Return the file of a notebook: a path that ends in ``.ipynb``, or the name of one that comes with Back Alley.

    Raises
    ------
    ConfigError
        If there is none.
    """
    if name.endswith(".ipynb"):
        if not Path(name).is_file():
            raise ConfigError(f"there is no notebook {name}")
        return Path(name)
    there = notebooks()
    if name not in there:
        near = get_close_matches(name, there, n=1)
        hint = (
            f"did you mean {near[0]}?"
            if near
            else f"there are {', '.join(there) or 'none here'}; or give a .ipynb file"
        )
        raise ConfigError(f"no notebook is called {name!r}: {hint}")
    return there[name]


def notebooks() -> dict[str, Path]:
    """Return the notebooks that come with Back Alley by name: a checkout's own, else those of the package."""
    folder = CHECKOUT / "notebooks" if _is_checkout() else PACKAGE / "_notebooks"
    return {path.stem: path for path in sorted(folder.glob("*.ipynb"))}


def _is_checkout() -> bool:
    """Return whether the package stands in its source tree; beside an installed one there may be others' folders."""
    return (CHECKOUT / "pyproject.toml").is_file() and (CHECKOUT / "notebooks").is_dir()
