"""What can be said of whole numbers that were counted: how many, the middle, the spread, the ends."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from playmill.stats.estimates import Estimate, mean
from playmill.texts import PlaymillError


class Histogram:
    """Counts of whole numbers: `counts[i]` observations had the value `i + offset`.

    All sums are exact, so the same counts give the same figures on every machine; of no observations every figure is 0.
    """

    def __init__(self, counts: Sequence[int] | NDArray[np.integer[Any]], offset: int = 0) -> None:
        # Python's integers do not overflow: squares of a hundred million large scores would leave 64 bits.
        places = np.flatnonzero(counts).tolist()
        self._bins = [(place + offset, int(counts[place])) for place in places]
        self.n = sum(count for _, count in self._bins)
        self._total = sum(value * count for value, count in self._bins)
        self._squares = sum(value * value * count for value, count in self._bins)

    @property
    def mean(self) -> Estimate:
        """The mean with its normal interval."""
        return mean(self.n, self._total, self._squares)

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
        """The smallest value observed that a share p of the observations does not exceed (nearest rank)."""
        assert 0 <= p <= 1, p
        # 0.07 is meant as 7/100: in floats 0.07 * 100 is above 7 and would take the next rank.
        return self._ranked(max(1, ceil(Fraction(str(p)) * self.n)))

    def json(self) -> dict[str, float | int]:
        """The form in which results are saved."""
        centre = self.mean.json()
        return {
            "mean": centre["value"],
            "low": centre["low"],
            "high": centre["high"],
            "median": self.median,
            "std": self.std,
            "p10": self.quantile(0.1),
            "p90": self.quantile(0.9),
            "min": self.min,
            "max": self.max,
        }

    def _ranked(self, rank: int) -> int:
        """The value at a place of the sorted observations, counted from 1."""
        for value, count in self._bins:
            rank -= count
            if rank <= 0:
                return value
        return self.max


def counted(places: NDArray[np.integer[Any]], what: str) -> Histogram:
    """What `engine.counting.count_in` has counted; refuses if a value had no place, since figures would be wrong."""
    if beyond := int(places[-1]):
        most, n = len(places) - 2, int(places.sum())
        raise PlaymillError(
            f"{what}: {beyond} of {n} values are not among 0 … {most}, all that the counts have room for",
            f"{what}: значений не из 0 … {most}, на которые рассчитаны счётчики: {beyond} из {n}",
        )
    return Histogram(places[:-1])
