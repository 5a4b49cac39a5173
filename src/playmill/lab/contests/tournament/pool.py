"""Pools that play several pairings at once, on the cores of this machine or of a cluster; results come in order.

What comes of a table depends on the table alone, and results are handed out in the order in which they were asked for:
whoever counts them cannot tell how many were played at a time, where, and what was lost on the way.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing, contextmanager
from threading import Lock
from typing import Protocol

from playmill.engine.run.backends import default_workers
from playmill.interrupts import WORKERS, Stop
from playmill.lab.contests.tournament.deal_results import DealResults
from playmill.lab.contests.tournament.deal_task import (
    Luggage,
    PairingTask,
    TaskResult,
    order_of,
    play_on_node,
    result_of,
)
from playmill.lab.contests.tournament.pairing import Pairing
from playmill.lab.contests.tournament.pool_process import PoolProcess
from playmill.lab.runs.executors.task_pool import WAITING, Task, TaskPool
from playmill.lab.runs.executors.where import CUDA, Where
from playmill.stdio import doing
from playmill.texts import PlaymillError, Text

#: A process takes a second or two to start: it is started when the tables have taken this many seconds.
START_AFTER = 3.0
#: How far ahead of the first unfinished table others are begun, for each who plays.
_AHEAD = 3
_LOOK = 0.1
_CONTEST = Text("play these tables", "играть эти столы")

Play = Callable[[Pairing, range, Stop, int | None], DealResults | None]
Results = Generator[TaskResult | None, None, None]


class PairingPool(Protocol):
    """Plays tasks and yields the result of each in their order.

    Once it is to stop, that is None for what was not finished, and nothing more. Whoever has heard enough closes it.
    """

    @property
    def workers(self) -> int:
        """How many tables it plays at once."""

    def play(self, tasks: Iterable[PairingTask], play: Play, stop: Stop, *, kinds: set[str], count: int) -> Results:
        """Plays tasks, at most `count`, of agents of these kinds; here `play` does it."""


class LocalPool:
    """Plays on this machine: one table in this process, each of the others in a process of its own.

    Those are started when there is enough to do, and stay for what comes later. Compiled agents alone need no
    processes, their games are played on all cores at once; nor does `search` where there are few tables.
    """

    def __init__(self, workers: int | None = None) -> None:
        self._workers = workers or default_workers()
        self._asked_for = workers
        self._processes: list[PoolProcess] = []
        self._busy = 0.0

    @property
    def workers(self) -> int:
        """How many tables it plays at once."""
        return self._workers

    def play(self, tasks: Iterable[PairingTask], play: Play, stop: Stop, *, kinds: set[str], count: int) -> Results:
        """Plays tasks, at most `count`, of agents of these kinds; here `play` does it."""
        slow = kinds - {"compiled"}
        if self._workers == 1 or not slow or (slow == {"search"} and count < self._workers):
            return self._in_turn(tasks, play, stop)
        return self._beside_each_other(tasks, play, stop)

    def end(self) -> None:
        """Ends its processes."""
        for process in self._processes:
            process.end()
        self._processes = []

    def _in_turn(self, tasks: Iterable[PairingTask], play: Play, stop: Stop) -> Results:
        for task in tasks:
            start = time.perf_counter()
            piece = play(task.pairing, task.deals, stop, self._asked_for)
            yield None if piece is None else TaskResult(piece, time.perf_counter() - start)

    def _beside_each_other(self, tasks: Iterable[PairingTask], play: Play, stop: Stop) -> Results:
        halt, here = Stop(), Lock()

        def do(process: PoolProcess | None, task: PairingTask) -> TaskResult | None:
            if process is not None and (found := process.play(task)) is not None:
                return found
            with here:
                begun = time.perf_counter()
                piece = play(task.pairing, task.deals, halt, 1) if not halt() else None
            return None if piece is None else TaskResult(piece, time.perf_counter() - begun)

        with ThreadPoolExecutor(self._workers, thread_name_prefix=WORKERS) as pool:
            free: list[PoolProcess | None] = [*self._processes, None]
            begun = time.monotonic()
            left, more = iter(tasks), True
            waiting: deque[Future[TaskResult | None]] = deque()
            busy: dict[Future[TaskResult | None], PoolProcess | None] = {}
            try:
                while waiting or more:
                    if more and not self._processes and self._busy + time.monotonic() - begun > START_AFTER:
                        self._processes = [PoolProcess(number) for number in range(2, self._workers + 1)]
                        free = [*self._processes, *free]
                    while more and free and len(waiting) < _AHEAD * self._workers:
                        task = next(left, None)
                        more = task is not None
                        if task is not None:
                            player = free.pop()
                            waiting.append(pool.submit(do, player, task))
                            busy[waiting[-1]] = player
                    if busy:
                        wait(busy, timeout=_LOOK, return_when=FIRST_COMPLETED)
                    halt.times |= stop()
                    free += [busy.pop(future) for future in list(busy) if future.done()]
                    while waiting and waiting[0].done():
                        yield waiting.popleft().result()
                    if halt():
                        yield None
                        return
            finally:
                self._busy += time.monotonic() - begun
                if busy:
                    halt.times = 1
                    self.end()


class ClusterPool:
    """Plays on the cores of a cluster, one table on each; a bot's folder travels there."""

    def __init__(self, tasks: TaskPool) -> None:
        self._tasks, self._luggage = tasks, Luggage()

    @property
    def workers(self) -> int:
        """How many tables it plays at once."""
        return self._tasks.workers

    def play(self, tasks: Iterable[PairingTask], play: Play, stop: Stop, *, kinds: set[str], count: int) -> Results:
        """Plays tasks there, whatever agents they are of."""
        handed_out: deque[PairingTask] = deque()

        def made() -> Iterator[Task]:
            for task in tasks:
                handed_out.append(task)
                yield self._task(task)

        with closing(self._tasks.in_order(made(), stop)) as answers:
            for answer in answers:
                yield result_of(answer, handed_out.popleft())
        if stop():
            yield None

    def _task(self, task: PairingTask) -> Task:
        pairing = task.pairing
        _check_travels(pairing)
        made = order_of(task, self._luggage)
        assert made is not None
        names = ", ".join(pairing.names)
        dying = Text(f"workers die again and again with {names}", f"процессы снова и снова погибают: {names}")
        return Task(play_on_node, (made[0], *made[1]), dying)


