"""Lines of the final score, as a game's `words.counting` returns them: parts, totals and facts."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from playmill.texts import Text


class LineKind(Enum):
    """Parts add up to the total below them; a fact stands for itself."""

    PART = "part"
    TOTAL = "total"
    FACT = "fact"


class Line(NamedTuple):
    """One line: what is counted, and how much of it each player has; None where a player has no part in it."""

    name: Text
    values: tuple[int | None, ...]
    kind: LineKind = LineKind.PART


def part(name: Text, values: Sequence[int | None]) -> Line:
    """A line that counts towards the next total."""
    return Line(name, tuple(None if value is None else int(value) for value in values))


def total(name: Text, values: Sequence[int | None]) -> Line:
    """The sum of the parts above it."""
    return Line(name, tuple(None if value is None else int(value) for value in values), LineKind.TOTAL)


def fact(name: Text, values: Sequence[int | None]) -> Line:
    """Something worth knowing that counts for nothing."""
    return Line(name, tuple(None if value is None else int(value) for value in values), LineKind.FACT)
