"""The digest by which compiled code is kept: every edit that changes what a function does changes it."""

import enum
import os
import subprocess
import sys
import textwrap
from pathlib import Path
from types import ModuleType

import numba
import numpy as np
import pytest

from sim.arena import engine
from sim.players import code_digest
from sim.players.code_digest import Unfollowable, digest_of, source_digest

COUNTER = iter(range(10**6))
BEFORE_AND_AFTER = {
    "constant in the code": ("def f(x): return x + 1", "def f(x): return x + 2"),
    "one for true": ("def f(x): return 1", "def f(x): return True"),
    "one for 1.0": ("def f(x): return 1", "def f(x): return 1.0"),
    "sign of zero": ("def f(x): return 0.0", "def f(x): return -0.0"),
    "operator": ("def f(x): return x + 1", "def f(x): return x - 1"),
    "place of arguments": ("def f(x, y): return x - y", "def f(y, x): return x - y"),
    "default": ("def f(x, y=1): return x + y", "def f(x, y=2): return x + y"),
    "keyword default": ("def f(x, *, y=1): return x + y", "def f(x, *, y=2): return x + y"),
    "what is tried": (
        "def f(x):\n    try:\n        y = 1 // x\n        y = 2\n    except Exception:\n        return 3\n    return y",
        "def f(x):\n    y = 1 // x\n    try:\n        y = 2\n    except Exception:\n        return 3\n    return y",
    ),
    "global": ("A = 1\ndef f(x): return x + A", "A = 2\ndef f(x): return x + A"),
    "global's kind": ("A = 1\ndef f(x): return x + A", "A = True\ndef f(x): return x + A"),
    "global that was built in": ("def f(x): return abs(x)", "def abs(x): return x\ndef f(x): return abs(x)"),
    "which of two globals": ("A = 1; B = 2\ndef f(x): return x + A", "A = 1; B = 2\ndef f(x): return x + B"),
    "array": ("A = np.array([1, 2])\ndef f(x): return A[x]", "A = np.array([1, 3])\ndef f(x): return A[x]"),
    "array's type": (
        "A = np.array([1, 2])\ndef f(x): return A[x]",
        "A = np.array([1, 2], np.int8)\ndef f(x): return A[x]",
    ),
    "array's shape": ("A = np.zeros((2, 3))\ndef f(x): return A[x]", "A = np.zeros((3, 2))\ndef f(x): return A[x]"),
    "record": (
        "A = np.zeros(1, [('a', 'i8')])\ndef f(x): return A[x].a",
        "A = np.zeros(1, [('a', 'i4'), ('b', 'i4')])\ndef f(x): return A[x].a",
    ),
    "NumPy's number": ("A = np.int64(3)\ndef f(x): return x + A", "A = np.int8(3)\ndef f(x): return x + A"),
    "tuple": ("A = (1, (2, 3))\ndef f(x): return A[1][x]", "A = (1, (2, 4))\ndef f(x): return A[1][x]"),
    "named tuple's fields": (
        "P = collections.namedtuple('P', 'a b')\nA = P(1, 2)\ndef f(x): return A.a",
        "P = collections.namedtuple('P', 'b a')\nA = P(1, 2)\ndef f(x): return A.a",
    ),
    "named tuple made in the code": (
        "P = collections.namedtuple('P', 'a b')\ndef f(x): return P(x, 2).a",
        "P = collections.namedtuple('P', 'b a')\ndef f(x): return P(x, 2).a",
    ),
    "enum": (
        "class E(enum.IntEnum):\n    A = 1\ndef f(x): return x + E.A",
        "class E(enum.IntEnum):\n    A = 2\ndef f(x): return x + E.A",
    ),
    "called function": ("def g(x): return x\ndef f(x): return g(x)", "def g(x): return x + 1\ndef f(x): return g(x)"),
    "called function's global": (
        "A = 1\ndef g(x): return A\ndef f(x): return g(x)",
        "A = 2\ndef g(x): return A\ndef f(x): return g(x)",
    ),
    "recursion": ("def f(x): return x and f(x - 1)", "def f(x): return x and f(x - 2)"),
    "which of two functions": (
        "def a(x): return 1\ndef b(x): return 2\ng = a\ndef f(x): return a(x) + b(x) + g(x)",
        "def a(x): return 1\ndef b(x): return 2\ng = b\ndef f(x): return a(x) + b(x) + g(x)",
    ),
    "functions in a tuple": (
        "def a(x): return 1\ndef b(x): return 2\nG = (a, b)\ndef f(x): return G[0](x)",
        "def a(x): return 1\ndef b(x): return 2\nG = (b, a)\ndef f(x): return G[0](x)",
    ),
    "nested function": (
        "def f(x):\n    def g(y): return y + 1\n    return g(x)",
        "def f(x):\n    def g(y): return y + 2\n    return g(x)",
    ),
    "global of a nested function": (
        "A = 1\ndef f(x):\n    def g(y): return y + A\n    return g(x)",
        "A = 2\ndef f(x):\n    def g(y): return y + A\n    return g(x)",
    ),
    "lambda": ("def f(x): return (lambda y: y + 1)(x)", "def f(x): return (lambda y: y + 2)(x)"),
    "closure": (
        "def make(a):\n    def f(x): return x + a\n    return f\nf = make(1)",
        "def make(a):\n    def f(x): return x + a\n    return f\nf = make(2)",
    ),
    "closure's array": (
        "def make(a):\n    def f(x): return x + a[0]\n    return f\nf = make(np.array([1]))",
        "def make(a):\n    def f(x): return x + a[0]\n    return f\nf = make(np.array([2]))",
    ),
    "decorator's inside": (
        "def d(g):\n    def f(x): return g(x)\n    return f\n@d\ndef f(x): return 1",
        "def d(g):\n    def f(x): return g(x)\n    return f\n@d\ndef f(x): return 2",
    ),
    "class attribute": ("class C:\n    A = 1\ndef f(x): return C.A", "class C:\n    A = 2\ndef f(x): return C.A"),
    "inherited attribute": (
        "class B:\n    A = 1\nclass C(B): pass\ndef f(x): return C.A",
        "class B:\n    A = 2\nclass C(B): pass\ndef f(x): return C.A",
    ),
    "method met by its class": (
        "class C:\n    def g(self): return 1\ndef f(x): return C.g(x)",
        "class C:\n    def g(self): return 2\ndef f(x): return C.g(x)",
    ),
    "static method": (
        "class C:\n    @staticmethod\n    def g(x): return 1\ndef f(x): return C.g(x)",
        "class C:\n    @staticmethod\n    def g(x): return 2\ndef f(x): return C.g(x)",
    ),
    "module attribute": ("m = module('A = 1')\ndef f(x): return m.A", "m = module('A = 2')\ndef f(x): return m.A"),
    "module attribute with underscores": (
        "m = module('__version__ = 1')\ndef f(x): return m.__version__",
        "m = module('__version__ = 2')\ndef f(x): return m.__version__",
    ),
    "chain of attributes": (
        "m = module('n = 1'); m.n = module('A = 1')\ndef f(x): return m.n.A",
        "m = module('n = 1'); m.n = module('A = 2')\ndef f(x): return m.n.A",
    ),
    "chain that two functions take different ways": (
        "m = module(''); m.n = module('A = 1; B = 1')\ndef g(x): return m.n.B\ndef f(x): return m.n.A + g(x)",
        "m = module(''); m.n = module('A = 1; B = 2')\ndef g(x): return m.n.B\ndef f(x): return m.n.A + g(x)",
    ),
    "function of a module": (
        "m = module('def g(x): return 1')\ndef f(x): return m.g(x)",
        "m = module('def g(x): return 2')\ndef f(x): return m.g(x)",
    ),
    "compiled function": (
        "@numba.njit\ndef g(x): return 1\ndef f(x): return g(x)",
        "@numba.njit\ndef g(x): return 2\ndef f(x): return g(x)",
    ),
    "compiled function's options": (
        "@numba.njit\ndef g(x): return 1 / x\ndef f(x): return g(x)",
        "@numba.njit(error_model='numpy')\ndef g(x): return 1 / x\ndef f(x): return g(x)",
    ),
    "overload": (
        "def g(x): return 0\n@numba.extending.overload(g)\ndef o(x): return lambda x: 1\ndef f(x): return g(x)",
        "def g(x): return 0\n@numba.extending.overload(g)\ndef o(x): return lambda x: 2\ndef f(x): return g(x)",
    ),
    "intrinsic": (
        "@numba.extending.intrinsic\ndef g(c, x): return x(x), lambda *a: 1\ndef f(x): return g(x)",
        "@numba.extending.intrinsic\ndef g(c, x): return x(x), lambda *a: 2\ndef f(x): return g(x)",
    ),
    "Numba type": ("A = numba.int64\ndef f(x): return A(x)", "A = numba.int32\ndef f(x): return A(x)"),
    "NumPy type": ("A = np.dtype('i4')\ndef f(x): return A", "A = np.dtype('i8')\ndef f(x): return A"),
    "NumPy function": ("g = np.sum\ndef f(x): return g(x)", "g = np.prod\ndef f(x): return g(x)"),
    "built-in function": ("g = min\ndef f(x): return g(x, 1)", "g = max\ndef f(x): return g(x, 1)"),
}

