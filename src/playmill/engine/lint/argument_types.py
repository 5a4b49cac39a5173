"""What the arguments of rules are, and what is found in them: as much as reading a rule without running it needs."""

from __future__ import annotations

from dataclasses import dataclass
from types import FunctionType
from typing import Any

import numpy as np

from playmill.texts import Text


@dataclass(frozen=True)
class Kind:
    """What something is, as far as its place tells: a record, an array (of what), a number, or luck."""

    what: str
    dtype: np.dtype[Any] | None = None
    shape: tuple[int, ...] = ()
    name: Text | None = None
    fixed: bool = False


def record(dtype: np.dtype[np.void], name: Text, *, fixed: bool = False) -> Kind:
    """A record with fields; `name` is what it is called, in Russian after what is lacking "in" it."""
    return Kind("record", dtype, (), name, fixed)


def array(shape: tuple[int, ...], of: Kind) -> Kind:
    """An array of something."""
    return Kind("array", of.dtype, shape, of.name, of.fixed)


def number() -> Kind:
    """A number."""
    return Kind("number")


def is_ours(function: FunctionType) -> bool:
    """Whether a function belongs to the engine, which is proven elsewhere."""
    return function.__module__.startswith(("playmill.engine.", "playmill.usual.", "playmill_"))


def of_config(kind: Kind | None) -> bool:
    """Whether something is part of the config, which no rule may change."""
    return kind is not None and kind.fixed


def field_of(whole: Kind, name: str) -> Kind:
    """What a field of a record is."""
    assert whole.dtype is not None
    kind = whole.dtype[name]
    inner = kind.base if kind.base.names else None
    if kind.shape:
        return Kind("array", inner, kind.shape, whole.name, whole.fixed)
    return Kind("record", inner, (), whole.name, whole.fixed) if inner is not None else number()
