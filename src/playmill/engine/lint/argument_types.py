"""Types of rule arguments, as far as the linter infers them from the contract: records, arrays, numbers, rng."""

from __future__ import annotations

from dataclasses import dataclass
from types import FunctionType
from typing import Any

import numpy as np

from playmill.texts import Text


@dataclass(frozen=True)
class ArgumentType:
    """The inferred type of an expression: a record, an array (of what), a number, or the rng."""

    what: str
    dtype: np.dtype[Any] | None = None
    shape: tuple[int, ...] = ()
    name: Text | None = None
    fixed: bool = False


def record(dtype: np.dtype[np.void], name: Text, *, fixed: bool = False) -> ArgumentType:
    """A record with fields; `name` is what it is called, in Russian after what is lacking "in" it."""
    return ArgumentType("record", dtype, (), name, fixed)


def array(shape: tuple[int, ...], of: ArgumentType) -> ArgumentType:
    """An array of something."""
    return ArgumentType("array", of.dtype, shape, of.name, of.fixed)


def number() -> ArgumentType:
    """A number."""
    return ArgumentType("number")


def is_ours(function: FunctionType) -> bool:
    """Whether a function belongs to the engine, which is not linted."""
    return function.__module__.startswith(("playmill.engine.", "playmill.defaults.", "playmill_"))


def of_config(kind: ArgumentType | None) -> bool:
    """Whether something is part of the config, which no rule may change."""
    return kind is not None and kind.fixed


def field_of(whole: ArgumentType, name: str) -> ArgumentType:
    """What a field of a record is."""
    assert whole.dtype is not None
    kind = whole.dtype[name]
    inner = kind.base if kind.base.names else None
    if kind.shape:
        return ArgumentType("array", inner, kind.shape, whole.name, whole.fixed)
    return ArgumentType("record", inner, (), whole.name, whole.fixed) if inner is not None else number()
