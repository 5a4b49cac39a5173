"""Thread of agents written in Python: keeps the game out of the reach of their code, and their exceptions inside.

Agents are made and asked there, so whatever they raise stays there, an exit or an interrupt of their own as well; a
real Ctrl-C is heard by the thread that waits. The game itself is played there too: handing every question to another
thread would cost more than most agents think. It is a generator that yields questions, and while one is being answered
it is suspended: no frame below the agent's is one of the game's, and none has a variable that leads to it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from contextlib import suppress
from itertools import chain
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from playmill.interrupts import WORKERS

#: Seconds between checks for a stop while work is awaited.
_LOOK = 0.2

Made = TypeVar("Made")


class AgentCall:
    """A call of an agent's own code, and its result."""

    __slots__ = ("put", "reply")

    def __init__(self, put: Callable[[], Any]) -> None:
        self.put = put
        self.reply: Any = None


#: A piece of work that asks questions on its way to a result.
Work = Generator[AgentCall, None, Made]


class GivenUpError(Exception):
    """A stop was asked for, and the work is not finished."""


class AgentThread:
    """The thread of the agents of one match; it ends when nobody refers to it any more."""

    def __init__(self) -> None:
        self._works: SimpleQueue[Generator[AgentCall, None, None] | None] = SimpleQueue()
        self._thread = threading.Thread(target=_live, args=(self._works,), name=f"{WORKERS} agents", daemon=True)
        self._thread.start()

    def do(self, work: Work[Made], stopped: Callable[[], object]) -> Made:
        """Runs work in the thread and returns its result; raises GivenUpError if there is none soon after a stop."""
        results: SimpleQueue[tuple[Made | None, BaseException | None]] = SimpleQueue()
        self._works.put(_reported(work, results))
        while True:
            try:
                made, error = results.get(timeout=_LOOK)
            except Empty:
                if stopped():
                    raise GivenUpError from None
                assert self._thread.is_alive()
                continue
            if error is not None:
                raise error
            return made  # type: ignore[return-value]

    def __del__(self) -> None:
        self._works.put(None)


def never() -> bool:
    """No stop is asked for."""
    return False


def _reported(
    work: Work[Made], results: SimpleQueue[tuple[Made | None, BaseException | None]]
) -> Generator[AgentCall, None, None]:
    """A work whose result, or what it raises, is put where it is awaited."""
    try:
        results.put(((yield from work), None))
    except BaseException as error:
        results.put((None, error))


def _live(works: SimpleQueue[Generator[AgentCall, None, None] | None]) -> None:
    """Does works until there are no more; no variable here may hold one, for agents can look at it."""
    for question in chain.from_iterable(iter(works.get, None)):
        with suppress(BaseException):  # out of memory even for words: then there is no reply, but the next one
            question.reply = question.put()
