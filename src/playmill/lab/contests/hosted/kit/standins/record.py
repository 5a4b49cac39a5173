"""Records as rules see them: attributes, plain integers, range-checked when stored; for the referee of a kit."""

from __future__ import annotations

from functools import cache
from math import prod
from typing import Any

import numpy as np

RecordArray = np.ndarray


class Grid:
    """An array field of several dimensions: `grid[i, j]` is a plain integer, `grid[i]` a row."""

    __slots__ = ("_cells", "_kind", "_memory", "_offset", "shape")

    def __init__(self, memory: memoryview, kind: Any, shape: tuple[int, ...], offset: int) -> None:
        self._memory, self._kind, self._offset, self.shape = memory, kind, offset, shape
        part = memory[offset : offset + kind.itemsize * prod(shape)]
        self._cells: Any = part.cast(kind.letter, shape)

    def __getitem__(self, place: Any) -> Any:
        if place.__class__ is tuple and len(place) == len(self.shape):
            return self._cells[place]
        first, rest = (place[0], place[1:]) if place.__class__ is tuple else (place, ())
        step = self._kind.itemsize * prod(self.shape[1:])
        if not 0 <= first < self.shape[0]:
            raise IndexError(f"{place} is out of range")
        row = _cells(self._memory, self._kind, self.shape[1:], self._offset + first * step)
        return row[rest if len(rest) > 1 else rest[0]] if rest else row

    def __setitem__(self, place: Any, value: Any) -> None:
        self._cells[place] = value

    def __len__(self) -> int:
        return self.shape[0]


def _cells(memory: memoryview, kind: Any, shape: tuple[int, ...], offset: int) -> Any:
    if kind.names is not None:
        return Records(memory, kind, shape[0], offset)
    if len(shape) == 1:
        return memory[offset : offset + kind.itemsize * shape[0]].cast(kind.letter)
    return Grid(memory, kind, shape, offset)


class Records:
    """An array of records: `records[i]` has attributes, `records[i] = records[j]` copies."""

    __slots__ = ("_kind", "_made", "_memory", "_offset", "shape")

    def __init__(self, memory: memoryview, kind: Any, count: int, offset: int) -> None:
        self._memory, self._kind, self._offset, self.shape = memory, kind, offset, (count,)
        self._made: dict[int, Any] = {}

    def __getitem__(self, place: int) -> Any:
        if place not in self._made:
            if not 0 <= place < self.shape[0]:
                raise IndexError(f"[{place}]: there are {self.shape[0]} records")
            at = self._offset + place * self._kind.itemsize
            self._made[place] = _record_class(self._kind)(self._memory[at : at + self._kind.itemsize])
        return self._made[place]

    def __setitem__(self, place: int, record: Any) -> None:
        self[place]._memory_[:] = bytes(record._memory_)

    def __len__(self) -> int:
        return self.shape[0]


def plain(array: Any) -> Any:
    """How rules see an array of NumPy's stand-in."""
    if array.dtype.names is not None:
        return Records(array.memory, array.dtype, array.shape[0], array.offset)
    return _cells(array.memory, array.dtype, array.shape, array.offset)


@cache
def _record_class(kind: Any) -> Any:
    """A class whose attributes are the fields of one record of this type."""
    fields: dict[str, tuple[Any, int]] = kind.fields
    compounds = {name: one for name, one in fields.items() if one[0].shape or one[0].names is not None}

    class Record:
        __slots__ = (*compounds, *(f"_{name}_cell" for name in fields if name not in compounds), "_memory_")

        def __init__(self, memory: memoryview) -> None:
            put = object.__setattr__
            put(self, "_memory_", memory)
            for name, (one, at) in fields.items():
                if name not in compounds:
                    put(self, f"_{name}_cell", memory[at : at + one.itemsize].cast(one.letter))

        def __getattr__(self, name: str) -> Any:
            # A slot that nobody has read yet: most records are read in a few of their arrays, if at all.
            if name not in compounds:
                raise AttributeError(f"a record has no field {name!r}")
            one, at = compounds[name]
            if one.names is not None:
                made = _record_class(one)(self._memory_[at : at + one.itemsize])
            else:
                made = _cells(self._memory_, one.base, one.shape, at)
            object.__setattr__(self, name, made)
            return made

        def __setattr__(self, name: str, value: Any) -> None:
            object.__getattribute__(self, f"_{name}_cell")[0] = value

    for name in fields:
        if name not in compounds:
            setattr(Record, name, _number(f"_{name}_cell"))
    return Record


def _number(slot: str) -> property:
    return property(lambda record: getattr(record, slot)[0])
