"""Statistics of win chances along a game (lead changes, comebacks, when it was decided), without their noise.

Rows are positions in the order of the game, columns are players; the last row is how the game ended. An estimate is a
share of play-outs, so its error is known; what does not stand out of it by two and a half standard errors is not told.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

Numbers = np.ndarray[Any, np.dtype[np.float64]]
_SURE = 2.5


def _error(chance: float, playouts: int) -> float:
    """The standard error of a share of play-outs; never none, since even 0 of n may be bad luck."""
    kept = (chance * playouts + 1) / (playouts + 2)
    return sqrt(kept * (1 - kept) / playouts)


def lead_changes(chances: Numbers, playouts: int) -> int:
    """How often somebody else takes the lead; a lead that may be noise is none, and whoever had it before keeps it."""
    leader, changes = -1, 0
    for row, last in zip(chances, [False] * (len(chances) - 1) + [True], strict=True):
        order = np.argsort(-row, kind="stable")
        first, second = float(row[order[0]]), float(row[order[1]])
        error = 0.0 if last else sqrt(max(first + second - (first - second) ** 2, 1 / playouts) / playouts)
        if first - second <= _SURE * error or order[0] == leader:
            continue
        changes += leader >= 0
        leader = int(order[0])
    return changes


def share_behind(chances: Numbers, winner: int) -> float:
    """The share of positions at which somebody else's chance was better than the winner's; of equals a half."""
    others = np.delete(chances[:-1], winner, axis=1).max(axis=1)
    own = chances[:-1, winner]
    return float(((others > own) + 0.5 * (others == own)).mean()) if len(own) else 0.0


def lowest_surely(chances: Numbers, winner: int, playouts: int) -> float:
    """The least the winner's chance can be said to have been: of all positions the lowest upper end of its interval."""
    own = chances[:-1, winner]
    return min((float(chance) + _SURE * _error(float(chance), playouts) for chance in own), default=1.0)


def decided_at(at: Numbers, chances: Numbers, winner: int, playouts: int, mark: float) -> float:
    """When the winner's chance passed a mark and never surely fell below it again; `at` is when each position was."""
    own = chances[:, winner]
    low = [chance + _SURE * _error(float(chance), playouts) < mark for chance in own[:-1]]
    since = max((place + 1 for place, below in enumerate(low) if below), default=0)
    passed = next((place for place in range(since, len(own)) if own[place] >= mark), len(own) - 1)
    return float(at[passed])
