"""What decides: the variance of an outcome taken apart into what two causes explain, alone and only together.

The outcome depends on two independent causes, such as the luck of a game and the choices of its players. A *square*
crosses two of the one with two of the other: four games. For outcomes that are a sum of an effect of each cause and of
what only both together do (the functional ANOVA decomposition, which every outcome has), products of differences along
the sides of a square have the variance of one cause as their mean: (y11 - y21)(y12 - y22) / 2 that of the first, since
the second differs between the factors and not within them. So each square has an unbiased guess of every part, and
squares are independent (the "pick and freeze" of Sobol', 1993, on both causes at once).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from playmill.stats.estimates import Estimate
from playmill.stats.samples import figure


@dataclass(frozen=True)
class Shares:
    """The shares of the variance that each cause explains alone, and that only both together do."""

    first: Estimate
    second: Estimate
    together: Estimate


def shares(squares: Any) -> Shares:
    """Takes apart outcomes of shape (squares, 2, 2, outcomes): the first cause by row, the second by column.

    The variances of several outcomes, such as what each seat is paid, are added up. A guess below 0, as chance makes it
    where there is nothing, is none, and the others are shares of what is left.
    """
    y = np.asarray(squares, np.float64)
    a, b, c, d = y[:, 0, 0], y[:, 0, 1], y[:, 1, 0], y[:, 1, 1]
    parts = np.stack(
        [
            ((a - c) * (b - d) / 2).sum(axis=1),
            ((a - b) * (c - d) / 2).sum(axis=1),
            ((a - b - c + d) ** 2 / 4).sum(axis=1),
        ],
        axis=1,
    )

    def raw(part: int) -> Estimate:
        def work_out(rows: Any) -> float:
            total = float(rows.sum())
            return float(rows[:, part].sum()) / total if total > 0 else 0.0

        return figure(parts, work_out)

    found = [raw(part) for part in range(3)]
    whole = sum(max(0.0, one.value) for one in found) or 1.0
    return Shares(*(_possible(one, max(0.0, one.value) / whole) for one in found))


def _possible(found: Estimate, value: float) -> Estimate:
    """A share that can be one, in an interval of such."""
    low, high = min(max(0.0, found.low), value), max(min(1.0, found.high), value)
    return Estimate(value, low, high, found.n, 1.0)
