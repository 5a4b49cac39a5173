"""What 10^12 games take: the store measured with as many chunks, and machines that fail simulated from measured costs.

python tools/scale_plan.py --store      bytes, milliseconds and memory of kept runs of 10^3 … 10^6 chunks, and more
python tools/scale_plan.py              10^12 games on a laptop, GPUs and clusters whose nodes die now and then
python tools/scale_plan.py --games 1e9 --core 60000 --gpu 5e5 --days 1

Counts that are stored are those of one chunk that was played; no more games are. Chunks come as an executor hands them
out: a second of a GPU's at a time. Each row of the store is measured in a process of its own.
"""

from __future__ import annotations

import argparse
import heapq
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from typing import Any

import numpy as np

from playmill.engine.run.match import GroupCounts
from playmill.lab.runs.executors.span_queue import LONGEST, SHORTEST
from playmill.lab.runs.finished_games import FinishedGames, StretchCounts
from playmill.lab.runs.resolved_plan import ResolvedPlan, resolve_plan
from playmill.lab.runs.simulate import report_of, simulate
from playmill.lab.runs.sparse_counts import Cells, cells, joined
from playmill.lab.runs.store import find_run
from playmill.lab.runs.store.blocks import block_sizes
from playmill.lab.runs.store.merge_runs import merge
from playmill.lab.runs.store.writer import open_writer, reopen_writer

#: Chunks that come at once, as from a GPU.
_AT_ONCE = 4096
_ABOUT = {"backend": "cuda", "workers": 1}
#: Seconds of whoever hands out for an answer: Ray's and ours, measured with a real cluster (docs/cluster.md).
_ANSWER = 0.006
#: Seconds until a node that died is there again, and until the first game of any: it starts, and compiles the rules.
_RETURN, _FIRST = 300.0, 40.0
#: Most seconds between two writings of a run: what a killed process of one machine loses (docs/runs.md).
_UNWRITTEN = 3.0
_ANSWERS = 50.0


@dataclass(frozen=True)
class Machines:
    """Nodes with workers (cores or GPUs) that play so many games a second each."""

    name: str
    nodes: int
    workers: int
    rate: float

    @property
    def total(self) -> float:
        """Games a second of all of them."""
        return self.nodes * self.workers * self.rate

    @property
    def task(self) -> float:
        """Seconds of a task, as the queue of a cluster cuts them; a machine alone loses what was not written."""
        return min(LONGEST, max(SHORTEST, self.nodes * self.workers / _ANSWERS)) if self.nodes > 1 else _UNWRITTEN


