"""What no strategy may do, and what a compiled one cannot: told from its methods' text before anything is compiled."""

import ast
import inspect
import textwrap
from collections.abc import Iterator
from functools import cache
from types import FunctionType

from ..errors import CompileError
from .diagnosis import complaint
from .interpreted import METHODS
from .strategy import Strategy, family

_NO_STATE = "A strategy keeps no state: decide from the view and the parameters alone."
_PLAIN = "Write it as a plain method: def {}(self, view): …"


@cache
def check_methods(strategy: type[Strategy]) -> None:
    """Refuse a class that lacks a method, or assigns to ``self``, or is to be compiled and says ``super()``.

    Raises
    ------
    CompileError
        Naming class, line and what to write instead.
    """
    for method in METHODS:
        _check_signature(strategy, method)
    for base in family(strategy):
        for name, member in vars(base).items():
            function = getattr(member, "__func__", getattr(member, "fget", member))
            if isinstance(function, FunctionType) and (name == "__init__" or not name.startswith("__")):
                _check_body(strategy, base, function, isinstance(member, staticmethod))


def _check_signature(strategy: type[Strategy], method: str) -> None:
    function, way = getattr(strategy, method), _PLAIN.format(method)
    if function is getattr(Strategy, method):
        raise CompileError(f"{strategy.__name__}.{method} is missing: a strategy says how to bid and how to play", way)
    member = inspect.getattr_static(strategy, method)
    if isinstance(member, FunctionType):
        try:
            inspect.signature(function).bind(None, None)
        except TypeError:
            what = f"takes {inspect.signature(function)}, not (self, view)"
            raise complaint(strategy, function, None, what, way) from None
    elif strategy.compiled:
        raise CompileError(f"{strategy.__name__}.{method} is a {type(member).__name__}, not a plain method", way)


def _check_body(strategy: type[Strategy], base: type, function: FunctionType, static: bool) -> None:
    tree = _tree_of(function)
    if tree is None:
        return
    me = [] if static else [argument.arg for argument in tree.args.args[:1]]
    offset = function.__code__.co_firstlineno - 1
    for line, name in _writes(tree, {*me, *(cls.__name__ for cls in family(strategy))}):
        raise complaint(strategy, function, offset + line, f"assigns to {name}", _NO_STATE)
    for node in ast.walk(tree) if strategy.compiled else ():
        if isinstance(node, ast.Name) and node.id == "super":
            way = _instead_of_super(strategy, base, tree)
            raise complaint(strategy, function, offset + node.lineno, "calls super(), which cannot be compiled", way)


def _tree_of(function: FunctionType) -> ast.FunctionDef | None:
    """Return a function's syntax tree, its lines counted from its own first; None where there is no source."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    except (OSError, SyntaxError, IndexError):
        return None
    return tree if isinstance(tree, ast.FunctionDef) else None


def _writes(tree: ast.AST, held: set[str]) -> Iterator[tuple[int, str]]:
    """Yield the line of each place that writes to an attribute, or into one, of something `held`, and its text."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Attribute, ast.Subscript)):
            if isinstance(node.ctx, (ast.Store, ast.Del)) and _root(node) in held:
                yield node.lineno, ast.unparse(node)
        elif isinstance(node, ast.Call) and _sets_attribute(node) and _root(node.args[0]) in held:
            yield node.lineno, ast.unparse(node.args[0])


def _sets_attribute(call: ast.Call) -> bool:
    name = ast.unparse(call.func).split(".")[-1]
    return bool(call.args) and name in ("setattr", "delattr", "__setattr__", "__delattr__")


def _root(node: ast.AST) -> str:
    """Return the name that a chain of attributes and subscripts begins with; that of x for ``type(x)``."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "type" and node.args:
        return _root(node.args[0])
    return node.id if isinstance(node, ast.Name) else ""


def _instead_of_super(strategy: type[Strategy], base: type, tree: ast.AST) -> str:
    """Return the call of a base class's method that a call through ``super()`` stands for."""
    after = strategy.__mro__[strategy.__mro__.index(base) + 1 :]
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)]
    call = next((call for call in calls if ast.unparse(call.func).startswith("super(")), None)
    if call is None:
        return f"Name the class instead, as in {after[0].__name__}.bid(self, view)."
    method = ast.unparse(call.func).split(".")[-1]
    home = next((cls for cls in after if method in vars(cls)), after[0]).__name__
    arguments = ", ".join(["self", *map(ast.unparse, [*call.args, *call.keywords])])
    return f"Name the class instead: {home}.{method}({arguments}) works compiled and interpreted."
