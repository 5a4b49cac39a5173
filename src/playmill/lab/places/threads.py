"""Playing a plan here: on the threads of this process."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

from playmill.engine.play import (
    Player,
    backend_workers,
    default_workers,
    next_count,
    next_size,
    play_in_order,
)
from playmill.lab.cast import Cast, Work
from playmill.lab.parts import Part
from playmill.lab.places.place import Wanted
from playmill.texts import PlaymillError


class Threads:
    """This machine, with so many threads."""

    def __init__(self, cast: Cast, work: Work, workers: int | None = None) -> None:
        _check_seats(cast, work.backend)
        self.workers = backend_workers(work.backend, workers or default_workers()) if cast.threads else 1
        self._cast, self._work = cast, work
        self._make = cast.player_maker(work)

    def prepare(self, wanted: Wanted) -> None:
        """Compiles what has to be compiled."""
        rows = self._work.rows or wanted.keeps_rows
        self._work = replace(self._work, rows=rows, edge=wanted.edge)
        self._make = self._cast.player_maker(self._work)
        self._make().play(0, 0)

    def play(self, ranges: Sequence[range]) -> Iterator[Part]:
        """Plays these games and yields them in order, some at a time."""
        stop = self._work.stop
        for games in ranges:
            yield from self._play(games)
            if stop():
                return

    def _play(self, games: range) -> Iterator[Part]:
        block, edge = self._cast.plan.rotations, self._work.edge
        if self._cast.threads:
            yield from play_in_order(self._make, games, self.workers, self._work.stop, block=block, edge=edge)
        else:
            yield from _one_by_one(self._make(), games, block, edge)

    def leave(self) -> None:
        """Nothing is to be done: threads end with what they play."""


def _one_by_one(player: Player[Part], games: range, block: int, edge: int) -> Iterator[Part]:
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


def _check_seats(cast: Cast, backend: str) -> None:
    """Raises unless the backend can play these agents."""
    if backend == "cuda" and any(seat.thinks for seat in cast.seats):
        raise PlaymillError(
            "search plays on the CPU; leave out --backend cuda", "search играет на процессоре; уберите --backend cuda"
        )
    if backend != "cpu" and not cast.threads:
        raise PlaymillError(
            f"agents written in Python play on the cpu backend only, not on {backend}",
            f"агенты на Python играют только на cpu, а не на {backend}",
        )
