"""The few things of NumPy that the rules and words of games use, in Python alone, for the referee of a starter kit.

Records lie in memory as they do for NumPy (`align=True` as a C compiler lays a struct out), so that a config packed by
Playmill is read as it is. What is not here raises `AttributeError`; Playmill plays games both ways before it hands out
a kit, and leaves the rules out if anything differs.
"""

from __future__ import annotations

import builtins
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import prod
from typing import Any

from numpy_types import (
    bool_,
    dtype,
    float32,
    float64,
    floating,
    generic,
    int8,
    int16,
    int32,
    int64,
    integer,
    uint8,
    uint16,
    uint32,
    uint64,
)

__all__ = [
    "bool_", "dtype", "float32", "float64", "floating", "generic", "int8", "int16", "int32", "int64", "integer",
    "uint8", "uint16", "uint32", "uint64",
]  # fmt: skip
signedinteger, unsignedinteger, number = integer, integer, generic
inf, nan, pi = float("inf"), float("nan"), 3.141592653589793
intp = int_ = int64


class ndarray:
    """An array over a piece of memory: rows and slices of it are views."""

    __slots__ = ("_flat", "dtype", "memory", "ndim", "offset", "shape", "strides")

    def __init__(
        self, memory: memoryview, kind: dtype, shape: tuple[int, ...], offset: int = 0, strides: Any = None
    ) -> None:
        self.memory, self.dtype, self.shape, self.offset = memory, kind, shape, offset
        self.ndim = len(shape)
        steps = [kind.itemsize * prod(shape[k + 1 :]) for k in range(len(shape))]
        self.strides = tuple(steps) if strides is None else strides
        #: All numbers in a row, if they lie so.
        self._flat: Any = None
        if kind.names is None and list(self.strides) == steps:
            self._flat = memory[offset : offset + kind.itemsize * prod(shape)].cast(kind.letter)

    def __class_getitem__(cls, item: Any) -> Any:
        return cls

    @property
    def size(self) -> int:
        """How many numbers or records it has."""
        return prod(self.shape)

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return (self[k] for k in range(self.shape[0]))

    def __getitem__(self, place: Any) -> Any:
        if place.__class__ is int and self.ndim == 1 and self._flat is not None:
            return self._flat[place]
        if isinstance(place, str):
            return self._field(place)
        if isinstance(place, (ndarray, list)):
            return self._picked(place)
        view = self._view(place)
        return view if view.shape or not isinstance(view, ndarray) else view._one()

    def _field(self, name: str) -> ndarray:
        assert self.dtype.fields is not None
        kind, start = self.dtype.fields[name]
        inner = [kind.base.itemsize * prod(kind.shape[k + 1 :]) for k in range(len(kind.shape))]
        return ndarray(self.memory, kind.base, (*self.shape, *kind.shape), self.offset + start, (*self.strides, *inner))

    def _view(self, place: Any) -> ndarray:
        parts = place if isinstance(place, tuple) else (place,)
        if any(part is Ellipsis for part in parts):
            at = parts.index(Ellipsis)
            every = (slice(None),) * (self.ndim - len(parts) + 1)
            parts = (*parts[:at], *every, *parts[at + 1 :])
        offset, shape, strides = self.offset, [], []
        for k, (length, step) in enumerate(zip(self.shape, self.strides, strict=True)):
            part = parts[k] if k < len(parts) else slice(None)
            if isinstance(part, slice):
                picked = range(*part.indices(length))
                offset += picked.start * step if picked else 0
                shape.append(len(picked))
                strides.append(step * picked.step)
            else:
                at = operator.index(part)
                if not -length <= at < length:
                    raise IndexError(f"index {at} is out of bounds for size {length}")
                offset += at % length * step
        return ndarray(self.memory, self.dtype, tuple(shape), offset, tuple(strides))

    def _one(self) -> Any:
        if self.dtype.names is not None:
            return void(self.memory, self.dtype, self.offset)
        return self.memory[self.offset : self.offset + self.dtype.itemsize].cast(self.dtype.letter)[0]

    def _picked(self, places: Any) -> ndarray:
        """Elements, or rows, by a mask or by a list of numbers."""
        listed = places.tolist() if isinstance(places, ndarray) else places
        if isinstance(places, ndarray) and places.ndim > 1:
            both = zip(self.ravel().tolist(), places.ravel().tolist(), strict=True)
            return array([one for one, keep in both if keep], self.dtype)
        if listed and isinstance(listed[0], bool):
            listed = [k for k, keep in enumerate(listed) if keep]
        return array([_lists(self[k]) for k in listed], self.dtype, shape=(len(listed), *self.shape[1:]))

    def __setitem__(self, place: Any, value: Any) -> None:
        if isinstance(place, str):
            self._field(place)[...] = value
            return
        if isinstance(place, ndarray):
            for k, keep in enumerate(place.tolist()):
                if keep:
                    self[k] = value
            return
        self._view(place)._fill(value)

    def _fill(self, value: Any) -> None:
        if isinstance(value, void):
            for at in self._places():
                size = self.dtype.itemsize
                self.memory[at : at + size] = bytes(value.memory[value.offset : value.offset + size])
        elif not self.shape:
            self.memory[self.offset : self.offset + self.dtype.itemsize].cast(self.dtype.letter)[0] = value
        elif isinstance(value, (ndarray, list, tuple, range, memoryview)):
            same = getattr(value, "ndim", None) in (None, self.ndim) or len(value) == self.shape[0]
            for k in range(self.shape[0]):
                self._view(k)._fill(value[k if len(value) > 1 or self.shape[0] == 1 else 0] if same else value)
        else:
            for k in range(self.shape[0]):
                self._view(k)._fill(value)

    def _places(self) -> Iterator[int]:
        if not self.shape:
            yield self.offset
            return
        for k in range(self.shape[0]):
            yield from self._view(k)._places()

    def tolist(self) -> Any:
        """As lists of Python's numbers."""
        if self.ndim == 1 and self._flat is not None:
            return self._flat.tolist()
        if not self.shape:
            return _lists(self._one())
        return [self._view(k).tolist() for k in range(self.shape[0])]

    def item(self) -> Any:
        """The only number."""
        return self.ravel().tolist()[0]

    def ravel(self) -> ndarray:
        """All numbers in a row."""
        return self.reshape(-1)

    flatten = ravel

    def reshape(self, *shape: Any) -> ndarray:
        """The same numbers in another shape."""
        wanted = list(shape[0] if len(shape) == 1 and isinstance(shape[0], tuple) else shape)
        if -1 in wanted:
            wanted[wanted.index(-1)] = self.size // max(1, -prod(wanted))
        source = self if self._flat is not None else array(self.tolist(), self.dtype)
        return ndarray(source.memory, source.dtype, tuple(wanted), source.offset)

    def copy(self) -> ndarray:
        """The same in memory of its own."""
        made = zeros(self.shape, self.dtype)
        for at, source in zip(made._places(), self._places(), strict=True):
            size = self.dtype.itemsize
            made.memory[at : at + size] = bytes(self.memory[source : source + size])
        return made

    def astype(self, kind: Any) -> ndarray:
        """The same as numbers of another kind."""
        turned = {"f": float, "b": bool}.get(dtype(kind).kind, int)
        return array(_each(turned, self.tolist()), dtype(kind), shape=self.shape)

    def sum(self, axis: int | None = None) -> Any:
        """The sum of all, or along an axis."""
        return _along(builtins.sum, self, axis)

    def max(self, axis: int | None = None) -> Any:
        """The largest."""
        return _along(max, self, axis)

    def min(self, axis: int | None = None) -> Any:
        """The smallest."""
        return _along(min, self, axis)

    def any(self, axis: int | None = None) -> Any:
        """Whether one is not 0."""
        return _along(any_of, self, axis)

    def all(self, axis: int | None = None) -> Any:
        """Whether none is 0."""
        return _along(all_of, self, axis)

    def nonzero(self) -> tuple[ndarray, ...]:
        """The places that are not 0, of a row."""
        return (array([k for k, one in enumerate(self.tolist()) if one], int64),)

    def __bool__(self) -> bool:
        if self.size != 1:
            raise ValueError("the truth of an array of several numbers is not defined")
        return bool(self.item())

    def __index__(self) -> int:
        return operator.index(self.item())

    def __contains__(self, value: Any) -> bool:
        return value in self.ravel().tolist()

    def __invert__(self) -> ndarray:
        change: Callable[[Any], Any] = operator.not_ if self.dtype.kind == "b" else operator.invert
        return array(_each(change, self.tolist()), self.dtype, shape=self.shape)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return str(self.tolist())


