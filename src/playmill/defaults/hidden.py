"""Default `hidden`: everybody sees every number of the state."""

from __future__ import annotations

import ast
from types import ModuleType
from typing import Any

import numpy as np

from playmill.engine.compile.syntax import call, definition, function_of, name
from playmill.engine.lang.rule import rule
from playmill.texts import PlaymillError


@rule
def conceal(cfg: Any, s: Any, player: int, rng: Any) -> None:
    """Does nothing: there is nothing to deal anew."""


def default_module(game: str, state: np.dtype[np.void]) -> ModuleType:
    """The module `hidden` of a game that has none."""
    body: list[ast.stmt] = []
    names: list[str] = []
    for field in state.names or ():
        body.append(_written(game, field, state[field], len(names)))
        names += [field + (str(list(place)) if place else "") for place in np.ndindex(state[field].shape)]
    made = ModuleType(f"playmill_usual.{game}_hidden", "Everything is seen by everybody.")
    observe = function_of(definition("observe", ("cfg", "s", "player", "out"), body), {"__name__": __name__})
    observe.__doc__ = "Writes every number of the state."
    vars(made).update(OBSERVATION=len(names), NAMES=tuple(names), observe=rule(observe), conceal=conceal)
    return made


def _written(game: str, field: str, kind: np.dtype[Any], at: int) -> ast.stmt:
    """Code that writes a field of the state from an index on: `out[at + i0 * 3 + i1] = s.field[i0, i1]`, in loops."""
    if kind.base.kind != "i" or kind.base.itemsize > 4:
        raise PlaymillError(
            f"the game {game!r} has no hidden.py, and its state has a field {field!r} of the type {kind.base}; what"
            " everybody sees by itself are whole numbers: int8, int16 or int32",
            f"у игры {game!r} нет hidden.py, а в состоянии есть поле {field!r} типа {kind.base}; сами собой видны всем"
            " только целые числа: int8, int16 или int32",
        )
    place: ast.expr = ast.Constant(at)
    value: ast.expr = ast.Attribute(name("s"), field, ast.Load())
    indices = [f"i{axis}" for axis in range(len(kind.shape))]
    for axis, index in enumerate(indices):
        step = ast.Constant(int(np.prod(kind.shape[axis + 1 :])))
        place = ast.BinOp(place, ast.Add(), ast.BinOp(name(index), ast.Mult(), step))
    if indices:
        value = ast.Subscript(value, ast.Tuple([name(index) for index in indices], ast.Load()), ast.Load())
    made: ast.stmt = ast.Assign([ast.Subscript(name("out"), place, ast.Store())], value)
    for index, most in reversed(list(zip(indices, kind.shape, strict=True))):
        made = ast.For(ast.Name(index, ast.Store()), call("range", ast.Constant(most)), [made], [])
    return made
