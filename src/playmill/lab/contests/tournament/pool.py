"""Pool that plays several pairings at once where programs take part; results come in the order of the tasks.

What comes of a table depends on the table alone, and results are handed out in the order in which they were asked for:
whoever counts them cannot tell how many were played at a time. One table is played in this process, each of the others
in a process of its own (`pool_process.py`), which is started only when there is enough to do.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from threading import Lock

from playmill.interrupts import WORKERS, Stop
from playmill.lab.contests.tournament.pairing import Pairing
from playmill.lab.contests.tournament.play_deals import DealResults
from playmill.lab.contests.tournament.pool_process import PoolProcess

#: A process takes a second or two to start: it is started when the tables have taken this many seconds.
START_AFTER = 3.0
#: How far ahead of the first unfinished table others are begun, for each who plays.
_AHEAD = 3
_LOOK = 0.1

Play = Callable[[Pairing, range, Stop, int | None], DealResults | None]


@dataclass(frozen=True)
class PairingTask:
    """Deals of a pairing that are to be played."""

    pairing: Pairing
    deals: range


@dataclass(frozen=True)
class TaskResult:
    """Result of a task, and the seconds it took."""

    piece: DealResults
    seconds: float


def play_in_order(
    tasks: Iterable[PairingTask], play: Play, stop: Stop, *, workers: int
) -> Generator[TaskResult | None, None, None]:
    """Plays tasks, n at a time, and yields the result of each in their order.

    Once it is to stop, that is None for what was not finished, and nothing more. Whoever has heard enough closes it.
    """
    halt, here = Stop(), Lock()
    processes = [PoolProcess(number) for number in range(2, workers + 1)]

    def do(process: PoolProcess | None, task: PairingTask) -> TaskResult | None:
        begun = time.perf_counter()
        piece = process.play(task.pairing, task.deals) if process is not None else None
        if piece is None and not halt():
            with here:
                piece = play(task.pairing, task.deals, halt, 1)
        return None if piece is None else TaskResult(piece, time.perf_counter() - begun)

    with ThreadPoolExecutor(workers, thread_name_prefix=WORKERS) as pool:
        free: list[PoolProcess | None] = [None]
        started, begun = False, time.monotonic()
        left = iter(tasks)
        more = True
        waiting: deque[Future[TaskResult | None]] = deque()
        busy: dict[Future[TaskResult | None], PoolProcess | None] = {}
        try:
            while waiting or more:
                if more and not started and time.monotonic() - begun > START_AFTER:
                    started, free = True, [*processes, *free]
                while more and free and len(waiting) < _AHEAD * workers:
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
            halt.times = 1
            for process in processes:
                process.end()
