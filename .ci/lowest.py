"""Print the lower bounds in pyproject.toml as pins, for `make lowest`."""

import re
import sys
import tomllib
from pathlib import Path

BOUND = re.compile(r"([A-Za-z0-9_.-]+)>=([0-9.]+)")


def main() -> None:
    """Print ``name==bound`` for each runtime and test dependency; fail where one has no plain lower bound."""
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    for requirement in project["dependencies"] + project["optional-dependencies"]["test"]:
        bound = BOUND.fullmatch(requirement)
        if bound is None:
            sys.exit(f"pyproject.toml: {requirement!r} must read name>=version, a bound that `make lowest` can test")
        print("{}=={}".format(*bound.groups()))


if __name__ == "__main__":
    main()
