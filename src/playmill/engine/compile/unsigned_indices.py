"""Compiler pass: array indices in rules are unsigned, which spares Numba's test for negative ones.

Python counts a negative index from the end, and Numba tests every one that might be negative, which costs compiled
games some per cent. Rules never count so (`statements.py` refuses a negative constant, and `check` plays with arrays
that refuse one that was computed, see `record.py`), so here every index is taken for an unsigned one. It is a pass
between typing and machine code, in the rules alone.
"""

from __future__ import annotations

from typing import Any

from numba.core import ir, types
from numba.core.compiler_machinery import FunctionPass, register_pass

#: Numba has no types.
_types: Any = types
_register: Any = register_pass


@_register(mutates_CFG=False, analysis_only=False)
class PlacesFromFront(FunctionPass):
    """Makes the index of every look into an array, and of every write, an unsigned number."""

    _name = "places_from_front"

    def __init__(self) -> None:
        ordinary: Any = super()
        ordinary.__init__()

    def run_pass(self, state: Any) -> bool:
        """Changes the types that the indices are turned into; the numbers stay as they are."""
        for block in state.func_ir.blocks.values():
            for statement in block.body:
                where = statement.value if isinstance(statement, ir.Assign) else statement
                signature = state.calltypes.get(where) if _is_look(where) else None
                if signature is not None and isinstance(signature.args[0], _types.Buffer):
                    array, index, *rest = signature.args
                    del state.calltypes[where]  # which may not be written over
                    state.calltypes[where] = signature.replace(args=(array, _from_front(index), *rest))
        return True


def _is_look(where: Any) -> bool:
    if isinstance(where, ir.Expr):
        return where.op in ("getitem", "static_getitem")
    return isinstance(where, ir.SetItem | ir.StaticSetItem)


def _from_front(index: Any) -> Any:
    """The kind of an index, or of several, that is not below 0."""
    if isinstance(index, _types.BaseTuple):
        return _types.Tuple([_from_front(one) for one in index])
    return _types.uintp if isinstance(index, _types.Integer) else index
