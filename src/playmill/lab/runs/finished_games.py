"""Finished games of a run: consecutive games with their counts, rows and fallbacks, and the total of many of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from playmill.agents.fallbacks import Fallbacks
from playmill.engine.contract.game import Game
from playmill.engine.lang.record import RecordArray
from playmill.engine.run.match import GroupCounts, Whole
from playmill.lab.runs.plan import Plan
from playmill.lab.runs.sparse_counts import Cells, GroupedCounts, cells, joined
from playmill.texts import PlaymillError

if TYPE_CHECKING:
    from playmill.lab.runs.store.manifest import FinishedChunk


@dataclass(frozen=True)
class StretchCounts:
    """Counts of the stretches of games between multiples of an edge, one group each."""

    edge: int
    counts: GroupCounts


@dataclass(frozen=True)
class FinishedGames:
    """Consecutive finished games: their counts, one row each where asked for, and unusable answers."""

    first: int
    games: int
    cells: Cells
    rows: RecordArray | None = None
    fallbacks: Fallbacks | None = None
    #: The chunks it consists of, where whoever played it has made their files.
    finished: tuple[FinishedChunk, ...] = ()
    #: The same counts cut at the edges of chunks, where whoever played the games has counted them so.
    apart: StretchCounts | None = None

    @property
    def end(self) -> int:
        """The number of the game after the last."""
        return self.first + self.games

    def pieces(self) -> Iterator[FinishedGames]:
        """The same games cut where they were counted apart."""
        if self.apart is None or self.first // self.apart.edge == (self.end - 1) // self.apart.edge:
            yield self
            return
        edge, counts = self.apart.edge, self.apart.counts
        edges = [self.first, *range((self.first // edge + 1) * edge, self.end, edge), self.end]
        ends = np.searchsorted(counts.groups, np.arange(len(edges))).tolist()
        for (first, end), (start, stop) in zip(pairwise(edges), pairwise(ends), strict=True):
            rows = None if self.rows is None else self.rows[first - self.first : end - self.first]
            yield FinishedGames(
                first, end - first, cells(0, counts.places[start:stop], counts.values[start:stop]), rows
            )


def joined_rows(rows: Sequence[RecordArray], outcome: np.dtype[np.void]) -> RecordArray:
    """Joins rows byte for byte: joined as records, padding between fields would be undefined."""
    if not rows:
        return np.zeros(0, outcome)
    every: RecordArray = np.concatenate([np.ascontiguousarray(some).view(np.uint8) for some in rows]).view(outcome)
    return every


def join(parts: Sequence[FinishedGames]) -> FinishedGames:
    """Joins finished games that follow one another."""
    fallbacks: Fallbacks | None = None
    for part in parts:
        if part.fallbacks is not None:
            fallbacks = fallbacks or Fallbacks()
            fallbacks.add_all(part.fallbacks)
    rows = [part.rows for part in parts if part.rows is not None]
    return FinishedGames(
        parts[0].first,
        sum(part.games for part in parts),
        joined([part.cells for part in parts]),
        joined_rows(rows, rows[0].dtype) if rows else None,
        fallbacks,
    )


class RunTotal:
    """Running total of a run: games, counts by group, and fallbacks."""

    def __init__(self, plan: Plan, game: Game) -> None:
        self._plan = plan
        self.counts = GroupedCounts(game.tally, plan.groups)
        self.games = 0
        self.fallbacks = Fallbacks()
        #: Deals counted in each group.
        self.blocks: Whole = np.zeros(plan.groups, np.int64)

    def add(self, part: FinishedGames) -> None:
        """Adds a part; sums and first words are the same in whatever order parts are added."""
        rotations = self._plan.rotations
        try:
            self.counts.add(part.cells)
        except OverflowError:
            raise PlaymillError(
                f"after {self.games} games their sums no longer fit into 64 bits; play and report fewer at a time"
                " (--from, --to)",
                f"после {self.games} партий их суммы уже не помещаются в 64 бита; играйте и смотрите отчёт по частям"
                " (--from, --to)",
            ) from None
        self.games += part.games
        self.blocks += self._plan.grouping.sizes(part.first // rotations, part.games // rotations)
        if part.fallbacks is not None:
            self.fallbacks.add_all(part.fallbacks)
