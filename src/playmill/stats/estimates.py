"""Estimates of what was counted, game by game: rates, means and ratios with their 95 % intervals."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import sqrt

#: The two-sided 95 % point of the normal distribution.
Z95 = 1.959963984540054


class Measured(float):
    """The value of an estimate: a number that remembers, wherever it is copied, how it was measured.

    `n` observations are behind it; of a share `most` is what it can be at most, of a mean it is None. Saved, it is the
    plain number. So intervals can be taken anew over other units than games (see `blocks.py`), whatever a report made
    of its figures.
    """

    n: int
    most: float | None

    def __new__(cls, value: float, n: int = 0, most: float | None = None) -> Measured:
        """The number and how it was measured."""
        made = super().__new__(cls, value)
        made.n, made.most = n, most
        return made


@dataclass(frozen=True)
class Estimate:
    """A measured value with its 95 % interval and the number of observations behind it; of a share, its `most`."""

    value: float
    low: float
    high: float
    n: int
    most: float | None = field(default=None, compare=False)

    def json(self) -> dict[str, float]:
        """The form in which results are saved."""
        return {"value": Measured(self.value, self.n, self.most), "low": self.low, "high": self.high}

    def over(self, parts: int) -> Estimate:
        """The same divided by a number, such as that of the seats which share it."""
        most = None if self.most is None else self.most / parts
        return Estimate(self.value / parts, self.low / parts, self.high / parts, self.n, most)


def rate(hits: int, n: int) -> Estimate:
    """The share of hits among n, with Wilson's score interval; of nothing: 0 with the interval [0, 1]."""
    hits, n = int(hits), int(n)
    if n == 0:
        return Estimate(0.0, 0.0, 1.0, 0, 1.0)
    share = hits / n
    low, high = wilson(share, n, Z95)
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


def mean(n: int, total: int, squares: int) -> Estimate:
    """The mean of n whole numbers from their sum and sum of squares, with its normal interval."""
    n, total, squares = int(n), int(total), int(squares)
    if n == 0:
        return Estimate(0.0, 0.0, 0.0, 0)
    value = total / n
    if n == 1:
        return Estimate(value, value, value, 1)
    variance = max(0, n * squares - total * total) / (n * (n - 1))
    half = Z95 * sqrt(variance / n)
    return Estimate(value, value - half, value + half, n)


def ratio(n: int, tops: tuple[int, int], bottoms: tuple[int, int], products: int) -> Estimate:
    """The ratio of two sums over n games, each with its sum of squares, and the sum of their products.

    Its interval is the normal one by the delta method: how far the games lie from the common ratio.
    """
    (top, top_squares), (bottom, bottom_squares) = tops, bottoms
    if bottom == 0:
        return Estimate(0.0, 0.0, 0.0, 0)
    value = top / bottom
    if n == 1:
        return Estimate(value, value, value, 1)
    # Whole numbers up to the root: differences of sums this large would be lost in floats.
    residuals = bottom**2 * top_squares - 2 * bottom * top * products + top**2 * bottom_squares
    half = Z95 * sqrt(n * residuals / ((n - 1) * bottom**4))
    return Estimate(value, value - half, value + half, n)
