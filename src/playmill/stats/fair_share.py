"""Compares figures with a fair share: on which side one lies, and whether a change brings it nearer.

Each answer is a sign with how often chance alone would give it; whoever asks many such questions corrects for all of
them together.
"""

from __future__ import annotations

from math import erfc, sqrt
from statistics import NormalDist

from playmill.stats.critical_values import Z95
from playmill.stats.estimates import Estimate

#: A sign, 0 where nothing can be said, and how often chance alone would give it.
Answer = tuple[int, float]
_NONE: Answer = (0, 1.0)
#: Less is not told apart from 0 here.
_LEAST = 1e-15


def side_of(found: Estimate, fair: float) -> Answer:
    """On which side of fair a figure lies: 1 above, -1 below."""
    value = found.value
    # The end of the interval that looks towards fair: Wilson's is not symmetric.
    half = value - found.low if value > fair else found.high - value
    if not found.known or half <= 0 or value == fair:
        return _NONE
    return (1 if value > fair else -1), _chance((value - fair) * Z95 / half)


def nearer(a: Estimate, b: Estimate, p: float | None, fair: float, fair_of_b: float | None = None) -> Answer:
    """Whether b is nearer to fair than a (1) or further from it (-1); `p` is that of the difference b - a.

    The squares of the distances differ by (b - a)(a + b - 2 fair), so both factors need a sign that is sure: the answer
    is as sure as the weaker of the two. How the errors of a and b go together is not known here; at worst they add up.
    Where b has a fair value of its own, since more games are drawn or fewer, a figure has moved only by what fair has
    not: how far that has moved is known no better than the figure, and counts twice.
    """
    halves = [max(one.value - one.low, one.high - one.value) for one in (a, b)]
    shift = 0.0 if fair_of_b is None else fair_of_b - fair
    middle = a.value + b.value - 2 * fair - shift
    moved = b.value - a.value
    if p is None or not (a.known and b.known) or sum(halves) <= 0 or not middle or abs(moved) <= 2 * abs(shift):
        return _NONE
    if shift:
        p = _chance(NormalDist().inv_cdf(1 - max(p, _LEAST) / 2) * (1 - 2 * abs(shift / moved)))
        halves *= 2
    return (-1 if moved * middle > 0 else 1), max(p, _chance(middle * Z95 / sum(halves)))


def _chance(errors: float) -> float:
    """How often a normal error is larger, to either side."""
    return erfc(abs(errors) / sqrt(2))
