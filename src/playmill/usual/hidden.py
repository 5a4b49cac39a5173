"""What is seen of a game whose author hides nothing: every number of the state, by everybody."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np

from playmill.engine.sources import module_of_text
from playmill.texts import PlaymillError

_HEAD = '''"""Everything is seen by everybody: written by Playmill, from the fields of the state."""

from playmill.engine.rule import rule

OBSERVATION = {size}
NAMES = {names}


@rule
def observe(cfg, s, player, out):
    """Writes every number of the state."""
'''
_TAIL = '''

@rule
def conceal(cfg, s, player, rng):
    """There is nothing to guess."""
'''


def room(name: str, state: np.dtype[np.void]) -> ModuleType:
    """The room `hidden` of a game that has none."""
    lines: list[str] = []
    names: list[str] = []
    for field in state.names or ():
        lines += _written(name, field, state[field], len(names))
        names += [field + (str(list(place)) if place else "") for place in np.ndindex(state[field].shape)]
    text = _HEAD.format(size=len(names), names=tuple(names)) + "\n".join(lines) + "\n" + _TAIL
    return module_of_text(f"playmill_usual.{name}_hidden", text)


def _written(name: str, field: str, kind: np.dtype[Any], at: int) -> Iterator[str]:
    """The lines that write a field of the state from a place on."""
    if kind.base.kind != "i" or kind.base.itemsize > 4:
        raise PlaymillError(
            f"the game {name!r} has no hidden.py, and its state has a field {field!r} of the type {kind.base}; what"
            " everybody sees by itself are whole numbers: int8, int16 or int32",
            f"у игры {name!r} нет hidden.py, а в состоянии есть поле {field!r} типа {kind.base}; сами собой видны всем"
            " только целые числа: int8, int16 или int32",
        )
    place, indent = str(at), "    "
    for axis, most in enumerate(kind.shape):
        yield f"{indent}for i{axis} in range({most}):"
        indent += "    "
        place += f" + i{axis} * {int(np.prod(kind.shape[axis + 1 :]))}"
    indices = ", ".join(f"i{axis}" for axis in range(len(kind.shape)))
    yield f"{indent}out[{place}] = s.{field}" + (f"[{indices}]" if indices else "")
