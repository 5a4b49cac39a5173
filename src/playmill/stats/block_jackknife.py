"""Block jackknife: intervals for games that share their deals, as rotations do; only blocks are independent.

The blocks lie in groups, each with counts of its own. Every figure of a report is worked out once more without each of
the groups; how much it moves is its error (the delete-a-group jackknife with the pseudo-values of Busing, Meijer and
Van der Leeden, 1999; a group counts by its blocks). That needs nothing but the function from counts to figures, be they
rates, means or ratios.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, isfinite, nan, sqrt
from typing import Any, NamedTuple

import numpy as np

from playmill.stats.critical_values import ONCE, Z95, Errors
from playmill.stats.estimates import Measured, wilson
from playmill.stats.mean_intervals import Moments, gamma_point, mean_interval, values_only

Groups = np.ndarray[Any, np.dtype[np.void]]
#: Where a figure stands in nested results.
Path = tuple[str | int, ...]
#: The names under which the value of an estimate is saved.
_VALUES = ("value", "mean")
#: Of a number that does not remember how it was measured.
_UNKNOWN = -1
#: From fewer groups the error is known so badly that it may seem to be nothing.
_FEW_GROUPS = 10
#: Wilson's interval of a share misses too often where fewer are counted.
_FEW_COUNTED = 10


@dataclass(frozen=True)
class Jackknifed:
    """Figures of a report on all games, and without each group; `sizes` are the blocks of the groups."""

    whole: Mapping[str, Any]
    figures: Mapping[Path, Mapping[str, Any]]
    without: tuple[Mapping[Path, Mapping[str, Any]], ...]
    sizes: tuple[int, ...]


def leave_out(report: Callable[[Any], Mapping[str, Any]], groups: Groups, blocks: Sequence[int]) -> Jackknifed:
    """Computes a report with all groups and without each of those that have any of the blocks."""
    counts = groups.view(np.int64).reshape(len(groups), -1)
    total = counts.sum(axis=0)

    def reported(numbers: np.ndarray[Any, np.dtype[np.int64]]) -> Mapping[str, Any]:
        return report(numbers.view(groups.dtype)[0])

    whole = reported(total)
    known = figures(whole)
    filled = [group for group, size in enumerate(blocks) if size]
    with values_only():
        without = tuple(_taken(reported(total - counts[group]), known) for group in filled)
    return Jackknifed(whole, known, without, tuple(int(blocks[group]) for group in filled))


def over_blocks(report: Callable[[Any], Mapping[str, Any]], groups: Groups, blocks: Sequence[int]) -> dict[str, Any]:
    """The results of a report on all games, every interval taken over blocks; `blocks` are those of each group.

    What has an interval is found by its form, `{"value" or "mean", "low", "high"}`, at any depth; in a list it is known
    by its place.
    """
    return with_intervals(leave_out(report, groups, blocks))


def with_intervals(found: Jackknifed, errors: Errors = ONCE) -> dict[str, Any]:
    """The results of a report on all games, every interval taken over blocks."""
    intervals = {
        path: interval(figure, [other.get(path) for other in found.without], found.sizes, errors)
        for path, figure in found.figures.items()
    }
    replaced: dict[str, Any] = _replaced(found.whole, intervals)
    return replaced


def figures(results: Any) -> dict[Path, Mapping[str, Any]]:
    """All estimates in nested results: where each stands, and its saved form."""
    found: dict[Path, Mapping[str, Any]] = {}
    _find(results, (), found)
    return found


def _find(results: Any, path: Path, found: dict[Path, Mapping[str, Any]]) -> None:
    if isinstance(results, dict):
        if "low" in results and _value_name(results) is not None:
            found[path] = results
        for key, part in results.items():
            if isinstance(part, dict | list):
                _find(part, (*path, key), found)
    elif isinstance(results, list):
        for place, part in enumerate(results):
            if isinstance(part, dict | list):
                _find(part, (*path, place), found)


def _taken(results: Any, paths: Iterable[Path]) -> dict[Path, Mapping[str, Any]]:
    """The estimates at some paths of nested results, as far as they are there: quicker than to look for all."""
    found: dict[Path, Mapping[str, Any]] = {}
    for path in paths:
        part = results
        try:
            for step in path:
                part = part[step]
        except (KeyError, IndexError, TypeError):
            continue
        if isinstance(part, dict) and _value_name(part) is not None:
            found[path] = part
    return found


class JackknifeMoments(NamedTuple):
    """The variance of a figure and its third central moment, from what it is without each group; and `Moments.far`.

    Of groups of many deals nothing is known of single ones.
    """

    variance: float
    third: float
    far: float


def jackknife(whole: float, without: Sequence[float], sizes: Sequence[int]) -> float:
    """The variance of a figure from what it is without each group; sizes are those of the groups, not all alike."""
    return moved(whole, without, sizes).variance


def moved(whole: float, without: Sequence[float], sizes: Sequence[int]) -> JackknifeMoments:
    """How far the error of a figure goes, and to which side, from what it is without each group."""
    if len(sizes) < 2:
        raise ValueError("one group says nothing of the error")
    total = sum(sizes)
    # Worked out as moves away from the whole, so that a figure that does not move has no variance at all.
    moves = [other - whole for other in without]
    centre = -fsum((1 - size / total) * move for size, move in zip(sizes, moves, strict=True))
    parts = [-(total - size) / size * move - centre for size, move in zip(sizes, moves, strict=True)]
    # What each group adds to the error of the whole; of rare things, one group that has any must move second and third
    # moment alike, whatever its size.
    added = [part * size / total for size, part in zip(sizes, parts, strict=True)]
    variance = fsum(one**2 for one in added) / (1 - fsum((size / total) ** 2 for size in sizes))
    alone = max(sizes) == 1 and any(parts)
    far = sqrt(fsum(part**4 for part in parts) / fsum(part**2 for part in parts)) if alone else 0.0
    return JackknifeMoments(variance, fsum(one**3 for one in added), far)


def share_interval(
    share: float, variance: float, degrees: int, blocks: int, errors: Errors = ONCE
) -> tuple[float, float]:
    """Wilson's interval of a share of this many blocks, with the size that a sample of this variance would have.

    Student's t stands for the normal point, which is the size corrected for degrees of freedom (Korn and Graubard,
    1998). A share that was the same in all blocks has no variance: then of all blocks there may be as many others as
    Wilson's interval leaves room for, and they may hold anything. Where few are counted, it is let out as in `rate`.
    """
    if variance > 0 and 0 < share < 1:
        n = share * (1 - share) / variance
        if degrees < _FEW_GROUPS - 1:
            n = min(n, blocks)
        low, high = wilson(share, n, errors.point(degrees))
        if share * n < _FEW_COUNTED:
            low = min(low, gamma_point(share * n, 0.05) / n)
        if (1 - share) * n < _FEW_COUNTED:
            high = max(high, 1 - gamma_point((1 - share) * n, 0.05) / n)
        return low, high
    spread = Z95**2 if errors is ONCE else errors.point(degrees) ** 2
    others = spread / (blocks + spread)
    if blocks < _FEW_COUNTED:
        others = max(others, 1 - gamma_point(blocks, 0.05) / blocks)
    return share * (1 - others), share * (1 - others) + others


def interval(
    found: Mapping[str, Any],
    without: Sequence[Mapping[str, Any] | None],
    sizes: Sequence[int],
    errors: Errors = ONCE,
) -> tuple[float, float]:
    """The interval of one figure, which may be undefined where a group was left out that alone had anything of it."""
    value = value_of(found)
    if value.n == 0:
        return nan, nan
    others = [Measured(nan) if other is None else value_of(other) for other in without]
    having = [size for size, other in zip(sizes, others, strict=True) if other.n < value.n or value.n == _UNKNOWN]
    degrees = len(having) - 1
    if degrees < 1 or any(other.n == 0 for other in others):
        # All of it comes from one group: nothing is known of the error.
        return (0.0, value.most) if value.most is not None else (nan, nan)
    blocks = sum(having) if value.n == _UNKNOWN else min(sum(having), value.n)
    variance, third, far = moved(value, others, sizes)
    if value.most is None:
        least, most = value.bounds
        low, high = mean_interval(Moments(value, variance, third, blocks, far), degrees, errors, least=least, most=most)
        return (low, high) if variance > 0 or high - low <= 1 else (nan, nan)  # as in `mean`
    share = min(1.0, value / value.most)
    low, high = share_interval(share, variance / value.most**2, degrees, blocks, errors)
    return low * value.most, high * value.most


def _value_name(found: Mapping[str, Any]) -> str | None:
    if "low" not in found or "high" not in found:
        return None
    for name in _VALUES:
        value = found.get(name, "")
        if isinstance(value, float) or (value is None and found["low"] is None):
            return name
    return None


def value_of(found: Mapping[str, Any]) -> Measured:
    """The value of an estimate; one that does not remember how it was measured is taken for a mean."""
    value = found[_value_name(found) or ""]
    if value is None:
        return Measured(nan)
    return value if isinstance(value, Measured) else Measured(value, _UNKNOWN)


def _replaced(results: Any, intervals: Mapping[Path, tuple[float, float]], path: Path = ()) -> Any:
    """A copy of nested results with other intervals."""
    if isinstance(results, dict):
        made = {key: _replaced(part, intervals, (*path, key)) for key, part in results.items()}
        if path in intervals:
            low, high = intervals[path]
            made["low"], made["high"] = (low, high) if isfinite(low) and isfinite(high) else (None, None)
        return made
    if isinstance(results, list):
        return [_replaced(part, intervals, (*path, place)) for place, part in enumerate(results)]
    return results
