"""Hints: `search` runs from what the seat to move may know, and its results are sent as they come.

Where the game has an expert that plays without thinking, what that would do is sent with them.

The position comes from `concealed.known_state`, the rng of the search from the id of the table and the number of the
moment: two games that look alike to a seat get the same hint. A hint is searched in a thread, sent bit by bit, and
given up as soon as the table has moved on; few run at a time, so that they cannot hold up other tables.
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

from playmill.agents.agent_specs import Seat, seats_for
from playmill.agents.levels import compiled_expert, strongest
from playmill.agents.search.search_agent import NAME, Thinker
from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game
from playmill.engine.lang.rng import SEATS
from playmill.engine.run.state import State
from playmill.interrupts import Stop
from playmill.texts import PlaymillError
from playmill.web.agents.precompile import Precompiler
from playmill.web.agents.threads import low_priority_threads
from playmill.web.table import protocol
from playmill.web.table.concealed import known_state
from playmill.web.table.state import GameTable

#: Iterations of the search, slice by slice; results are sent after each. Fewer where nothing is compiled yet.
#: Their number is fixed: what a hint says must not depend on how fast the search runs.
SLICES = (5, 10, 20, 40, 80, 160, 320, 640)
COLD_SLICES = (5, 10, 10)
#: Fewer iterations give no hint.
LEAST = 20
#: Seconds after which a hint is given up; what was found until then is not sent, as it would depend on the time.
LONGEST = 60.0
#: Hints that run at the same time on this server, and those that may wait for them.
AT_ONCE, MOST_WAITING = 2, 40
_WORD = (1 << 64) - 1
_SEARCH = Seat(NAME, thinks=True)

_log = logging.getLogger("playmill.web")
Tell = Callable[[dict[str, Any]], None]
#: Runs a function in a thread of the table.
Work = Callable[..., Awaitable[Any]]


class Listener(Protocol):
    """A browser that waits for a hint."""

    def send(self, text: str) -> bool:
        """Queues a message."""


def hint_seed(table: str, version: int) -> int:
    """The seed of a search: the same for whoever asks about this moment of this table, whatever is hidden there."""
    return int.from_bytes(hashlib.sha256(f"{table} {version}".encode()).digest()[:8])


def adviser(game: Game, players: int, config: RuleConfig) -> Seat:
    """The search that advises: the strongest agent of the game, if that thinks; with its network, if it has one."""
    seat = seats_for(game, players, [strongest(game, config)], config)[0]
    return seat if seat.thinks else _SEARCH


def search_hint(state: State, seed: int, *, tell: Tell, stop: Stop, interpreted: bool = False) -> dict[str, Any]:
    """Searches the decision of a position, calls `tell` with results from time to time, and returns the last ones.

    For each option: how often it was tried, as a share of all, and its mean value.
    """
    state.workspace["agent_rng"]["stream"][0] = [(seed + seat * 0x9E3779B97F4A7C15) & _WORD for seat in range(SEATS)]
    given_up = _GivenUp(stop)
    expert = _expert_choice(state)
    slices = COLD_SLICES if interpreted else SLICES
    # By the interpreter a network takes too long.
    seat = _SEARCH if interpreted else adviser(state.game, state.players, state.config)
    thinker = Thinker(
        state.game,
        (sum(slices), 0.0, *seat.params[2:]),
        judge=seat.network,
        interpreted=interpreted,
        stop=given_up,
    )
    for place, size in enumerate(slices):
        thinker.iterations = size
        thinker.think(state.workspace)
        if given_up():
            return dict(_FAILED)
        if place + 1 < len(slices):
            tell({**_learned(thinker, state, done=False), "expert": expert})
    return {**_learned(thinker, state, done=True), "expert": expert}


def _expert_choice(state: State) -> int | None:
    """What a compiled expert of the game does at a position; None if there is none."""
    expert = compiled_expert(state.game, state.players, state.config)
    return None if expert is None else state.clone().choice_of(expert.number, expert.params, expert.table)


class _GivenUp(Stop):
    """Stops when asked to, or when it takes too long."""

    def __init__(self, stop: Stop) -> None:
        super().__init__()
        self._stop = stop
        self._end = time.monotonic() + LONGEST

    def __call__(self) -> int:
        """Whether to stop."""
        return self._stop() or int(time.monotonic() > self._end)


def _learned(thinker: Thinker, state: State, *, done: bool) -> dict[str, Any]:
    weighed = thinker.weighed(state.workspace)
    thoughts = sum(option.tries for option in weighed)
    low, high = thinker.span
    return {
        "thoughts": thoughts,
        "done": done,
        "failed": False,
        "best": thinker.favourite(state.workspace) if thoughts >= LEAST else None,
        # Where what a game brings lies between 0 and 1 it is the chance to win; to be saved may bring a little more.
        "chance": low >= 0 and high < 1.5,
        "options": [
            {"action": option.action, "share": round(option.tries / thoughts, 4), "worth": round(option.mean, 4)}
            for option in weighed
            if option.tries
        ],
    }


#: What is sent where something went wrong.
_FAILED: Mapping[str, Any] = {
    "thoughts": 0,
    "done": True,
    "failed": True,
    "best": None,
    "chance": False,
    "options": [],
    "expert": None,
}


@dataclass
class _HintRequest:
    """A hint that was asked for: the moment, the seat, the last results, and who listens."""

    version: int
    seat: int
    stop: Stop = field(default_factory=Stop)
    last: Mapping[str, Any] | None = None
    listeners: set[Listener] = field(default_factory=set)

    @property
    def text(self) -> str:
        """The message that is sent."""
        return protocol.message_text("hint", version=self.version, **(self.last or {}))


class HintService:
    """The threads that search hints for all tables. Until `search` is compiled, they run in the interpreter."""

    def __init__(self, precompiler: Precompiler) -> None:
        self._threads = low_priority_threads(AT_ONCE, "hints")
        self._precompiler = precompiler
        self._waiting = 0

    @property
    def full(self) -> bool:
        """Whether no more hints can wait."""
        return self._waiting >= MOST_WAITING

    async def think(self, state: State, seed: int, *, tell: Tell, stop: Stop) -> dict[str, Any]:
        """Runs the search of a hint when its turn comes."""
        self._waiting += 1
        try:
            advises = adviser(state.game, state.players, state.config)
            cold = not self._precompiler.ready(state.game, advises, state.config)
            work = partial(search_hint, state, seed, tell=tell, stop=stop, interpreted=cold)
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Cancels all hints."""
        self._threads.shutdown(wait=False, cancel_futures=True)


