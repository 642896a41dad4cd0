"""Why a strategy does not compile, in its author's words: class, line, reason, and the way out."""

import linecache
import re
from difflib import get_close_matches
from pathlib import Path
from types import FunctionType
from typing import Any

import numba
from numba import types
from numba.core import ir
from numba.core.errors import NumbaError

from ..errors import CompileError
from .strategy import Strategy, family, fields

_OPT_OUT = "To run the class as ordinary Python, a hundred times slower, write: compiled = False"
_INTEGER = "Every path must come to an end and return an integer: a bid (PASS, a number, BOARD) or a card's code."
_OURS = tuple(str(Path(module).parent) for module in (numba.__file__, Path(__file__).parent))
_NOISE = (
    "Failed in",
    "Internal error",
    "Unsupported use",
    "During",
    "Resolution failure",
    "Rejected as",
    "raised from",
)
_WORDS = (
    (r"Untyped global name '(\w+)': Cannot determine Numba type of <class 'function'>",
     r"\1 is not marked for compiled code: put @sim.helper above it"),
    (r"Untyped global name '(\w+)': Cannot determine Numba type of <class '([\w.]+)'>",
     r"\1 is a \2, which compiled code cannot use"),
    (r"Use of unsupported opcode \(IMPORT_\w+\) found.*", "it imports inside the method: import at the file's top"),
    (r"Use of unsupported opcode \((\w+)\) found.*", r"it uses what compiled code lacks (\1)"),
    (r"The '(with|try|yield|async)\b.*?' construct.*", r"it uses \1, which compiled code lacks here"),
    (r"Unknown attribute '(\w+)' of type Module\(<module '([\w.]+)'.*", r"\2.\1 does not exist in compiled code"),
    (r"Unknown attribute '(\w+)' of type (.*)", r"there is no attribute \1 on \2"),
    (r"Cannot bind 'args=.*' to signature '(.*\*, .*)' due to.*", r"compiled code has no keyword-only arguments: \1"),
    (r"Cannot bind 'args=\((.*?),?\) kws={}' to signature '(.*)' due to.*", r"called with (\1), but it takes \2"),
    (r"Cannot bind 'args=\((.*?),?\) kws=({.*})' to signature '(.*)' due.*", r"called with (\1) \2, but it takes \3"),
    (r"Cannot unify (.*) and (.*) for '(\w+?)(?:\.\d+)?', defined at.*", r"\3 is \1 in one place and \2 in another"),
    (r"no such operation: exception_match.*", "it catches one kind of exception: write except Exception"),
    (r"compiler re-entrant to the same function signature", "it calls itself, by way of self"),
    (r"The use of a (?:reflected )?(\w+).* assigned to variable '(\w+)' in globals.*",
     r"\2 is a \1, which cannot be a constant here: make it a tuple or an array"),
    (r"<?NameError: name '(\w+)' is not defined", r"the name \1 is not defined"),
)  # fmt: skip
_TYPES = (
    (r"Strategy\([\w ]+\)", "self"),
    (r"Literal\[str\]\((.*?)\)", r"'\1'"),
    (r"Literal\[\w+\]\((.*?)\)", r"\1"),
    (r"\bu?int\d+\b", "int"),
    (r"\bfloat\d+\b", "float"),
    (r"\bunicode_type\b", "str"),
    (r"\bUniTuple\((\w+) x (\d+)\)", r"tuple of \2 \1"),
    (r"\bnone\b", "None"),
)


def complaint(strategy: type[Strategy], function: Any, line: int | None, what: str, way: str) -> CompileError:
    """Return the error that says what is wrong with a method, on which line, and what to do.

    Without a line it is the method's first.
    """
    line = line or function.__code__.co_firstlineno
    lines = (f"{strategy.__name__}.{function.__name__} {what}", _place(function.__code__.co_filename, line), way)
    return CompileError(*lines)


