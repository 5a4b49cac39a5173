"""Plays many games on worker threads in chunks, handed on in the order of the games; chooses the backend."""

from __future__ import annotations

import math
import os
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from itertools import pairwise
from threading import Condition
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from playmill.engine.compile.play_kernels import (
    interpreted_kernels,
    interpreted_strict_kernels,
    kernels_of,
    strict_kernels,
)
from playmill.engine.lang.record import RecordArray
from playmill.engine.lint.endless_loops import plays_games, still_at_work
from playmill.engine.run.invalid_actions import invalid_action
from playmill.engine.run.match import Backend, Chunk, GroupCounts, Grouping, Match, Sizes, new_workspace
from playmill.engine.run.preflight import preflight
from playmill.interrupts import WORKERS
from playmill.stdio import complain
from playmill.texts import PlaymillError, user_language

#: A chunk should take about this long, so that progress moves and Ctrl-C is answered at once.
_CHUNK_SECONDS = 0.1
#: Rows on which games are written that nobody wants the rows of (see `play_games`).
_SPARE_ROWS = 2
#: Seconds between two looks at whether somebody asked to stop, and how long a chunk may take after that.
_LOOK, _PATIENCE = 0.05, 0.8


class Cpu:
    """Compiled rules on one core; releases the interpreter lock while it plays.

    An agent whose answer is no action of the game ends the run with an error; `strict`, any answer that is not among
    the options does. The match may be one of the rotations of a run: then errors tell the number of the game there.
    Without `rows`, games are only counted; with an `edge`, every stretch between two multiples of it by itself.
    """

    sizes = Sizes(64, 1 << 16)
    interpreted = False

    def __init__(
        self,
        match: Match,
        *,
        rows: bool = True,
        edge: int = 0,
        strict: bool = False,
        rotation: int = 0,
        rotations: int = 1,
    ) -> None:
        self._match = match
        self._wants_rows, self._edge = rows, 0 if rows else edge
        self._workspace = new_workspace(match)
        self._rotation, self._rotations = rotation, rotations
        self._kernels = self._loops(strict)
        self.game, self.begun = match.game, math.inf

    def _loops(self, strict: bool) -> Any:
        return strict_kernels(self._match.game) if strict else kernels_of(self._match.game)

    @plays_games
    def play(self, first: int, count: int) -> Chunk:
        """Plays these games."""
        match = self._match
        self.begun = time.monotonic() if count else math.inf  # asked for none, it compiles
        stretches = _stretches(first, first + count, self._edge)
        counts: RecordArray = np.zeros(len(stretches), match.game.tally)
        for place, games in enumerate(stretches):
            rows: RecordArray = np.zeros(count if self._wants_rows else _SPARE_ROWS, match.game.outcome)
            mine = counts[place : place + 1]
            played = self._kernels.play_games(
                self._workspace, match.lookup_tables.values, match.seed, games.start, len(games), rows, mine
            )
            if played < len(games):
                raise invalid_action(match, games.start + played, rotation=self._rotation, rotations=self._rotations)
        return Chunk(first, count, rows if self._wants_rows else rows[:0], counts, edge=self._edge)


class Interpreted(Cpu):
    """The same rules run by the Python interpreter: for debugging, coverage and teaching."""

    sizes = Sizes(1, 1 << 10)
    interpreted = True

    def _loops(self, strict: bool) -> Any:
        return (interpreted_strict_kernels if strict else interpreted_kernels)(self._match.game)


def _stretches(first: int, end: int, edge: int) -> list[range]:
    """Splits games at every multiple of an edge, if there is one."""
    inside = range(first - first % edge + edge, end, edge) if edge else ()
    return [range(*ends) for ends in pairwise([first, *inside, end])]


