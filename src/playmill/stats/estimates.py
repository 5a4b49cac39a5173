"""`Estimate`: rates, means and ratios of counted games with their 95 % intervals.

Without observations a figure is undefined, not 0; where observations are too few to say anything of their error, there
is no interval. In memory both are NaN, saved they are null.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isfinite, isnan, nan, sqrt
from typing import Any

from playmill.stats.critical_values import Z95
from playmill.stats.mean_intervals import Moments, mean_interval, without_intervals

#: The mean of a Poisson distribution in which this many events, or more, happen with a chance of 5 %. Wilson's interval
#: misses more often than it says where few things are counted, and ends here instead (Brown, Cai and DasGupta, 2001).
_POISSON = (0.0, 0.051293, 0.355362, 0.817691, 1.366318, 1.970150, 2.613015, 3.285316, 3.980823, 4.695228)


class Measured(float):
    """The value of an estimate: a number that remembers, wherever it is copied, how it was measured.

    `n` observations are behind it; of a share `most` is what it can be at most, of a mean it is None. What is averaged
    lies within `bounds`, as far as they are known. Saved, it is the plain number. So intervals can be taken anew over
    other units than games (see `blocks.py`), whatever a report made of its figures.
    """

    n: int
    most: float | None
    bounds: tuple[float | None, float | None]

    def __new__(
        cls,
        value: float,
        n: int = 0,
        most: float | None = None,
        bounds: tuple[float | None, float | None] = (None, None),
    ) -> Measured:
        """The number and how it was measured."""
        made = super().__new__(cls, value)
        made.n, made.most, made.bounds = n, most, bounds
        return made


@dataclass(frozen=True, init=False)
class Estimate:
    """A measured value with its 95 % interval and the number of observations behind it; of a share, its `most`.

    A value without observations is NaN, and so are the ends of an interval that too few observations leave unknown;
    None, as both are saved, is taken for NaN.
    """

    value: float
    low: float
    high: float
    n: int
    most: float | None = field(default=None, compare=False)
    bounds: tuple[float | None, float | None] = field(default=(None, None), compare=False)

    def __init__(
        self,
        value: float | None,
        low: float | None,
        high: float | None,
        n: int,
        most: float | None = None,
        bounds: tuple[float | None, float | None] = (None, None),
    ) -> None:
        # A report makes hundreds of them, a comparison ten thousand: setting frozen fields one by one takes longer.
        self.__dict__.update(
            value=nan if value is None else value,
            low=nan if low is None else low,
            high=nan if high is None else high,
            n=n,
            most=most,
            bounds=bounds,
        )

    @property
    def known(self) -> bool:
        """Whether it has an interval."""
        return isfinite(self.low) and isfinite(self.high)

    def json(self) -> dict[str, Any]:
        """The form in which results are saved."""
        value = None if isnan(self.value) else Measured(self.value, self.n, self.most, self.bounds)
        low, high = (self.low, self.high) if self.known else (None, None)
        return {"value": value, "low": low, "high": high, "n": self.n}

    def over(self, parts: int) -> Estimate:
        """The same divided by a number, such as that of the seats which share it."""
        return self.times(1 / parts)

    def times(self, scale: float) -> Estimate:
        """The same in another unit, such as percent."""
        most = None if self.most is None else self.most * scale
        bounds = (*(None if end is None else end * scale for end in self.bounds),)
        return Estimate(self.value * scale, self.low * scale, self.high * scale, self.n, most, (bounds[0], bounds[1]))


def value_and_ends(found: Estimate) -> dict[str, float]:
    """An estimate as plain numbers without its n, as pages and saved results have it."""
    return {"value": found.value, "low": found.low, "high": found.high}


def undefined(most: float | None = None) -> Estimate:
    """A figure of nothing."""
    return Estimate(nan, nan, nan, 0, most)


def rate(hits: int, n: int) -> Estimate:
    """The share of hits among n, with Wilson's score interval, let out where few were counted; undefined of nothing."""
    hits, n = int(hits), int(n)
    if n == 0:
        return undefined(1.0)
    share = hits / n
    if without_intervals.get():
        return Estimate(share, share, share, n, 1.0)
    low, high = wilson(share, n, Z95)
    if 0 <= hits < len(_POISSON):
        low = min(low, _POISSON[hits] / n)
    if 0 <= n - hits < len(_POISSON):
        high = max(high, 1 - _POISSON[n - hits] / n)
    return Estimate(share, low, high, n, 1.0)


