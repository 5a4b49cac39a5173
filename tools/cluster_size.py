"""What many cores would do: the real code that hands out games and keeps runs, with workers that answer at once.

What one answer costs is measured; how long a run takes on so many cores is then played through, answer by answer.
"""

from __future__ import annotations

import heapq
import os
import random
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from playmill.agents.fallbacks import Fallbacks
from playmill.interrupts import Stop
from playmill.lab.runs.executors.base import RequestedOutput
from playmill.lab.runs.executors.cluster import Cluster
from playmill.lab.runs.executors.span_queue import SHORTEST, SpanQueue
from playmill.lab.runs.executors.threads import Threads
from playmill.lab.runs.finished_games import join
from playmill.lab.runs.resolved_plan import ExecutionOptions, ResolvedPlan, resolve_plan
from playmill.lab.runs.store.chunk_files import finished_chunk
from playmill.lab.runs.store.manifest import COUNTS
from playmill.lab.runs.store.recorder import RunRecorder

_HASH = "0" * 64
#: Seconds that Ray itself takes of whoever hands out for an answer, with a thousand that are waited for.
_RAY = 0.005


class Canned:
    """Workers that have played before: every span is answered at once with the counts of the first chunk."""

    def __init__(self, cores: int, chunk: int, cells: bytes, rate: float) -> None:
        self.cores, self.chunk, self.cells, self.rate = cores, chunk, cells, rate
        self.answers = 0

    def start(self) -> object:
        """A worker."""
        return object()

    def call(self, worker: object, method: str, *args: Any, aside: bool = False) -> tuple[Any, ...]:
        """The answer is made when it is fetched."""
        return (id(worker), method, *args)

    def ready(self, answers: Sequence[Any], timeout: float) -> Sequence[Any]:
        """One at a time, as from Ray."""
        return answers[:1]

    def fetch(self, answer: tuple[Any, ...]) -> Any:
        """What a worker would say."""
        if answer[1] == "arrive":
            return ("node", "shelf")
        if answer[1] == "prepare":
            return None
        self.answers += 1
        first, end = answer[2:]
        chunks = []
        for start in range(first, end, self.chunk):
            stop = min(start + self.chunk, end)
            file = f'{{"path":"counts/{start:015d}-{stop:015d}.json","size":20000,"sha256":"{_HASH}"}}'
            chunks.append(f'{{"first":{start},"games":{stop - start},"files":{{"counts":{file}}}}}')
        told = {"rows": None, "fallbacks": None, "words": None, "cells": self.cells}
        told |= {"chunks": f"[{','.join(chunks)}]", "unwritten": [{}] * len(chunks)}
        return {"first": first, "games": end - first, "seconds": (end - first) / self.rate, **told}

    def end(self, worker: object) -> None:
        """Nothing is to be done."""

    def is_there(self) -> bool:
        """Always."""
        return True

    def leave(self) -> None:
        """Nothing is to be done."""


def large(game: str, players: int, agents: Sequence[str]) -> None:
    """Prints what is measured here, and a table of what follows for many cores."""
    resolved = resolve_plan(game, players=players, agents=agents)
    plan = resolved.plan
    rate, write, cells, size = _measure_worker(resolved)
    print(f"{game}, {players} players: a chunk has {plan.chunk} games, {len(cells)} bytes of counts to send back,")
    print(f"  {size} bytes on disk, written and flushed by a worker in {write * 1e3:.1f} ms;")
    print(f"  one core plays {rate:.0f} games/s, a chunk in {plan.chunk / rate * 1e3:.0f} ms")
    answer, chunk = _measure_driver(resolved, cells)
    print(f"handing out and keeping, manifest included: {answer * 1e3:.2f} ms an answer, {chunk * 1e6:.0f} us a chunk;")
    print(f"  Ray: {_RAY * 1e3:.0f} ms an answer")
    answer += _RAY
    print("cores    a core, games/s  task, s  answers/s  chunks/s  driver busy  of the ideal speed  a run of, games")
    for speed in (rate, rate / 30, rate / 1000):
        for cores in (10, 100, 1000, 10_000):
            # Ten minutes of all cores.
            games = int(cores * speed * 600)
            seconds, busy, answers = _play_through(games, plan.chunk, cores, speed, answer, chunk, write)
            row = f"{cores:<8} {speed:<16.0f} {min(60, max(5, cores / 50)):<8.0f} {answers / seconds:<10.0f}"
            row += f" {games / plan.chunk / seconds:<9.0f} {busy / seconds:<12.1%} {600 / seconds:<19.1%} {games:.2e}"
            print(row, flush=True)


