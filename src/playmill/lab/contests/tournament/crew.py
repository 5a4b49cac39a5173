"""Several tables at once, where programs play: the next ones are begun while the first is not finished.

What comes of a table depends on the table alone, and results are handed out in the order in which they were asked for:
whoever counts them cannot tell how many were played at a time. One table is played in this process, each of the others
in one of its own (`helper.py`), which is hired only when there is enough to do.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from threading import Lock

from playmill.lab.contests.tournament.helper import Helper
from playmill.lab.contests.tournament.playing import Piece
from playmill.lab.contests.tournament.sitting import Sitting
from playmill.stopping import WORKERS, Stop

#: A helper takes a second or two to be there: it is hired when the tables have taken so many seconds.
HIRED_AFTER = 3.0
#: How far ahead of the first unfinished table others are begun, for each who plays.
_AHEAD = 3
_LOOK = 0.1

Play = Callable[[Sitting, range, Stop, int | None], Piece | None]


@dataclass(frozen=True)
class Task:
    """Deals of a sitting that are to be played."""

    sitting: Sitting
    deals: range


@dataclass(frozen=True)
class Played:
    """What came of a task, and the seconds it took."""

    piece: Piece
    seconds: float


def in_order(tasks: Iterable[Task], play: Play, stop: Stop, *, hands: int) -> Generator[Played | None, None, None]:
    """Plays tasks, so many at a time, and yields what came of each in their order.

    Once it is to stop, that is None for what was not finished, and nothing more. Whoever has heard enough closes it.
    """
    halt, here = Stop(), Lock()
    helpers = [Helper(number) for number in range(2, hands + 1)]

    def do(helper: Helper | None, task: Task) -> Played | None:
        begun = time.perf_counter()
        piece = helper.play(task.sitting, task.deals) if helper is not None else None
        if piece is None and not halt():
            with here:
                piece = play(task.sitting, task.deals, halt, 1)
        return None if piece is None else Played(piece, time.perf_counter() - begun)

    with ThreadPoolExecutor(hands, thread_name_prefix=WORKERS) as pool:
        free: list[Helper | None] = [None]
        hired, begun = False, time.monotonic()
        left = iter(tasks)
        more = True
        waiting: deque[Future[Played | None]] = deque()
        busy: dict[Future[Played | None], Helper | None] = {}
        try:
            while waiting or more:
                if more and not hired and time.monotonic() - begun > HIRED_AFTER:
                    hired, free = True, [*helpers, *free]
                while more and free and len(waiting) < _AHEAD * hands:
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
            for helper in helpers:
                helper.end()
