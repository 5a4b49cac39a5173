"""Worker process of a cluster: resolves the plan on its node and plays spans of games on one core.

What comes and goes is JSON, numbers and bytes: the plan, what finds the game and its agents, counts, files. The worker
resolves that itself and so proves that it has the same rules.
"""

from __future__ import annotations

import json
import os
import platform
import time
from collections import deque
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, TypedDict

import numpy as np
import polars

from playmill.agents.fallbacks import Fallbacks
from playmill.engine.compile.disk_cache import cache_folder
from playmill.interrupts import WORKERS, Stop
from playmill.lab.runs.executors.base import RequestedOutput
from playmill.lab.runs.executors.threads import Threads
from playmill.lab.runs.finished_games import FinishedGames, join
from playmill.lab.runs.plan import Plan
from playmill.lab.runs.resolved_plan import ExecutionOptions, ResolvedPlan, resolve_same_plan
from playmill.lab.runs.sparse_counts import CELL
from playmill.lab.runs.store.chunk_files import finished_chunk
from playmill.lab.runs.store.manifest import FinishedChunk, chunk_from_json
from playmill.lab.runs.store.recorder import Chunker
from playmill.texts import PlaymillError
from playmill.version import __version__

#: Chunks that may wait for the disk while others are played.
_WRITING = 8


class WorkerOrder(TypedDict):
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
    versions: Mapping[str, str]


class SpanAnswer(TypedDict, total=False):
    """Result of a span; `error` alone, in two languages, if it could not be played."""

    error: tuple[str, str]
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


class ClusterWorker:
    """Plays spans; returns errors meant for users as values, since raised ones would carry a traceback."""

    def __init__(self) -> None:
        self._stop = Stop()
        self._resolved: ResolvedPlan | None = None

    def arrive(self) -> tuple[str, str]:
        """Returns the name of the machine, and where it keeps compiled rules: who shares both shares the rules."""
        return platform.node(), str(cache_folder() or f"process {os.getpid()}")

    def prepare(self, order: str) -> tuple[str, str] | None:
        """Resolves the plan and compiles the rules, or reads them from disk; returns why that cannot be."""
        given: WorkerOrder = json.loads(order)
        try:
            _check_versions(given["versions"])
            plan = Plan.from_json(given["plan"], "plan")
            found = resolve_same_plan(plan, given["game"], given["agents"], "plan")
            if not isinstance(found, ResolvedPlan):
                return "; ".join(text.en for text in found), "; ".join(text.ru for text in found)
            self._resolved = found
            self._resolved.learn()
            self._words: list[Mapping[str, Any]] = []
            sink = self._words.append if given["words"] else None
            work = ExecutionOptions(given["backend"], given["strict"], Fallbacks(sink=sink), self._stop)
            self._executor = Threads(self._resolved, work, 1)
            self._executor.prepare(RequestedOutput(edge=plan.chunk))
        except PlaymillError as error:
            return error.text.en, error.text.ru
        self._order = given
        self._writes = given["folder"] is not None and _sees(*given["token"])
        return None

    def play(self, first: int, end: int) -> SpanAnswer:
        """Plays these games, whole chunks of a kept run; fewer if it is told to stop meanwhile."""
        assert self._resolved is not None
        start = time.perf_counter()
        self._words.clear()
        kept = self._order["folder"] is not None
        chunker = Chunker(self._resolved, end, rows=self._order["rows"] or self._order["keeps_rows"])
        parts: list[FinishedGames] = []
        finished: list[FinishedChunk] = []
        writing: deque[Future[FinishedChunk]] = deque()
        try:
            # The disk is waited for while the next games are played.
            with ThreadPoolExecutor(1, thread_name_prefix=WORKERS) as writer:
                for part in self._executor.play([range(first, end)]):
                    for chunk in chunker.add(part) if kept else (part,):
                        parts.append(chunk if self._order["rows"] else _without_rows(chunk))
                        if kept:
                            writing.append(writer.submit(self._finish, chunk))
                    while len(writing) > _WRITING:
                        finished.append(writing.popleft().result())
                finished += [one.result() for one in writing]
        except PlaymillError as error:
            return {"error": (error.text.en, error.text.ru)}
        seconds = time.perf_counter() - start
        if not parts:
            return {"first": first, "games": 0, "seconds": seconds}
        whole = join(parts)
        return {
            "first": first,
            "games": whole.games,
            "seconds": seconds,
            "cells": whole.cells.tobytes(),
            "rows": whole.rows.tobytes() if whole.rows is not None else None,
            "fallbacks": json.dumps(whole.fallbacks.saved()) if whole.fallbacks is not None else None,
            "words": json.dumps(self._words) if self._words else None,
            "chunks": json.dumps([found.chunk.json() for found in finished]),
            "unwritten": [dict(found.unwritten) for found in finished],
        }

    def _finish(self, chunk: FinishedGames) -> FinishedChunk:
        """Returns a chunk with its files: written where the run is, else sent along."""
        assert self._resolved is not None
        made = finished_chunk(self._resolved.plan, chunk, rows=self._order["keeps_rows"])
        folder = self._order["folder"]
        if not self._writes or folder is None:
            return made
        return made.written(Path(folder), mark=f".{platform.node()}-{os.getpid()}")

    def halt(self) -> None:
        """Has the span that is being played end soon, with what is finished of it."""
        self._stop.times += 1


def versions(*, rows: bool) -> dict[str, str]:
    """Returns the versions that must agree on all nodes: rules prove themselves, bytes of files do not."""
    return {"Playmill": __version__, **({"Polars": polars.__version__} if rows else {})}


def _check_versions(wanted: Mapping[str, str]) -> None:
    mine = versions(rows=True)
    for name, version in wanted.items():
        if mine[name] != version:
            raise PlaymillError(
                f"it has {name} {mine[name]}, and {version} is needed",
                f"там {name} {mine[name]}, а нужна версия {version}",
            )


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
