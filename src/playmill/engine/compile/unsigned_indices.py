"""Compiler pass: indices in rules are unsigned, which spares Numba's test for negative ones, and its errors.

Python counts a negative index from the end, and Numba tests every one that might be negative, which costs compiled
games some per cent. Rules never count so (`statements.py` refuses a negative constant, and `check` plays with arrays
that refuse one that was computed, see `record.py`), so here every index is taken for an unsigned one. It is a pass
between typing and machine code, in the rules alone.

An index into a tuple that is out of range makes Numba raise an error, for which machine code needs Numba and Python
wherever it runs. Rules raise nothing: beyond the end of a tuple they get its last element.
"""

from __future__ import annotations

import operator
from typing import Any

from numba import extending
from numba.core import ir, types
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.typing import templates

#: Numba has no types.
_types: Any = types
_register: Any = register_pass
_extending: Any = extending
_templates: Any = templates


class _Place(types.Type):
    """The kind of an index into a tuple, in the rules alone: what Numba does with its own kinds stays as it is."""


_PLACE: Any = _Place("place_in_tuple")


@_register(mutates_CFG=False, analysis_only=False)
class PlacesFromFront(FunctionPass):
    """Makes the index of every look into an array, and of every write, an unsigned number."""

    _name = "places_from_front"

    def __init__(self) -> None:
        ordinary: Any = super()
        ordinary.__init__()

    def run_pass(self, state: Any) -> bool:
        """Changes the types that the indices are turned into; the numbers stay as they are."""
        index_from_front(state, ir)
        return True


def index_from_front(state: Any, kinds: Any, *, tuples: bool = True) -> None:
    """Makes the indices of a typed function unsigned; `kinds` is the module with its kinds of statements."""
    for block in state.func_ir.blocks.values():
        for statement in block.body:
            where = statement.value if isinstance(statement, kinds.Assign) else statement
            signature = state.calltypes.get(where) if _is_look(where, kinds) else None
            if signature is None:
                continue
            array, index, *rest = signature.args
            if isinstance(array, _types.Buffer):
                index = _from_front(index)
            elif tuples and isinstance(array, _types.UniTuple) and len(array) and isinstance(index, _types.Integer):
                index = _PLACE
            else:
                continue
            del state.calltypes[where]  # which may not be written over
            state.calltypes[where] = signature.replace(args=(array, index, *rest))


def _is_look(where: Any, kinds: Any) -> bool:
    if isinstance(where, kinds.Expr):
        return where.op in ("getitem", "static_getitem")
    return isinstance(where, kinds.SetItem | kinds.StaticSetItem)


def _from_front(index: Any) -> Any:
    """The kind of an index, or of several, that is not below 0."""
    if isinstance(index, _types.BaseTuple):
        return _types.Tuple([_from_front(one) for one in index])
    return _types.uintp if isinstance(index, _types.Integer) else index


@_extending.register_model(_Place)
class _PlaceModel(_extending.models.PrimitiveModel):  # type: ignore[misc]
    """It is a whole number."""

    def __init__(self, dmm: Any, kind: Any) -> None:
        super().__init__(dmm, kind, dmm.lookup(_types.uintp).get_value_type())


@_extending.lower_cast(_types.Integer, _Place)  # type: ignore[untyped-decorator]
def _as_place(context: Any, builder: Any, kind: Any, place: Any, number: Any) -> Any:
    return context.cast(builder, number, kind, _types.uintp)


@_templates.infer_global(operator.getitem)
class _Element(_templates.AbstractTemplate):  # type: ignore[misc]
    """What is read from a tuple at such an index."""

    def generic(self, args: Any, named: Any) -> Any:
        """The types of such a look; None if it is another one."""
        if len(args) == 2 and isinstance(args[0], _types.UniTuple) and args[1] is _PLACE:
            return _templates.signature(args[0].dtype, *args)
        return None


@_extending.lower_builtin(operator.getitem, _types.UniTuple, _Place)  # type: ignore[untyped-decorator]
def _element(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Generates the code that reads an element of a tuple."""
    elements, place = arguments
    blocks = [builder.append_basic_block("tuple.element") for _ in range(signature.args[0].count)]
    end = builder.append_basic_block("tuple.end")
    switch = builder.switch(place, blocks[-1])
    with builder.goto_block(end):
        found = builder.phi(context.get_value_type(signature.return_type))
    for k, block in enumerate(blocks):
        switch.add_case(place.type(k), block)
        with builder.goto_block(block):
            found.add_incoming(builder.extract_value(elements, k), block)
            builder.branch(end)
    builder.position_at_end(end)
    return found
