"""Width of intervals in standard errors: Student's t for one look, an anytime-valid bound for many looks.

A run of a fixed size is looked at once: Student's t. A run that may be stopped by whoever looks at it needs more room,
the same at all looks together: Robbins' mixture of bets on a normal mean, in its form for means of many independent
blocks (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit theory and asymptotic confidence
sequences", 2021). It holds as far as the means of blocks are normal, which those of a few are not.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import erfc, exp, inf, lgamma, log, pi, sqrt
from typing import Protocol

#: How often at most an interval misses, or anything is called real if nothing is.
LEVEL = 0.05
#: The two-sided 95 % point of the normal distribution.
Z95 = 1.959963984540054
#: From this many degrees of freedom on, Student's point is worked out by a series, and his chances by SciPy; below, by
#: the continued fraction of the incomplete beta function. All agree in every digit that is kept: SciPy takes longer to
#: import than a small comparison takes to play.
_MANY_DEGREES = 400
#: What a term of the fraction may still change.
_LAST_DIGIT = 1e-15
#: The number of blocks at which the interval for all looks is the least wider than that for one.
_BEST_AT = 3000
#: How the bets are spread so that this is so: the mixture is best where blocks · spread is this number.
_SPREAD = 8.8 / _BEST_AT
#: This many standard errors are as good as no end of them, and can still be squared.
_WIDEST = 1e9
#: A normal deviate is never so far out.
_FARTHEST = 1e6


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
        return _point_at_any_time(self.blocks, degrees)

    def chance(self, t: float, degrees: int) -> float:
        """How often at most chance alone goes so far away from 0 at any look."""
        mixed = self.blocks * _SPREAD
        # The normal point as unlikely as this one of Student's, which is known from few degrees of freedom.
        normal = _normal_point(_further(abs(t), degrees))
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
    # Rounded, since last digits differ between versions and machines, and results must not.
    return round(_point_of(LEVEL / 2, Z95, degrees), 10)


@cache
def _point_at_any_time(blocks: int, degrees: int) -> float:
    mixed = blocks * _SPREAD
    normal = sqrt((1 + mixed) / mixed * (2 * log(1 / LEVEL) + log(1 + mixed)))
    chance = erfc(normal / sqrt(2)) / 2
    if degrees < _MANY_DEGREES:
        return round(min(_point_of(chance, normal, degrees), _WIDEST), 10)
    from scipy.special import ndtr, stdtrit

    return round(min(-float(stdtrit(degrees, ndtr(-normal))), _WIDEST), 10)


def _point_of(chance: float, normal: float, degrees: int) -> float:
    """The point that Student's t is above with a chance, as a normal deviate is above the normal one."""
    point, step = normal, normal
    # Newton's steps from below: the chance of going further falls ever more slowly, so none goes too far, and the one
    # after the last is as small as the square of it.
    while 1e-9 * point < step and point < _WIDEST:
        step = (_further(point, degrees) - chance) / _density(point, degrees)
        point += step
    return point


def _normal_point(chance: float) -> float:
    """The point that a normal deviate is above with a chance."""
    from statistics import NormalDist

    return -NormalDist().inv_cdf(chance) if chance > 0 else _FARTHEST


def two_sided(t: float, degrees: int) -> float:
    """How often Student's t is further from 0."""
    return float(f"{2 * _further(abs(t), degrees):.9e}")


def _further(t: float, degrees: int) -> float:
    """How often Student's t is above a point that is not below 0."""
    if degrees >= _MANY_DEGREES:
        from scipy.special import stdtr

        return float(stdtr(degrees, -t))
    # The point as a share of all there is, from both ends, so that no digits are lost at either.
    near, far = degrees / (degrees + t * t), t * t / (degrees + t * t) if t < 1e150 else 1.0
    if near == 0 or far == 0:
        return 0.5 if far == 0 else 0.0
    a, b = degrees / 2, 0.5
    scale = 0.5 * exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(near) + b * log(far))
    # The fraction converges at once on one side of the mean and hardly on the other.
    if near < (a + 1) / (a + b + 2):
        return scale / a * _beta_fraction(a, b, near)
    return 0.5 - scale / b * _beta_fraction(b, a, far)


def _beta_fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function, by Lentz's method."""
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    value, m, change = d, 0, 2.0
    while abs(change - 1) > _LAST_DIGIT:
        m += 1
        even, odd = a + 2 * m, a + 2 * m + 1
        for term in (m * (b - m) * x / ((even - 1) * even), -(a + m) * (a + b + m) * x / (even * odd)):
            d, c = 1 / (1 + term * d), 1 + term / c
            change = c * d
            value *= change
    return value


def _density(t: float, degrees: int) -> float:
    """The density of Student's t."""
    half = (degrees + 1) / 2
    return exp(lgamma(half) - lgamma(degrees / 2) - half * log(1 + t * t / degrees)) / sqrt(degrees * pi)