def _with(change: Callable[[Any, Any], Any], kind: str | None = None, *, swapped: bool = False) -> Any:
    """An operator of arrays: number by number, a single number for all of them."""

    def method(self: ndarray, other: Any) -> ndarray:
        first, second = (other, self) if swapped else (self, other)
        listed = _pairwise(change, _lists(first), _lists(second))
        mixed = "f" if "f" in (self.dtype.kind, _kind_of(_lists(other))) or change is operator.truediv else "i"
        found = kind or ("b" if self.dtype.kind == "b" and change in _OF_BITS else mixed)
        return array(listed, {"b": bool_, "f": float64, "i": int64}[found])

    return method


_OF_BITS = (operator.and_, operator.or_, operator.xor)
for _name in ("lt", "le", "eq", "ne", "gt", "ge"):
    setattr(ndarray, f"__{_name}__", _with(getattr(operator, _name), "b"))
for _name in ("add", "sub", "mul", "floordiv", "truediv", "mod", "and", "or", "xor", "lshift", "rshift"):
    _change = getattr(operator, f"{_name}_" if _name in ("and", "or") else _name)
    setattr(ndarray, f"__{_name}__", _with(_change))
    setattr(ndarray, f"__r{_name}__", _with(_change, swapped=True))


class void:
    """One record: `record["field"]` is a number or an array."""

    __slots__ = ("dtype", "memory", "offset")

    def __init__(self, memory: memoryview, kind: dtype, offset: int) -> None:
        self.memory, self.dtype, self.offset = memory, kind, offset

    def __getitem__(self, name: str) -> Any:
        assert self.dtype.fields is not None
        kind, start = self.dtype.fields[name]
        at = self.offset + start
        if kind.shape:
            return ndarray(self.memory, kind.base, kind.shape, at)
        if kind.names is not None:
            return void(self.memory, kind, at)
        value = self.memory[at : at + kind.itemsize].cast(kind.letter)[0]
        return value if kind.kind == "b" else floating(value) if kind.kind == "f" else integer(value)

    def __setitem__(self, name: str, value: Any) -> None:
        ndarray(self.memory, self.dtype, (1,), self.offset)[name][0] = value

    def copy(self) -> void:
        """The same in memory of its own."""
        return void(memoryview(bytearray(self.memory[self.offset : self.offset + self.dtype.itemsize])), self.dtype, 0)

    def tolist(self) -> Any:
        """Its fields as a tuple."""
        return tuple(_lists(self[name]) for name in self.dtype.names)


