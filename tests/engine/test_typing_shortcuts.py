"""Shortcuts in Numba's typing: what is compiled is the same without them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from playmill.engine.lang import compiler

pytestmark = pytest.mark.skipif(not compiler.is_known(), reason="not tried with this version of Numba")

_RULES = """
import numpy as np
from playmill.engine.compile.entry_points import array_kind, entry_point
from playmill.engine.lang.rule import rule

State = np.dtype([("points", np.int32, (4,)), ("turn", np.int8), ("share", np.float64)], align=True)
WEIGHTS = np.array([1, 2, 3, 5])

@rule
def seat(state, steps):
    return (state.turn + steps) % 4

@rule
def score(state, player, factor):
    best = 0
    for face in range(4):
        if WEIGHTS[face] > best and (face != player or state.share > 0.5):
            best = WEIGHTS[face] * factor
    state.points[player] += best
    return min(best, abs(player - 7))

@entry_point
def play(states: object, games: int) -> int:
    total = 0
    for game in range(games):
        state = states[game]
        while state.points[seat(state, 0)] < 20:
            total += score(state, seat(state, 1), 2) + score(state, seat(state, 0), game)
            state.turn = seat(state, 1)
            state.share = max(state.share / 2.0, 0.25)
    return total
"""
_COMPILED = """
import hashlib
library, name = play._compile((array_kind(State, 1), int), answers=True)
print(name, hashlib.sha256(library._get_compiled_object()).hexdigest())
"""
_WITHOUT = """
from playmill.engine.compile import typing_shortcuts as short, whole_program
short._Function.get_call_type, short._Processor.run = short._resolve, short._process
short._Instruction._rec_list_vars = short._list
whole_program._NEEDLESS -= {whole_program.typed.NopythonRewrites}
"""
_MET = """
from playmill.engine.compile import typing_shortcuts as short
assert len(short._known) > 10
"""


def compiled(folder: Path, *more: str) -> str:
    """What the rules become in a process that does more before or after."""
    program = folder / "program.py"
    program.write_text("".join([_RULES, *more]))
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, check=True)
    return done.stdout


def test_shortcuts_change_no_machine_code(tmp_path: Path) -> None:
    assert compiled(tmp_path, _COMPILED, _MET) == compiled(tmp_path, _WITHOUT, _COMPILED)


def test_numbas_own_functions_are_typed_as_ever() -> None:
    """Those that the interpreter helps with need to know where variables live, and what they do not find is told."""
    import numba

    from playmill.engine.compile import typing_shortcuts as short

    assert short._Processor.run is short._run

    @numba.jit(forceobj=True)
    def interpreted(name: str) -> str:
        found = name.upper() if name else "nobody"
        return found + "!"

    @numba.njit
    def generated(n: int) -> int:
        return sum([one for one in range(n) if one % 2])

    unit: Any = "x"

    @numba.njit
    def mistaken(n: int) -> Any:
        return n + unit

    assert [interpreted(name) for name in ("ab", "")] == ["AB!", "nobody!"]
    assert generated(6) == 9
    for _ in range(2):
        with pytest.raises(numba.TypingError, match="No implementation of function"):
            mistaken(1)
