"""Paired differences of two runs on the same deals, for every figure of a report, with Holm's correction.

Where both runs play the same deals, what a deal does to both falls out of the difference. Of each figure the difference
is worked out once more without each group of deals, as in `blocks.py`. Many figures are looked at, so that some of them
differ by chance: Holm's correction keeps the chance that any of those called real is none below 5 %.

A figure that one of the runs has no observations of is undefined there, and has no difference; one with too few
observations, or from too few deals, has one that is not tested.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, isnan, nan, sqrt
from typing import Any

from playmill.stats.block_jackknife import Jackknifed, Path, moved, value_of
from playmill.stats.critical_values import LEVEL, ONCE, Errors
from playmill.stats.estimates import Measured
from playmill.stats.mean_intervals import Moments, mean_interval

#: A test needs this many observations on each side, from this many deals (or, of many deals, groups of them).
ENOUGH = 10


@dataclass(frozen=True)
class Difference:
    """How a figure differs: b - a with its 95 % interval, and whether that is real among all that was looked at.

    NaN is what is not known: a figure without observations, its difference, an interval of too few observations.
    """

    a: float
    b: float
    value: float
    low: float
    high: float
    #: How often chance alone would make such a difference; with the correction for having looked at many figures. None
    #: if there is too little to test.
    p: float | None
    adjusted: float | None
    #: The share of the variance that playing the same deals has removed; None if there is none to remove.
    removed: float | None = None
    #: How many observations of the figure each side has.
    n: tuple[int, int] = (0, 0)

    @property
    def tested(self) -> bool:
        """Whether there was enough to test it."""
        return self.adjusted is not None

    @property
    def real(self) -> bool:
        """Whether it is called real."""
        return self.adjusted is not None and self.adjusted < LEVEL

    def json(self) -> dict[str, Any]:
        """The form in which it is saved."""
        return {
            "a": _saved(self.a),
            "b": _saved(self.b),
            "difference": {"value": _saved(self.value), "low": _saved(self.low), "high": _saved(self.high)},
            "n": list(self.n),
            "p": self.p,
            "adjusted_p": self.adjusted,
            "tested": self.tested,
            "real": self.real,
            "variance_removed": self.removed,
        }


def _saved(number: float) -> float | None:
    return number if isfinite(number) else None


@dataclass(frozen=True)
class Untested:
    """A difference before it is known how many others were looked at."""

    before: Measured
    after: Measured
    low: float = nan
    high: float = nan
    p: float | None = None
    removed: float | None = None


def paired(a: Jackknifed, b: Jackknifed, errors: Errors = ONCE) -> dict[Path, Difference]:
    """The difference of every figure that two reports of the same deals have in common."""
    if a.sizes != b.sizes:
        raise ValueError("the two were not played on the same deals")
    found: dict[Path, Untested] = {}
    for path, saved in a.figures.items():
        if path in b.figures and not (isnan(value_of(saved)) and isnan(value_of(b.figures[path]))):
            found[path] = differ(path, a, b, errors)
    return corrected(found)


def corrected(found: Mapping[Path, Untested]) -> dict[Path, Difference]:
    """Differences with Holm's correction for having looked at all that were tested."""
    tested = {path: one.p for path, one in found.items() if one.p is not None}
    adjusted = dict(zip(tested, holm(list(tested.values())), strict=True))
    return {
        path: Difference(
            float(one.before),
            float(one.after),
            one.after - one.before,
            one.low,
            one.high,
            p=one.p,
            adjusted=adjusted.get(path),
            removed=one.removed,
            n=(one.before.n, one.after.n),
        )
        for path, one in found.items()
    }


def differ(path: Path, a: Jackknifed, b: Jackknifed, errors: Errors) -> Untested:
    """The difference of one figure, and how often chance makes such a one if there is enough to tell."""
    before, after = value_of(a.figures[path]), value_of(b.figures[path])
    alone = [[_left(figures, path) for figures in side.without] for side in (a, b)]
    # Of a figure that only some games have, only the groups count that have it.
    having = min(_having(side, whole) for side, whole in zip(alone, (before, after), strict=True))
    if having < 2 or any(isnan(one) for side in alone for one in side):
        return Untested(before, after)
    value, degrees = after - before, having - 1
    variance, third, far = moved(value, [late - early for early, late in zip(*alone, strict=True)], a.sizes)
    apart = sum(moved(whole, side, a.sizes).variance for whole, side in zip((before, after), alone, strict=True))
    blocks = min(sum(a.sizes), *(whole.n for whole in (before, after) if whole.n >= 0))
    found = Moments(value, variance, third, blocks, far)
    least, most = _room(before, after)
    if variance == 0 and (reach := max(abs(value), 3 * sqrt(apart * blocks))) > 0:
        # The same in all deals. One that was not seen may differ as much as deals differ from each other.
        least = value - reach if least is None else max(least, value - reach)
        most = value + reach if most is None else min(most, value + reach)
    low, high = mean_interval(found, degrees, errors, least=least, most=most)
    enough = having >= ENOUGH and all(not 0 <= whole.n < ENOUGH for whole in (before, after))
    p = chance_of(found, degrees, errors) if enough else None
    return Untested(before, after, low, high, p, 1 - variance / apart if apart > 0 else None)


def chance_of(found: Moments, degrees: int, errors: Errors) -> float:
    """How often chance alone makes such a difference.

    It is Student's test, with one more deal that goes as far the other way: so a difference that all deals share is as
    unlikely as so many deals that fall alike, and not impossible.
    """
    if found.value == 0:
        return 1.0
    n, reach = found.n, abs(found.value)
    return errors.chance(reach * (n - 1) / (n + 1) / sqrt(found.variance + (reach / n) ** 2), degrees)


def _room(before: Measured, after: Measured) -> tuple[float | None, float | None]:
    """How far a difference of single deals can go; of means as far as their bounds let it."""
    if before.most is not None and after.most is not None:
        whole = max(before.most, after.most)
        return -whole, whole
    (least, most), (least_after, most_after) = before.bounds, after.bounds
    if least is None or most is None or least_after is None or most_after is None:
        return None, None
    return least_after - most, most_after - least


def _having(without: Sequence[Measured], whole: Measured) -> int:
    """How many groups have anything of a figure."""
    return sum(other.n < whole.n or whole.n < 0 for other in without)


def _left(figures: Mapping[Path, Mapping[str, Any]], path: Path) -> Measured:
    """A figure without a group; one that is missing there is undefined."""
    return value_of(figures[path]) if path in figures else Measured(nan)


def holm(chances: Sequence[float]) -> list[float]:
    """Chances corrected for looking at all of them (Holm, 1979)."""
    order = sorted(range(len(chances)), key=lambda place: chances[place])
    corrected = [0.0] * len(chances)
    largest = 0.0
    for rank, place in enumerate(order):
        largest = max(largest, min(1.0, (len(chances) - rank) * chances[place]))
        corrected[place] = largest
    return corrected
