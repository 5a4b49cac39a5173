"""Estimates from single observations: any function (jackknife), shares, means and quantiles.

An observation is whatever is independent of the others: a game, or a deal with all its seatings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf, isnan, nan, sqrt
from typing import Any

import numpy as np

from playmill.stats.block_jackknife import jackknife, share_interval
from playmill.stats.critical_values import LEVEL, t95, two_sided
from playmill.stats.differences import holm
from playmill.stats.estimates import Estimate

Numbers = np.ndarray[Any, np.dtype[np.float64]]
#: In this many groups observations are left out to see how much a figure moves; fewer if there are fewer of them.
GROUPS = 64
#: Below this many observations an interval means little, and is not told.
FEW = 2


def figure(
    observations: Any,
    work_out: Callable[[Any], float],
    *,
    most: float | None = None,
    least: float | None = None,
    reach: float | None = None,
) -> Estimate:
    """A figure of observations (the rows of an array) with its jackknife interval over groups of them.

    `least` and `most` are what it can be; the interval ends there. Of no observations it is undefined, and so is the
    interval of one. Where all are alike their variance says nothing of those that did not turn up: `reach` is how far
    it can be from what it is, and two more observations are added that are so far (see `average`); without a reach the
    interval is undefined.
    """
    rows = np.asarray(observations)
    n = len(rows)
    if n == 0:
        return Estimate(nan, nan, nan, 0)
    value = float(work_out(rows))
    groups = min(GROUPS, n)
    if groups < FEW:
        return Estimate(value, nan, nan, n)
    # In turn, so that a drift along the observations is in every group alike.
    group = np.arange(n) % groups
    sizes = np.bincount(group, minlength=groups).tolist()
    without = [float(work_out(rows[group != left])) for left in range(groups)]
    variance = jackknife(value, without, sizes)
    if variance == 0:
        if reach is None:
            return Estimate(value, nan, nan, n)
        variance = 2 * reach**2 / ((n + 1) * (n + 2))
    half = t95(groups - 1) * sqrt(variance)
    low, high = value - half, value + half
    return Estimate(value, low if least is None else max(least, low), high if most is None else min(most, high), n)


def average(
    observations: Any,
    *,
    most: float | None = None,
    reach: float | None = None,
    within: tuple[float, float] = (-inf, inf),
) -> Estimate:
    """The mean of observations; of shares of a whole `most`, an interval that stays inside.

    Of other bounded observations `reach` is how far from their mean they can be. Where only a few of them differ at
    all, their variance says too little of those that did not turn up: two more are added that do, one on each side, as
    Agresti and others add to counts. The interval ends where `within` does; it is undefined of one observation, and of
    many that are all alike where nothing is known of how far they can be apart.
    """
    values = np.asarray(observations, np.float64)
    n = len(values)
    if n == 0:
        return Estimate(nan, nan, nan, 0)
    value = float(values.mean())
    if n < FEW:
        return Estimate(value, nan, nan, n)
    variance = float(values.var(ddof=1)) / n
    if most is not None:
        low, high = share_interval(min(1.0, max(0.0, value / most)), variance / most**2, n - 1, n)
        return Estimate(value, low * most, high * most, n)
    if reach is not None:
        variance = (variance * n * (n - 1) + 2 * reach**2) / ((n + 1) * (n + 2))
    if variance == 0:
        return Estimate(value, nan, nan, n)
    half = t95(n - 1) * sqrt(variance)
    return Estimate(value, max(within[0], value - half), min(within[1], value + half), n)


def share_of(tops: Any, bottoms: Any) -> Estimate:
    """A share: sums of what there was over sums of what there could have been, one of each an observation.

    Its interval is Wilson's, with the size that a sample of the jackknife's variance would have.
    """
    pairs = np.column_stack([tops, bottoms]).astype(np.float64)
    pairs = pairs[pairs[:, 1] > 0]
    found = figure(pairs, _of_sums)
    if found.n < FEW:
        return Estimate(found.value, found.low, found.high, found.n, 1.0)
    degrees = min(GROUPS, found.n) - 1
    variance = 0.0 if not found.known else ((found.high - found.value) / t95(degrees)) ** 2
    low, high = share_interval(min(1.0, max(0.0, found.value)), variance, degrees, found.n)
    return Estimate(found.value, low, high, found.n, 1.0)


def mean_of(tops: Any, bottoms: Any, *, reach: float | None = None) -> Estimate:
    """A mean of things that come in observations, several in one: sums over numbers; undefined if there are none."""
    pairs = np.column_stack([tops, bottoms]).astype(np.float64)
    return figure(pairs[pairs[:, 1] > 0], _of_sums, reach=reach)


def _of_sums(pairs: Numbers) -> float:
    return float(pairs[:, 0].sum() / pairs[:, 1].sum())


def surely(found: Sequence[Estimate]) -> list[bool]:
    """Which of some means surely are not 0, though all of them were looked at (Holm's correction).

    They have intervals as `average` makes them; of a share that is not even on both sides the wider one counts.
    """
    chances = []
    for one in found:
        if one.n < FEW or isnan(one.low):
            chances.append(1.0)
            continue
        half = max(one.high - one.value, one.value - one.low)  # one end may have been cut short
        if half == 0:
            chances.append(1.0)
        else:
            chances.append(two_sided(one.value / (half / t95(one.n - 1)), one.n - 1))
    return [chance < LEVEL for chance in holm(chances)]


def quantile(observations: Any, share: float) -> Estimate:
    """A quantile with the interval between two of the observations, which hold it in 95 % of samples or more.

    How many observations lie below a quantile is binomial, whatever their distribution. Where they are so few that it
    may lie beyond all of them, the interval is undefined.
    """
    from scipy.stats import binom

    values = np.sort(np.asarray(observations, np.float64))
    n = len(values)
    if n == 0:
        return Estimate(nan, nan, nan, 0)
    value = float(np.quantile(values, share, method="inverted_cdf"))
    low, high = int(binom.ppf(0.025, n, share)) - 1, int(binom.ppf(0.975, n, share))
    if low < 0 or high >= n:
        return Estimate(value, nan, nan, n)
    return Estimate(value, float(values[low]), float(values[high]), n)
