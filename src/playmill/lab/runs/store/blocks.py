"""Blocks of a kept run: counts of neighbouring chunks, added up and kept as one, so that long runs stay small.

16 chunks that follow one another make a block, 16 such blocks a larger one, up to a largest size. Which blocks there
are follows from which chunks are finished, and not from who finished them, nor in which order: the files of a run are
the same wherever it was played, and however often it was stopped. Runs with single games keep every chunk apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from playmill.lab.io.untrusted import expect, json_of_bytes
from playmill.lab.runs.finished_games import FinishedGames, join
from playmill.lab.runs.game_ranges import GameRanges
from playmill.lab.runs.plan import Plan
from playmill.lab.runs.sparse_counts import cells, joined
from playmill.lab.runs.store.chunk_files import checked_part, finished_chunk
from playmill.lab.runs.store.manifest import (
    BLOCKS,
    COUNTS,
    FOLDERS,
    MANIFEST,
    FinishedChunk,
    KeptChunk,
    flush_folder,
)
from playmill.texts import PlaymillError

if TYPE_CHECKING:
    from playmill.lab.runs.store.reader import KeptRun

#: How many chunks, or blocks, make the next larger block.
_FAN = 16
#: How often that is done. A file that a disk loses costs the games of a block: a billion of compiled agents, played
#: within minutes, but no more than some ten thousand of agents that take long.
_COMPILED, _SLOW = 4, 2
#: Games that are finished and not yet in the manifest: counted here, or by somebody who has made their files.
Unlisted = FinishedGames | FinishedChunk


def block_sizes(plan: Plan) -> list[int]:
    """Returns how many games a chunk and each kind of block have."""
    levels = _COMPILED if all(agent.kind == "compiled" for agent in plan.agents) else _SLOW
    return [plan.chunk * _FAN**level for level in range(levels + 1)]


def block_of(parts: Sequence[FinishedGames]) -> FinishedGames:
    """Adds up the counts of parts that follow one another, without single games; the same bytes in whatever steps."""
    whole = join([replace(part, rows=None) for part in parts])
    return replace(whole, cells=whole.cells[whole.cells["value"] != 0])


def in_blocks(pieces: Iterable[FinishedGames], plan: Plan, games: range) -> Iterator[FinishedGames]:
    """Yields the chunks of some games, which come in order, as the largest blocks that are whole among them."""
    for size in block_sizes(plan)[1:]:
        pieces = _grouped(pieces, size, games)
    return iter(pieces)


def _grouped(pieces: Iterable[FinishedGames], size: int, games: range) -> Iterator[FinishedGames]:
    waiting: list[FinishedGames] = []
    for piece in pieces:
        start = piece.first - piece.first % size
        if start < games.start or start + size > games.stop:
            yield piece
            continue
        waiting.append(piece)
        if piece.end == start + size:
            yield block_of(waiting)
            waiting = []
    yield from waiting


class Blocks:
    """Writes finished chunks of a run, whose lock is held: as the largest blocks that are whole."""

    def __init__(self, run: KeptRun) -> None:
        self._run = run
        self._sizes = block_sizes(run.plan) if not run.has_rows else [run.plan.chunk]

    def all_whole(self) -> dict[int, Unlisted]:
        """Returns the blocks that are whole and not in the manifest: of a run that was kept before there were any."""
        return self._merged({}, self._run.manifest.done)

    def whole_with(self, parts: Iterable[FinishedGames]) -> dict[int, Unlisted]:
        """Returns what the manifest lacks, by its first game, when these parts are finished."""
        fresh: dict[int, Unlisted] = {}
        for part in parts:
            fresh |= {_games(one).start: one for one in part.finished or self._cut(part)}
        return self._merged(fresh, fresh)

    def _cut(self, part: FinishedGames) -> Iterator[FinishedGames]:
        """Yields the games of a part as the largest blocks that are whole in it, and chunks."""
        if part.apart is None or part.rows is not None:
            yield from part.pieces()
            return
        edges = _largest(range(part.first, part.end), self._sizes)
        # All at once: a GPU plays thousands of chunks in a second.
        counts, chunk = part.apart.counts, part.apart.edge
        piece_of = np.searchsorted(edges, np.arange(part.first, part.end, chunk), side="right") - 1
        found = joined([cells(piece_of[counts.groups], counts.places, counts.values)])
        found = found[found["value"] != 0]
        ends = np.searchsorted(found["group"], np.arange(len(edges))).tolist()
        for (first, end), (start, stop) in zip(pairwise(edges), pairwise(ends), strict=True):
            mine = found[start:stop]
            yield FinishedGames(first, end - first, cells(0, mine["place"], mine["value"]))

    def write(self, fresh: Mapping[int, Unlisted], parts: Sequence[FinishedGames] = ()) -> None:
        """Writes chunks and blocks, then the manifest that tells of them; removes what they replace.

        Of chunks that came in `parts` with their files, and are in a block now, the files are removed as well.
        """
        if not fresh:
            return
        run, manifest = self._run, self._run.manifest
        made = [
            one if isinstance(one, FinishedChunk) else finished_chunk(run.plan, one, rows=run.has_rows)
            for one in fresh.values()
        ]
        listed = [one.written(run.folder).chunk for one in made]
        for below in {FOLDERS[kind] for chunk in listed for kind in chunk.files}:
            flush_folder(run.folder / below)
        within = GameRanges(range(chunk.first, chunk.end) for chunk in sorted(listed))
        before = [manifest.done.pop(first) for first in [*manifest.done] if first in within]
        manifest.done |= {chunk.first: chunk for chunk in listed}
        if any(chunk.games > run.plan.chunk for chunk in listed):
            manifest.form = BLOCKS
        manifest.write(run.folder / MANIFEST)
        before += [one.chunk for part in parts for one in part.finished]
        for path in _paths(before) - _paths(listed):
            with suppress(OSError):
                (run.folder / path).unlink()

    def _merged(self, fresh: dict[int, Unlisted], begins: Iterable[int]) -> dict[int, Unlisted]:
        """Replaces chunks and blocks by the blocks they fill, where some of them begin."""
        firsts = set(begins)
        for small, large in pairwise(self._sizes):
            firsts = {first - first % large for first in firsts}
            for start in sorted(firsts):
                edges = range(start, start + large, small)
                if parts := self._filling(fresh, edges):
                    for at in edges:
                        fresh.pop(at, None)
                    fresh[start] = block_of(parts)
        return fresh

    def _filling(self, fresh: Mapping[int, Unlisted], edges: range) -> list[FinishedGames]:
        """Returns the counts of what fills a block; nothing if some of it is missing, or damaged.

        What is damaged is found, and played again, when the run is opened next.
        """
        members: list[Unlisted | KeptChunk] = []
        for at in edges:
            one = fresh.get(at) or self._run.manifest.done.get(at)
            if one is None or len(_games(one)) != edges.step:
                return []
            members.append(one)
        try:
            return [self._part(one) for one in members]
        except (PlaymillError, KeyError, TypeError, ValueError):
            return []

    def _part(self, one: Unlisted | KeptChunk) -> FinishedGames:
        if isinstance(one, FinishedGames):
            return one
        if isinstance(one, KeptChunk):
            return self._run.part(one)
        if COUNTS not in one.unwritten:
            return self._run.part(one.chunk)
        saved = expect(dict, json_of_bytes(one.unwritten[COUNTS]))
        return checked_part(saved, one.chunk, self._run.plan.groups, self._run.game.tally.itemsize // 8)


def _largest(games: range, sizes: Sequence[int]) -> list[int]:
    """Returns where the largest blocks, and chunks, of some games begin that are whole there, and where they end."""
    found, at = [games.start], games.start
    while at < games.stop:
        at += next((size for size in reversed(sizes) if at % size == 0 and at + size <= games.stop), games.stop - at)
        found.append(at)
    return found


def _paths(chunks: Iterable[KeptChunk]) -> set[str]:
    return {file.path for chunk in chunks for file in chunk.files.values()}


def _games(one: Unlisted | KeptChunk) -> range:
    found = one.chunk if isinstance(one, FinishedChunk) else one
    return range(found.first, found.end)
