"""Rules as plain functions, and in Python what the compiler has an instruction for, for the referee of a kit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

SPECTATOR = -1


def rule(function: Any) -> Any:
    """Marks a function of the rules, which here is run as it is."""
    return function


rare = interpreted = python_function = rule


def is_rule(value: object) -> bool:
    """Whether a value is a rule."""
    return callable(value)


def local_array(dtype: Any, size: int) -> Callable[[], Any]:
    """An array for one call of a rule."""
    return lambda: np.zeros(size, dtype)


def lowest_bit(mask: int) -> int:
    """The number of the lowest set bit of a mask that is not zero."""
    return (mask & -mask).bit_length() - 1


def bit_count(mask: int) -> int:
    """How many bits of a mask that is not negative are set."""
    return bin(mask).count("1")


def as_word(value: int) -> int:
    """An integer as an unsigned 64-bit word."""
    return value & 0xFFFFFFFFFFFFFFFF


def as_int(value: int) -> int:
    """A word as a signed integer."""
    return value - 2**64 if value >> 63 else value
