"""Counts of several parts of a run, put together: the same however they are added up, and however they were counted."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from playmill.agents.fallbacks import Fallbacks
from playmill.engine.run.match import Chunk, GroupCounts, Sizes
from playmill.lab.runs import resolved_plan as resolved
from playmill.lab.runs import sparse_counts


def parts(spread: int) -> list[sparse_counts.Cells]:
    luck = np.random.default_rng(spread)
    places = [np.sort(luck.choice(spread, 40, replace=False)) for _ in range(6)]
    return [sparse_counts.cells(np.sort(luck.integers(0, 3, 40)), some, luck.integers(-4, 5, 40)) for some in places]


@pytest.mark.parametrize("spread", [50, 100_000])
def test_parts_are_added_up_cell_by_cell(spread):
    some = parts(spread)
    wanted: dict[tuple[int, int], int] = {}
    for group, place, value in np.concatenate(some).tolist():
        wanted[group, place] = wanted.get((group, place), 0) + value
    found = sparse_counts.joined(some)
    assert [((group, place), value) for group, place, value in found.tolist()] == sorted(wanted.items())


def test_nothing_and_nothing_is_nothing():
    assert not len(sparse_counts.joined([]))
    assert not len(sparse_counts.joined([sparse_counts.cells(0, np.zeros(0, int), np.zeros(0, int))] * 2))


def test_stretches_that_come_without_their_zeros_are_the_same():
    tally = np.dtype([("games", np.int64), ("wins", np.int64, (3,))])
    every = np.zeros(3, tally)
    every["games"], every["wins"][0, 1], every["wins"][2, 2] = (7, 0, 5), 2, 1
    numbers = every.view(np.int64).reshape(3, -1)
    groups, places = np.nonzero(numbers)
    told = []
    for found in (every, GroupCounts(groups, places, numbers[groups, places])):
        chunk = Chunk(8, 20, every[:0], found, edge=10)
        part = resolved._RangePlayer(
            SimpleNamespace(sizes=Sizes(1, 1), play=lambda *_, one=chunk: one), Fallbacks()
        ).play(8, 20)
        told.append([part.cells.tolist(), *((one.first, one.end, one.cells.tolist()) for one in part.pieces())])
    assert told[0] == told[1]
    assert told[0][0] == [(0, 0, 12), (0, 2, 2), (0, 3, 1)]
    assert told[0][1:] == [(8, 10, [(0, 0, 7), (0, 2, 2)]), (10, 20, []), (20, 28, [(0, 0, 5), (0, 3, 1)])]
