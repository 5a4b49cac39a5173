"""Statistics of counted whole numbers: mean, spread, median, quantiles with intervals, extremes.

How many observations lie below a quantile is binomial, whatever their distribution: so the interval of a quantile lies
between two of the observations, and there is none where these would have to be further out than any that were seen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import ceil, floor, nan, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from playmill.stats.critical_values import Z95
from playmill.stats.estimates import Estimate, mean
from playmill.texts import PlaymillError

#: The quantiles that are saved.
QUANTILES = {"median": 0.5, "p10": 0.1, "p90": 0.9}


class Histogram:
    """Counts of whole numbers: `counts[i]` observations had the value `i + offset`.

    All sums are exact, so the same counts give the same figures on every machine. There is a place for every number
    that can be. `together` observations of a deal may depend on each other, such as those of all its seats.
    """

    def __init__(self, counts: Sequence[int] | NDArray[np.integer[Any]], offset: int = 0, *, together: int = 1) -> None:
        # Python's integers do not overflow: squares of a hundred million large scores would leave 64 bits.
        places = np.flatnonzero(counts).tolist()
        self._together = together
        self._bounds = (offset, offset + len(counts) - 1)
        self._bins = [(place + offset, int(counts[place])) for place in places]
        self.n = sum(count for _, count in self._bins)
        self._total = sum(value * count for value, count in self._bins)
        self._squares = sum(value * value * count for value, count in self._bins)

    @property
    def mean(self) -> Estimate:
        """The mean with its interval."""
        cubes, fourths = (sum(value**power * count for value, count in self._bins) for power in (3, 4))
        least, most = self._bounds
        return mean(self.n, self._total, self._squares, (cubes, fourths), least=least, most=most)

    @property
    def std(self) -> float:
        """The standard deviation of the sample (divided by n − 1); of one observation 0."""
        if self.n < 2:
            return 0.0
        return sqrt(Fraction(self.n * self._squares - self._total**2, self.n * (self.n - 1)))

    @property
    def median(self) -> float:
        """The middle value, or the mean of the two middle ones."""
        return (self._ranked((self.n + 1) // 2) + self._ranked(self.n // 2 + 1)) / 2

    @property
    def min(self) -> int:
        """The smallest value observed."""
        return self._bins[0][0] if self._bins else 0

    @property
    def max(self) -> int:
        """The largest value observed."""
        return self._bins[-1][0] if self._bins else 0

    def quantile(self, p: float) -> int:
        """Returns the smallest value observed that a share p of the observations does not exceed (nearest rank)."""
        assert 0 <= p <= 1, p
        return self._ranked(max(1, ceil(_as_written(p) * self.n)))

    def interval(self, p: float) -> tuple[float, float] | None:
        """The values between which the true quantile lies in 95 % of samples or more; None of too few of them."""
        # As if those that may depend on each other were one observation.
        n = self.n / self._together
        if n < 2:
            return None
        half = Z95 * sqrt(p * (1 - p) / n) + 1 / n
        low, high = floor((p - half) * self.n), ceil((p + half) * self.n) + 1
        return (self._ranked(low), self._ranked(high)) if low >= 1 and high <= self.n else None

    def json(self) -> dict[str, Any]:
        """Returns the form in which results are saved; of no observations every figure is null."""
        centre = self.mean.json()
        saved = {"mean": centre["value"], "low": centre["low"], "high": centre["high"], "n": self.n}
        if not self.n:
            return {**saved, **dict.fromkeys(("median", "std", "p10", "p90", "min", "max", "intervals"))}
        intervals = {name: self.interval(p) for name, p in QUANTILES.items()}
        return {
            **saved,
            "median": self.median,
            "std": self.std,
            "p10": self.quantile(0.1),
            "p90": self.quantile(0.9),
            "min": self.min,
            "max": self.max,
            "intervals": {name: list(ends) if ends is not None else None for name, ends in intervals.items()},
        }

    def _ranked(self, rank: int) -> int:
        """Returns the value at a place of the sorted observations, counted from 1."""
        for value, count in self._bins:
            rank -= count
            if rank <= 0:
                return value
        return self.max


@cache
def _as_written(share: float) -> Fraction:
    """Returns a share as it is meant: 0.07 is 7/100; in floats 0.07 * 100 is above 7 and would take the next rank."""
    return Fraction(str(share))


def saved_estimate(saved: Mapping[str, Any]) -> Estimate:
    """Returns the estimate behind its saved form."""
    return Estimate(saved["mean"] if "mean" in saved else saved["value"], saved["low"], saved["high"], saved["n"])


def quantile_estimate(saved: Mapping[str, Any], name: str) -> Estimate:
    """Returns a quantile with its interval from the saved form of a histogram."""
    low, high = (saved["intervals"] or {}).get(name) or (nan, nan)
    return Estimate(saved[name], low, high, saved["n"])


def counted(places: NDArray[np.integer[Any]], what: str, *, together: int = 1) -> Histogram:
    """Returns the histogram of `engine.counting.count_in`; raises if a value was out of its range."""
    if beyond := int(places[-1]):
        most, n = len(places) - 2, int(places.sum())
        raise PlaymillError(
            f"{what}: {beyond} of {n} values are not among 0 … {most}, all that the counts have room for",
            f"{what}: значений не из 0 … {most}, на которые рассчитаны счётчики: {beyond} из {n}",
        )
    return Histogram(places[:-1], together=together)
