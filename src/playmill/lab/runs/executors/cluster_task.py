"""Task of a cluster: resolves a plan on its node and plays a span of its games on one core, or GPU.

What comes and goes is JSON, numbers and bytes: the plan, what finds the game and its agents, counts, files. The worker
resolves that itself and so proves that it has the same rules.
"""

from __future__ import annotations

import json
import os
import platform
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, TypedDict

import numpy as np
from filelock import FileLock

from playmill.agents.fallbacks import Fallbacks
from playmill.engine.compile.disk_cache import cache_folder
from playmill.interrupts import WORKERS, Stop
from playmill.lab.runs.executors.base import RequestedOutput
from playmill.lab.runs.executors.task import RefusedTaskError
from playmill.lab.runs.executors.threads import Threads
from playmill.lab.runs.finished_games import FinishedGames, join
from playmill.lab.runs.plan import Plan
from playmill.lab.runs.resolved_plan import ExecutionOptions, ResolvedPlan, resolve_same_plan
from playmill.lab.runs.sparse_counts import CELL
from playmill.lab.runs.store.blocks import in_blocks
from playmill.lab.runs.store.chunk_files import finished_chunk
from playmill.lab.runs.store.manifest import FinishedChunk, chunk_from_json
from playmill.lab.runs.store.recorder import Chunker
from playmill.texts import PlaymillError

#: Chunks that may wait for the disk while others are played.
_WRITING = 8


class SpanOrder(TypedDict):
    """Everything a worker needs to play, as JSON."""

    plan: Mapping[str, Any]
    game: str
    agents: Sequence[str]
    backend: str
    strict: bool
    rows: bool
    words: bool
    #: The folder of a kept run, where a worker that can see this file with this content writes what it has played.
    folder: str | None
    token: tuple[str, str]
    keeps_rows: bool


class SpanAnswer(TypedDict, total=False):
    """Result of a span."""

    first: int
    games: int
    seconds: float
    cells: bytes
    rows: bytes | None
    fallbacks: str | None
    words: str | None
    #: The chunks of a kept run, as a manifest tells of them, and those files of each that could not be written there.
    chunks: str
    unwritten: list[dict[str, bytes]]


#: The plans a worker process has met last: a tuning has many, and comes back to them.
_REMEMBERED = 32


def play_span(order: str, first: int, end: int) -> SpanAnswer:
    """Plays games of a plan, whole chunks of a kept run; refuses a plan whose rules or agents are others here."""
    begun = time.perf_counter()
    try:
        prepared = _prepared(order)
    except PlaymillError as error:
        raise RefusedTaskError(*error.text) from None
    if first == end:
        return {"first": first, "games": 0, "seconds": time.perf_counter() - begun}
    return prepared.play(first, end)


@lru_cache(_REMEMBERED)
def _prepared(order: str) -> _PreparedPlan:
    return _PreparedPlan(json.loads(order))


class _PreparedPlan:
    """A plan resolved and compiled in this process."""

    def __init__(self, order: SpanOrder) -> None:
        plan = Plan.from_json(order["plan"], "plan")
        found = resolve_same_plan(plan, order["game"], order["agents"], "plan")
        if not isinstance(found, ResolvedPlan):
            raise PlaymillError("; ".join(text.en for text in found), "; ".join(text.ru for text in found))
        self._order, self._resolved = order, found
        self._words: list[Mapping[str, Any]] = []
        sink = self._words.append if order["words"] else None
        rows = order["rows"] or order["keeps_rows"]
        work = ExecutionOptions(order["backend"], order["strict"], Fallbacks(sink=sink), Stop(), rows=rows)
        self._executor = Threads(found, work, 1)
        kept = order["folder"] is not None
        self._writes = kept and _sees(*order["token"])
        self._output = RequestedOutput(edge=plan.chunk if kept else 0, keeps_rows=order["keeps_rows"])
        folder = cache_folder()
        if folder is not None and found.would_compile():
            # Other processes of this node wait, and read what one of them has compiled.
            with FileLock(folder / f"compiling-{plan.rules[:16]}.lock"):
                if found.would_compile():
                    self._prepare()
                    return
        self._prepare()

    def _prepare(self) -> None:
        self._resolved.learn()
        self._executor.prepare(self._output)

    def play(self, first: int, end: int) -> SpanAnswer:
        """Plays these games, whole chunks of a kept run."""
        start = time.perf_counter()
        self._words.clear()
        kept = self._order["folder"] is not None
        parts: list[FinishedGames] = []
        finished: list[FinishedChunk] = []
        writing: deque[Future[FinishedChunk]] = deque()
        # The disk is waited for while the next games are played.
        with ThreadPoolExecutor(1, thread_name_prefix=WORKERS) as writer:
            for chunk in self._pieces(range(first, end)):
                parts.append(chunk if self._order["rows"] else _without_rows(chunk))
                if kept:
                    writing.append(writer.submit(self._finish, chunk))
                while len(writing) > _WRITING:
                    finished.append(writing.popleft().result())
            finished += [one.result() for one in writing]
        whole = join(parts)
        return {
            "first": first,
            "games": whole.games,
            "seconds": time.perf_counter() - start,
            "cells": whole.cells.tobytes(),
            "rows": whole.rows.tobytes() if whole.rows is not None else None,
            "fallbacks": json.dumps(whole.fallbacks.saved()) if whole.fallbacks is not None else None,
            "words": json.dumps(self._words) if self._words else None,
            "chunks": json.dumps([found.chunk.json() for found in finished]),
            "unwritten": [dict(found.unwritten) for found in finished],
        }

    def _pieces(self, games: range) -> Iterator[FinishedGames]:
        """Plays games; those of a kept run come as chunks, or as blocks of them where nobody wants single games."""
        played = self._executor.play([games])
        if self._order["folder"] is None:
            return played
        rows = self._order["rows"] or self._order["keeps_rows"]
        chunker = Chunker(self._resolved, games.stop, rows=rows)
        chunks = (chunk for part in played for chunk in chunker.add(part))
        return chunks if rows else in_blocks(chunks, self._resolved.plan, games)

    def _finish(self, chunk: FinishedGames) -> FinishedChunk:
        """Returns a chunk with its files: written where the run is, else sent along."""
        made = finished_chunk(self._resolved.plan, chunk, rows=self._order["keeps_rows"])
        folder = self._order["folder"]
        if not self._writes or folder is None:
            return made
        return made.written(Path(folder), mark=f".{platform.node()}-{os.getpid()}")


def _sees(file: str, token: str) -> bool:
    """Returns whether a file has the same content here as where it was written."""
    try:
        return Path(file).read_text(encoding="ascii") == token
    except (OSError, ValueError):
        return False


def _without_rows(part: FinishedGames) -> FinishedGames:
    return replace(part, rows=None)


def part_of(answer: SpanAnswer, outcome: np.dtype[np.void]) -> FinishedGames:
    """Converts an answer to the finished games it describes."""
    rows, value = answer["rows"], answer["fallbacks"]
    return FinishedGames(
        answer["first"],
        answer["games"],
        np.frombuffer(answer["cells"], CELL),
        np.frombuffer(rows, outcome) if rows is not None else None,
        Fallbacks.from_saved(json.loads(value)) if value is not None else None,
        tuple(map(FinishedChunk, map(chunk_from_json, json.loads(answer["chunks"])), answer["unwritten"])),
    )
