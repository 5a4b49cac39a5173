"""Builds functions from syntax trees, for code the compiler is given that is in no file."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from types import CodeType, FunctionType
from typing import Any


def function_of(
    definition: ast.FunctionDef, names: Mapping[str, Any], *, file: str = "<generated>", first_line: int = 1
) -> FunctionType:
    """The function of a definition, in which these names are known."""
    module = ast.fix_missing_locations(ast.Module([definition], []))
    ast.increment_lineno(module, first_line - 1)
    code = compile(module, file, "exec")
    found = next(one for one in code.co_consts if isinstance(one, CodeType) and one.co_name == definition.name)
    return FunctionType(found, dict(names), definition.name)


def definition(name: str, arguments: Sequence[str], body: Sequence[ast.stmt]) -> ast.FunctionDef:
    """The definition of a function of some arguments."""
    taken = ast.arguments([], [ast.arg(one) for one in arguments], None, [], [], None, [])
    return ast.FunctionDef(name, taken, list(body), [])


def name(word: str) -> ast.Name:
    """A name that is read."""
    return ast.Name(word, ast.Load())


def call(function: str, *arguments: ast.expr) -> ast.Call:
    """A call of a function by its name."""
    return ast.Call(name(function), list(arguments), [])