def default_workers() -> int:
    """One for each core this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def add_counts(total: RecordArray, more: RecordArray | GroupCounts) -> None:
    """Adds counts of other games, for each group of them: sums of whole numbers, the same in any order."""
    numbers = total.view(np.int64).reshape(len(total), -1)
    if isinstance(more, GroupCounts):
        numbers[more.groups, more.places] += more.values
    else:
        numbers += more.view(np.int64).reshape(len(more), -1)


class LostDeviceError(PlaymillError):
    """Raised when a device can play no more: its memory is full, or it is gone; its games can be played elsewhere."""


class PlayedChunk(Protocol):
    """The result of some games: their order needs only their number."""

    @property
    def games(self) -> int:
        """How many were finished."""


P_co = TypeVar("P_co", bound=PlayedChunk, covariant=True)


class ChunkPlayer(Protocol[P_co]):
    """Something that plays games first … first+count-1 of a run; each worker thread has its own.

    It may finish fewer games than were asked for: then somebody asked to stop.
    """

    sizes: Sizes

    def play(self, first: int, count: int) -> P_co:
        """Plays these games."""


def play_in_order(
    make_player: Callable[[], ChunkPlayer[P_co]],
    games: range,
    workers: int,
    stopped: Callable[[], int],
    *,
    block: int = 1,
    edge: int = 0,
    patience: float = _PATIENCE,
) -> Iterator[P_co]:
    """Plays games on worker threads, some at a time, and yields what came of them in their order.

    Blocks are never cut, nor are games played at once that lie on both sides of an `edge` (a multiple of it), unless
    there are so many that they end at another one. Told to stop, it ends with what is done within `patience` seconds;
    told so twice, with what is done. Games of a device that is lost are played by the others.
    """
    players = _Players(make_player, workers)
    size = players.sizes.first
    handed = games.start
    running: deque[tuple[int, Future[tuple[P_co, float]]]] = deque()

    def work(first: int, count: int) -> tuple[P_co, float]:
        start = time.perf_counter()
        return players.play(first, count), time.perf_counter() - start

    pool = ThreadPoolExecutor(workers, thread_name_prefix=WORKERS)
    waits = True
    try:
        while running or (handed < games.stop and not stopped()):
            while len(running) < workers + 1 and handed < games.stop and not stopped():
                count = next_count(size, handed, games.stop, block=block, edge=edge)
                running.append((count, pool.submit(work, handed, count)))
                handed += count
            count, future = running.popleft()
            if not _is_done(future, stopped, patience):
                waits = False
                if (message := still_at_work()) is not None:
                    complain(message.of(user_language()))
                return
            part, seconds = future.result()
            size = next_size(size, players.sizes, part.games, seconds)
            if part.games:
                yield part
            if part.games < count:
                return
    except KeyboardInterrupt:
        waits = False
        raise
    finally:
        # What is at work may be the compiler, or a game without an end: then it is let go.
        pool.shutdown(wait=waits, cancel_futures=True)


class _Players(Generic[P_co]):
    """Players that worker threads take by turns; one whose device is lost is taken no more."""

    def __init__(self, make: Callable[[], ChunkPlayer[P_co]], number: int) -> None:
        self._free: deque[ChunkPlayer[P_co]] = deque()
        self._lost: LostDeviceError | None = None
        for _ in range(number):
            try:
                self._free.append(make())
            except LostDeviceError as error:
                self._lost = error
        if not self._free:
            raise self._lost or ValueError("nobody plays")
        self._left = len(self._free)
        self._changed = Condition()
        self.sizes = self._free[0].sizes

    def play(self, first: int, count: int) -> P_co:
        """Plays games with one that is free, with another if its device is lost; raises if all are."""
        while True:
            player = self._take()
            back = True
            try:
                return player.play(first, count)
            except LostDeviceError as error:
                back, self._lost = False, error
            finally:
                with self._changed:
                    self._free.extend([player] if back else ())
                    self._left -= not back
                    self._changed.notify_all()

    def _take(self) -> ChunkPlayer[P_co]:
        with self._changed:
            self._changed.wait_for(lambda: self._free or not self._left)
            if not self._free and self._lost is not None:
                raise self._lost
            return self._free.popleft()


def _is_done(future: Future[Any], stopped: Callable[[], int], patience: float) -> bool:
    """Waits for a chunk, but not long after a stop was asked for; a chunk that has not begun is cancelled."""
    asked_at = 0.0
    while not wait([future], _LOOK).done:
        if not stopped():
            continue
        now = time.perf_counter()
        asked_at = asked_at or now
        if stopped() > 1 or now - asked_at > patience or future.cancel():
            return False
    return True


def next_count(size: int, first: int, end: int, *, block: int = 1, edge: int = 0) -> int:
    """How many games to play at a time from `first` on: about `size`, whole blocks, not beyond an edge or the end."""
    last = first + max(size // block, 1) * block
    if edge:
        last = last // edge * edge if last // edge > first // edge else last
    return min(last, end) - first


def next_size(size: int, sizes: Sizes, count: int, seconds: float) -> int:
    """Chunks grow, at most fourfold at a time, towards the wanted duration, but stay within a backend's sizes.

    Many games at once may take no longer than a few: a backend that plays them so says how many it wants at least.
    """
    wanted = int(count * _CHUNK_SECONDS / max(seconds, 1e-6))
    return max(sizes.least, min(wanted, size * 4, sizes.most))


def backend_maker(
    name: str,
    match: Match,
    *,
    rows: bool = True,
    edge: int = 0,
    grouping: Grouping | None = None,
    strict: bool = False,
    rotation: int = 0,
    rotations: int = 1,
) -> Callable[[], Backend]:
    """Returns the constructor of workers of a backend: cpu, interpreted or cuda.

    All save some time if nobody wants rows, and then count games between two edges apart; a GPU also those of each
    group. Before compiled ones are made, the interpreter plays a preflight (see `preflight.py`).
    """
    if name != "interpreted":
        preflight(match, rotation=rotation, rotations=rotations)
    if name == "cuda":
        from playmill.engine.cuda.backend import Cuda

        return lambda: Cuda(
            match, rows=rows, edge=edge, grouping=grouping, strict=strict, rotation=rotation, rotations=rotations
        )
    made = Interpreted if name == "interpreted" else Cpu
    return lambda: made(match, rows=rows, edge=edge, strict=strict, rotation=rotation, rotations=rotations)


def backend_workers(name: str, workers: int) -> int:
    """How many threads a backend can use: of a GPU two, of which one counts while the other plays."""
    return {"interpreted": 1, "cuda": 2}.get(name, workers)