SETS = """
A, B, C = {1, 2}, {'b': 1, 'a': 2}, frozenset('xyz')
def f(x): return x in {'p', 'q', 'r'}, A, B, C
"""


def module(text: str) -> ModuleType:
    made = ModuleType("made")
    exec(textwrap.dedent(text), vars(made))
    return made


def function(text: str):
    """The function f of a module with such a text."""
    made = ModuleType(f"made_{next(COUNTER)}")
    sys.modules[made.__name__] = made
    tools = {"np": np, "numba": numba, "enum": enum, "module": module, "collections": __import__("collections")}
    vars(made).update(tools)
    exec(textwrap.dedent(text), vars(made))
    return made.f


@pytest.mark.parametrize("edit", BEFORE_AND_AFTER)
def test_an_edit_is_another_digest(edit):
    before, after = BEFORE_AND_AFTER[edit]
    assert digest_of(function(before)) == digest_of(function(before))
    assert digest_of(function(after)) == digest_of(function(after))
    assert digest_of(function(before)) != digest_of(function(after))


@pytest.mark.parametrize("edit", BEFORE_AND_AFTER)
def test_the_sources_digest_follows_the_same_edits(edit):
    def digest(text):
        return source_digest(function(text), lambda top: top in sys.stdlib_module_names or top in ("numpy", "numba"))

    before, after = BEFORE_AND_AFTER[edit]
    assert digest(before) == digest(before) and digest(before) != digest(after)


