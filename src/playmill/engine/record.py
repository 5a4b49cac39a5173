"""Records for the interpreter, and the text form of a record."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any

import numpy as np

from playmill.texts import PlaymillError

RecordArray = np.ndarray[Any, np.dtype[np.void]]


class BelowZeroError(IndexError):
    """A place below 0: Python would count it from the end, and compiled rules would read something else there."""

    def __init__(self, place: Any) -> None:
        self.told = f"[{', '.join(map(str, place)) if isinstance(place, tuple) else place}]"
        super().__init__(f"{self.told}: a place below 0")


class Grid:
    """A field of several dimensions: `grid[i, j]` is a plain integer, `grid[i]` a row."""

    __slots__ = ("_array", "_cells", "shape")

    def __init__(self, array: Any) -> None:
        self._array = array
        self._cells = memoryview(array)
        self.shape = array.shape

    def __getitem__(self, place: Any) -> Any:
        whole = isinstance(place, tuple) and len(place) == len(self.shape)
        return self._cells[place] if whole else plain(self._array[place])

    def __setitem__(self, place: Any, value: Any) -> None:
        self._cells[place] = value

    def __len__(self) -> int:
        return len(self._array)

    def __repr__(self) -> str:
        return str(self._array.tolist())


class FromFront(Grid):
    """A field of one or more dimensions whose places are counted from the front, as compiled rules count them."""

    __slots__ = ()

    def __getitem__(self, place: Any) -> Any:
        _demand_from_front(place)
        single = len(self.shape) == 1 and place.__class__ is not slice
        return self._cells[place] if single else super().__getitem__(place)

    def __setitem__(self, place: Any, value: Any) -> None:
        _demand_from_front(place)
        self._cells[place] = value


def _demand_from_front(place: Any) -> None:
    for one in place if place.__class__ is tuple else (place,):
        if one.__class__ is not slice and one < 0:
            raise BelowZeroError(place)


class Records:
    """An array of records: `records[i]` has attributes, `records[i] = records[j]` copies."""

    __slots__ = ("_array", "_made", "shape")

    def __init__(self, array: Any) -> None:
        self._array = array
        self._made: dict[int, Any] = {}
        self.shape = array.shape

    def __getitem__(self, place: int) -> Any:
        if place not in self._made:
            _demand_from_front(place)
            self._made[place] = _record_class(self._array.dtype)(self._array[place : place + 1])
        return self._made[place]

    def __setitem__(self, place: int, record: Any) -> None:
        _demand_from_front(place)
        self._array[place] = record._source_[0]


#: Whether fields made now refuse places below 0.
_from_front = ContextVar("from_front", default=False)


@contextmanager
def places_from_front() -> Iterator[None]:
    """What the interpreter is handed meanwhile refuses places below 0, which makes it a fifth slower."""
    before = _from_front.set(True)
    try:
        yield
    finally:
        _from_front.reset(before)


def plain(array: Any) -> Any:
    """How the interpreter sees an array of the rules: plain Python integers, range-checked when stored."""
    if array.dtype.names:
        return Records(array)
    if _from_front.get():
        return FromFront(array)
    return memoryview(array) if array.ndim == 1 else Grid(array)


@cache
def _record_class(dtype: np.dtype[np.void]) -> Any:
    """A class whose attributes are the fields of one record of this type."""

    class Record:
        __slots__ = ("_parts_", "_source_")  # names no field of a game will have

        def __init__(self, source: Any) -> None:
            self._source_ = source
            self._parts_ = [_part(source, name) for name in dtype.names or ()]

        def __repr__(self) -> str:
            return " ".join(f"{name}={self._source_[name][0].tolist()}" for name in dtype.names or ())

    for index, name in enumerate(dtype.names or ()):
        scalar = dtype[name].subdtype is None and not dtype[name].names
        setattr(Record, name, _scalar(index) if scalar else _compound(index))
    return Record


def is_record_of(value: object, fields: tuple[str, ...]) -> bool:
    """Whether a value is a record, as the interpreter sees it, of these fields."""
    source = getattr(value, "_source_", None)
    return isinstance(source, np.ndarray) and source.dtype.names == fields


def _part(source: Any, name: str) -> Any:
    field = source[name]
    if source.dtype[name].names:
        return plain(field)[0]
    return memoryview(field) if source.dtype[name].subdtype is None else plain(field[0])


def _scalar(index: int) -> property:
    def read(record: Any) -> Any:
        return record._parts_[index][0]

    def write(record: Any, value: Any) -> None:
        record._parts_[index][0] = value

    return property(read, write)


def _compound(index: int) -> property:
    return property(lambda record: record._parts_[index])


def to_text(record: np.void) -> str:
    """A record as `field=1,2,3 other=4`; trailing zeros and fields of zeros are left out."""
    words = []
    for name in record.dtype.names or ():
        values = np.asarray(record[name]).ravel().tolist()
        while values and values[-1] == 0:
            values.pop()
        if values:
            words.append(f"{name}={','.join(map(str, values))}")
    return " ".join(words)


def from_text(dtype: np.dtype[np.void], text: str) -> RecordArray:
    """The one-element array of a record written by `to_text`; a wrong word is quoted in the error."""
    made: RecordArray = np.zeros(1, dtype)
    seen = set()
    for word in text.split():
        name, _, numbers = word.partition("=")
        if name not in (dtype.names or ()) or name in seen:
            raise PlaymillError(f"unknown or repeated field in {word!r}", f"неизвестное или повторное поле в {word!r}")
        seen.add(name)
        cells = made[name].reshape(-1)
        if not re.fullmatch(r"-?\d+(,-?\d+)*", numbers) or numbers.count(",") >= cells.size:
            raise PlaymillError(
                f"expected up to {cells.size} whole numbers in {word!r}",
                f"в {word!r} нужно до {cells.size} целых чисел",
            )
        values = [int(number) for number in numbers.split(",")]
        limits = np.iinfo(cells.dtype)
        if min(values) < limits.min or max(values) > limits.max:
            raise PlaymillError(f"a number in {word!r} is out of range", f"число в {word!r} вне допустимых пределов")
        cells[: len(values)] = values
    return made
