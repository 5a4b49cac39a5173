"""Width of intervals in standard errors: Student's t for one look, an anytime-valid bound for many looks.

A run of a fixed size is looked at once: Student's t. A run that may be stopped by whoever looks at it needs more room,
the same at all looks together: Robbins' mixture of bets on a normal mean, in its form for means of many independent
blocks (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit theory and asymptotic confidence
sequences", 2021). It holds as far as the means of blocks are normal, which those of a few are not.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import exp, inf, log, sqrt
from typing import Protocol

#: How often at most an interval misses, or anything is called real if nothing is.
LEVEL = 0.05
#: The two-sided 95 % point of the normal distribution.
Z95 = 1.959963984540054
#: From this many degrees of freedom on, Student's point is worked out by a series, to all digits that are kept: whoever
#: plays many games need not wait for SciPy.
_MANY_DEGREES = 400
#: The number of blocks at which the interval for all looks is the least wider than that for one.
_BEST_AT = 3000
#: How the bets are spread so that this is so: the mixture is best where blocks · spread is this number.
_SPREAD = 8.8 / _BEST_AT
#: This many standard errors are as good as no end of them, and can still be squared.
_WIDEST = 1e9


class Errors(Protocol):
    """How intervals and tests are made from an estimate, its standard error and degrees of freedom."""

    @property
    def most_skew(self) -> float:
        """How lopsided the error of a mean may be; beyond it there is no interval."""

    def point(self, degrees: int) -> float:
        """Half the width of the 95 % interval in standard errors."""

    def chance(self, t: float, degrees: int) -> float:
        """How often at most chance alone goes this many standard errors away from 0."""


class Once:
    """A run of a fixed size, looked at once."""

    most_skew = inf

    def point(self, degrees: int) -> float:
        """Half the width of the 95 % interval in standard errors."""
        return t95(degrees)

    def chance(self, t: float, degrees: int) -> float:
        """How often chance alone goes this many standard errors away from 0."""
        return two_sided(t, degrees)


ONCE = Once()


@dataclass(frozen=True)
class AtAnyTime:
    """A run that may be stopped at any look, after this many blocks.

    Of rare things a mean is far from normal until some dozens of them have been seen: before that nothing is said.
    """

    blocks: int
    most_skew = 0.2

    def point(self, degrees: int) -> float:
        """Half the width of the 95 % interval in standard errors; all looks together miss in 5 % of runs."""
        from scipy.special import ndtr, stdtrit

        mixed = self.blocks * _SPREAD
        normal = sqrt((1 + mixed) / mixed * (2 * log(1 / LEVEL) + log(1 + mixed)))
        return round(min(-float(stdtrit(degrees, ndtr(-normal))), _WIDEST), 10)

    def chance(self, t: float, degrees: int) -> float:
        """How often at most chance alone goes so far away from 0 at any look."""
        from scipy.special import ndtri, stdtr

        mixed = self.blocks * _SPREAD
        # The normal point as unlikely as this one of Student's, which is known from few degrees of freedom.
        normal = min(-float(ndtri(stdtr(degrees, -abs(t)))), 1e6)
        won = normal * normal * mixed / (2 * (1 + mixed)) - log(1 + mixed) / 2
        return float(f"{min(1.0, exp(-min(won, 700.0))):.9e}")


@cache
def t95(degrees: int) -> float:
    """The two-sided 95 % point of Student's t distribution."""
    if degrees >= _MANY_DEGREES:
        z, v = Z95, degrees
        terms = (
            (z**3 + z) / (4 * v),
            (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2),
            (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3),
            (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * v**4),
        )
        return round(z + sum(terms), 10)
    from scipy.special import stdtrit

    # Rounded, since its last digits differ between versions and machines, and results must not.
    return round(float(stdtrit(degrees, 0.975)), 10)


def two_sided(t: float, degrees: int) -> float:
    """How often Student's t is further from 0."""
    from scipy.special import stdtr

    # Rounded, since its last digits differ between versions and machines, and results must not.
    return float(f"{2 * float(stdtr(degrees, -abs(t))):.9e}")
