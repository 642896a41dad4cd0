"""Check that the wheel in a folder carries all that an installed Back Alley needs, for `make wheel`."""

import sys
import zipfile
from pathlib import Path

NEEDED = (
    "sim/__init__.py",
    "sim/RULES.md",
    "sim/CLUSTERS.md",
    "sim/analysis/report_page.html",
    "sim/py.typed",
    "strategies/__init__.py",
    "strategies/py.typed",
)
UNWANTED = ("tests/", "data/", "notebooks/", ".ci/")


def main(folder: str) -> None:
    """Name what the newest wheel lacks or should not hold; fail if there is any."""
    wheel = max(Path(folder).glob("backalley-*.whl"), key=lambda path: path.stat().st_mtime)
    names = zipfile.ZipFile(wheel).namelist()
    faults = [f"lacks {name}" for name in NEEDED if name not in names]
    faults += [f"lacks {path}" for path in map(Path.as_posix, Path("strategies").glob("*.py")) if path not in names]
    shipped = {f"sim/_notebooks/{path.name}" for path in Path("notebooks").glob("*.ipynb")}
    faults += [f"lacks {name}" for name in sorted(shipped.difference(names))]
    faults += [f"holds {name}" for name in names if name.startswith("sim/_notebooks/") and name not in shipped]
    faults += [f"holds {name}" for name in names if name.startswith(UNWANTED)]
    if faults:
        sys.exit(f"{wheel.name} " + ", ".join(faults))
    print(f"{wheel.name}: {len(names)} files, all that is needed")


if __name__ == "__main__":
    main(sys.argv[1])