def explained(strategy: type[Strategy], function: FunctionType, error: Exception) -> CompileError:
    """Return Numba's report on a method that does not compile as class, reason, line and the way out."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    places = _places(text, function, error)
    lines = [f"{strategy.__name__}.{function.__name__} does not compile: {_reason(strategy, text)}"]
    lines.append(_place(*places[0]))
    if places[-1] != places[0] and places[-1][0] == function.__code__.co_filename:
        lines.append(_place(*places[-1]).replace("  ", "  called from ", 1))
    return CompileError(*lines, _OPT_OUT)


def not_an_integer(strategy: type[Strategy], function: FunctionType, overload: Any) -> CompileError | None:
    """Return the error of a compiled method that may return something else than an integer; None if it cannot."""
    whole = overload.signature.return_type
    each = [] if isinstance(whole, types.Generator) else _returns(overload.type_annotation)
    for returned, line in [*each, (whole, None)]:
        if not isinstance(returned, types.Integer):
            return complaint(strategy, function, line, f"returns {_plain(returned)} where an integer is due", _INTEGER)
    return None


def _returns(typed: Any) -> list[tuple[types.Type, int]]:
    """Return the type and the line of what each return statement returns by itself."""
    returned = {each.value.name for block in typed.blocks.values() for each in block.find_insts(ir.Return)}
    found = []
    for block in typed.blocks.values():
        for statement in block.find_insts(ir.Assign):
            value = statement.value
            if statement.target.name in returned and isinstance(value, ir.Expr) and value.op == "cast":
                found.append((typed.typemap[value.value.name], statement.loc.line))
    return found


def _plain(returned: types.Type) -> str:
    if isinstance(returned, types.Optional):
        return f"{_plain(returned.type)} on one path and None on another"
    if isinstance(returned, types.Generator):
        return "a generator"
    names = {
        types.boolean: "True or False",
        types.float64: "a float",
        types.none: "None (or nothing)",
        types.int64: "an integer",
    }
    return names.get(types.unliteral(returned), _author_types(str(returned)))


def _reason(strategy: type[Strategy], text: str) -> str:
    """Return the first telling line of Numba's report, in plain words."""
    lines = [line.strip(" -<") for line in text.splitlines()]
    telling = [line for line in lines if line and not line.startswith(_NOISE)] or ["no reason is given"]
    reason = telling[0].rstrip(".:")
    if reason.endswith("found for signature"):
        call = next((line for line in telling if line.startswith(">>>")), "")
        reason = f"no such operation: {call.removeprefix('>>>').strip()}"
    written = re.search(r"typing of set attribute '(\w+)'", text)
    if written:
        owner = "the view" if reason.startswith("the view") else "self"
        reason = f"{owner} cannot be written to: nothing is kept in .{written[1]}"
    for pattern, words in _WORDS:
        if re.fullmatch(pattern, reason):
            reason = re.sub(pattern, words, reason)
            break
    return _author_types(reason)[:300] + _near(strategy, reason)


def _author_types(text: str) -> str:
    for pattern, words in _TYPES:
        text = re.sub(pattern, words, text)
    return text


def _near(strategy: type[Strategy], reason: str) -> str:
    """Return a guess at what a misspelt attribute of ``self`` should have been."""
    asked = re.fullmatch(r"self has no attribute '(\w+)'", reason)
    if asked is None:
        return ""
    names = [*fields(strategy), *(name for base in family(strategy) for name in vars(base))]
    near = get_close_matches(asked[1], names, n=1)
    return f": did you mean {near[0]!r}?" if near else ""


def _places(text: str, function: FunctionType, error: Exception) -> list[tuple[str, int]]:
    """Return the author's lines that Numba's report goes through, the innermost first, the method's own last."""
    found = [(path, int(line)) for path, line in re.findall(r"(?<!\w)(?:at|from) (\S[^\n\"]*?) \((\d+)\)", text)]
    places = [place for place in found if not place[0].startswith(_OURS)]
    location = getattr(error, "loc", None) if isinstance(error, NumbaError) else None
    if not places and location is not None and location.filename == function.__code__.co_filename:
        places.append((location.filename, location.line))
    return places or [(function.__code__.co_filename, function.__code__.co_firstlineno)]


def _place(path: str, line: int) -> str:
    source = linecache.getline(path, line).strip()
    return f"  {path}, line {line}" + (f":  {source}" if source else "")
