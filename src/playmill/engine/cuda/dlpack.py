"""DLPack export: shares memory of this process, on the CPU or the GPU, with other libraries without a copy.

What goes over is a capsule with a small struct in it. Whoever takes it calls the struct's `deleter` when done; until
then the memory, and what holds it, stays. A capsule that nobody takes lets go of it when it goes.
"""

from __future__ import annotations

import atexit
import ctypes
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

#: Kinds of device, by their numbers in DLPack.
CPU, CUDA = 1, 2
#: Kinds of number there.
_KINDS = {"i": 0, "u": 1, "f": 2, "b": 6}
_NAME = b"dltensor"

_Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_Destructor = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
# Prototypes of our own: those of `ctypes.pythonapi` belong to everybody. A capsule that is being destroyed is passed as
# an address; as an object it would be counted anew.
_api = ctypes.pythonapi
_new_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, _Destructor)(
    ("PyCapsule_New", _api)
)
_stays_for_ever = ctypes.PYFUNCTYPE(None, ctypes.py_object)(("Py_IncRef", _api))
_is_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_IsValid", _api))
_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_GetPointer", _api))


class _Tensor(ctypes.Structure):
    """`DLManagedTensor`, with the `DLTensor` it begins with."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("kind", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
        ("manager_ctx", ctypes.c_void_p),
        ("deleter", _Deleter),
    )


class _Loan(NamedTuple):
    """What must live while the memory is in use: the struct, what it points to, and the owner of the memory."""

    tensor: _Tensor
    sizes: tuple[Any, Any]
    holder: object


#: What is lent at the moment, by the address of the struct.
_lent: dict[int, _Loan] = {}


def _give_back(address: int) -> None:
    _lent.pop(address, None)


def _forget(capsule: int) -> None:
    """A capsule goes: if it was taken it has another name by now."""
    if _is_valid(capsule, _NAME):
        _give_back(_pointer(capsule, _NAME))


#: These live as long as any capsule.
_DELETER, _DESTRUCTOR = _Deleter(_give_back), _Destructor(_forget)


@atexit.register
def _leave() -> None:
    """Whoever is done after Python has ended calls what does nothing, and finds its struct where it was."""
    nothing = ctypes.cast(_api.Py_IsInitialized, _Deleter)
    for loan in _lent.values():
        loan.tensor.deleter = nothing
    _stays_for_ever(_lent)


def lend(
    address: int,
    shape: Sequence[int],
    strides: Sequence[int],
    kind: np.dtype[Any],
    *,
    device: tuple[int, int],
    holder: object,
) -> object:
    """A capsule over an array of these numbers at an address of a device (strides in bytes), which the holder holds."""
    if kind.kind not in _KINDS or not kind.isnative or any(stride % kind.itemsize for stride in strides):
        raise BufferError(f"numbers of kind {kind} cannot be shared by DLPack")
    sizes = (ctypes.c_int64 * len(shape))(*shape)
    steps = (ctypes.c_int64 * len(shape))(*(stride // kind.itemsize for stride in strides))
    tensor = _Tensor(
        data=address,
        device_type=device[0],
        device_id=device[1],
        ndim=len(shape),
        kind=_KINDS[kind.kind],
        bits=8 * kind.itemsize,
        lanes=1,
        shape=sizes,
        strides=steps,
        deleter=_DELETER,
    )
    place = ctypes.addressof(tensor)
    _lent[place] = _Loan(tensor, (sizes, steps), holder)
    capsule: object = _new_capsule(place, _NAME, _DESTRUCTOR)
    return capsule
