"""Differences of two independent runs, from the intervals of each figure in two reports (MOVER).

The ends of both intervals are put together square by square (MOVER: Zou and Donner, 2008; of two shares with Wilson's
intervals it is Newcombe's method 10). It needs nothing but what a report says, be it a rate, a mean or a ratio. A
figure that one of them does not know is not tested, as in `differences.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import erfc, hypot, isnan, sqrt
from typing import Any

from playmill.stats.block_jackknife import Path, figures, value_of
from playmill.stats.critical_values import Z95
from playmill.stats.differences import ENOUGH, Difference, Untested, corrected


def unpaired(a: Mapping[str, Any], b: Mapping[str, Any]) -> dict[Path, Difference]:
    """The difference of every figure that two results have in common, and of which one has seen anything."""
    before, after = figures(a), figures(b)
    found: dict[Path, Untested] = {}
    for path, one in before.items():
        if path in after and not (isnan(value_of(one)) and isnan(value_of(after[path]))):
            found[path] = _differ(one, after[path])
    return corrected(found)


def _differ(one: Mapping[str, Any], other: Mapping[str, Any]) -> Untested:
    """The interval of a difference, and how often chance alone makes such a one."""
    before, after = value_of(one), value_of(other)
    if isnan(before) or isnan(after) or one["low"] is None or other["low"] is None:
        return Untested(before, after)
    value = float(after - before)
    below = hypot(after - other["low"], one["high"] - before)
    above = hypot(other["high"] - after, before - one["low"])
    if any(0 <= side.n < ENOUGH for side in (before, after)):
        return Untested(before, after, value - below, value + above)
    # What has to be crossed on the way to no difference at all.
    half = below if value > 0 else above
    p = erfc(abs(value) * Z95 / (half * sqrt(2))) if half > 0 else float(value == 0)
    return Untested(before, after, value - below, value + above, p)
