"""A table at which anybody can sit: compiled agents, `search`, and agents written in Python, decision by decision."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

import numpy as np

from playmill.agents.python import Decision, Fallbacks, ask
from playmill.agents.search import Thinker
from playmill.agents.seats import Seat
from playmill.engine.kernels import interpreted_kernels, kernels_of
from playmill.engine.loops import LIVE
from playmill.engine.match import Backend, Chunk, Match, new_desk
from playmill.engine.play import next_size
from playmill.engine.record import RecordArray
from playmill.stopping import Stop
from playmill.texts import PlaymillError


class Table:
    """Plays a match one decision after the other; who thinks remembers during a game, and only then."""

    sizes = (1, 64)

    def __init__(
        self,
        match: Match,
        seats: Sequence[Seat],
        *,
        strict: bool = False,
        fallbacks: Fallbacks | None = None,
        interpreted: bool = False,
        stop: Stop | None = None,
    ) -> None:
        self._match = match
        self._stop = stop or Stop()
        self._seats = seats
        self._strict = strict
        self._fallbacks = fallbacks or Fallbacks()
        self._kernels = interpreted_kernels(match.game) if interpreted else kernels_of(match.game)
        self._desk = new_desk(match)
        #: Fallbacks of the game that is being played: they count when it is finished.
        self._troubles: list[tuple[int, str, str, str]] = []
        self._thinkers = {
            number: Thinker(match.game, seat.params, interpreted=interpreted, stop=self._stop)
            for number, seat in enumerate(seats)
            if seat.thinks
        }

    def play(self, first: int, count: int) -> Chunk:
        """Plays these games one after the other; asked to stop, it gives up the one that is not finished."""
        rows: RecordArray = np.zeros(count, self._match.game.outcome)
        counts: RecordArray = np.zeros(1, self._match.game.tally)
        for place in range(count):
            self._troubles.clear()
            decisions = self._play_one(first + place)
            if decisions is None:
                rows = rows[:place]
                break
            self._kernels.finish_game(self._desk, rows, place, decisions)
            for trouble in self._troubles:
                self._fallbacks.add(*trouble)
        self._kernels.tally_rows(self._desk, rows, counts)
        return Chunk(first, rows, counts)

    def _play_one(self, number: int) -> int | None:
        """Plays one game; returns the number of decisions, or None if it was given up."""
        desk, kernels = self._desk, self._kernels
        options = kernels.start_game(desk, self._match.seed, number)
        for thinker in self._thinkers.values():
            thinker.new_game()
        decisions = 0
        while options > 0:
            action = int(desk["legal"]["ids"][0, 0])
            if options > 1:
                decisions += 1
                action = self._choice(number, decisions, options)
                if self._stop():
                    return None
            options = kernels.step_game(desk, action)
        return decisions

    def _choice(self, number: int, decisions: int, options: int) -> int:
        place = int(self._desk["states"][0, LIVE]["player"])
        seat = self._seats[place]
        if seat.compiled:
            return int(self._kernels.agent_choice(self._desk, self._match.book.pages, seat.number, options))
        if seat.thinks:
            return self._thinkers[place].choose(self._desk)
        return self._ask(seat, number, decisions, options)

    def _ask(self, seat: Seat, number: int, decisions: int, options: int) -> int:
        place = (self._match.seed, number, decisions - 1)
        match = self._match
        decision = Decision(match.game, match.config, match.players, self._desk, options, place)
        try:
            with self._stop.breaking():
                answer, reason = ask(match.game, match.config, seat, decision)
        except KeyboardInterrupt:
            if not self._stop():
                raise
            return 0
        if answer is not None or self._stop():
            return answer or 0
        if self._strict:
            raise PlaymillError(
                f"agent {seat.name}, game {number}, decision {decision.kind}: {reason}",
                f"агент {seat.name}, игра {number}, решение {decision.kind}: {reason}",
            )
        self._troubles.append((number, seat.name, decision.kind, reason))
        return int(self._kernels.random_choice(self._desk, options))


def one_by_one(table: Backend, games: int) -> Iterator[Chunk]:
    """Plays games in order, a few at a time, so that progress moves; ends when the table gives up a game."""
    first, (size, largest) = 0, table.sizes
    while first < games:
        count = min(size, games - first)
        start = time.perf_counter()
        chunk = table.play(first, count)
        size = next_size(size, largest, count, time.perf_counter() - start)
        if len(chunk.rows):
            yield chunk
        if len(chunk.rows) < count:
            return
        first += count
