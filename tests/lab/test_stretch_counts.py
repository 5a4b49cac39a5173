"""Games that a GPU has counted between the edges of chunks make the same chunks as games cut by their rows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest

from common.found import game_of
from playmill.agents.fallbacks import Fallbacks
from playmill.engine.run.backends import Cpu
from playmill.engine.run.match import Chunk, Match, Sizes
from playmill.lab.runs.finished_games import FinishedGames, join
from playmill.lab.runs.resolved_plan import _RangePlayer, resolve_plan
from playmill.lab.runs.store.recorder import Chunker

EDGE = 1 << 14


class Card:
    """A backend that plays many games at a time and counts each stretch of them by itself, as a card does."""

    sizes = Sizes(1, 1 << 20)

    def __init__(self, match: Match, *, rows: bool) -> None:
        self._cpu, self._rows = Cpu(match), rows

    def play(self, first: int, count: int) -> Chunk:
        edges = [first, *range((first // EDGE + 1) * EDGE, first + count, EDGE), first + count]
        stretches = [self._cpu.play(start, end - start) for start, end in pairwise(edges)]
        rows = np.concatenate([one.rows for one in stretches]) if self._rows else stretches[0].rows[:0]
        return Chunk(first, count, rows, np.concatenate([one.counts for one in stretches]), edge=EDGE)


@pytest.mark.parametrize("rows", [True, False])
def test_a_chunk_is_the_same_however_its_games_were_counted(rows: bool) -> None:
    resolved = resolve_plan(game_of("pig"), seed=8)
    assert resolved.plan.chunk == EDGE
    made = []
    for backend in (Cpu(resolved.match()), Card(resolved.match(), rows=rows)):
        chunker = Chunker(resolved, 3 * EDGE + 500, rows=rows)
        player = _RangePlayer(backend, Fallbacks())
        played = [
            player.play(first, count) for first, count in ((0, 100), (100, 2 * EDGE), (2 * EDGE + 100, EDGE + 400))
        ]
        made.append([chunk for part in played for chunk in chunker.add(part)])
        assert chunker.rest() is None
    assert _told(made[0]) == _told(made[1]) and len(made[0]) == 4


def test_chunks_that_were_counted_apart_stay_together_until_they_are_wanted() -> None:
    resolved = resolve_plan(game_of("pig"), seed=8)
    player, end = _RangePlayer(Card(resolved.match(), rows=False), Fallbacks()), 3 * EDGE + 500
    (whole,) = Chunker(resolved, end, rows=False).take(player.play(0, end))
    assert (whole.first, whole.games) == (0, end)
    cut = list(whole.pieces())
    assert [(one.first, one.games) for one in cut] == [(0, EDGE), (EDGE, EDGE), (2 * EDGE, EDGE), (3 * EDGE, 500)]
    assert _told([join(cut)])[0][2] == whole.cells.tolist()


def _told(chunks: Sequence[FinishedGames]) -> list[tuple[int, int, list[object], bytes | None]]:
    return [
        (one.first, one.games, one.cells.tolist(), None if one.rows is None else one.rows.tobytes()) for one in chunks
    ]
