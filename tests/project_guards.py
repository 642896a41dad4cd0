"""Guards of the house: where code may import from, what each file must say, and what no file may say.

Each guard goes through a source tree and yields the faults it finds, one line each. `test_project` tries them.
"""

import ast
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

FOLDERS = ("sim", "strategies", "notebooks", "tests", "data", ".ci")
ROOMS = ("errors", "game", "players", "arena", "analysis")  # from the lowest up; the first is one file
DOORS = ("cli", "bench", "commands")
REFEREE_MAY_USE = ("house", "cards", "record")
RULES = [f"{part}{n}" for part, last in zip("TDBLS", (3, 4, 6, 5, 4), strict=True) for n in range(1, last + 1)]
CASES = [str(n) for n in range(1, 13)]
CHANGELOG_HEADINGS = ["Added", "Changed", "Fixed", "Results changed"]
LONGEST_FILE = 400
UNWANTED = {
    "a path of one machine": r"(?<![\w.)}])(?:/(?:home|root|Users|work|opt|mnt|tmp)/|[A-Z]:\\+Users\b)",
    "a package registry's address": r"pypi\.org|python[h]osted|\bconda\.anaconda|npmjs\.|--(?:extra-)?index-url",
    "a word that no player of this game uses": r"(?i)\bdum[m]y",
}

Faults = Iterator[str]


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def every(pattern: str, text: str) -> list:
    return re.findall(pattern, text, flags=re.MULTILINE)


def files(root: Path, *folders: str, ending: str = ".py") -> list[Path]:
    found = [path for folder in folders for path in sorted((root / folder).rglob(f"*{ending}")) if path.is_file()]
    return [path for path in found if not {"__pycache__", "runs"} & set(path.relative_to(root).parts)]


def syntax_trees(root: Path, *folders: str) -> Iterator[tuple[Path, ast.Module]]:
    for path in files(root, *folders):
        yield path.relative_to(root), ast.parse(read(path))


