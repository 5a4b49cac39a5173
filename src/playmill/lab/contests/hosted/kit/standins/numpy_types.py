"""Numbers and records of NumPy's stand-in: their kinds, sizes and places in memory."""

from __future__ import annotations

from math import prod
from typing import Any

#: By NumPy's letter for a kind and the bytes of a number: its letter in `memoryview`.
_LETTERS = {
    ("i", 1): "b", ("i", 2): "h", ("i", 4): "i", ("i", 8): "q", ("u", 1): "B", ("u", 2): "H", ("u", 4): "I",
    ("u", 8): "Q", ("f", 4): "f", ("f", 8): "d", ("b", 1): "?",
}  # fmt: skip


class generic:
    """Any number of NumPy, for annotations."""

    def __class_getitem__(cls, item: Any) -> Any:
        return cls


class integer(generic, int):
    """A whole number of a record."""

    def item(self) -> int:
        """As one of Python."""
        return int(self)

    tolist = item


class floating(generic, float):
    """A number with a fraction, of a record."""

    def item(self) -> float:
        """As one of Python."""
        return float(self)

    tolist = item


class _Whole(type):
    """What makes a number when it is called: `np.int8(3)`."""

    kind: str
    size: int

    def __call__(cls, value: Any = 0) -> Any:
        return bool(value) if cls.kind == "b" else floating(value) if cls.kind == "f" else integer(value)


def _scalar(name: str, kind: str, size: int) -> Any:
    base = integer if kind in "iu" else floating if kind == "f" else generic
    return _Whole(name, (base,), {"kind": kind, "size": size})


int8, int16, int32, int64 = (_scalar(f"int{8 * size}", "i", size) for size in (1, 2, 4, 8))
uint8, uint16, uint32, uint64 = (_scalar(f"uint{8 * size}", "u", size) for size in (1, 2, 4, 8))
float32, float64 = _scalar("float32", "f", 4), _scalar("float64", "f", 8)
bool_ = _scalar("bool_", "b", 1)
_PLAIN = {int: int64, float: float64, bool: bool_}


class dtype:
    """A number, a record, or an array of either inside a record."""

    __slots__ = ("alignment", "base", "fields", "itemsize", "kind", "letter", "names", "shape", "subdtype")

    fields: dict[str, tuple[dtype, int]] | None

    def __new__(cls, what: Any, shape: Any = None, *, align: bool = False) -> dtype:
        """A type given as such, as a number's class, by a letter and bytes ("i8"), or as a list of fields."""
        if isinstance(what, dtype):
            return what if not shape else what.repeated(shape)
        made = object.__new__(cls)
        made.shape, made.subdtype, made.base = (), None, made
        if isinstance(what, list):
            made._lay_out(what, align)
            return made
        what = _PLAIN.get(what, what)
        kind, size = (
            (what.lstrip("<=|")[0], int(what.lstrip("<=|")[1:])) if isinstance(what, str) else (what.kind, what.size)
        )
        made.kind, made.itemsize, made.alignment, made.letter = kind, size, size, _LETTERS[kind, size]
        made.names, made.fields = None, None
        return made if not shape else made.repeated(shape)

    def __class_getitem__(cls, item: Any) -> Any:
        return cls

    def repeated(self, shape: Any) -> dtype:
        """The type of an array of these, inside a record."""
        made = object.__new__(dtype)
        made.shape = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
        made.base, made.subdtype = self, (self, made.shape)
        made.kind, made.letter, made.names, made.fields = "V", "", None, None
        made.itemsize, made.alignment = self.itemsize * prod(made.shape), self.alignment
        return made

    def _lay_out(self, listed: list[Any], align: bool) -> None:
        self.kind, self.letter, self.fields = "V", "", {}
        end = 0
        for name, *kind in listed:
            one = dtype(*kind)
            step = one.alignment if align else 1
            end = -(-end // step) * step
            self.fields[name] = (one, end)
            end += one.itemsize
        self.names = tuple(self.fields)
        self.alignment = max((one.alignment for one, _ in self.fields.values()), default=1) if align else 1
        self.itemsize = -(-end // self.alignment) * self.alignment

    def __getitem__(self, name: str) -> dtype:
        assert self.fields is not None
        return self.fields[name][0]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, dtype) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> Any:
        inside = self.subdtype[0]._key() if self.subdtype else None
        fields = self.fields and tuple((name, place, one._key()) for name, (one, place) in self.fields.items())
        return (self.kind, self.letter, self.itemsize, self.shape, inside, fields)