def wilson(share: float, n: float, z: float) -> tuple[float, float]:
    """Wilson's score interval of a share among n, z standard errors wide; n need not be whole."""
    spread = z * z / n
    middle = (share + spread / 2) / (1 + spread)
    half = z * sqrt(max(0.0, share * (1 - share) / n + spread / (4 * n))) / (1 + spread)
    # At the ends it is the end itself, which the sums may miss by a little.
    low = 0.0 if share == 0 else max(0.0, middle - half)
    high = 1.0 if share == 1 else min(1.0, middle + half)
    return low, high


def mean(
    n: int,
    total: int,
    squares: int,
    powers: tuple[int, int] | None = None,
    *,
    least: float | None = None,
    most: float | None = None,
) -> Estimate:
    """The mean of n whole numbers from the sums of them, of their squares and, if known, of third and fourth powers.

    `least` and `most` are what one of them can be, as far as that is known. Numbers that were all the same have an
    interval only where both are: nobody knows how far away one is that was not seen. Rare numbers need the powers.
    """
    n, total, squares = int(n), int(total), int(squares)
    bounds = (least, most)
    if n == 0:
        return Estimate(nan, nan, nan, 0, None, bounds)
    value = total / n
    if n == 1:
        return Estimate(value, nan, nan, 1, None, bounds)
    if without_intervals.get():
        return Estimate(value, value, value, n, None, bounds)
    # Whole numbers up to the root: differences of sums this large would be lost in floats.
    spread = max(0, n * squares - total * total)
    variance = spread / (n * n * (n - 1))
    found = Moments(value, variance, 0.0, n)
    if powers is not None:
        cubes, fourths = powers
        third = (n * n * cubes - 3 * n * total * squares + 2 * total**3) / n**5
        around = n**3 * fourths - 4 * n * n * total * cubes + 6 * n * total**2 * squares - 3 * total**4
        far = sqrt(max(0, around) / (n * n * spread)) if spread else 0.0
        found = found._replace(third=third, far=far)
    elif least == 0:
        found = found._replace(third=_least_third(n, total, squares))
    low, high = mean_interval(found, n - 1, least=least, most=most)
    if powers is None and (third := _third_of_rare(n, total, squares)):
        ends = mean_interval(found._replace(third=third), n - 1, least=least, most=most)
        low, high = (low, ends[1]) if third > 0 else (ends[0], high)
    if variance == 0 and not high - low <= 1:
        # All the same, and so few that the interval would be wider than from one whole number to the next.
        low = high = nan
    return Estimate(value, low, high, n, None, bounds)


def _least_third(n: int, total: int, squares: int) -> float:
    """The third central moment of a mean of numbers from 0 on, if those above 0 are all alike; 0 if it is below."""
    if total <= 0:
        return 0.0
    # All of it times the sum of the numbers, so that it stays whole.
    around = n * n * squares**2 - 3 * n * total**2 * squares + 2 * total**4
    return max(0, around) / (total * n**5)


def _third_of_rare(n: int, total: int, squares: int) -> float:
    """The third central moment of a mean of numbers most of which are the same, if those that differ are all alike."""
    usual = (2 * total + n) // (2 * n)
    away, spread = total - n * usual, squares - 2 * usual * total + n * usual**2
    # Less than one number can have made this: those that differ lie to both sides.
    if usual == 0 or 2 * spread > n or away**2 < spread or away == 0:
        return 0.0
    third = _least_third(n, abs(away), spread)
    return third if away > 0 else -third


def ratio(
    n: int, tops: tuple[int, int], bottoms: tuple[int, int], products: int, *, most: float | None = None
) -> Estimate:
    """The ratio of two sums over n games, each with its sum of squares, and the sum of their products.

    Its error is that of the delta method: how far the games lie from the common ratio. `most` is what it can be.
    """
    n = int(n)
    (top, top_squares), (bottom, bottom_squares) = tops, bottoms
    if bottom == 0:
        return undefined()
    value = top / bottom
    if n == 1:
        return Estimate(value, nan, nan, 1)
    # Whole numbers up to the root: differences of sums this large would be lost in floats.
    residuals = bottom**2 * top_squares - 2 * bottom * top * products + top**2 * bottom_squares
    variance = max(0, int(n * residuals)) / int((n - 1) * bottom**4)
    third = 0.0
    if top > 0 and top_squares > 0:
        third = _least_third(n, int(top), int(top_squares)) * (n / bottom) ** 3
    least = 0.0 if top >= 0 else None
    low, high = mean_interval(Moments(value, variance, third, n), n - 1, least=least, most=most)
    return Estimate(value, low, high, n, None, (least, most))
