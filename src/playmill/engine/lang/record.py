"""Record views for the interpreter (attribute access, range and index checks), and the text form of a record."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any

import numpy as np

from playmill.texts import PlaymillError

RecordArray = np.ndarray[Any, np.dtype[np.void]]


class BelowZeroError(IndexError):
    """A negative index: Python would count from the end, compiled rules would access other memory."""

    def __init__(self, place: Any) -> None:
        self.index_text = f"[{', '.join(map(str, place)) if isinstance(place, tuple) else place}]"
        super().__init__(f"{self.index_text}: a place below 0")


class Grid:
    """An array field of several dimensions: `grid[i, j]` is a plain integer, `grid[i]` a row."""

    __slots__ = ("_array", "_cells", "shape")

    def __init__(self, array: Any) -> None:
        self._array = array
        self._cells = memoryview(array)
        self.shape = array.shape

    def __getitem__(self, place: Any) -> Any:
        whole = place.__class__ is tuple and len(place) == len(self.shape)
        return self._cells[place] if whole else plain(self._array[place])

    def __setitem__(self, place: Any, value: Any) -> None:
        self._cells[place] = value

    def __len__(self) -> int:
        return len(self._array)

    def __repr__(self) -> str:
        return str(self._array.tolist())


class GridFromFront(Grid):
    """A grid that refuses negative indices, as compiled rules cannot use them."""

    __slots__ = ()

    def __getitem__(self, place: Any) -> Any:
        _demand_from_front(place)
        return super().__getitem__(place)

    def __setitem__(self, place: Any, value: Any) -> None:
        _demand_from_front(place)
        self._cells[place] = value


class PlaneFromFront(GridFromFront):
    """Fast path for two dimensions, the usual case."""

    __slots__ = ()

    def __getitem__(self, place: Any) -> Any:
        if place.__class__ is tuple and len(place) == 2:
            row, column = place
            if row.__class__ is column.__class__ is int and row >= 0 <= column:
                return self._cells[place]
        return super().__getitem__(place)


class RowFromFront(Grid):
    """The same for one dimension: `row[i]` is a plain integer."""

    __slots__ = ()

    def __getitem__(self, place: Any) -> Any:
        if place.__class__ is not int:
            _demand_from_front(place)
            return plain(self._array[place]) if place.__class__ is slice else self._cells[place]
        if place < 0:
            raise BelowZeroError(place)
        return self._cells[place]

    def __setitem__(self, place: Any, value: Any) -> None:
        if place.__class__ is not int:
            _demand_from_front(place)
        elif place < 0:
            raise BelowZeroError(place)
        self._cells[place] = value


def from_front(array: Any) -> Grid:
    """Wraps an array of the rules so that it refuses negative indices."""
    kind = {1: RowFromFront, 2: PlaneFromFront}.get(array.ndim, GridFromFront)
    return kind(array)


def _demand_from_front(place: Any) -> None:
    for one in place if place.__class__ is tuple else (place,):
        if one.__class__ is not slice and one < 0:
            raise BelowZeroError(place)


class Records:
    """An array of records: `records[i]` has attributes, `records[i] = records[j]` copies, `records[i:j]` is a part."""

    __slots__ = ("_array", "_made", "shape")

    def __init__(self, array: Any) -> None:
        self._array = array
        self._made: dict[int, Any] = {}
        self.shape = array.shape

    def __getitem__(self, place: Any) -> Any:
        if place.__class__ is slice:
            return Records(self._array[place])
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
    """Context in which arrays handed to the interpreter refuse negative indices; slower."""
    before = _from_front.set(True)
    try:
        yield
    finally:
        _from_front.reset(before)


#: How the interpreter sees arrays while they are traced (see `tracing.py`).
traced_records: ContextVar[Callable[[Any], Any] | None] = ContextVar("traced", default=None)


def plain(array: Any) -> Any:
    """How the interpreter sees an array of the rules: plain Python integers, range-checked when stored."""
    if (traced := traced_records.get()) is not None:
        return traced(array)
    if array.dtype.names:
        return Records(array)
    if _from_front.get():
        return from_front(array)
    return memoryview(array) if array.ndim == 1 else Grid(array)


@cache
def _record_class(dtype: np.dtype[np.void]) -> Any:
    """A class whose attributes are the fields of one record of this type."""

    names = dtype.names or ()
    scalars = {name: place for place, name in enumerate(name for name in names if _is_scalar(dtype[name]))}
    compounds = tuple(name for name in names if name not in scalars)

    class Record:
        # A slot is read sooner than a property; besides the arrays, names that no field of a game will have.
        __slots__ = (*compounds, "_numbers_", "_source_")
        _numbers_: list[Any]
        _source_: Any

        def __init__(self, source: Any) -> None:
            put = object.__setattr__
            put(self, "_source_", source)
            put(self, "_numbers_", [memoryview(source[name]) for name in scalars])

        def __getattr__(self, name: str) -> Any:
            # A slot that nobody has read yet: most records are read in a few of their arrays, if at all.
            if name not in compounds:
                raise AttributeError(f"'Record' object has no attribute {name!r}", name=name, obj=self)
            source = self._source_
            made = plain(source[name])[0] if dtype[name].names else plain(source[name][0])
            object.__setattr__(self, name, made)
            return made

        def __setattr__(self, name: str, value: Any) -> None:
            if name in compounds:
                raise AttributeError(f"{name} is an array: numbers are put into its places, one by one")
            if name not in scalars:
                raise AttributeError(f"'Record' object has no attribute {name!r}", name=name, obj=self)
            self._numbers_[scalars[name]][0] = value

        def __repr__(self) -> str:
            return " ".join(f"{name}={self._source_[name][0].tolist()}" for name in names)

    for name, place in scalars.items():
        setattr(Record, name, _number(place))
    return Record


def _is_scalar(kind: np.dtype[Any]) -> bool:
    return kind.subdtype is None and not kind.names


def _number(place: int) -> property:
    return property(lambda record: record._numbers_[place][0])


def is_record_of(value: object, fields: tuple[str, ...]) -> bool:
    """Whether a value is a record, as the interpreter sees it, of these fields."""
    source = getattr(value, "_source_", None)
    return isinstance(source, np.ndarray) and source.dtype.names == fields


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
