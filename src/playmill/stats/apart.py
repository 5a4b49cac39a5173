"""Differences of two runs that share no luck: every figure of two reports, from the interval that each has alone.

The ends of both intervals are put together square by square (MOVER: Zou and Donner, 2008; of two shares with Wilson's
intervals it is Newcombe's method 10). It needs nothing but what a report says, be it a rate, a mean or a ratio.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import erfc, hypot, sqrt
from typing import Any

from playmill.stats.blocks import Path, figures, value_of
from playmill.stats.differences import Difference, holm
from playmill.stats.estimates import Z95


def unpaired(a: Mapping[str, Any], b: Mapping[str, Any]) -> dict[Path, Difference]:
    """The difference of every figure that two results have in common, and of which both have seen anything."""
    before, after = dict(figures(a)), dict(figures(b))
    found: dict[Path, tuple[float, float, tuple[float, float], float]] = {}
    for path, one in before.items():
        if path not in after or not value_of(one).n or not value_of(after[path]).n:
            continue
        found[path] = (float(value_of(one)), float(value_of(after[path])), *_differ(one, after[path]))
    adjusted = holm([p for *_, p in found.values()])
    return {
        path: Difference(first, second, second - first, *interval, p=p, adjusted=corrected, removed=None)
        for (path, (first, second, interval, p)), corrected in zip(found.items(), adjusted, strict=True)
    }


def _differ(one: Mapping[str, Any], other: Mapping[str, Any]) -> tuple[tuple[float, float], float]:
    """The interval of a difference, and how often chance alone makes such a one."""
    before, after = value_of(one), value_of(other)
    value = float(after - before)
    below = hypot(after - other["low"], one["high"] - before)
    above = hypot(other["high"] - after, before - one["low"])
    # What has to be crossed on the way to no difference at all.
    half = below if value > 0 else above
    if half > 0:
        return (value - below, value + above), erfc(abs(value) * Z95 / (half * sqrt(2)))
    # The same in all games of each: as unlikely as so many games that fall alike.
    return (value, value), 1.0 if value == 0 else 2.0 ** -max(0, min(before.n - 1, after.n - 1, 1000))
