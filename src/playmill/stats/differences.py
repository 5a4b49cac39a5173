"""Differences of two runs on the same luck: every figure of a report, taken over blocks, and which of them are real.

Where both runs play the same deals, what a deal does to both falls out of the difference. Of each figure the difference
is worked out once more without each group of deals, as in `blocks.py`. Many figures are looked at, so that some of them
differ by chance: Holm's correction keeps the chance that any of those called real is none below 5 %.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, sqrt
from typing import Any

from playmill.stats.blocks import LeftOut, Path, jackknife, value_of
from playmill.stats.errors import LEVEL, ONCE, Errors
from playmill.stats.estimates import Z95, Measured


@dataclass(frozen=True)
class Difference:
    """How a figure differs: b - a with its 95 % interval, and whether that is real among all that was looked at."""

    a: float
    b: float
    value: float
    low: float
    high: float
    #: How often chance alone would make such a difference; with the correction for having looked at many figures.
    p: float
    adjusted: float
    #: The share of the variance that playing on the same luck has removed; None if there is none to remove.
    removed: float | None

    @property
    def real(self) -> bool:
        """Whether it is called real."""
        return self.adjusted < LEVEL

    def json(self) -> dict[str, Any]:
        """The form in which it is saved."""
        return {
            "a": self.a,
            "b": self.b,
            "difference": {"value": self.value, "low": self.low, "high": self.high},
            "p": self.p,
            "adjusted_p": self.adjusted,
            "real": self.real,
            "variance_removed": self.removed,
        }


def paired(a: LeftOut, b: LeftOut, errors: Errors = ONCE) -> dict[Path, Difference]:
    """The difference of every figure that two reports of the same deals have in common."""
    if a.sizes != b.sizes:
        raise ValueError("the two were not played on the same deals")
    found: dict[Path, tuple[Measured, Measured, tuple[float, float], float, float | None]] = {}
    for path, saved in a.figures.items():
        if path not in b.figures:
            continue
        before, after = value_of(saved), value_of(b.figures[path])
        if before.n == 0 and after.n == 0:
            continue
        found[path] = (before, after, *differ(path, before, after, a, b, errors))
    adjusted = holm([p for *_, p, _ in found.values()])
    return {
        path: Difference(
            float(before), float(after), after - before, *interval, p=p, adjusted=corrected, removed=removed
        )
        for (path, (before, after, interval, p, removed)), corrected in zip(found.items(), adjusted, strict=True)
    }


def differ(
    path: Path, before: Measured, after: Measured, a: LeftOut, b: LeftOut, errors: Errors
) -> tuple[tuple[float, float], float, float | None]:
    """The interval of a difference, how often chance makes such a one, and what the common luck has removed."""
    blocks, degrees = sum(a.sizes), len(a.sizes) - 1
    value = after - before
    most = None if before.most is None or after.most is None else max(before.most, after.most)
    if degrees < 1:
        return (-most, most) if most is not None else (-inf, inf), 1.0, None
    alone = [[_left(figures, path) for figures in side.without] for side in (a, b)]
    variance = jackknife(value, [late - early for early, late in zip(*alone, strict=True)], a.sizes)
    apart = jackknife(before, alone[0], a.sizes) + jackknife(after, alone[1], a.sizes)
    removed = 1 - variance / apart if apart > 0 else None
    if variance > 0:
        error = sqrt(variance)
        half = errors.point(degrees) * error
        return (value - half, value + half), errors.chance(value / error, degrees), removed
    # The same in all deals. Of a share, so many other deals may be behind that as Wilson's interval leaves room for.
    spread = Z95**2 if errors is ONCE else errors.point(degrees) ** 2
    half = most * spread / (blocks + spread) if most is not None else 0.0
    return (value - half, value + half), 1.0 if value == 0 else 2.0 ** -min(blocks - 1, 1000), removed


def _left(figures: Mapping[Path, Mapping[str, Any]], path: Path) -> float:
    """A figure without a group; one that is missing there was nothing."""
    return float(value_of(figures[path])) if path in figures else 0.0


def holm(chances: Sequence[float]) -> list[float]:
    """Chances corrected for looking at all of them (Holm, 1979)."""
    order = sorted(range(len(chances)), key=lambda place: chances[place])
    corrected = [0.0] * len(chances)
    largest = 0.0
    for rank, place in enumerate(order):
        largest = max(largest, min(1.0, (len(chances) - rank) * chances[place]))
        corrected[place] = largest
    return corrected