def _lists(value: Any) -> Any:
    return value.tolist() if isinstance(value, (ndarray, void, memoryview)) else value


def _each(change: Callable[[Any], Any], value: Any) -> Any:
    return [_each(change, one) for one in value] if isinstance(value, list) else change(value)


def _pairwise(change: Callable[[Any, Any], Any], first: Any, second: Any) -> Any:
    if isinstance(first, (list, tuple)) and isinstance(second, (list, tuple)) and _depth(first) == _depth(second):
        return [_pairwise(change, one, other) for one, other in zip(first, second, strict=True)]
    if isinstance(first, (list, tuple)) and _depth(first) > _depth(second):
        return [_pairwise(change, one, second) for one in first]
    if isinstance(second, (list, tuple)):
        return [_pairwise(change, first, other) for other in second]
    return change(first, second)


def _depth(value: Any) -> int:
    return 1 + (_depth(value[0]) if value else 0) if isinstance(value, (list, tuple)) else 0


def _kind_of(value: Any) -> str:
    while isinstance(value, (list, tuple)):
        value = value[0] if value else 0
    return "b" if isinstance(value, bool) else "f" if isinstance(value, float) else "i"


def any_of(row: Iterable[Any]) -> bool:
    """Whether one is not 0."""
    return any(bool(one) for one in row)


