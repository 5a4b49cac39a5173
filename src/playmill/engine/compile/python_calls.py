"""Fast calls from Python into machine code, by a few lines of LLVM IR and without ctypes.

Whole numbers are taken modulo 2**64, of an array its address and its shape, and the interpreter's lock is released
while the code runs. What is used of Python belongs to its stable interface; where an array has its address and its
shape is the same in all of NumPy's versions, and is checked before it is relied upon (`knows_arrays`).
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, cast

import numpy as np

#: How the name of such a function begins.
FOR_PYTHON = "python."
#: That a function is handed its arguments as a list of them, and their number.
_FASTCALL = 0x0080
_READERS = {"i64": "PyLong_AsUnsignedLongLongMask", "double": "PyFloat_AsDouble"}
#: Where an array has the address of its numbers, and that of the list of its lengths.
_DATA, _SHAPE = 16, 32
_TEXT = """
declare i64 @PyLong_AsUnsignedLongLongMask(ptr)
declare double @PyFloat_AsDouble(ptr)
declare ptr @PyLong_FromLongLong(i64)
declare ptr @PyErr_Occurred()
declare i32 @PyErr_BadArgument()
declare ptr @PyEval_SaveThread()
declare void @PyEval_RestoreThread(ptr)
declare i64 @"{name}"({kinds})

define ptr @"{python}"(ptr %self, ptr %args, i64 %count) {{
  %whole = icmp eq i64 %count, {count}
  br i1 %whole, label %read, label %wrong
wrong:
  %told = call i32 @PyErr_BadArgument()
  ret ptr null
read:
{reading}
  %error = call ptr @PyErr_Occurred()
  %well = icmp eq ptr %error, null
  br i1 %well, label %run, label %fail
run:
  %lock = call ptr @PyEval_SaveThread()
  %found = call i64 @"{name}"({given})
  call void @PyEval_RestoreThread(ptr %lock)
  %made = call ptr @PyLong_FromLongLong(i64 %found)
  ret ptr %made
fail:
  ret ptr null
}}
"""


#: What a function is handed: `i64`, `double`, or an array of this many dimensions.
Handed = str | int


def for_python(name: str, args: Sequence[Handed]) -> str:
    """The text of a function that Python calls with these things, which calls one of numbers as C does."""
    reading: list[str] = []
    given: list[str] = []
    for place, kind in enumerate(args):
        it = f"%object{place}"
        reading += [f"  %at{place} = getelementptr ptr, ptr %args, i64 {place}", f"  {it} = load ptr, ptr %at{place}"]
        if isinstance(kind, str):
            reading.append(f"  %value{place} = call {kind} @{_READERS[kind]}(ptr {it})")
            given.append(f"{kind} %value{place}")
        else:
            mine = [f"%value{place}.{k}" for k in range(1 + kind)]
            given += [f"i64 {one}" for one in mine]
            reading += [
                f"  %data{place} = getelementptr i8, ptr {it}, i64 {_DATA}",
                f"  {mine[0]} = load i64, ptr %data{place}",
                f"  %lengths{place} = getelementptr i8, ptr {it}, i64 {_SHAPE}",
                f"  %shape{place} = load ptr, ptr %lengths{place}",
            ]
            for k, one in enumerate(mine[1:]):
                length = f"%length{place}.{k}"
                reading += [
                    f"  {length} = getelementptr i64, ptr %shape{place}, i64 {k}",
                    f"  {one} = load i64, ptr {length}",
                ]
    return _TEXT.format(
        name=name,
        python=FOR_PYTHON + name,
        kinds=", ".join(one.partition(" ")[0] for one in given),
        count=len(args),
        reading="\n".join(reading),
        given=", ".join(given),
    )


@cache
def knows_arrays() -> bool:
    """Whether arrays have their addresses and shapes where they are looked for, and numbers their usual widths."""
    array = np.zeros((3, 7), np.int64)[1:]
    word = ctypes.c_size_t
    if ctypes.sizeof(ctypes.c_void_p) != ctypes.sizeof(word) or ctypes.sizeof(word) != 8:
        return False
    address, shape = (word.from_address(id(array) + place).value for place in (_DATA, _SHAPE))
    return address == array.ctypes.data and [word.from_address(shape + 8 * k).value for k in range(2)] == [2, 7]


class _Definition(ctypes.Structure):
    """The struct PyMethodDef."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("address", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


def function_at(address: int) -> tuple[Callable[..., int], object]:
    """The function for Python whose machine code begins there, and what must live as long as it."""
    definition = _Definition(b"entry", address, _FASTCALL, None)
    new: Any = ctypes.pythonapi.PyCFunction_NewEx
    new.restype = ctypes.py_object
    new.argtypes = (ctypes.POINTER(_Definition), ctypes.c_void_p, ctypes.c_void_p)
    return cast(Callable[..., int], new(ctypes.byref(definition), None, None)), definition
