"""Shortcuts in Numba's typing: what is compiled is the same without them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from playmill.engine.cuda import backend
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
_COMPILED_FOR_GPUS = """
import re
from types import SimpleNamespace
from numba import cuda, from_dtype, types
from numba.cuda import dispatcher
dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=(9, 0))
playing = rule(play.py_func)
def many(states, totals):
    totals[0] = playing(states, 9)
compile_rules.mark_rule(many)
kinds = types.Array(from_dtype(State), 1, "C"), types.int64[::1]
code = re.sub("//.*", "", cuda.compile_ptx(many, kinds, cc=(9, 0))[0])
names = {}
print(re.sub("_Z[A-Za-z0-9_$]+", lambda name: names.setdefault(name[0], f"name{len(names)}"), code))
"""
_USUAL = """
from numba.core import ir, postproc
from numba.core.types.functions import BaseFunction
usual = [
    (BaseFunction, "get_call_type", BaseFunction.get_call_type),
    (postproc.PostProcessor, "run", postproc.PostProcessor.run),
    (ir.Inst, "_rec_list_vars", ir.Inst._rec_list_vars),
]
"""
_USUAL_FOR_GPUS = """
from playmill.engine.cuda import backend, compile_rules
backend.numba_cuda()
from numba.cuda import target
from numba.cuda.core import ir, postproc
usual = [
    (postproc.PostProcessor, "run", postproc.PostProcessor.run),
    (ir.Inst, "_rec_list_vars", ir.Inst._rec_list_vars),
    (target.CUDATypingContext, "refresh", target.CUDATypingContext.refresh),
    (target.CUDATargetContext, "refresh", target.CUDATargetContext.refresh),
]
compile_rules.rules_as_on_the_cpu()
"""
_WITHOUT = """
from playmill.engine.compile import whole_program
for owner, name, value in usual:
    assert getattr(owner, name) is not value, name
    setattr(owner, name, value)
for place in (whole_program, compile_rules):
    place.mark_rule = lambda function: None
"""
_MET = """
from playmill.engine.compile import typing_shortcuts as short
assert len(short._known) > 10
"""


def compiled(folder: Path, *parts: str) -> str:
    """What the rules become in a process that does this."""
    program = folder / "program.py"
    program.write_text("".join(parts))
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, check=True)
    return done.stdout


def test_shortcuts_change_no_machine_code(tmp_path: Path) -> None:
    without = _WITHOUT.replace(", compile_rules", ",")
    assert compiled(tmp_path, _RULES, _COMPILED, _MET) == compiled(tmp_path, _USUAL, _RULES, without, _COMPILED)


@pytest.mark.skipif(not backend.has_compiler(), reason="the compiler for NVIDIA devices is not installed")
def test_shortcuts_change_no_machine_code_of_gpus(tmp_path: Path) -> None:
    prepared = (_USUAL_FOR_GPUS, _RULES)
    with_shortcuts = compiled(tmp_path, *prepared, _COMPILED_FOR_GPUS, _MET)
    assert ".visible .entry" in with_shortcuts
    assert with_shortcuts == compiled(tmp_path, *prepared, _WITHOUT, _COMPILED_FOR_GPUS)


def test_numbas_own_functions_are_typed_as_ever() -> None:
    """Those that the interpreter helps with need to know where variables live, and what they do not find is told."""
    import numba
    from numba.core import postproc

    assert postproc.PostProcessor.run.__module__ == "playmill.engine.compile.typing_shortcuts"

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