def all_of(row: Iterable[Any]) -> bool:
    """Whether none is 0."""
    return all(bool(one) for one in row)


def _along(change: Callable[[Any], Any], given: ndarray, axis: int | None) -> Any:
    if axis is None:
        found = change(given.ravel().tolist())
        return found if isinstance(found, bool) else floating(found) if isinstance(found, float) else integer(found)
    if given.ndim == 2 and axis % 2 == 1:
        return asarray([change(row) for row in given.tolist()])
    if given.ndim == 2:
        return asarray([change(column) for column in zip(*given.tolist(), strict=True)])
    return change(given.tolist())


def _shape_of(value: Any) -> tuple[int, ...]:
    return (len(value), *(_shape_of(value[0]) if len(value) else ())) if isinstance(value, (list, tuple)) else ()


def zeros(shape: Any, kind: Any = float64, dtype: Any = None) -> ndarray:
    """An array of zeros."""
    made = _type(kind if dtype is None else dtype)
    sizes = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    if made.shape:
        sizes, made = (*sizes, *made.shape), made.base
    return ndarray(memoryview(bytearray(made.itemsize * prod(sizes))), made, sizes)


_type = dtype
empty = zeros


def full(shape: Any, fill_value: Any, dtype: Any = None) -> ndarray:
    """An array of one number."""
    made = zeros(shape, {"b": bool_, "f": float64, "i": int64}[_kind_of(fill_value)] if dtype is None else dtype)
    made[...] = fill_value
    return made


def array(value: Any, dtype: Any = None, *, shape: Any = None) -> ndarray:
    """An array of the numbers of lists."""
    listed = _each(_lists, value if isinstance(value, list) else list(_lists(value)))
    kind = {"b": bool_, "f": float64, "i": int64}[_kind_of(listed)] if dtype is None else dtype
    made = zeros(_shape_of(listed) if shape is None else shape, kind)
    made._fill(listed)
    return made


def asarray(value: Any, dtype: Any = None) -> Any:
    """An array of what may be one."""
    if isinstance(value, ndarray) and dtype is None:
        return value
    if isinstance(value, (int, float)):
        made = zeros((), {"b": bool_, "f": float64, "i": int64}[_kind_of(value)] if dtype is None else dtype)
        made._fill(value)
        return made
    return array(value, dtype)


def arange(*bounds: int, dtype: Any = None) -> ndarray:
    """The whole numbers of a range."""
    return array(list(range(*bounds)), int64 if dtype is None else dtype)


def frombuffer(memory: Any, kind: Any, count: int = -1, offset: int = 0) -> ndarray:
    """An array over bytes."""
    made = dtype(kind)
    found = (len(memory) - offset) // made.itemsize if count < 0 else count
    return ndarray(memoryview(memory), made, (found,), offset)


def cumsum(value: Any) -> ndarray:
    """The sums of all up to each."""
    total, found = 0, []
    for one in _lists(value):
        total += one
        found.append(total)
    return array(found)


def flatnonzero(value: Any) -> ndarray:
    """The places that are not 0."""
    return asarray(value).ravel().nonzero()[0]


def sum(value: Any, axis: int | None = None) -> Any:
    """The sum of all, or along an axis."""
    return asarray(value).sum(axis)


def ndindex(*shape: Any) -> Iterator[tuple[int, ...]]:
    """All places of a shape, row by row."""
    sizes: Sequence[int] = shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape
    if not sizes:
        yield ()
        return
    for first in range(sizes[0]):
        for rest in ndindex(tuple(sizes[1:])):
            yield (first, *rest)


def __getattr__(name: str) -> Any:
    raise AttributeError(f"np.{name} is not in the starter kit")
