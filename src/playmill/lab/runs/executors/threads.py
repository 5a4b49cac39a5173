"""Executor for this machine: plays a plan on the threads of this process."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from playmill.engine.run.backends import (
    ChunkPlayer,
    backend_workers,
    default_workers,
    next_count,
    next_size,
    play_in_order,
)
from playmill.lab.runs.executors.base import RequestedOutput
from playmill.lab.runs.finished_games import FinishedGames
from playmill.lab.runs.resolved_plan import ExecutionOptions, ResolvedPlan
from playmill.stdio import doing
from playmill.texts import PlaymillError, Text

if TYPE_CHECKING:
    from playmill.lab.runs.executors.background_compile import BackgroundCompile

#: Seconds that the interpreter plays at once, and seconds for the rest up to which nothing is compiled, or loaded once
#: it is compiled.
_AT_ONCE, _FEW, _LOADED = 0.5, 4.0, 0.5
#: Seconds between looks at whether the compiler is done.
_LOOK = 0.02
_FIRST = Text("playing the first games", "играю первые партии")
_MEANWHILE = Text(
    "playing; the rules are compiled meanwhile (once)", "играю; правила тем временем компилируются (один раз)"
)


class Threads:
    """Executor that plays on `workers` threads of this process."""

    def __init__(self, resolved: ResolvedPlan, work: ExecutionOptions, workers: int | None = None) -> None:
        _check_seats(resolved, work.backend)
        self.workers = _workers(work.backend, workers) if resolved.threads else 1
        self._resolved, self._work = resolved, work
        self._make = resolved.player_maker(work)
        self._interpreting: ChunkPlayer[FinishedGames] | None = None
        self._compiling: BackgroundCompile | None = None
        self.waited = 0.0
        self.warming = False

    def prepare(self, wanted: RequestedOutput) -> None:
        """Compiles what has to be compiled."""
        rows = self._work.rows or wanted.keeps_rows
        self._work = replace(self._work, rows=rows, edge=wanted.edge)
        self._make = self._resolved.player_maker(self._work)
        if (
            self._work.at_once
            and self._work.backend == "cpu"
            and self._resolved.would_compile(strict=self._work.strict)
        ):
            from playmill.lab.runs.executors.background_compile import start

            self._compiling = start(self._resolved, strict=self._work.strict)
            self._interpreting = self._resolved.player_maker(replace(self._work, backend="interpreted"))()
        else:
            self._maker()().play(0, 0)

    def play(self, ranges: Sequence[range]) -> Iterator[FinishedGames]:
        """Plays these games and yields them in order, some at a time."""
        stop = self._work.stop
        if self._interpreting is not None:
            done, self.warming = 0, True
            doing(_FIRST if self._compiling is None else _MEANWHILE)
            begun = time.perf_counter()
            for part in self._at_once(self._interpreting, ranges):
                done += part.games
                yield part
            if stop() or done == sum(map(len, ranges)):
                return
            self._make().play(0, 0)
            # Playing as slowly as this was waiting for the compiler.
            self.waited, self.warming = max(0.0, time.perf_counter() - begun - _AT_ONCE), False
            ranges = without_first(ranges, done)
        for games in ranges:
            yield from self._play(games)
            if stop():
                return

    def _at_once(self, player: ChunkPlayer[FinishedGames], ranges: Sequence[range]) -> Iterator[FinishedGames]:
        """Yields what the interpreter plays: the first games, more while they are compiled, all if they are few."""
        begun, played, wanted = time.perf_counter(), 0, sum(map(len, ranges))
        for games in ranges:
            for part in _one_by_one(player, games, self._resolved.plan.rotations, self._work.edge):
                yield part
                played += part.games
                took = time.perf_counter() - begun
                if self._work.stop() or (took > _AT_ONCE and self._is_slow((wanted - played) * took / played)):
                    return

    def _is_slow(self, left: float) -> bool:
        """Returns whether the rest, n seconds of the interpreter, is better played compiled."""
        if self._compiling is None:
            return left > _FEW
        if left <= _LOADED:
            return False
        until = time.perf_counter() + _LOADED
        while self._compiling.is_running():
            if left <= _FEW or self._work.stop():
                return False
            if default_workers() > 1 and time.perf_counter() >= until:
                return False
            time.sleep(_LOOK)  # so many games are not for the interpreter: the compiler gets what the machine has
        return left > _FEW or not self._resolved.would_compile(strict=self._work.strict)

    def _play(self, games: range) -> Iterator[FinishedGames]:
        block, edge = self._resolved.plan.rotations, self._work.edge
        if self._resolved.threads:
            yield from play_in_order(self._maker(), games, self.workers, self._work.stop, block=block, edge=edge)
        else:
            yield from _one_by_one(self._make(), games, block, edge)

    def _maker(self) -> Callable[[], ChunkPlayer[FinishedGames]]:
        """Returns what makes the players: on a GPU, on all there are by turns."""
        if self._work.backend != "cuda":
            return self._make
        from playmill.engine.cuda.devices import spread

        return spread(self._make)

    def leave(self) -> None:
        """Nothing is to be done: threads end with what they play."""


def _workers(backend: str, workers: int | None) -> int:
    """Returns how many threads play, all GPUs together."""
    many = backend_workers(backend, workers or default_workers())
    if backend == "cuda":
        from playmill.engine.cuda.devices import devices

        many *= len(devices())
    return many


def _one_by_one(player: ChunkPlayer[FinishedGames], games: range, block: int, edge: int) -> Iterator[FinishedGames]:
    """Plays games in order, a few at a time, so that progress moves; ends when a game is given up."""
    first, size = games.start, player.sizes.first
    while first < games.stop:
        count = next_count(size, first, games.stop, block=block, edge=edge)
        start = time.perf_counter()
        part = player.play(first, count)
        size = next_size(size, player.sizes, count, time.perf_counter() - start)
        if part.games:
            yield part
        if part.games < count:
            return
        first += count


def without_first(ranges: Sequence[range], games: int) -> list[range]:
    """Returns what is left of some ranges after their first n games."""
    left = []
    for one in ranges:
        left.append(one[min(games, len(one)) :])
        games -= len(one) - len(left[-1])
    return [one for one in left if one]


def _check_seats(resolved: ResolvedPlan, backend: str) -> None:
    """Raises unless the backend supports these agents."""
    if backend != "cpu" and not resolved.threads:
        raise PlaymillError(
            f"agents written in Python play on the cpu backend only, not on {backend}",
            f"агенты на Python играют только на cpu, а не на {backend}",
        )
