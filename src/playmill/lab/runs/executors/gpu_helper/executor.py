"""Executor that has games played by the GPU helper, and plays on in this process when that is lost."""

from __future__ import annotations

import select
import socket
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Any

from playmill.lab.runs.executors.base import RequestedOutput
from playmill.lab.runs.executors.gpu_helper.start import connect, identity
from playmill.lab.runs.executors.gpu_helper.wire import LostHelperError, part_of, receive, send
from playmill.lab.runs.executors.threads import Threads, without_first
from playmill.lab.runs.finished_games import FinishedGames
from playmill.lab.runs.resolved_plan import ExecutionOptions, ResolvedPlan
from playmill.stdio import doing
from playmill.texts import Text

#: Seconds between two looks at whether somebody asked to stop, and how long the helper may take after that.
_LOOK, _PATIENCE = 0.05, 3.0
_STARTING = Text("starting the GPU", "запускаю видеокарту")


#: Executors with a connection, the one that has not played for longest first: a tuning comes back to hundreds of plans.
_connected: OrderedDict[Helped, None] = OrderedDict()
_MOST_CONNECTED = 64


class Helped:
    """Executor that has a plan played by the GPU helper: the same games in the same order as by `Threads`."""

    def __init__(self, resolved: ResolvedPlan, work: ExecutionOptions, workers: int | None = None) -> None:
        self._resolved, self._work, self._asked_for = resolved, work, workers
        self._own: Threads | None = None
        self._connection: socket.socket | None = None
        self._workers = 2
        #: How often the helper was asked to stop, and when first.
        self._times, self._stopped = 0, 0.0
        if any(seat.spec is None or not seat.compiled for seat in resolved.seats):
            # What cannot be sent is refused, or played, as without a helper.
            self._own = Threads(resolved, work, workers)

    @property
    def workers(self) -> int:
        """How many play at a time."""
        return self._own.workers if self._own is not None else self._workers

    @property
    def waited(self) -> float:
        """Seconds in `play` in which nothing was played."""
        return self._own.waited if self._own is not None else 0.0

    @property
    def warming(self) -> bool:
        """Whether what is played now will be played faster later on."""
        return self._own is not None and self._own.warming

    def prepare(self, wanted: RequestedOutput) -> None:
        """Has the helper compile what has to be compiled; without it, does so itself."""
        self._wanted = wanted
        if self._own is None and (wanted.keeps_rows or wanted.words):
            # The rows of a long run would all go through a socket.
            self._own = Threads(self._resolved, self._work, self._asked_for)
        if self._own is not None:
            self._own.prepare(wanted)
            return
        doing(_STARTING)
        try:
            self._connect()
        except LostHelperError:
            self._go_alone()

    def _connect(self) -> None:
        """Has the helper prepare the plan; of many plans, those that were not played for long are let go."""
        self._connection = connect()
        if self._next().get("identity") != identity():
            raise LostHelperError("it is another's")
        send(self._connection, self._order())
        while "ready" not in (message := self._next()):
            if "doing" in message:
                doing(Text(*message["doing"]))
        self._workers = int(message["ready"])
        _connected[self] = None
        while len(_connected) > _MOST_CONNECTED:
            next(iter(_connected)).leave()

    def _order(self) -> dict[str, Any]:
        return {
            "plan": self._resolved.plan.json(),
            "game": self._resolved.reference,
            "agents": [seat.spec for seat in self._resolved.seats],
            "backend": self._work.backend,
            "strict": self._work.strict,
            "rows": self._work.rows,
            "edge": self._wanted.edge,
            "workers": self._asked_for,
        }

    def _go_alone(self) -> None:
        """Plays in this process from now on."""
        self.leave()
        if self._own is None:
            self._own = Threads(self._resolved, self._work, self._asked_for)
            self._own.prepare(self._wanted)

    def play(self, ranges: Sequence[range]) -> Iterator[FinishedGames]:
        """Plays these games and yields them in order, some at a time."""
        done = 0
        if self._own is None:
            try:
                for part in self._parts(ranges):
                    done += part.games
                    yield part
                return
            except LostHelperError:
                if self._work.stop():
                    return
                self._go_alone()
        assert self._own is not None
        yield from self._own.play(without_first(ranges, done))

    def _parts(self, ranges: Sequence[range]) -> Iterator[FinishedGames]:
        """Yields what the helper plays; ends early if somebody asked to stop."""
        if self._connection is None:
            self._connect()
        assert self._connection is not None
        _connected.move_to_end(self)
        send(self._connection, {"play": [[games.start, games.stop] for games in ranges]})
        whole = False
        try:
            while "done" not in (message := self._next()):
                if "part" in message:
                    yield part_of(message, self._resolved.game.outcome)
            whole = True
        finally:
            if not whole:
                # Nobody waits for the rest: it sees the end of the connection, and plays no more.
                self.leave()

    def _next(self) -> dict[str, Any]:
        """Returns the next message; passes on that somebody asked to stop, and does not wait long after that."""
        connection = self._connection
        if connection is None:
            raise LostHelperError("the connection was closed")
        # Asked before every message: where games are played fast, there is always one to be read.
        self._pass_on_stop(connection)
        while not select.select([connection], [], [], _LOOK)[0]:
            self._pass_on_stop(connection)
        message = receive(connection)
        if "failed" in message:
            raise LostHelperError(str(message["failed"]))
        return message

    def _pass_on_stop(self, connection: socket.socket) -> None:
        """Tells the helper that somebody asked to stop; raises if that was twice, or long ago."""
        if (times := self._work.stop()) > self._times:
            self._times, self._stopped = times, self._stopped or time.monotonic()
            send(connection, {"stop": times})
        if self._times > 1 or (self._times and time.monotonic() - self._stopped > _PATIENCE):
            raise LostHelperError("it does not stop")

    def leave(self) -> None:
        """Closes the connection."""
        _connected.pop(self, None)
        if self._connection is not None:
            self._connection.close()
            self._connection = None
