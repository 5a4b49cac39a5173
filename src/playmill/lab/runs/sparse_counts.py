"""Sparse tallies: counts that are not 0, by group of deals and index in the tally, as they are sent and stored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from playmill.engine.lang.record import RecordArray
from playmill.engine.run.match import GroupCounts

CELL = np.dtype([("group", np.int32), ("place", np.int32), ("value", np.int64)])
Cells = np.ndarray[Any, np.dtype[np.void]]
_NONE: Cells = np.zeros(0, CELL)
#: Cells that lie no thinner than this in the tallies they are of are added up there.
_SPREAD = 8
#: A sum as large as this is nearly too large for 64 bits: the next games could make it wrong.
_FULL = 2**62


def cells_of(counts: RecordArray | GroupCounts) -> Cells:
    """Returns the non-zero cells of a tally, or of the tallies of several groups."""
    if isinstance(counts, GroupCounts):
        return cells(counts.groups, counts.places, counts.values)
    numbers = counts.view(np.int64)
    places = np.flatnonzero(numbers != 0)  # NumPy finds truth values four times as fast as numbers
    return cells(0, places, numbers[places])


def cells(groups: Any, places: Any, values: Any) -> Cells:
    """Builds an array of cells from their columns."""
    made: Cells = np.empty(len(places), CELL)
    made["group"], made["place"], made["value"] = groups, places, values
    return made


def joined(parts: Sequence[Cells]) -> Cells:
    """Adds cells up; equal counts always come out in the same order."""
    if not parts:
        return _NONE
    every = np.concatenate(parts) if len(parts) > 1 else parts[0]
    if not len(every):
        return _NONE
    wide = int(every["place"].max()) + 1
    keys = every["group"].astype(np.int64) * wide + every["place"]
    if (int(every["group"].max()) + 1) * wide <= _SPREAD * len(every):  # room for all of them is quicker than sorting
        sums, there = np.zeros(int(keys.max()) + 1, np.int64), np.zeros(int(keys.max()) + 1, np.bool_)
        np.add.at(sums, keys, every["value"])
        there[keys] = True
        keys = np.flatnonzero(there)
        values = sums[keys]
    else:
        keys, where = np.unique(keys, return_inverse=True)
        values = np.zeros(len(keys), np.int64)
        np.add.at(values, where, every["value"])
    return cells(keys // wide, keys % wide, values)


class GroupedCounts:
    """Dense counts of a run so far: one tally for each group of deals; groups never used take no memory."""

    def __init__(self, tally: np.dtype[np.void], groups: int = 1) -> None:
        self.groups: RecordArray = np.zeros(groups, tally)
        self._numbers = self.groups.view(np.int64).reshape(groups, -1)

    def add(self, more: Cells) -> None:
        """Adds counts of other games: sums of whole numbers, the same in any order; raises before one is too large."""
        flat = self._numbers.reshape(-1)
        keys = more["group"].astype(np.int64) * self._numbers.shape[1] + more["place"]
        np.add.at(flat, keys, more["value"])
        sums = flat[keys]
        if len(sums) and max(int(sums.max()), -int(sums.min())) >= _FULL // len(self.groups):
            raise OverflowError

    def cells(self) -> Cells:
        """Returns what is not 0."""
        groups, places = np.nonzero(self._numbers)
        return cells(groups, places, self._numbers[groups, places])

    def total(self) -> RecordArray:
        """Returns the tally of all groups together."""
        if len(self.groups) == 1:
            return self.groups
        summed: RecordArray = np.zeros(1, self.groups.dtype)
        numbers = summed.view(np.int64)
        for group in self._numbers:  # one at a time: most of a large tally is pages nobody has touched
            numbers += group
        return summed