def main() -> int:
    """Does what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", action="store_true")
    parser.add_argument("--game", default="dimensions")
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--chunks", nargs="+", type=float, default=[1e3, 1e4, 1e5, 1e6, 1e12 / 16384])
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--rows", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--games", type=float, default=1e12)
    parser.add_argument("--core", type=float, default=200_000, help="games a second of a core")
    parser.add_argument("--gpu", type=float, default=75e6, help="games a second of a GPU")
    parser.add_argument("--days", type=float, nargs="+", default=[1, 1 / 24], help="until a node dies, on average")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.one is not None:
        print(json.dumps(_measured(options.game, options.players, options.one, rows=options.rows)))
    elif options.store:
        _store(options)
    else:
        _plan(options)
    return 0


def _store(options: argparse.Namespace) -> None:
    heads = ("chunks", "games", "files", "bytes", "manifest", "ms a chunk", "write, s", "report, s", "runs, s")
    print(f"| {' | '.join([*heads, 'resume, s', 'merge, s', 'MiB'])} |\n{'|---' * 12}|")
    words = [sys.executable, __file__, "--game", options.game, "--players", str(options.players), "--one"]
    for rows in (False, True):
        for chunks in (int(one) for one in options.chunks if not rows or one <= 1e3):
            more = ["--rows"] if rows else []
            with tempfile.TemporaryDirectory(prefix="scale-") as folder:
                env = {**os.environ, "PLAYMILL_HOME": folder}
                done = subprocess.run([*words, str(chunks), *more], env=env, check=True, capture_output=True, text=True)
            one = json.loads(done.stdout.splitlines()[-1])
            cells = [f"{chunks:,}{' with rows' if rows else ''}", f"{one['games']:.2g}", one["files"], one["bytes"]]
            cells += [one["manifest"], one["ms_a_chunk"], one["write_s"], one["report_s"], one["runs_s"]]
            print(f"| {' | '.join(map(str, [*cells, one['resume_s'], one['merge_s'], one['mib']]))} |", flush=True)


def _measured(game: str, players: int, chunks: int, *, rows: bool) -> dict[str, Any]:
    """Keeps as many chunks, and asks for everything that can be asked of such a run."""
    resolved = resolve_plan(game, players=players, agents=["random"])
    size = resolved.plan.chunk
    parts: list[FinishedGames] = []
    simulate(game, players=players, games=size, keep=False, on_part=parts.append)
    counts = joined([part.cells for part in parts])
    single = np.concatenate([part.rows for part in parts if part.rows is not None]) if rows else None
    # All but the last of more chunks than are written within minutes are there already, as they would have become.
    fresh = min(chunks, 1_000_000) if not rows else chunks
    begun = time.perf_counter()
    slowest = 0.0
    with open_writer(resolved, range(chunks * size), name="run", rows=rows, about=_ABOUT) as writer:
        for part in _blocks(resolved, chunks - fresh, counts):
            writer.add(part)
        writer.write()
        begun = time.perf_counter()
        first = writer.run.games // size
        for part in _played(resolved, range(first, chunks), counts, single):
            start = time.perf_counter()
            writer.add(part)
            if not rows:
                writer.write()
            slowest = max(slowest, time.perf_counter() - start)
        writer.write()
    each = (time.perf_counter() - begun) / (chunks - first)
    run = find_run("run")
    files = [path for path in run.folder.rglob("*") if path.is_file()]
    asked = {"report_s": _timed(lambda: report_of(find_run("run"))), "runs_s": _timed(_runs)}
    asked["resume_s"] = _timed(lambda: _resume(resolved))
    asked["merge_s"] = _timed(lambda: merge([find_run("run")], "merged"))
    return {
        "games": run.games,
        "files": len(files),
        "bytes": sum(path.stat().st_size for path in files),
        "manifest": (run.folder / "manifest.json").stat().st_size,
        "ms_a_chunk": round(each * 1e3, 4),
        "write_s": round(slowest, 3),
        **asked,
        "mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def _blocks(resolved: ResolvedPlan, chunks: int, counts: Cells) -> Iterator[FinishedGames]:
    """Yields the largest blocks that are whole in so many chunks."""
    largest, size = block_sizes(resolved.plan)[-1], resolved.plan.chunk
    values = counts["value"] * (largest // size)
    for first in range(0, chunks * size // largest * largest, largest):
        yield FinishedGames(first, largest, cells(counts["group"], counts["place"], values))


def _played(resolved: ResolvedPlan, chunks: range, counts: Cells, single: Any) -> Iterator[FinishedGames]:
    """Yields chunks as an executor hands them out: many at once, counted apart."""
    size = resolved.plan.chunk
    if single is not None:
        for chunk in chunks:
            yield FinishedGames(chunk * size, size, counts, single)
        return
    for start in range(chunks.start, chunks.stop, _AT_ONCE):
        n = min(_AT_ONCE, chunks.stop - start)
        groups = np.repeat(np.arange(n), len(counts))
        apart = GroupCounts(groups, np.tile(counts["place"], n), np.tile(counts["value"], n))
        total = cells(0, counts["place"], counts["value"] * n)
        yield FinishedGames(start * size, n * size, total, apart=StretchCounts(size, apart))


def _runs() -> None:
    from playmill.cli import main as playmill

    with redirect_stdout(StringIO()):
        playmill(["runs"])


def _resume(resolved: ResolvedPlan) -> None:
    """All that `resume` does before the first game: every file is read and its hash compared."""
    with reopen_writer(find_run("run"), resolved, about=_ABOUT) as writer:
        assert not writer.missing


def _timed(what: Any) -> float:
    begun = time.perf_counter()
    what()
    return round(time.perf_counter() - begun, 3)


def _plan(options: argparse.Namespace) -> None:
    every = [
        Machines("2 cores", 1, 2, options.core),
        Machines("16 cores", 1, 16, options.core),
        Machines("1 GPU", 1, 1, options.gpu),
        Machines("8 GPUs of a machine", 1, 8, options.gpu),
        Machines("100 nodes of 16 cores", 100, 16, options.core),
        Machines("100 nodes of 8 GPUs", 100, 8, options.gpu),
    ]
    print(f"{options.games:.3g} games; a core plays {options.core:,.0f} a second, a GPU {options.gpu:,.0f}")
    print("| on | games a second | without failures | a node dies every | deaths | played again | time | node-hours |")
    print("|---" * 8 + "|")
    for machines in every:
        for days in options.days:
            seconds, deaths, again = _through(machines, options.games, days * 86400, random.Random(options.seed))
            cells = [machines.name, f"{machines.total:.3g}", _time(options.games / machines.total), _time(days * 86400)]
            cells += [f"{deaths:,}", f"{again / options.games:.2%}", _time(seconds)]
            print(f"| {' | '.join(cells)} | {machines.nodes * seconds / 3600:,.0f} |", flush=True)


def _through(machines: Machines, games: float, life: float, luck: random.Random) -> tuple[float, int, float]:
    """Simulates a run on nodes that die and come back; returns its seconds, deaths, and the games played twice.

    A node that dies loses the tasks of its workers, each done to a random part, which are handed out again. Whoever
    hands out takes one answer after another.
    """
    rate = machines.workers * machines.rate
    answers = machines.nodes * machines.workers / machines.task if machines.nodes > 1 else 0.0
    slowed = max(1.0, answers * _ANSWER)
    left, clock, up, again, deaths = games, 0.0, machines.nodes, 0.0, 0
    events = [(luck.expovariate(1 / life), False) for _ in range(machines.nodes)]
    heapq.heapify(events)
    while True:
        when, back = events[0]
        speed = up * rate / slowed
        if speed and left / speed <= when - clock:
            return _FIRST + clock + left / speed + machines.task / 2, deaths, again
        left -= speed * (when - clock)
        clock = when
        if back:
            up += 1
            heapq.heapreplace(events, (clock + luck.expovariate(1 / life), False))
        else:
            lost = sum(luck.random() for _ in range(machines.workers)) * machines.task * machines.rate
            up, deaths, again, left = up - 1, deaths + 1, again + lost, left + lost
            heapq.heapreplace(events, (clock + _RETURN, True))


def _time(seconds: float) -> str:
    for name, unit in (("days", 86400.0), ("hours", 3600.0), ("minutes", 60.0)):
        if seconds >= 1.5 * unit or seconds == unit:
            return f"{seconds / unit:.1f} {name}"
    return f"{seconds:.0f} seconds"


if __name__ == "__main__":
    sys.exit(main())