def _measure_worker(resolved: ResolvedPlan) -> tuple[float, float, bytes, int]:
    """How many games one core plays in a second of its time, what writing a chunk takes, and how large that is."""
    chunk, chunks = resolved.plan.chunk, 32
    executor = Threads(resolved, ExecutionOptions("cpu", False, Fallbacks(), Stop()), 1)
    executor.prepare(RequestedOutput(edge=chunk))
    begun = time.process_time()
    for _ in executor.play([range(chunks * chunk)]):
        pass
    rate = chunks * chunk / (time.process_time() - begun)
    one = join([*executor.play([range(chunk)])])
    took = []
    with tempfile.TemporaryDirectory(dir=os.environ["PLAYMILL_HOME"]) as folder:
        (Path(folder) / "counts").mkdir()
        for _ in range(50):
            begun = time.perf_counter()
            made = finished_chunk(resolved.plan, one, rows=False)
            made.written(Path(folder))
            took.append(time.perf_counter() - begun)
    return rate, median(took), one.cells.tobytes(), made.chunk.files[COUNTS].size


def _measure_driver(resolved: ResolvedPlan, cells: bytes) -> tuple[float, float]:
    """Seconds that one answer costs whoever hands out and keeps, and those that each chunk in it costs."""
    short, long = (_drive(resolved, cells, size) for size in (1, 100))
    each = (long[0] / long[1] - short[0] / short[1]) / (long[2] / long[1] - short[2] / short[1])
    return short[0] / short[1] - each * short[2] / short[1], each


def _drive(resolved: ResolvedPlan, cells: bytes, size: int) -> tuple[float, int, int]:
    """Seconds of the processor, answers and chunks of a kept run whose tasks have about so many chunks."""
    chunk = resolved.plan.chunk
    link = Canned(4, chunk, cells, rate=size * chunk / SHORTEST)
    games = range(400 * size * chunk)
    executor = Cluster(resolved, ExecutionOptions("cpu", False, Fallbacks(), Stop()), lambda: link)
    with RunRecorder(resolved, games, keep=f"canned-{size}", rows=False, about={}) as recorder:
        executor.prepare(RequestedOutput(recorder.edge, folder=recorder.folder))
        recorder.start()
        start = time.process_time()
        for part in executor.play([games]):
            recorder.add(part)
    return time.process_time() - start, link.answers, 400 * size


def _play_through(
    games: int, chunk: int, cores: int, speed: float, answer: float, each: float, write: float
) -> tuple[float, float, int]:
    """How long a run takes on so many cores, how long of that the driver works, and how many answers it gets.

    Cores differ by a tenth, so that they do not answer together; the driver takes one answer after the other. Workers
    write while they play.
    """
    luck = random.Random(1)
    spans = SpanQueue([range(games)], chunk, cores)
    speeds = [speed * luck.uniform(0.9, 1.1) for _ in range(cores)]
    total = sum(speeds) / (cores * speed)
    waiting = [(0.0, core, 0) for core in range(cores)]
    clock = busy = last = 0.0
    answers = 0
    while waiting:
        ready, core, done = heapq.heappop(waiting)
        cost = answer + each * (done // chunk) if done else 0.0
        clock = max(clock, ready) + cost
        busy += cost
        answers += bool(done)
        last = max(last, clock)
        span = spans.take(done, speeds[core])
        if span is not None:
            seconds = len(span) * max(1 / speeds[core], write / chunk)
            heapq.heappush(waiting, (clock + seconds, core, len(span)))
    return last * total, busy, answers
