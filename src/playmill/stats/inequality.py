"""How unequal rates are, beyond chance: the largest gap with the noise removed, and its interval.

Of five equal win rates one is always the largest, and the largest gap between them is never 0. So the gap that is told
is the one left when the noise is taken out, and its interval knows that it was the largest.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from playmill.stats.critical_values import Z95, t95
from playmill.stats.estimates import Estimate

Numbers = np.ndarray[Any, np.dtype[np.float64]]
#: How often noise of the same size is drawn to see what chance alone does; with the same seed each time.
_DRAWS = 20_000
_SEED = 20210


@dataclass(frozen=True)
class Spread:
    """How far rates lie apart: the largest gap as it was seen, what of it is left without the noise, and how often
    chance alone makes rates differ as much."""

    seen: float
    gap: Estimate
    p: float

    @property
    def real(self) -> bool:
        """Whether they differ at all, beyond chance."""
        return self.p < 0.05


def ratios(tops: Any, bottoms: Any) -> tuple[Numbers, Numbers]:
    """The ratios of sums over observations (rows), and the covariance of their errors (by linearisation).

    Tops are shares of bottoms: of seats what each game paid them and 1, of sides 1 where a side took part.
    """
    top, bottom = np.asarray(tops, np.float64), np.asarray(bottoms, np.float64)
    n, below = len(top), bottom.mean(axis=0)
    safe = np.where(below > 0, below, 1.0)
    values: Numbers = top.mean(axis=0) / safe
    residuals = (top - values * bottom) / safe
    covariance: Numbers = np.atleast_2d(np.cov(residuals, rowvar=False)) / n if n > 1 else np.zeros((len(values),) * 2)
    # Where all were alike there may be others: two that differ as much as can be.
    covariance = covariance + np.diag(2 / ((n * below + 1) * (n * below + 2)))
    # A variance of few observations is itself not known well: as much wider as Student's interval is.
    return values, covariance * (t95(n - 1) / Z95) ** 2 if n > 1 else covariance


def spread(values: Any, covariance: Any) -> Spread:
    """How far rates with these errors lie apart, shares of 1 at most.

    What is seen is true differences and noise; the squares of both add up. The part of the squares that noise of this
    size makes on average is taken out (the positive-part estimate of James and Stein), and the gap shrinks with them.
    The interval holds the gap of the true rates of the two that lie furthest apart with 95 %, for all pairs at once.
    """
    rates, errors = np.asarray(values, np.float64), np.asarray(covariance, np.float64)
    k = len(rates)
    if k < 2:
        return Spread(0.0, Estimate(0.0, 0.0, 0.0, 0), 1.0)
    centred = np.eye(k) - 1 / k
    noise = centred @ errors @ centred
    squares, by_chance = float(((rates - rates.mean()) ** 2).sum()), float(np.trace(noise))
    seen = float(rates.max() - rates.min())
    drawn = _drawn(noise)
    p = float((np.sum(drawn**2, axis=1) >= squares).mean()) if by_chance > 0 else float(squares == 0)
    reach = float(np.quantile(np.ptp(drawn, axis=1), 0.95)) if by_chance > 0 else 0.0
    left = sqrt(max(0.0, 1 - by_chance / squares)) if squares > 0 else 0.0
    return Spread(seen, Estimate(seen * left, max(0.0, seen - reach), min(1.0, seen + reach), k), p)


def _drawn(covariance: Numbers) -> Numbers:
    """Noise of this covariance, drawn many times."""
    sizes, axes = np.linalg.eigh(covariance)
    rng = np.random.Generator(np.random.PCG64(_SEED)).standard_normal((_DRAWS, len(sizes)))
    drawn: Numbers = (rng * np.sqrt(np.maximum(sizes, 0.0))) @ axes.T
    return drawn
