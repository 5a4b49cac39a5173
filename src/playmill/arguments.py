"""Checks arguments of public functions against their annotations: a wrong one is one sentence, before anything plays.

Numbers of NumPy are numbers, too; they are handed on as Python's own, which can be saved.
"""

from __future__ import annotations

import ast
import inspect
import reprlib
from collections.abc import Callable, Iterator, Mapping
from functools import cache, wraps
from numbers import Integral, Real
from typing import Any

from playmill.texts import PlaymillError

#: Types that are checked; an annotation with another one allows everything.
_CHECKED = frozenset({"None", "bool", "int", "float", "str", "Path", "Game", "RuleConfig", "Mapping", "Sequence"})


@cache
def checked(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, with its arguments checked; itself if none of them can be."""
    signature = inspect.signature(function)
    kinds = {name: _kinds(one.annotation) for name, one in signature.parameters.items()}
    if not any(kinds.values()):
        return function

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        given = signature.bind(*args, **kwargs)
        for name, value in given.arguments.items():
            given.arguments[name] = _expected(name, value, kinds[name])
        return function(*given.args, **given.kwargs)

    return call


def _kinds(annotation: str) -> tuple[str, ...]:
    """The types an annotation allows; none if there is one among them that is not checked."""
    found = tuple(_alternatives(ast.parse(annotation, mode="eval").body))
    return found if all(kind.partition("[")[0] in _CHECKED for kind in found) else ()


def _alternatives(tree: ast.expr) -> Iterator[str]:
    if isinstance(tree, ast.BinOp):
        yield from _alternatives(tree.left)
        yield from _alternatives(tree.right)
    else:
        yield ast.unparse(tree)


def _expected(name: str, value: Any, kinds: tuple[str, ...]) -> Any:
    """The value, which is of one of these types; raises otherwise."""
    fitting = [kind for kind in kinds if _fits(value, kind)]
    if kinds and not fitting:
        found = reprlib.repr(value)
        raise PlaymillError(
            f"{name} is {found}; expected {' or '.join(kinds)}", f"{name} — {found}; ожидается {' или '.join(kinds)}"
        )
    if isinstance(value, int | float):
        return value
    if isinstance(value, Integral) and "int" in fitting:
        return int(value)
    return float(value) if isinstance(value, Real) else value


def _fits(value: Any, kind: str) -> bool:
    """Whether a value is of a type."""
    name, _, inner = kind.removesuffix("]").partition("[")
    names = {one.__name__ for one in type(value).__mro__}
    if name in ("int", "float"):
        return isinstance(value, Integral if name == "int" else Real) and "bool" not in names
    if name == "Sequence":
        is_one = hasattr(value, "__len__") and hasattr(value, "__getitem__") and not isinstance(value, str | bytes)
        kinds = _kinds(inner)
        return is_one and not isinstance(value, Mapping) and all(_fits_one(one, kinds) for one in value)
    if name == "Mapping":
        return isinstance(value, Mapping)
    if name == "None":
        return value is None
    return name in names or (name == "Path" and hasattr(value, "__fspath__")) or (name == "bool" and "bool_" in names)


def _fits_one(value: Any, kinds: tuple[str, ...]) -> bool:
    return not kinds or any(_fits(value, kind) for kind in kinds)
