"""Compiles kernels for a GPU where there is none."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numba.cuda
import numpy as np
import pytest
from numba import from_dtype, types
from numba.cuda import dispatcher


def array(dtype: Any) -> Any:
    """The type of an array of such records or numbers."""
    return types.Array(from_dtype(np.dtype(dtype)), 1, "C")


def code_for_hopper(signatures: dict[Any, tuple[Any, ...]]) -> str:
    """The code of these kernels, each with the types of its arguments."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dispatcher, "get_current_device", lambda: SimpleNamespace(compute_capability=(9, 0)))
        made = [numba.cuda.compile_ptx(kernel.py_func, kinds, cc=(9, 0)) for kernel, kinds in signatures.items()]
    return "".join(code for code, _ in made)