class TableHints:
    """The hints of one table: one a moment, sent to every browser of that seat that asks for it."""

    def __init__(self, table: GameTable, hints: HintService) -> None:
        self._table = table
        self._hints = hints
        self._asked: _HintRequest | None = None

    def check(self, seat: int | None, version: int) -> int:
        """Returns the seat that gets a hint; raises unless it may have one now."""
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
        """Sends a hint about the present decision as it is found; one that is known is sent again."""
        asked = self._asked
        if asked is not None and (asked.version, asked.seat) == (self._table.version, seat):
            asked.listeners.add(listener)
            if asked.last is not None:
                listener.send(asked.text)
            return
        if asked is not None:
            asked.stop.times += 1
        asked = self._asked = _HintRequest(self._table.version, seat, listeners={listener})
        try:
            state = await work(known_state, self._table, seat)
        except Exception:
            self._failed(asked)
            return
        self._thinking = asyncio.ensure_future(self._think(asked, state))

    async def _think(self, asked: _HintRequest, state: State) -> None:
        loop = asyncio.get_running_loop()

        def tell(learned: dict[str, Any]) -> None:
            loop.call_soon_threadsafe(self._tell, asked, learned)

        try:
            seed = hint_seed(self._table.facts.id, asked.version)
            self._tell(asked, await self._hints.think(state, seed, tell=tell, stop=asked.stop))
        except Exception:
            self._failed(asked)

    def _failed(self, asked: _HintRequest) -> None:
        """Sends that a hint has failed: an error in it stops no table, and nobody waits for it."""
        _log.exception("a hint at table %s", self._table.facts.id[:6])
        self._tell(asked, _FAILED)

    def moved_on(self) -> None:
        """Cancels a hint about a moment that is over."""
        if self._asked is not None and self._asked.version != self._table.version:
            self._asked.stop.times += 1
            self._asked = None

    def close(self) -> None:
        """Cancels whatever runs."""
        if self._asked is not None:
            self._asked.stop.times += 1

    def _tell(self, asked: _HintRequest, learned: Mapping[str, Any]) -> None:
        if asked is self._asked and asked.version == self._table.version:
            asked.last = learned
            for listener in asked.listeners:
                listener.send(asked.text)
            if learned["done"] and learned["best"] is None:
                self._asked = None  # too little for a hint: it may be asked for again