def _check_travels(pairing: Pairing) -> None:
    """Raises if an entrant cannot play on a cluster."""
    for entrant, spec, agent in zip(pairing.entrants, pairing.specs, pairing.identity["agents"], strict=True):
        name = entrant.name
        if spec is None:
            raise PlaymillError(
                f"{name} cannot play on a cluster: it was given as an object; name its file, FILE.py",
                f"{name} не может играть на кластере: агент передан объектом; назовите его файл, FILE.py",
            )
        if agent["parameters"].get("ms"):
            raise PlaymillError(
                f"{name} cannot play on a cluster: it thinks by the clock, and nodes differ; give it iterations=N",
                f"{name} не может играть на кластере: он думает по часам, а узлы разные; задайте iterations=N",
            )


@contextmanager
def pool_on(where: Where) -> Iterator[PairingPool]:
    """While this lasts pairings can be played there; raises if that cannot be."""
    if where.backend == CUDA:
        raise PlaymillError(
            "tournaments and contests are played by processors, not by a GPU; play --on threads, or on a cluster",
            "турниры и соревнования играют на процессорах, а не на видеокарте; играйте с --on threads или на кластере",
        )
    if where.cluster is not None:
        with where.joined():
            doing(WAITING)
            yield ClusterPool(where.pool(_CONTEST))
        return
    pool = LocalPool(where.workers)
    try:
        yield pool
    finally:
        pool.end()
