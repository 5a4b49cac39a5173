"""Runs agents that come from files in threads of their own, with timeouts.

Such a thread cannot be ended, so each file has a few slots and no more. A call that is not finished in time is given
up, and keeps its slot for as long as it goes on. A file that has lost all its slots so is not asked any more. So agents
that never answer hold up no tables, and take no more threads than there are slots.
"""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from playmill.interrupts import WORKERS
from playmill.texts import PlaymillError, Text
from playmill.web.agents.offered import Answer

#: Calls of one file that may run at the same time.
PLACES = 4

LATE = Text(
    "its agent has not answered in time and is not asked any more: a random choice instead",
    "его агент не ответил вовремя, и больше его не спрашивают: вместо него случайный выбор",
)


class AgentTimeoutError(PlaymillError):
    """An agent has not answered in time, or is not asked any more."""

    def __init__(self) -> None:
        super().__init__(LATE.en, LATE.ru)


class FileAgents:
    """Runs the agents of all files, with a few slots each."""

    def __init__(self, places: int = PLACES) -> None:
        self._most = places
        self._places: dict[str, asyncio.Semaphore] = {}
        self._lost: Counter[str] = Counter()

    async def ask(self, file: str, think: Callable[[], Answer], patience: float) -> Answer:
        """Returns what an agent of a file answers within a number of seconds; else raises AgentTimeoutError."""
        if self._lost[file] >= self._most:
            raise AgentTimeoutError
        place = self._places.setdefault(file, asyncio.Semaphore(self._most))
        try:
            async with asyncio.timeout(patience):
                await place.acquire()
                thought = _begin(file, think)
                thought.add_done_callback(lambda done: place.release())
                try:
                    return await asyncio.shield(thought)
                except asyncio.CancelledError:
                    self._give_up(file, thought)
                    raise
        except TimeoutError:
            raise AgentTimeoutError from None

    def _give_up(self, file: str, thought: asyncio.Future[Answer]) -> None:
        """Counts a slot as lost; should the call end after all, the slot is free again."""

        def found(done: asyncio.Future[Answer]) -> None:
            self._lost[file] -= 1
            done.exception()

        self._lost[file] += 1
        thought.add_done_callback(found)


def _begin(file: str, think: Callable[[], Answer]) -> asyncio.Future[Answer]:
    """Runs a call in a daemon thread of its own."""
    loop = asyncio.get_running_loop()
    thought: asyncio.Future[Answer] = loop.create_future()

    def run() -> None:
        try:
            settle = partial(thought.set_result, think())
        except BaseException as error:  # an agent may do anything, and whoever waits is to hear of it
            settle = partial(thought.set_exception, RuntimeError(repr(error)))
        with suppress(RuntimeError):  # the server has ended meanwhile
            loop.call_soon_threadsafe(settle)

    threading.Thread(target=run, name=f"{WORKERS} thinks for {file}", daemon=True).start()
    return thought
