"""Interval for the length of a noisy vector, valid also where the length is near the noise.

Noise makes any vector longer, and the square of a length of about the noise is far from normal: an interval of so many
standard errors around it misses in one case of seven. So the interval is made of all true lengths that are not
rejected, upwards or downwards, by how long the vector is seen. How far noise reaches depends on the direction in which
the true vector points, which nobody knows: it is taken to be that in which there is most noise, where the seen length
scatters most. With noise of one size in all directions that is exact, else it is rather too wide than too narrow.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

Floats = np.ndarray[Any, np.dtype[np.float64]]
#: How often noise is drawn; with the same seed each time.
_DRAWS = 10_000
_SEED = 20210
#: Halvings of the range in which an end of the interval is looked for.
_STEPS = 20


def length_interval(seen: Any, deviations: Any, chance: float = 0.05) -> tuple[float, float]:
    """Between which lengths the true vector is, with all but this chance.

    `seen` is the vector as it was seen; `deviations.T @ deviations` is the covariance of its errors, known from as many
    rows, the groups that it was estimated from.
    """
    vector, rows = np.asarray(seen, np.float64), np.asarray(deviations, np.float64)
    found = float((vector**2).sum())
    if len(rows) < 2:
        return 0.0, float("inf")
    sizes: Floats = np.maximum(np.linalg.eigvalsh(rows.T @ rows)[::-1] if rows.shape[1] else np.zeros(1), 0.0)
    if sizes[0] <= 0:
        return found**0.5, found**0.5
    along, across = _noise(sizes, len(rows) - 1)
    # A vector that is seen shorter than noise alone usually makes it says no more of its length than such noise does.
    usual = max(found, float(np.median(along**2 + across)))
    most = usual**0.5 + float(np.abs(along).max())

    def beyond(length: float, square: float) -> float:
        """How often a vector of this length is seen at least so long."""
        return float(((length + along) ** 2 + across >= square).mean())

    low = _first(lambda length: beyond(length, found) >= chance / 2, found**0.5)
    high = _first(lambda length: beyond(length, usual) > 1 - chance / 2, most)
    return low, high


def _first(holds: Callable[[float], bool], most: float) -> float:
    """The least length, up to the most, for which something holds that holds from there on."""
    low, high = 0.0, most
    if holds(low):
        return low
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def _noise(sizes: Floats, degrees: int) -> tuple[Floats, Floats]:
    """Noise in the direction that has most of it, and the square of that in all others; of Student's kind."""
    normal, scale = _drawn(len(sizes), degrees)
    along = normal[:, 0] * np.sqrt(sizes[0]) * scale
    across: Floats = (normal[:, 1:] ** 2 @ sizes[1:]) * scale**2
    return along, across


@cache
def _drawn(axes: int, degrees: int) -> tuple[Floats, Floats]:
    """Normal noise, the same to either side along the first axis, and by how much its size may be misjudged."""
    rng = np.random.Generator(np.random.PCG64(_SEED))
    half = rng.standard_normal((_DRAWS // 2, axes))
    scale = np.sqrt(degrees / rng.chisquare(degrees, _DRAWS // 2))
    mirrored = half * np.where(np.arange(axes) == 0, -1.0, 1.0)
    return np.concatenate([half, mirrored]), np.concatenate([scale, scale])
