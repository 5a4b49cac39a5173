"""Traces interpreted rules: which numbers of a state they read before writing, and which they write.

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

from playmill.engine.lang.record import traced_records


class Trace:
    """Addresses of numbers that were read before they were written, and of those that were written."""

    def __init__(self) -> None:
        self.read: set[int] = set()
        self.written: set[int] = set()


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


def _plain(array: Any) -> Any:
    """An array of the rules as the interpreter sees it, with every look at it noted."""
    trace = _trace.get() or Trace()
    return _Records(array, trace) if array.dtype.names else _cells(array, trace)


def _cells(array: Any, trace: Trace) -> _Cells:
    return _Row(array, trace) if array.ndim == 1 else _Cells(array, trace)


def _start(array: Any) -> int:
    return int(array.__array_interface__["data"][0])


class _Cells:
    """A field of numbers: `cells[i, j]` is a plain integer, `cells[i]` of several dimensions a row."""

    __slots__ = ("_array", "_numbers", "_start", "_steps", "_trace", "shape", "size")

    def __init__(self, array: Any, trace: Trace) -> None:
        self._array, self._trace = array, trace
        self._numbers = memoryview(array)
        self._start, self._steps = _start(array), array.strides
        self.shape, self.size = array.shape, array.size

    def _is_one(self, place: Any) -> bool:
        parts = place if place.__class__ is tuple else (place,)
        return len(parts) == len(self.shape) and not any(part.__class__ is slice for part in parts)

    def _at(self, place: Any) -> int:
        parts = place if place.__class__ is tuple else (place,)
        found = self._start
        for part, wide, step in zip(parts, self.shape, self._steps, strict=True):
            found += int(part if part >= 0 else part + wide) * step
        return found

    def __getitem__(self, place: Any) -> Any:
        if not self._is_one(place):
            return _cells(self._array[place], self._trace)
        at = self._at(place)
        if at not in self._trace.written:
            self._trace.read.add(at)
        return self._numbers[place]

    def __setitem__(self, place: Any, value: Any) -> None:
        if self._is_one(place):
            self._numbers[place] = value
            self._trace.written.add(self._at(place))
            return
        part = _cells(self._array[place], self._trace)
        for k in range(len(part)):
            part[k] = value[k] if hasattr(value, "__getitem__") else value

    def __len__(self) -> int:
        return len(self._array)

    def __iter__(self) -> Iterator[Any]:
        return (self[k] for k in range(len(self)))


class _Row(_Cells):
    """One of one dimension, the most usual."""

    __slots__ = ()

    def __getitem__(self, place: Any) -> Any:
        if place.__class__ is not int or place < 0:
            return super().__getitem__(place)
        at = self._start + place * self._steps[0]
        if at not in self._trace.written:
            self._trace.read.add(at)
        return self._numbers[place]

    def __setitem__(self, place: Any, value: Any) -> None:
        if place.__class__ is not int or place < 0:
            super().__setitem__(place, value)
            return
        self._numbers[place] = value
        self._trace.written.add(self._start + place * self._steps[0])


class _Records:
    """An array of records: `records[i]` has attributes, `records[i] = records[j]` copies."""

    __slots__ = ("_array", "_made", "_trace", "shape", "size")

    def __init__(self, array: Any, trace: Trace) -> None:
        self._array, self._trace, self.shape, self.size = array, trace, array.shape, array.size
        self._made: dict[Any, Any] = {}

    def __getitem__(self, place: Any) -> Any:
        if place not in self._made:
            if self._array.ndim > 1:
                self._made[place] = _Records(self._array[place], self._trace)
            else:
                self._made[place] = _record_class(self._array.dtype)(self._array[place : place + 1], self._trace)
        return self._made[place]

    def __setitem__(self, place: Any, record: Any) -> None:
        source, target = _start(record._source_), _start(self._array[place : place + 1])
        self._array[place] = record._source_[0]
        trace, leaves = self._trace, _leaves(self._array.dtype)
        trace.read.update(source + leaf for leaf in leaves if source + leaf not in trace.written)
        trace.written.update(target + leaf for leaf in leaves)

    def __len__(self) -> int:
        return len(self._array)


@cache
def _leaves(dtype: np.dtype[Any]) -> tuple[int, ...]:
    """Where each number of a record begins, counted from the record's beginning."""
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        count = int(np.prod(shape))
        return tuple(k * base.itemsize + leaf for k in range(count) for leaf in _leaves(base))
    if dtype.fields is None:
        return (0,)
    return tuple(offset + leaf for kind, offset, *_ in dtype.fields.values() for leaf in _leaves(kind))


@cache
def _record_class(dtype: np.dtype[np.void]) -> Any:
    """A class whose attributes are the fields of one record of this type."""
    names = dtype.names or ()
    scalars = {name for name in names if dtype[name].subdtype is None and not dtype[name].names}
    compounds = tuple(name for name in names if name not in scalars)

    class Record:
        __slots__ = (*compounds, "_numbers_", "_source_")
        _numbers_: dict[str, _Row]
        _source_: Any

        def __init__(self, source: Any, trace: Trace) -> None:
            put = object.__setattr__
            put(self, "_source_", source)
            put(self, "_numbers_", {name: _Row(source[name], trace) for name in scalars})
            for name in compounds:
                kind = dtype[name]
                if kind.names:
                    put(self, name, _Records(source[name], trace)[0])
                else:
                    inner = source[name][0]
                    put(self, name, _Records(inner, trace) if inner.dtype.names else _cells(inner, trace))

        def __setattr__(self, name: str, value: Any) -> None:
            if name not in scalars:
                raise AttributeError(name)
            self._numbers_[name][0] = value

    for name in scalars:
        setattr(Record, name, _number(name))
    return Record


def _number(name: str) -> property:
    return property(lambda record: record._numbers_[name][0])
