"""Constant arrays of the rules on the GPU: in main memory, each once.

The GPU compiler puts arrays that rules name into constant memory, anew for each function. That is made for threads that
all read the same number; threads that read different ones wait for each other, and 64 KiB is all there is. Playing
games is reading different numbers.
"""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
from llvmlite import ir

_BYTE = ir.IntType(8)
#: Wide enough for whatever a table holds.
_ALIGNMENT = 16


@cache
def tables_in_main_memory() -> None:
    """Installs this in the GPU compiler."""
    target: Any = import_module("numba.cuda.target")
    target.CUDATargetContext.make_constant_array = _make_constant_array


def _make_constant_array(context: Any, builder: Any, kind: Any, array: Any) -> Any:
    """The array as the compiler knows arrays; tables of the same bytes are one."""
    nvvm: Any = import_module("numba.cuda.cudadrv.nvvm")
    types: Any = import_module("numba.core.types")
    if not (array.flags.c_contiguous or array.flags.f_contiguous):
        array = np.ascontiguousarray(array)
    content = array.tobytes(order="A")
    name = f"playmill_table_{hashlib.sha256(content).hexdigest()[:20]}"
    table = builder.module.globals.get(name)
    if table is None:
        held = ir.ArrayType(_BYTE, len(content))
        table = ir.GlobalVariable(builder.module, held, name, addrspace=nvvm.ADDRSPACE_GLOBAL)
        table.linkage = "linkonce_odr"
        table.global_constant = True
        table.initializer = ir.Constant(held, bytearray(content))
        table.align = _ALIGNMENT
    anywhere = builder.addrspacecast(table, _BYTE.as_pointer(), "generic")
    made = context.make_array(kind)(context, builder)
    context.populate_array(
        made,
        data=builder.bitcast(anywhere, made.data.type),
        shape=[context.get_constant(types.intp, size) for size in array.shape],
        strides=[context.get_constant(types.intp, size) for size in array.strides],
        itemsize=context.get_constant(types.intp, array.itemsize),
        parent=made.parent,
        meminfo=None,
    )
    return made._getvalue()