@pytest.mark.parametrize(
    "before, after",
    [
        ("def f(x): return x", "# A comment.\n\ndef f(x):\n    return x  # and another"),
        ("A = 1\ndef f(x): return x", "A = 2\ndef f(x): return x"),
        ("A = 1\ndef f(x): return x.A", "A = 2\ndef f(x): return x.A"),
        ("m = module('A = 1; B = 1')\ndef f(x): return m.A", "m = module('A = 1; B = 2')\ndef f(x): return m.A"),
    ],
)
def test_what_does_not_matter_is_the_same_digest(before, after):
    assert digest_of(function(before)) == digest_of(function(after))


@pytest.mark.parametrize(
    "text",
    [
        "A = object()\ndef f(x): return A",
        "import functools\nA = functools.partial(int, 3)\ndef f(x): return A()",
        "A = np.array([object()])\ndef f(x): return A",
        "A = numba.typed.Dict.empty(numba.int64, numba.int64)\ndef f(x): return A[x]",
        "def make():\n    def f(x): return a\n    if 0: a = 1\n    return f\nf = make()",
        "A = []; A.append(A)\ndef f(x): return A",
        "import io\nA = io.StringIO()\ndef g(x): return A\ndef f(x): return g(x)",
    ],
)
def test_what_cannot_be_followed_has_no_digest(text):
    with pytest.raises(Unfollowable):
        digest_of(function(text))
    assert source_digest(function(text), lambda top: True)


@pytest.mark.slow
def test_the_digest_does_not_depend_on_the_process():
    def digest(seed):
        program = "from tests.players.test_code_digest import *; print(digest_of(function(SETS)))"
        environment = os.environ | {"PYTHONHASHSEED": seed}
        return subprocess.run([sys.executable, "-c", program], env=environment, check=True, capture_output=True).stdout

    assert digest("1").decode() == digest("2").decode() == digest_of(function(SETS)) + "\n"


def test_the_engines_code_is_kept_by_all_the_files_it_is_made_of(monkeypatch):
    read = set()
    monkeypatch.setattr(code_digest, "_text_digest", lambda file: str(read.add(Path(file).name)))
    assert digest_of(engine._play_matches)
    assert read == {"engine.py", "hand.py", "log.py", "rows.py", "table.py"}
