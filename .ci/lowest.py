"""Print the lower bounds in pyproject.toml as pins, for `make lowest`."""

import re
import sys
import tomllib
from pathlib import Path

BOUND = re.compile(r"([A-Za-z0-9_.-]+)(?:\[\w+\])?>=([0-9.]+)")
EXTRAS = ("test", "dask")


def main() -> None:
    """Print ``name==bound`` for each dependency, those of the extras that are tested too; fail where one has none."""
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    optional = [requirement for extra in EXTRAS for requirement in project["optional-dependencies"][extra]]
    for requirement in project["dependencies"] + optional:
        bound = BOUND.fullmatch(requirement)
        if bound is None:
            sys.exit(f"pyproject.toml: {requirement!r} must read name>=version, a bound that `make lowest` can test")
        print("{}=={}".format(*bound.groups()))


if __name__ == "__main__":
    main()
