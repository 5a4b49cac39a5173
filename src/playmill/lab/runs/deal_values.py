"""Values of single deals for a share in a report (hits and observations), for tests that look deal by deal.

A report makes figures of the counts of all games. Of a share, hits and observations are sums over the places of the
tally, each with a weight of its own. The weights are found by asking the report: how much does the figure change if
there were one more in this place? Then the weights are held against the report at every look, so that a figure which
is no such share is never taken for one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from playmill.engine.compile.play_kernels import kernels_of
from playmill.engine.lang.record import RecordArray
from playmill.engine.run.match import Whole, new_workspace
from playmill.lab.runs.figures import at
from playmill.lab.runs.finished_games import FinishedGames, joined_rows
from playmill.lab.runs.resolved_plan import ResolvedPlan
from playmill.lab.runs.rotation import rotated
from playmill.stats.block_jackknife import Path
from playmill.stats.confidence_sequences import Floats

#: Weights that differ by less are the same.
_SAME = 1e-6
#: This many are added to the places that are asked about together, at most: unlike numbers, so that none cancel.
_MOST = 1000
#: Deals whose counts are remembered at a time.
_AT_ONCE = 4096


class NoShareError(ValueError):
    """Raised for a figure that is not a share of sums of tally cells, or whose weights change."""


class DealValues:
    """Computes the hits and observations of each deal of a run for one figure."""

    def __init__(self, resolved: ResolvedPlan, path: Path, report: Callable[[Any], Mapping[str, Any]]) -> None:
        self._path, self._report, self._tally = path, report, resolved.game.tally
        match = resolved.match()
        rotations = range(resolved.plan.rotations)
        self._workspaces = np.concatenate([new_workspace(rotated(match, rotation)) for rotation in rotations])
        self._count = kernels_of(resolved.game).tally_deals
        self._counts = np.zeros(1, self._tally)
        self._numbers: Whole = self._counts.view(np.int64)
        self._rng = np.random.default_rng(0)
        #: The places that were ever counted in, those that matter, and the weight of these in hits and observations.
        self._known: Whole = np.zeros(0, np.int64)
        self._places: Whole = np.zeros(0, np.int64)
        self._weights: Floats = np.zeros((0, 2))

    def take(self, parts: Sequence[FinishedGames], total: Any) -> tuple[Floats, Floats]:
        """Returns the hits and observations of each deal of these games; `total` is the tally of all games so far."""
        numbers: Whole = total.view(np.int64).reshape(-1)
        seen = np.flatnonzero(numbers)
        self._learn(numbers, np.setdiff1d(seen, self._known, assume_unique=True))
        self._known = np.union1d(self._known, seen)
        if not np.allclose(numbers[self._places] @ self._weights, self._asked(numbers), rtol=1e-9, atol=_SAME):
            raise NoShareError
        rows = [part.rows for part in parts if part.rows is not None]
        every = joined_rows(rows, rows[0].dtype)
        step = _AT_ONCE * len(self._workspaces)
        values = np.concatenate([self._values_of(every[first : first + step]) for first in range(0, len(every), step)])
        return values[:, 0], values[:, 1]

    def _values_of(self, rows: RecordArray) -> Floats:
        """Counts games one by one, and looks after each deal at the places that matter."""
        looks: Whole = np.empty((len(rows) // len(self._workspaces) + 1, len(self._places)), np.int64)
        looks[0] = self._numbers[self._places]
        self._count(self._workspaces, rows, self._counts, self._numbers, self._places, looks[1:].reshape(-1))
        found: Floats = np.diff(looks, axis=0) @ self._weights
        return found

    def _asked(self, numbers: Whole) -> Floats:
        """Returns the hits and observations that the report sees in a tally."""
        found = at(self._report(numbers.view(self._tally)[0]), self._path)
        if found is None:
            raise NoShareError
        made: Floats = np.array([float(found) * found.n, float(found.n)]) if found.n else np.zeros(2)
        return made

    def _learn(self, numbers: Whole, places: Whole) -> None:
        """Finds the weights of places that were not counted in before."""
        base = self._asked(numbers)
        found: list[tuple[int, Floats]] = []
        waiting = [places] if len(places) else []
        while waiting:
            some = waiting.pop()
            more = self._rng.integers(1, _MOST, len(some)) if len(some) > 1 else np.ones(1, np.int64)
            asked = numbers.copy()
            asked[some] += more
            try:
                weight = self._asked(asked) - base
            except (ArithmeticError, ValueError) as error:
                # Counts that contradict each other; alone it may be possible.
                if len(some) == 1:
                    raise NoShareError from error
                weight = np.ones(2)
            if (np.abs(weight) < _SAME).all():
                continue
            if len(some) == 1:
                found.append((int(some[0]), np.array([_plain(number) for number in weight])))
            else:
                waiting += np.array_split(some, 2)
        if found:
            self._places = np.append(self._places, [place for place, _ in found])
            self._weights = np.vstack([self._weights, [weight for _, weight in found]])


def _plain(weight: float) -> float:
    """Returns a weight without what rounding has left of it: a whole number, or one divided among seats."""
    return float(Fraction(weight).limit_denominator(1000))
