"""Confidence sequences: intervals that hold at every look, by betting; a run may stop when they say enough.

The mean of bounded observations is bet on (Waudby-Smith and Ramdas, "Estimating means of bounded random variables by
betting", 2020). For every value m the mean might have, somebody bets against it, observation by observation: a stake of
`bet` turns wealth into wealth · (1 + bet · (x - m)). If the mean were m, the bets would be fair, and wealth would ever
reach 1/alpha in at most a share alpha of all histories (Ville's inequality). Values against which so much could be won
are no longer believed. That holds at all moments together, for any bounded observation, however it is distributed.

Nobody knows beforehand which stake is good, so wealth is spread over stakes from bold to timid: one of them is nearly
right for any number of observations. As log(1 + y) ≥ y - y² · price(b) for all y ≥ -b, where price(b) is
(-log(1 - b) - b) / b², the wealth of a stake is at least exp(bet · Σ(x - m) - price · bet² · Σ(x - m)²). That needs
sums only, which is why a look costs the same after a million observations.

Observations are a numerator and a denominator: of a mean over blocks the denominator is always 1; of a share such as
"wins among the games one takes part in" it is how many games of the block these were, as a share.
"""

from __future__ import annotations

from math import log
from typing import Any, NamedTuple

import numpy as np

Floats = np.ndarray[Any, np.dtype[np.float64]]

#: Stakes, as shares of the boldest one: after n observations one of about 1 / sqrt(n) is right.
_STAKES = 0.5 ** np.arange(13)
#: No bet risks more than this share of the wealth.
_BOLDEST = 0.5
#: Values of the mean that are bet against; when fewer than this many are left, they are spread anew over what is left.
_GRID, _FEW = 4001, 500
_STEP = 1 / (_GRID - 1)
#: What rounding may add to an observation.
_SLACK = 1e-9


class SequenceLook(NamedTuple):
    """The estimate and interval after n observations."""

    n: int
    value: float
    low: float
    high: float


class ObservationSums(NamedTuple):
    """Observations between two looks: how many, and the sums of numerators, denominators, squares and products."""

    n: int
    sums: tuple[float, ...]


class ConfidenceSequence:
    """A confidence sequence for the mean of independent observations between `low` and `high`."""

    def __init__(self, low: float = 0.0, high: float = 1.0, *, alpha: float = 0.05) -> None:
        if not low < high or not 0 < alpha < 1:
            raise ValueError(f"no sequence between {low} and {high} at {alpha}")
        self._low, self._width, self._limit = low, high - low, log(1 / alpha)
        #: Values that are still believed: what is not, never is again.
        self._means, self._step = np.linspace(0.0, 1.0, _GRID), _STEP
        self._least, self._most = 0.0, 1.0
        self.n = 0
        #: Sums of numerators, denominators, and of their squares and products.
        self._sums = np.zeros(5)
        #: What was believed at each look.
        self.looks: list[SequenceLook] = []
        #: All it remembers: how many observations came before each look, and their sums.
        self.turns: list[ObservationSums] = []

    def add(self, numerators: Any, denominators: Any = None) -> SequenceLook:
        """Takes observations and looks; a numerator is between low and high times its denominator, which is 0 … 1."""
        tops = np.asarray(numerators, np.float64)
        below = np.ones_like(tops) if denominators is None else np.asarray(denominators, np.float64)
        tops = (tops - self._low * below) / self._width
        if not ((tops >= -_SLACK) & (tops <= below + _SLACK) & (below >= 0) & (below <= 1 + _SLACK)).all():
            raise ValueError("an observation left its bounds")
        sums = (tops.sum(), below.sum(), tops @ tops, tops @ below, below @ below)
        return self.take(ObservationSums(len(tops), tuple(map(float, sums))))

    def take(self, turn: ObservationSums) -> SequenceLook:
        """Takes the sums of observations, as it has noted them, and looks."""
        self.turns.append(turn)
        self.n += turn.n
        self._sums += turn.sums
        self._means = self._means[self._wealth() < self._limit]
        if 0 < len(self._means) < _FEW:
            # What lies between two values was never asked about: whether it is refuted now, the same sums tell.
            self._least, self._most = self._ends()
            self._means, self._step = np.linspace(self._least, self._most, _GRID, retstep=True)
            self._means = self._means[self._wealth() < self._limit]
        self.looks.append(self.look())
        return self.looks[-1]

    def _wealth(self) -> Floats:
        """The logarithm of what was won at least against each value that is believed."""
        top, below, top2, both, below2 = self._sums
        means = self._means
        rest = top - means * below
        squares = top2 - 2 * means * both + means * means * below2
        # Who bets on more risks the mean itself, who bets on less what is above it.
        up = _won(rest, squares, means)
        down = _won(-rest, squares, 1 - means)
        wealth: Floats = np.logaddexp(up, down) - log(2)
        return wealth

    def look(self) -> SequenceLook:
        """What is believed now; valid together with all looks before and after."""
        value = float(self._sums[0] / self._sums[1]) if self._sums[1] else 0.5
        if not len(self._means):  # in a share alpha of histories at most
            low = high = value
        else:
            low, high = self._ends()
        scaled = (self._low + self._width * end for end in (value, low, high))
        return SequenceLook(self.n, *scaled)

    def _ends(self) -> tuple[float, float]:
        """The ends of what is believed: between two values nobody has bet, so that the next one outside is honest."""
        low, high = float(self._means[0]) - self._step, float(self._means[-1]) + self._step
        return max(low, self._least), min(high, self._most)


def _won(rest: Floats, squares: Floats, risk: Floats) -> Floats:
    """The logarithm of the wealth of stakes from bold to timid, all begun alike; `risk` is what can be lost at most."""
    share = _BOLDEST * _STAKES[:, None]
    stakes = share / np.maximum(risk, _STEP)[None, :]
    price = (-np.log1p(-share) - share) / np.square(share)
    won: Floats = np.logaddexp.reduce(stakes * rest - price * np.square(stakes) * squares, axis=0)
    return won - log(len(_STAKES))
