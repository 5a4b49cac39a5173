"""Hints: what `search` would do in somebody's place, thought out of nothing but what she may know.

The position comes from `sight.known_state`, the luck of the search from the name of the table and the number of the
moment: two games that look alike to a seat get the same hint. A hint is thought in a thread, told bit by bit, and given
up as soon as the table has moved on; few are thought at a time, so that they cannot hold up other tables.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol

from playmill.agents.search import NAME, Thinker
from playmill.agents.seats import Seat
from playmill.engine.lang.rng import SEATS
from playmill.engine.run.state import State
from playmill.stopping import Stop
from playmill.texts import PlaymillError
from playmill.web import protocol
from playmill.web.polite import thinking_threads
from playmill.web.sight import known_state
from playmill.web.table import Table
from playmill.web.warming import Warming

#: Games in the head, slice by slice, after each of which is told what was learned; fewer where nothing is compiled yet.
#: Their number is fixed: what a hint says must not depend on how fast it was thought.
SLICES = (5, 10, 20, 40, 80, 160, 320, 640)
COLD_SLICES = (5, 10, 10)
#: What fewer thoughts have taught is no hint.
LEAST = 20
#: Seconds after which a hint is given up; what was learned until then is not told, as it would tell the time it took.
LONGEST = 60.0
#: Hints that are thought at the same time on this server, and those that may wait for them.
AT_ONCE, MOST_WAITING = 2, 40
_WORD = (1 << 64) - 1
_SEARCH = Seat(NAME, thinks=True)

_log = logging.getLogger("playmill.web")
Tell = Callable[[dict[str, Any]], None]
#: Does something in a thread of the room.
Work = Callable[..., Awaitable[Any]]


class Listener(Protocol):
    """Whoever waits for a hint."""

    def say(self, text: str) -> bool:
        """Lets a message wait for its turn."""


def luck_of(table: str, version: int) -> int:
    """The luck of a search: the same for whoever asks about this moment of this table, whatever is hidden there."""
    return int.from_bytes(hashlib.sha256(f"{table} {version}".encode()).digest()[:8])


def ponder(state: State, luck: int, *, tell: Tell, stop: Stop, interpreted: bool = False) -> dict[str, Any]:
    """Thinks about the decision of a position, tells what it has learned from time to time, and returns the last word.

    The whole of it: how often each option was tried, as a share of all, and what it brought on average.
    """
    state.desk["whims"]["stream"][0] = [(luck + seat * 0x9E3779B97F4A7C15) & _WORD for seat in range(SEATS)]
    given_up = _GivenUp(stop)
    slices = COLD_SLICES if interpreted else SLICES
    thinker = Thinker(state.game, (sum(slices),), interpreted=interpreted, stop=given_up)
    for place, size in enumerate(slices):
        thinker.iterations = size
        thinker.think(state.desk)
        if given_up():
            return dict(_FAILED)
        if place + 1 < len(slices):
            tell(_learned(thinker, state, done=False))
    return _learned(thinker, state, done=True)


class _GivenUp(Stop):
    """Somebody has asked to stop, or it takes too long."""

    def __init__(self, stop: Stop) -> None:
        super().__init__()
        self._stop = stop
        self._end = time.monotonic() + LONGEST

    def __call__(self) -> int:
        """Whether to stop."""
        return self._stop() or int(time.monotonic() > self._end)


def _learned(thinker: Thinker, state: State, *, done: bool) -> dict[str, Any]:
    weighed = thinker.weighed(state.desk)
    thoughts = sum(option.tries for option in weighed)
    low, high = thinker.span
    return {
        "thoughts": thoughts,
        "done": done,
        "failed": False,
        "best": thinker.favourite(state.desk) if thoughts >= LEAST else None,
        # Where what a game brings lies between 0 and 1 it is the chance to win; to be saved may bring a little more.
        "chance": low >= 0 and high < 1.5,
        "options": [
            {"action": option.action, "share": round(option.tries / thoughts, 4), "worth": round(option.mean, 4)}
            for option in weighed
            if option.tries
        ],
    }


#: What is told where something went wrong.
_FAILED: Mapping[str, Any] = {
    "thoughts": 0,
    "done": True,
    "failed": True,
    "best": None,
    "chance": False,
    "options": [],
}


@dataclass
class _Asked:
    """A hint that somebody waits for, or that was given: about which moment, for whom, and what was told last."""

    version: int
    seat: int
    stop: Stop = field(default_factory=Stop)
    told: Mapping[str, Any] | None = None
    listeners: set[Listener] = field(default_factory=set)

    @property
    def text(self) -> str:
        """What is sent."""
        return protocol.said("hint", version=self.version, **(self.told or {}))


class Hints:
    """The hints of a server: the threads that think them. Until `search` is compiled, the interpreter thinks."""

    def __init__(self, warming: Warming) -> None:
        self._threads = thinking_threads(AT_ONCE, "hints")
        self._warming = warming
        self._waiting = 0

    @property
    def full(self) -> bool:
        """Whether so many hints are asked for that no more can wait."""
        return self._waiting >= MOST_WAITING

    async def think(self, state: State, luck: int, *, tell: Tell, stop: Stop) -> dict[str, Any]:
        """A hint, when its turn comes."""
        self._waiting += 1
        try:
            cold = not self._warming.ready(state.game, _SEARCH, state.config)
            work = partial(ponder, state, luck, tell=tell, stop=stop, interpreted=cold)
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Ends what is being thought."""
        self._threads.shutdown(wait=False, cancel_futures=True)


