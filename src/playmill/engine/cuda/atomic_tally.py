"""Atomic counting on the GPU: rewrites a game's `tally` so that every `+=` is an atomic add.

Plain rules add to a number by reading it and writing it back, which loses games when two threads do so at a time. So
the GPU counts with a twin of the rule, made from its syntax tree: each addition to the counts calls `add_to`.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from typing import Any

import numpy as np

from playmill.engine.compile.syntax import function_of
from playmill.engine.lang.rule import is_rule, python_function, rule
from playmill.texts import PlaymillError

#: The name by which twins call it: no rule has a name like this.
_ADD_TO = "__add_to__"


def adding(tally: Callable[..., Any], add_to: Callable[..., Any]) -> Callable[..., Any]:
    """A twin of a rule that adds by `add_to(numbers, place, amount)`, and so do all rules that it calls."""
    return _Twins(add_to).of(tally)


def in_ones(record: np.dtype[np.void]) -> np.dtype[np.void]:
    """The type of a tally with every scalar as an array of one: only array elements can be added to."""
    fields = (record[name] for name in record.names or ())
    parts = [kind.subdtype or (kind, (1,)) for kind in fields]
    return np.dtype([(name, *part) for name, part in zip(record.names or (), parts, strict=True)])


class _Twins:
    """The twins of rules that call one another, each made once."""

    def __init__(self, add_to: Callable[..., Any]) -> None:
        self._add_to = add_to
        self._made: dict[int, Callable[..., Any]] = {}

    def of(self, function: Callable[..., Any]) -> Callable[..., Any]:
        plain = python_function(function)
        if id(plain) not in self._made:
            self._made[id(plain)] = self._twin(plain)
        return self._made[id(plain)]

    def _twin(self, plain: Any) -> Callable[..., Any]:
        tree = ast.parse(textwrap.dedent(inspect.getsource(plain)))
        (definition,) = tree.body
        assert isinstance(definition, ast.FunctionDef)
        definition.decorator_list = []
        changed = _Additions(plain).visit(definition)
        names = {name: plain.__globals__[name] for name in plain.__code__.co_names if name in plain.__globals__}
        names |= zip(plain.__code__.co_freevars, (cell.cell_contents for cell in plain.__closure__ or ()), strict=True)
        space = {name: self.of(value) if is_rule(value) else value for name, value in names.items()}
        space |= {_ADD_TO: self._add_to, "__name__": plain.__module__}
        where = plain.__code__
        made = function_of(changed, space, file=where.co_filename, first_line=where.co_firstlineno)
        made.__defaults__ = plain.__defaults__
        twin: Callable[..., Any] = rule(made)
        return twin


class _Additions(ast.NodeTransformer):
    """Turns `counts.wins[seat] += 1` into a call of `add_to`, and refuses all other ways to write."""

    def __init__(self, plain: Any) -> None:
        self._plain = plain

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        if isinstance(node.target, ast.Name):
            return node
        if not isinstance(node.op, ast.Add):
            self._refuse(node)
        match node.target:
            case ast.Subscript(value=numbers, slice=place):
                pass
            case numbers:
                place = ast.Constant(0)
        arguments = [_read(numbers), place, node.value]
        call = ast.Call(ast.Name(_ADD_TO, ast.Load()), arguments, [])
        return ast.copy_location(ast.Expr(call), node)

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        places = [part for target in node.targets for part in ast.walk(target) if hasattr(part, "ctx")]
        if any(isinstance(part, (ast.Subscript, ast.Attribute)) for part in places):
            self._refuse(node)
        return node

    def _refuse(self, node: ast.stmt) -> None:
        line = self._plain.__code__.co_firstlineno + node.lineno - 1
        place = f"{self._plain.__code__.co_filename}:{line}"
        raise PlaymillError(
            f"{place}: counts are only ever added to (`+=`); `{ast.unparse(node)}` does something else",
            f"{place}: к счётчикам только прибавляют (`+=`), а `{ast.unparse(node)}` делает другое",
        )


def _read(node: ast.expr) -> ast.expr:
    """The same place, read instead of written."""
    return ast.parse(ast.unparse(node), mode="eval").body
