"""Rotated runs: every deal is played from every seat, and games are counted by groups of deals.

Game i of a run with R rotations is deal i // R in rotation i % R, in which the agent of seat s is the one that was
named for seat s + rotation. The rotations of a deal share its rng: they are one *block*, and what is said of errors is
said over blocks (see `stats/block_jackknife.py`), which is why counts are kept for groups of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from playmill.engine.compile.play_kernels import Compiled, interpreted_kernels, kernels_of
from playmill.engine.lang.record import RecordArray
from playmill.engine.run.backends import Cpu
from playmill.engine.run.match import Backend, Chunk, GroupCounts, Grouping, Match, Sizes, Whole, new_workspace
from playmill.lab.runs.sparse_counts import CELL, Cells, cells, cells_of, joined

#: Bytes of counts that take about as long to look through as a deal to be played.
_WORTH = 1 << 14
#: Counts that are listed at a time, or more where a tally has more.
_LISTED = 1 << 16

Anything = TypeVar("Anything")


def around(seats: Sequence[Anything], rotation: int) -> tuple[Anything, ...]:
    """Rotates a sequence that belongs to seats by n seats."""
    return (*seats[rotation:], *seats[:rotation])


def period(agents: Sequence[Any]) -> int:
    """Returns after how many rotations the seating repeats: of a b b 3, of a b a b 2, of equal agents 1."""
    return next(turn for turn in range(1, len(agents) + 1) if around(agents, turn) == (*agents,))


def rotated(match: Match, rotation: int) -> Match:
    """Returns a match with all agents moved n seats on, under their own numbers."""
    return replace(
        match,
        seats=around(match.seats, rotation),
        agents=around(match.agents, rotation),
        params=around(match.params, rotation),
        lookup_tables=replace(match.lookup_tables, starts=around(match.lookup_tables.starts, rotation)),
    )


class Rotating:
    """Plays a rotated run with one backend per rotation; rows of a deal stay together.

    Games are asked for in multiples of the rotations. `by_deal` plays a deal in all rotations before the next one:
    agents that remember what they have played meet the games in their order, however many are asked for at a time.
    `counted`: the backends count games by group themselves, and nobody wants their rows.
    """

    def __init__(
        self,
        match: Match,
        backends: Sequence[Backend],
        grouping: Grouping,
        *,
        by_deal: bool = False,
        counted: bool = False,
        interpreted: bool = False,
    ) -> None:
        self._backends = backends
        self._by_deal, self._counted = by_deal, counted
        self._outcome = match.game.outcome
        self._counter = GroupCounter(match, len(backends), grouping, interpreted=interpreted)
        sizes = backends[0].sizes
        if isinstance(backends[0], Cpu) and not interpreted:
            # Counts of every group are listed after every chunk: where there are many, chunks are larger.
            sizes = sizes._replace(first=max(sizes.first, match.game.tally.itemsize * grouping.groups // _WORTH))
        self.sizes = Sizes(*(size * len(backends) for size in sizes))

    def play(self, first: int, count: int) -> Chunk:
        """Plays these games; asked to stop, it leaves the deals that were not played from every seat."""
        rotations = len(self._backends)
        assert first % rotations == count % rotations == 0, (first, count, rotations)
        deal, deals = first // rotations, count // rotations
        if self._counted:
            chunks = [backend.play(deal, deals) for backend in self._backends]
            every = joined([cells_of(chunk.counts) for chunk in chunks])
            return Chunk(first, count, chunks[0].rows, GroupCounts(every["group"], every["place"], every["value"]))
        if self._by_deal:
            played = self._one_by_one(deal, deals)
        else:
            played = [backend.play(deal, deals).rows for backend in self._backends]
            deals = min(map(len, played))
            played = [rows[:deals] for rows in played]
        rows = self._together(played)
        return Chunk(first, len(rows), rows, self._counter.count(deal, rows))

    def _one_by_one(self, first: int, deals: int) -> list[RecordArray]:
        """Returns the rows of each rotation, deal after deal, up to the first deal that somebody gave up."""
        played: list[RecordArray] = [np.zeros(deals, self._outcome) for _ in self._backends]
        for place in range(deals):
            for rows, backend in zip(played, self._backends, strict=True):
                one = backend.play(first + place, 1).rows
                if not len(one):
                    return [rows[:place] for rows in played]
                rows[place] = one[0]
        return played

    def _together(self, played: Sequence[RecordArray]) -> RecordArray:
        """All rows in the order of games; as bytes, since what lies between two fields would be left to chance."""
        size, deals = self._outcome.itemsize, len(played[0])
        joined = np.empty((deals, len(played), size), np.uint8)
        for rotation, rows in enumerate(played):
            joined[:, rotation] = rows.view(np.uint8).reshape(deals, size)
        whole: RecordArray = joined.reshape(-1).view(self._outcome)
        return whole


class GroupCounter:
    """Counts games by group of deals, each rotation with its own seating of agents."""

    def __init__(self, match: Match, rotations: int, grouping: Grouping, *, interpreted: bool = False) -> None:
        self._grouping = grouping
        self._workspaces = np.concatenate([new_workspace(rotated(match, rotation)) for rotation in range(rotations)])
        self._kernels = (interpreted_kernels if interpreted else kernels_of)(match.game)
        self._counts: RecordArray = np.zeros(1, match.game.tally)
        self._numbers: Whole = self._counts.view(np.int64)
        self._found: Cells = np.empty(max(2 * len(self._numbers), _LISTED), CELL)

    def count(self, deal: int, rows: RecordArray) -> GroupCounts:
        """Returns the counts of deals from this one on, from their rows, those of all rotations together."""
        groups = self._grouping.of(np.arange(deal, deal + len(rows) // len(self._workspaces)))
        order = np.argsort(groups, kind="stable")
        begins = np.searchsorted(groups[order], np.arange(self._grouping.groups + 1))
        count = self._listed if isinstance(self._kernels, Compiled) else self._looked_for
        every = np.concatenate([self._found[:0], *count(rows, order, begins)])
        return GroupCounts(every["group"], every["place"], every["value"])

    def _listed(self, rows: RecordArray, order: Whole, begins: Whole) -> Iterator[Cells]:
        """Yields the counts of groups as the compiled loop lists them."""
        reached = np.zeros(2, np.int64)
        while reached[0] < self._grouping.groups:
            self._kernels.tally_groups(
                self._workspaces, rows, order, begins, self._counts, self._numbers, self._found, reached
            )
            yield self._found[: reached[1]].copy()

    def _looked_for(self, rows: RecordArray, order: Whole, begins: Whole) -> Iterator[Cells]:
        """Yields the counts of groups that the interpreter counts; it would take long to list them."""
        for group in np.flatnonzero(np.diff(begins)):
            self._kernels.tally_groups(
                self._workspaces,
                rows,
                order,
                begins[group : group + 2],
                self._counts,
                self._numbers[:0],
                self._found,
                np.zeros(2, np.int64),
            )
            places = np.flatnonzero(self._numbers)
            yield cells(group, places, self._numbers[places])
            self._numbers[:] = 0
