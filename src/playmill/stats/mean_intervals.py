"""Intervals of means that hold for few, rare and skewed observations (Gaffke; gamma approximation).

Student's interval takes what was seen for all there is: of twenty scores that were 0 it says that the mean is 0, for
sure, and of one score of 3 among them that the mean is hardly above 0.3. So each end is taken as if one more
observation had been made, as far out as observations were seen to go (or can go, where that is known), and as if the
error were as lopsided as the observations are: a gamma distribution with the first three moments of the weighted mean
(the Bayesian bootstrap with an observation added at the end: Gaffke, 2005; Learned-Miller and Thomas, 2019). Of shares
it is the exact interval of Clopper and Pearson as nearly as Poisson's distribution is the binomial one; of many
observations with no odd ones among them it is Student's.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import exp, inf, isfinite, lgamma, log, nan, sqrt
from typing import NamedTuple

from playmill.stats.critical_values import ONCE, Z95, Errors

#: An observation that was not seen may be this many standard deviations away, whatever was seen; twice as far as those
#: that make the mean lopsided; and half as far again as observations far out usually were.
_DEVIATIONS, _LOPSIDED, _FAR_OUT = 3.0, 2.0, 1.5
#: Up to this skewness a few terms of Cornish and Fisher's series are a gamma distribution's point to five digits.
_EVEN = 0.25
_SHARE = 0.975


#: Whether nobody asks for intervals.
without_intervals: ContextVar[bool] = ContextVar("without_intervals", default=False)


@contextmanager
def values_only() -> Iterator[None]:
    """Makes estimates their own interval, where nobody looks at it: it takes longer than all else in a report."""
    before = without_intervals.set(True)
    try:
        yield
    finally:
        without_intervals.reset(before)


class Moments(NamedTuple):
    """An estimate of a mean: its value, its variance, its third central moment, and the observations behind it.

    `far` is how far out observations go that are far from the mean, the root of their fourth moment by their second, if
    that is known.
    """

    value: float
    variance: float
    third: float
    n: int
    far: float = 0.0

    @property
    def skew(self) -> float:
        """How lopsided the error is, to either side."""
        return _skew(abs(self.third), self.variance)

    @property
    def lopsided(self) -> float:
        """How far from the mean the observations lie that make it lopsided, to either side."""
        return self.n * abs(self.third) / self.variance if self.variance > 0 else 0.0


def mean_interval(
    found: Moments,
    degrees: int,
    errors: Errors = ONCE,
    *,
    least: float | None = None,
    most: float | None = None,
) -> tuple[float, float]:
    """The interval of a mean of observations between `least` and `most`, as far as these are known.

    Observations that were all alike say nothing of those that differ: an end that is not known is then not a number.
    """
    if without_intervals.get():
        return found.value, found.value
    if degrees < 1 or found.skew > errors.most_skew:
        return nan, nan
    above = inf if most is None else max(0.0, most - found.value)
    below = inf if least is None else max(0.0, found.value - least)
    low = found.value - _beyond(found._replace(third=-found.third), below, degrees, errors)
    high = found.value + _beyond(found, above, degrees, errors)
    # What is rounded may be beyond a bound by its last digit.
    low = low if least is None else max(low, min(least, found.value))
    high = high if most is None else min(high, max(most, found.value))
    return (low, high) if isfinite(low) and isfinite(high) else (nan, nan)


def _beyond(found: Moments, room: float, degrees: int, errors: Errors) -> float:
    """How far above its value the upper end of a mean is, with so much room above it for observations."""
    n = found.n
    # Where all observations are alike, nothing was seen that says how far they go.
    reach = room
    if found.variance > 0:
        deviations = _DEVIATIONS * sqrt(found.variance * n)
        reach = min(room, max(deviations, _LOPSIDED * found.lopsided, _FAR_OUT * found.far))
    if not isfinite(reach):
        return nan
    shift = reach / (n + 1)
    variance = found.variance * n / (n + 1) + reach**2 * n / ((n + 1) ** 2 * (n + 2))
    if variance <= 0:
        return 0.0
    # The mean moves to the added observation, and the weighted mean is twice as lopsided as the mean itself.
    third = 2 * (found.third + (reach / n) ** 3)
    away = shift + sqrt(variance) * _point(_skew(third, variance)) * errors.point(degrees) / Z95
    return max(0.0, min(room, away))


def _skew(third: float, variance: float) -> float:
    scale = variance**1.5
    return third / scale if scale > 0 else 0.0


def _point(skew: float) -> float:
    """The upper 97.5 % point of a gamma distribution of mean 0, variance 1 and this skewness (mirrored below 0)."""
    if abs(skew) <= _EVEN:
        z = Z95
        second = (z**3 - 3 * z) * 1.5 / 24 - (2 * z**3 - 5 * z) / 36
        return z + skew * (z**2 - 1) / 6 + skew**2 * second
    shape = 4 / skew**2
    point = (gamma_point(shape, _SHARE if skew > 0 else 1 - _SHARE) - shape) / sqrt(shape)
    return point if skew > 0 else -point


def gamma_point(shape: float, share: float) -> float:
    """The point below which a share of a gamma distribution lies, by bisection; for shapes up to some hundred."""
    low, high = 0.0, shape + 10 * sqrt(shape) + 20
    # Halved until nine digits stand: results must not depend on the last ones, which differ between machines.
    while high - low > 1e-9 * max(1.0, high):
        middle = (low + high) / 2
        if _gamma_share(shape, middle) < share:
            low = middle
        else:
            high = middle
    return round((low + high) / 2, 8)


def _gamma_share(shape: float, point: float) -> float:
    """The share of a gamma distribution that lies below a point, by its series."""
    term = total = 1.0
    step = shape
    while term > 1e-13 * total:
        step += 1
        term *= point / step
        total += term
    return exp(shape * log(point) - point - lgamma(shape + 1)) * total
