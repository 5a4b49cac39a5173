"""Intervals over blocks: of games that share their luck, as the rotations of one deal do, only blocks are independent.

The blocks lie in groups, each with counts of its own. Every figure of a report is worked out once more without each of
the groups; how much it moves is its error (the delete-a-group jackknife, weighted by the blocks of a group: Busing,
Meijer and Van der Leeden, 1999). That needs nothing but the function from counts to figures, be they rates, means or
ratios.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from typing import Any

import numpy as np

from playmill.stats.errors import ONCE, Errors
from playmill.stats.estimates import Z95, Measured, wilson

Groups = np.ndarray[Any, np.dtype[np.void]]
#: Where a figure stands in nested results.
Path = tuple[str | int, ...]
#: The names under which the value of an estimate is saved.
_VALUES = ("value", "mean")
#: Of a number that does not remember how it was measured.
_UNKNOWN = -1


@dataclass(frozen=True)
class LeftOut:
    """What a report says of all games, and of all but those of each group; `sizes` are the blocks of the groups."""

    whole: Mapping[str, Any]
    figures: Mapping[Path, Mapping[str, Any]]
    without: tuple[Mapping[Path, Mapping[str, Any]], ...]
    sizes: tuple[int, ...]


def leave_out(report: Callable[[Any], Mapping[str, Any]], groups: Groups, blocks: Sequence[int]) -> LeftOut:
    """Works out a report with all groups and without each of those that have any of the blocks."""
    counts = groups.view(np.int64).reshape(len(groups), -1)
    total = counts.sum(axis=0)

    def reported(numbers: np.ndarray[Any, np.dtype[np.int64]]) -> Mapping[str, Any]:
        return report(numbers.view(groups.dtype)[0])

    whole = reported(total)
    filled = [group for group, size in enumerate(blocks) if size]
    without = tuple(dict(figures(reported(total - counts[group]))) for group in filled)
    return LeftOut(whole, dict(figures(whole)), without, tuple(int(blocks[group]) for group in filled))


def over_blocks(report: Callable[[Any], Mapping[str, Any]], groups: Groups, blocks: Sequence[int]) -> dict[str, Any]:
    """The results of a report on all games, every interval taken over blocks; `blocks` are those of each group.

    What has an interval is found by its form, `{"value" or "mean", "low", "high"}`, at any depth; in a list it is known
    by its place.
    """
    return with_intervals(leave_out(report, groups, blocks))


def with_intervals(found: LeftOut, errors: Errors = ONCE) -> dict[str, Any]:
    """The results of a report on all games, every interval taken over blocks."""
    intervals = {
        path: interval(figure, [other.get(path) for other in found.without], found.sizes, errors)
        for path, figure in found.figures.items()
    }
    replaced: dict[str, Any] = _replaced(found.whole, intervals)
    return replaced


def figures(results: Any, path: Path = ()) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """All estimates in nested results: where each stands, and its saved form."""
    if isinstance(results, dict):
        if _value_name(results) is not None:
            yield path, results
        for key, part in results.items():
            yield from figures(part, (*path, key))
    elif isinstance(results, list):
        for place, part in enumerate(results):
            yield from figures(part, (*path, place))


def jackknife(whole: float, without: Sequence[float], sizes: Sequence[int]) -> float:
    """The variance of a figure from what it is without each group; sizes are those of the groups, not all alike."""
    if len(sizes) < 2:
        raise ValueError("one group says nothing of the error")
    total = sum(sizes)
    # Worked out as moves away from the whole, so that a figure that does not move has no variance at all.
    moves = [other - whole for other in without]
    centre = -fsum((1 - size / total) * move for size, move in zip(sizes, moves, strict=True))
    parts = []
    for size, move in zip(sizes, moves, strict=True):
        others = (total - size) / size
        parts.append((-others * move - centre) ** 2 / others)
    return fsum(parts) / len(sizes)


def mean_interval(value: float, variance: float, degrees: int, errors: Errors = ONCE) -> tuple[float, float]:
    """Student's interval, or that for all looks."""
    half = errors.point(degrees) * sqrt(variance)
    return value - half, value + half


def share_interval(
    share: float, variance: float, degrees: int, blocks: int, errors: Errors = ONCE
) -> tuple[float, float]:
    """Wilson's interval of a share of so many blocks, with the size that a sample of this variance would have.

    Student's t stands for the normal point, which is the size corrected for degrees of freedom (Korn and Graubard,
    1998). A share that was the same in all blocks has no variance: then of all blocks there may be as many others as
    Wilson's interval leaves room for, and they may hold anything.
    """
    if variance > 0 and 0 < share < 1:
        return wilson(share, share * (1 - share) / variance, errors.point(degrees))
    spread = Z95**2 if errors is ONCE else errors.point(degrees) ** 2
    others = spread / (blocks + spread)
    return share * (1 - others), share * (1 - others) + others


def interval(
    found: Mapping[str, Any],
    without: Sequence[Mapping[str, Any] | None],
    sizes: Sequence[int],
    errors: Errors = ONCE,
) -> tuple[float, float]:
    """The interval of one figure, which may be missing where a group was left out that alone had anything of it."""
    value = value_of(found)
    if value.n == 0:
        return found["low"], found["high"]
    others = [Measured(0.0) if other is None else value_of(other) for other in without]
    having = [size for size, other in zip(sizes, others, strict=True) if other.n < value.n or value.n == _UNKNOWN]
    degrees = len(having) - 1
    if degrees < 1:
        return _of_one_group(found, value)
    variance = jackknife(value, others, sizes)
    if value.most is None:
        return mean_interval(float(value), variance, degrees, errors)
    share = min(1.0, value / value.most)
    low, high = share_interval(share, variance / value.most**2, degrees, min(sum(having), value.n), errors)
    return low * value.most, high * value.most


def _of_one_group(found: Mapping[str, Any], value: Measured) -> tuple[float, float]:
    """Nothing is known of the error: of a share it may be anything; else as if all the games were one observation."""
    if value.most is not None:
        return 0.0, value.most
    root = sqrt(max(1, value.n))
    return value - root * (value - found["low"]), value + root * (found["high"] - value)


def _value_name(found: Mapping[str, Any]) -> str | None:
    if "low" not in found or "high" not in found:
        return None
    return next((name for name in _VALUES if isinstance(found.get(name), float)), None)


def value_of(found: Mapping[str, Any]) -> Measured:
    """The value of an estimate; one that does not remember how it was measured is taken for a mean."""
    value = found[_value_name(found) or ""]
    return value if isinstance(value, Measured) else Measured(value, _UNKNOWN)


def _replaced(results: Any, intervals: Mapping[Path, tuple[float, float]], path: Path = ()) -> Any:
    """A copy of nested results with other intervals."""
    if isinstance(results, dict):
        made = {key: _replaced(part, intervals, (*path, key)) for key, part in results.items()}
        if path in intervals:
            made["low"], made["high"] = intervals[path]
        return made
    if isinstance(results, list):
        return [_replaced(part, intervals, (*path, place)) for place, part in enumerate(results)]
    return results