class Adviser:
    """The hints of one table: one a moment, told to whoever of that seat asks for it."""

    def __init__(self, table: Table, hints: Hints) -> None:
        self._table = table
        self._hints = hints
        self._asked: _Asked | None = None

    def check(self, seat: int | None, version: int) -> int:
        """The seat that gets a hint; raises unless it may have one now."""
        table = self._table
        if not table.facts.hints:
            raise PlaymillError("this table is played without hints", "за этим столом играют без подсказок")
        if seat is None or seat != table.turn or table.chairs[seat].agent:
            raise PlaymillError("a hint is for whoever is to move", "подсказка — для того, чей ход")
        if version != table.version:
            raise PlaymillError("the table has moved on", "на столе уже другая позиция")
        if self._hints.full:
            raise PlaymillError("too many hints at once: try again soon", "слишком много подсказок сразу: чуть позже")
        return seat

    async def advise(self, listener: Listener, seat: int, work: Work) -> None:
        """Tells a hint about the present decision, from the first word to the last; one that is known is told again."""
        asked = self._asked
        if asked is not None and (asked.version, asked.seat) == (self._table.version, seat):
            asked.listeners.add(listener)
            if asked.told is not None:
                listener.say(asked.text)
            return
        if asked is not None:
            asked.stop.times += 1
        asked = self._asked = _Asked(self._table.version, seat, listeners={listener})
        try:
            state = await work(known_state, self._table, seat)
        except Exception:
            self._failed(asked)
            return
        self._thinking = asyncio.ensure_future(self._think(asked, state))

    async def _think(self, asked: _Asked, state: State) -> None:
        loop = asyncio.get_running_loop()

        def tell(learned: dict[str, Any]) -> None:
            loop.call_soon_threadsafe(self._tell, asked, learned)

        try:
            luck = luck_of(self._table.facts.id, asked.version)
            self._tell(asked, await self._hints.think(state, luck, tell=tell, stop=asked.stop))
        except Exception:
            self._failed(asked)

    def _failed(self, asked: _Asked) -> None:
        """Whatever goes wrong with a hint is no reason to stop a table, nor to let anybody wait."""
        _log.exception("a hint at table %s", self._table.facts.id[:6])
        self._tell(asked, _FAILED)

    def moved_on(self) -> None:
        """Gives up what is being thought about a moment that is over."""
        if self._asked is not None and self._asked.version != self._table.version:
            self._asked.stop.times += 1
            self._asked = None

    def close(self) -> None:
        """Gives up whatever is being thought."""
        if self._asked is not None:
            self._asked.stop.times += 1

    def _tell(self, asked: _Asked, learned: Mapping[str, Any]) -> None:
        if asked is self._asked and asked.version == self._table.version:
            asked.told = learned
            for listener in asked.listeners:
                listener.say(asked.text)
            if learned["done"] and learned["best"] is None:
                self._asked = None  # too little for a hint: it may be asked for again
