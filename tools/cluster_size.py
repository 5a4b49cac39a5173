"""What many cores would do: the real code that hands out games and keeps runs, with workers that answer at once.

What one answer costs is measured; how long a run takes on so many cores is then played through, answer by answer.
"""

from __future__ import annotations

import heapq
import json
import os
import random
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from playmill.agents.fallbacks import Fallbacks
from playmill.lab.cast import Cast, Work, gather
from playmill.lab.places.cluster import Cluster
from playmill.lab.places.place import Wanted
from playmill.lab.places.spans import SHORTEST, Spans
from playmill.lab.places.worker import Worker
from playmill.lab.store.archive import Archive
from playmill.stopping import Stop

_HASH = "0" * 64


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
    cast = gather(game, players=players, agents=agents)
    plan = cast.plan
    rate, write, cells, size = _measure_worker(cast)
    print(f"{game}, {players} players: a chunk has {plan.chunk} games, {len(cells)} bytes of counts to send back,")
    print(f"  {size} bytes on disk, written and flushed by a worker in {write * 1e3:.1f} ms;")
    print(f"  one core plays {rate:.0f} games/s, a chunk in {plan.chunk / rate * 1e3:.0f} ms")
    answer, chunk = _measure_driver(cast, cells)
    print(
        f"handing out and keeping: {answer * 1e3:.2f} ms an answer and {chunk * 1e6:.0f} us a chunk, manifest included"
    )
    print("cores    a core, games/s  task, s  answers/s  chunks/s  driver busy  of the ideal speed  a run of, games")
    for speed in (rate, rate / 30, rate / 1000):
        for cores in (10, 100, 1000, 10_000):
            # Ten minutes of all cores.
            games = int(cores * speed * 600)
            seconds, busy, answers = _play_through(games, plan.chunk, cores, speed, answer, chunk, write)
            row = f"{cores:<8} {speed:<16.0f} {min(60, max(5, cores / 50)):<8.0f} {answers / seconds:<10.0f}"
            row += f" {games / plan.chunk / seconds:<9.0f} {busy / seconds:<12.1%} {600 / seconds:<19.1%} {games:.2e}"
            print(row, flush=True)


def _measure_worker(cast: Cast) -> tuple[float, float, bytes, int]:
    """How fast one core plays, and what writing a chunk takes it."""
    worker = Worker()
    with tempfile.TemporaryDirectory(dir=os.environ["PLAYMILL_HOME"]) as folder:
        (Path(folder) / "counts").mkdir()
        token = Path(folder) / "token"
        token.write_text("x")
        order = {
            "plan": cast.plan.json(),
            "game": cast.reference,
            "agents": [seat.spec for seat in cast.seats],
            "backend": "cpu",
            "strict": False,
            "rows": False,
            "words": False,
            "folder": None,
            "token": (str(token), "x"),
            "keeps_rows": False,
            "versions": {},
        }
        trouble = worker.prepare(json.dumps(order))
        assert trouble is None, trouble
        chunk, chunks = cast.plan.chunk, 32
        plain = worker.play(0, chunk * chunks)
        one = worker.play(0, chunk)
        worker.prepare(json.dumps({**order, "folder": folder}))
        kept = worker.play(0, chunk * chunks)
        size = sum(path.stat().st_size for path in (Path(folder) / "counts").iterdir()) // chunks
        write = max(0.0, kept["seconds"] - plain["seconds"]) / chunks
        return chunk * chunks / plain["seconds"], write, one["cells"], size


def _measure_driver(cast: Cast, cells: bytes) -> tuple[float, float]:
    """Seconds that one answer costs whoever hands out and keeps, and those that each chunk in it costs."""
    short, long = (_drive(cast, cells, size) for size in (1, 100))
    each = (long[0] / long[1] - short[0] / short[1]) / (long[2] / long[1] - short[2] / short[1])
    return short[0] / short[1] - each * short[2] / short[1], each


def _drive(cast: Cast, cells: bytes, size: int) -> tuple[float, int, int]:
    """Seconds of the processor, answers and chunks of a kept run whose tasks have about so many chunks."""
    chunk = cast.plan.chunk
    link = Canned(4, chunk, cells, rate=size * chunk / SHORTEST)
    games = range(400 * size * chunk)
    place = Cluster(cast, Work("cpu", False, Fallbacks(), Stop()), lambda: link)
    with Archive(cast, games, keep=f"canned-{size}", rows=False, about={}) as archive:
        place.prepare(Wanted(archive.edge, folder=archive.folder))
        archive.start()
        start = time.process_time()
        for part in place.play([games]):
            archive.add(part)
    return time.process_time() - start, link.answers, 400 * size


def _play_through(
    games: int, chunk: int, cores: int, speed: float, answer: float, each: float, write: float
) -> tuple[float, float, int]:
    """How long a run takes on so many cores, how long of that the driver works, and how many answers it gets.

    Cores differ by a tenth, so that they do not answer together; the driver takes one answer after the other.
    """
    luck = random.Random(1)
    spans = Spans([range(games)], chunk, cores)
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
            seconds = len(span) / speeds[core] + write * (len(span) / chunk)
            heapq.heappush(waiting, (clock + seconds, core, len(span)))
    return last * total, busy, answers