def imports(tree: ast.AST, path: Path) -> Iterator[list[str]]:
    """Yield the parts of each import's full name: in `sim/x.py`, ``from .a import b`` is sim, a, b."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = path.parts[: len(path.parts) - node.level] if node.level else ()
            origin = [*package, *(node.module.split(".") if node.module else [])]
            yield from ([*origin, alias.name] for alias in node.names)


def imports_run_one_way(root: Path) -> Faults:
    for path, tree in syntax_trees(root, "sim"):
        room = path.parts[1].removesuffix(".py")
        if room not in ROOMS:
            continue
        allowed = ROOMS[: ROOMS.index(room) + 1]
        for package, *inside in imports(tree, path):
            if package == "sim" and (not inside or inside[0] not in allowed):
                yield f"{path} imports {'.'.join([package, *inside])}: it may use {', '.join(allowed)}"


def referee_shares_no_rule_code(root: Path) -> Faults:
    for path, tree in syntax_trees(root, "sim/game"):
        if path.name != "referee.py":
            continue
        for name in imports(tree, path):
            if name[0] == "sim" and (name[1] != "game" or name[2] not in REFEREE_MAY_USE):
                yield f"{path} imports {'.'.join(name)}: of ours it may use {', '.join(REFEREE_MAY_USE)}"


def notebook_code(path: Path) -> ast.Module:
    cells = (cell for cell in json.loads(read(path))["cells"] if cell["cell_type"] == "code")
    lines = [line for cell in cells for line in "".join(cell["source"]).split("\n")]
    return ast.parse("\n".join(line for line in lines if not line.startswith(("%", "!"))))


def outsiders_use_the_public_face(root: Path) -> Faults:
    trees = [*syntax_trees(root, "strategies", "notebooks")]
    trees += [(path.relative_to(root), notebook_code(path)) for path in files(root, "notebooks", ending=".ipynb")]
    for path, tree in trees:
        for package, *inside in imports(tree, path):
            if package == "sim" and (len(inside) > 1 or {*ROOMS, *DOORS} & set(inside)):
                yield f"{path} imports {'.'.join([package, *inside])}: take what you need from `sim` itself"


def files_stay_short(root: Path) -> Faults:
    for path in files(root, *FOLDERS):
        length = len(read(path).splitlines())
        if length > LONGEST_FILE:
            yield f"{path.relative_to(root)} has {length} lines, more than {LONGEST_FILE}"


def files_say_what_they_are(root: Path) -> Faults:
    for path, tree in syntax_trees(root, "sim", "strategies"):
        if not ast.get_docstring(tree):
            yield f"{path} does not say in a docstring what lives there"
        for node in tree.body if path.parts[0] == "strategies" else []:
            if isinstance(node, ast.ClassDef) and not ast.get_docstring(node):
                yield f"{path}: {node.name} does not explain its idea"


def public_functions_are_typed(root: Path) -> Faults:
    for path, tree in syntax_trees(root, "sim"):
        scopes = [tree, *(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name[0] != "_")]
        for function in (node for scope in scopes for node in scope.body if isinstance(node, ast.FunctionDef)):
            arguments = function.args.posonlyargs + function.args.args + function.args.kwonlyargs
            bare = [a.arg for a in arguments if a.annotation is None and a.arg not in ("self", "cls")]
            if function.name[0] != "_" and (bare or function.returns is None):
                yield f"{path}: {function.name} has no types for {', '.join(bare) or 'what it returns'}"


def no_file_says_what_it_should_not(root: Path) -> Faults:
    text = {".py", ".md", ".toml", ".txt", ".ipynb", ".json", ".c", ""}
    top = [path for path in sorted(root.iterdir()) if path.is_file() and path.name != ".git"]
    for path in [*top, *files(root, *FOLDERS, ending="")]:
        for number, line in enumerate(read(path).splitlines() if path.suffix in text else [], 1):
            for what, pattern in UNWANTED.items():
                if re.search(pattern, line):
                    yield f"{path.relative_to(root)}:{number} has {what}"


def rules_page_is_complete(root: Path) -> Faults:
    page = read(root / "sim/RULES.md")
    if (found := every(r"^\*\*([A-Z]\d+) — ", page)) != RULES:
        yield f"the rules page numbers its rules {found}"
    if (found := every(r"^(\d+)\. ", page.partition("## Worked cases")[2])) != CASES:
        yield f"the rules page numbers its cases {found}"


def make_targets_agree(root: Path) -> Faults:
    targets = dict(every(r"^([a-z-]+):(.*)$", read(root / "Makefile")))
    yield from (f"Makefile: {t} says nothing for `make help`" for t, rest in targets.items() if "## " not in rest)
    for name in ("README.md", "CONTRIBUTING.md"):
        shown = every(r"(?:^|`)make ([a-z-]+)", read(root / name))
        yield from (f"{name} shows `make {t}`, which is no target" for t in shown if t not in targets)
        if name == "README.md" and shown[:2] != ["tournament", "test"]:
            yield f"README.md opens with `make` {shown[:2]}"


def changelog_opens_with_the_version(root: Path) -> Faults:
    version = tomllib.loads(read(root / "pyproject.toml"))["project"]["version"]
    page = read(root / "CHANGELOG.md")
    if every(r"^## (\d\S*)", page)[:1] != [version]:
        yield f"CHANGELOG.md does not open with {version}"
    if every(r"^### (.+)$", page)[:4] != CHANGELOG_HEADINGS:
        yield f"CHANGELOG.md: a version's headings are {', '.join(CHANGELOG_HEADINGS)}"


def release(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", version)]


def constraints_keep_the_bounds(root: Path) -> Faults:
    project = tomllib.loads(read(root / "pyproject.toml"))["project"]
    pins = {}
    for line in read(root / "constraints.txt").splitlines():
        name, pinned, version = line.partition("==")
        if pinned:
            pins[name] = version
        elif not line.startswith("#"):
            yield f"constraints.txt: {line!r} is no pin"
    extras = project["optional-dependencies"]
    for wanted in [*project["dependencies"], *extras["test"], *extras["dev"]]:
        name, _, bound = wanted.partition(">=")
        if not name.startswith("backalley[") and release(pins.get(name, "")) < release(bound):
            yield f"constraints.txt pins no version for {wanted!r}"
