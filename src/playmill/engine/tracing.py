"""Tracing the interpreter: which bytes of a state rules read before they write them, and which they write.

What rules compute depends on nothing else than what they read. So it is known, not guessed, whether an action could
depend on something, whatever its values are now.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any

import numpy as np

from playmill.engine.record import traced_records


class Trace:
    """Addresses of bytes that were read before they were written, and of those that were written."""

    def __init__(self) -> None:
        self.read: set[int] = set()
        self.written: set[int] = set()

    def reads(self, start: int, size: int) -> None:
        """Somebody reads some bytes."""
        self.read.update(place for place in range(start, start + size) if place not in self.written)

    def writes(self, start: int, size: int) -> None:
        """Somebody writes some bytes."""
        self.written.update(range(start, start + size))


_trace: ContextVar[Trace | None] = ContextVar("trace", default=None)


@contextmanager
def tracing() -> Iterator[Trace]:
    """Work of the interpreter, on records handed to it meanwhile, all of whose reads and writes are noted."""
    trace = Trace()
    before = _trace.set(trace)
    made = traced_records.set(_plain)
    try:
        yield trace
    finally:
        traced_records.reset(made)
        _trace.reset(before)


def _noted() -> Trace:
    found = _trace.get()
    return found if found is not None else Trace()


def _plain(array: Any) -> Any:
    """An array of the rules as the interpreter sees it, with every look at it noted."""
    return _Records(array) if array.dtype.names else _Cells(array)


class _Cells:
    """A field of numbers: `cells[i, j]` is a plain integer, `cells[i]` of several dimensions a row."""

    __slots__ = ("_array", "_start", "shape", "size")

    def __init__(self, array: Any) -> None:
        self._array = array
        self._start = array.__array_interface__["data"][0]
        self.shape, self.size = array.shape, array.size

    def _place(self, place: Any) -> int:
        places = place if place.__class__ is tuple else (place,)
        steps = zip(places, self.shape, self._array.strides, strict=True)
        return int(self._start) + sum((int(one) if one >= 0 else int(one) + wide) * step for one, wide, step in steps)

    def _is_one(self, place: Any) -> bool:
        parts = place if place.__class__ is tuple else (place,)
        return len(parts) == len(self.shape) and not any(part.__class__ is slice for part in parts)

    def __getitem__(self, place: Any) -> Any:
        if not self._is_one(place):
            return _Cells(self._array[place])
        found = self._array[place].item()
        _noted().reads(self._place(place), self._array.itemsize)
        return found

    def __setitem__(self, place: Any, value: Any) -> None:
        if not self._is_one(place):
            for k in range(len(self._array[place])):
                _Cells(self._array[place])[k] = value[k] if hasattr(value, "__getitem__") else value
            return
        memoryview(self._array)[place] = value
        _noted().writes(self._place(place), self._array.itemsize)

    def __len__(self) -> int:
        return len(self._array)

    def __iter__(self) -> Iterator[Any]:
        return (self[k] for k in range(len(self)))


class _Records:
    """An array of records: `records[i]` has attributes, `records[i] = records[j]` copies."""

    __slots__ = ("_array", "shape", "size")

    def __init__(self, array: Any) -> None:
        self._array, self.shape, self.size = array, array.shape, array.size

    def __getitem__(self, place: Any) -> Any:
        if self._array.ndim > 1:
            return _Records(self._array[place])
        return _record_class(self._array.dtype)(self._array[place : place + 1])

    def __setitem__(self, place: Any, record: Any) -> None:
        source, target = record._source_, self._array[place : place + 1]
        _noted().reads(source.__array_interface__["data"][0], self._array.itemsize)
        self._array[place] = source[0]
        _noted().writes(target.__array_interface__["data"][0], self._array.itemsize)

    def __len__(self) -> int:
        return len(self._array)


@cache
def _record_class(dtype: np.dtype[np.void]) -> Any:
    """A class whose attributes are the fields of one record of this type."""
    names = dtype.names or ()

    class Record:
        __slots__ = ("_source_",)
        _source_: Any

        def __init__(self, source: Any) -> None:
            object.__setattr__(self, "_source_", source)

        def __setattr__(self, name: str, value: Any) -> None:
            if name not in names or dtype[name].subdtype is not None or dtype[name].names:
                raise AttributeError(name)
            _Cells(self._source_[name])[0] = value

    for name in names:
        setattr(Record, name, _field(name, dtype[name]))
    return Record


def _field(name: str, kind: np.dtype[Any]) -> property:
    if kind.names:
        return property(lambda record: _Records(record._source_[name])[0])
    if kind.subdtype is not None:
        return property(lambda record: _plain(record._source_[name][0]))
    return property(lambda record: _Cells(record._source_[name])[0])
