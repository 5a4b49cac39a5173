"""Actor of a table: a queue of jobs, so that moves, seats and agents of one table never run at the same time.

Decisions are stored before any browser gets them. Drawing, the store and agents work in threads; the event loop only
waits.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import secrets
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from playmill.engine.errors.located import RuleMistakeError
from playmill.engine.run.state import State
from playmill.texts import PlaymillError, Text
from playmill.web.agents.at_table import TableAgents
from playmill.web.agents.file_agents import FileAgents
from playmill.web.agents.hints import HintService, TableHints
from playmill.web.agents.offered import Answer, OfferedAgent
from playmill.web.agents.precompile import Precompiler
from playmill.web.live.browsers import Browser, Browsers
from playmill.web.live.seating import Seating
from playmill.web.table import protocol, undo
from playmill.web.table.history import NOBODY
from playmill.web.table.observation import Viewer, undo_seat
from playmill.web.table.state import GameTable
from playmill.web.table.store import UNDO, Chair, LoggedDecision, TableStore, hashed

#: Seconds between two decisions where only agents play, so that somebody can watch.
AGENTS_PACE = 0.8
#: Seconds after which who came and went is sent to everybody at once, and the crowd in which it takes twice as long.
_GATHERING, _CROWD = 0.3, 100
#: Clocks are not exact: seconds by which a check of who is away comes after it is due.
_A_LITTLE = 0.05
#: Answers to `sit` that are cached, should one be lost on its way.
_MOST_SAT = 20

_log = logging.getLogger("playmill.web")
Made = TypeVar("Made")
Job = Callable[[], Awaitable[None]]


@dataclass(frozen=True)
class Threads:
    """Pools for drawing and writing the store, and for agents."""

    drawing: Executor
    thinking: Executor


class TableActor:
    """The actor of one table: everything that changes it goes through one queue."""

    def __init__(
        self,
        table: GameTable,
        store: TableStore,
        agents: dict[str, OfferedAgent],
        *,
        busy: Threads,
        idle: Threads,
        hints: HintService,
        precompiler: Precompiler,
        file_agents: FileAgents,
    ) -> None:
        self.table = table
        self.touched = time.monotonic()
        self.removed = False
        self._store = store
        self._busy, self._idle = busy, idle
        self._hints = TableHints(table, hints)
        self._browsers = Browsers(table, self._work)
        self._agents = TableAgents(table, agents, precompiler, file_agents)
        self._cold: set[int] = set()
        self._seating = Seating(table, store, agents, self._work)
        self._sat: dict[str, tuple[int, str, Browser]] = {}
        self._due: asyncio.TimerHandle | None = None
        self._queue: asyncio.Queue[Job] = asyncio.Queue()
        self._agent_version = -1
        self._tasks: set[asyncio.Task[None]] = set()
        self._gathering = False
        self._start(self._run())

    @property
    def browsers(self) -> set[Browser]:
        """The connected browsers."""
        return self._browsers.browsers

    @property
    def idle(self) -> bool:
        """Whether no browser is connected and nothing runs."""
        return not self.browsers and self._queue.empty() and self._agent_version < 0

    def close(self) -> None:
        """Ends everything here; the store has it all."""
        for browser in self.browsers:
            browser.close()
        for task in self._tasks:
            task.cancel()
        self._hints.close()
        if self._due is not None:
            self._due.cancel()

    def post(self, job: Job) -> None:
        """Queues a job."""
        self.touched = time.monotonic()
        self._queue.put_nowait(job)

    def connect(self, browser: Browser) -> None:
        """Queues that a browser has connected."""
        self.post(partial(self._connected, browser))

    def disconnect(self, browser: Browser) -> None:
        """Queues that a browser has gone."""
        self.post(partial(self._disconnected, browser))

    def handle(self, browser: Browser, message: protocol.Message) -> None:
        """Queues a message of a browser."""
        self.post(partial(self._handle, browser, message))

    def invite(self, seat: int | None, token: str, table: str) -> None:
        """Shows everybody the table at which the player of a seat, whose token is given, wants to play once more."""
        chairs = self.table.chairs
        if self.table.over and seat is not None and seat < len(chairs) and chairs[seat].token == hashed(token):
            self.post(partial(self._invited, table))

    async def _invited(self, table: str) -> None:
        await self._work(self._store.set_again, self.table.facts.id, table)
        self.table.again = table
        await self._browsers.show_all()

    def _start(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run(self) -> None:
        while True:
            job = await self._queue.get()
            try:
                await job()
                self._start_agent()
                self._hints.moved_on()
                self._watch_absent()
            except RuleMistakeError as mistake:
                self._log_of_rules(mistake.text)
            except Exception:  # a mistake of ours must not stop the table
                _log.exception("table %s", self.table.facts.id[:6])

    def _log_of_rules(self, mistake: Text) -> None:
        """Logs a mistake of the game's author, in one line."""
        _log.warning("table %s: %s", self.table.facts.id[:6], mistake.en)

    async def _work(self, work: Callable[..., Made], *args: object) -> Made:
        return await asyncio.get_running_loop().run_in_executor(self._threads.drawing, partial(work, *args))

    @property
    def _only_agents(self) -> bool:
        """Whether agents play among themselves."""
        return all(chair.agent for chair in self.table.chairs)

    @property
    def _threads(self) -> Threads:
        """The pools to use: no person waits behind agents who play among themselves."""
        return self._idle if self._only_agents else self._busy

    async def _connected(self, browser: Browser) -> None:
        self.browsers.add(browser)
        self._count()
        await self._seating.returned(browser.viewer.held)
        await self._browsers.show([browser])
        self._announce()

    async def _disconnected(self, browser: Browser) -> None:
        self.browsers.discard(browser)
        self._count()
        self._announce()

    def _count(self) -> None:
        present = {seat for who in self.browsers for seat in who.viewer.held}
        self._seating.count(present, sum(not who.viewer.held for who in self.browsers))

    def _watch_absent(self) -> None:
        """Sets a timer for when a player whom the others wait for has been away for too long."""
        if self._due is not None:
            self._due.cancel()
        due = self._seating.overdue()
        if due is not None:
            self._due = asyncio.get_running_loop().call_later(
                max(due[1], 0) + _A_LITTLE, self.post, self._replace_absent
            )

    async def _replace_absent(self) -> None:
        if await self._seating.take_over():
            await self._browsers.show_all()

    def _announce(self) -> None:
        """Shows everybody who is present, a little later and once for all who come and go until then."""
        if not self._gathering:
            self._gathering = True
            self._start(self._announce_later())

    async def _announce_later(self) -> None:
        await asyncio.sleep(_GATHERING * (1 + len(self.browsers) / _CROWD))
        self._gathering = False
        self.post(self._browsers.show_all)

    async def _handle(self, browser: Browser, message: protocol.Message) -> None:
        """Applies a message and answers under its id: done, or why not."""
        move = getattr(message, "id", "")
        try:
            done = await self._apply(browser, message)
        except PlaymillError as error:
            browser.send(protocol.message_text("refused", id=move, why=error.public.of(browser.lang)))
            await self._browsers.show([browser])
            return
        browser.send(protocol.message_text("done", id=move, **done))
        if not isinstance(message, protocol.Hint | protocol.Look):
            await self._browsers.show_all()

    async def _apply(self, browser: Browser, message: protocol.Message) -> dict[str, str]:
        """Applies a message, or raises why it may not be; returns what the answer has besides."""
        viewer, seating = browser.viewer, self._seating
        if isinstance(message, protocol.Sit):
            return {"token": await self._sit(browser, message)}
        if isinstance(message, protocol.Words):
            browser.in_words = message.wanted
        elif isinstance(message, protocol.Look):
            await self._browsers.show_past(browser, message.version)
        elif isinstance(message, protocol.Appoint):
            await seating.appoint(viewer, message)
            self._agents.forget(message.seat)
        elif isinstance(message, protocol.Grace):
            _only_owner(browser)
            await seating.grace(message.seconds)
        elif isinstance(message, protocol.Remove):
            await self._remove(browser)
        elif not viewer.held:
            raise PlaymillError("you only look on here", "вы здесь зритель")
        elif isinstance(message, protocol.Ready):
            await seating.ready(viewer, message.ready)
        elif isinstance(message, protocol.Lift):
            self._change_viewer(browser, _own(viewer, message.seat), viewer.held)
        elif isinstance(message, protocol.Rename):
            await seating.rename(_own(viewer, message.seat), message.name)
        elif isinstance(message, protocol.Leave):
            await self._leave_seat(_own(viewer, message.seat))
        elif isinstance(message, protocol.Move):
            await self._move(viewer, message)
        elif isinstance(message, protocol.Undo):
            await self._undo(viewer, message)
        elif isinstance(message, protocol.Hint):
            await self._hints.advise(browser, self._hints.check(viewer.seat, message.version), self._work)
        return {}

    async def _sit(self, browser: Browser, message: protocol.Sit) -> str:
        """Gives a free seat away; the same answer to whoever asks again because it was lost.

        That is whoever asked over the same connection, or knows the token: the id of a message is no secret.
        """
        held = browser.viewer.held
        if held and self.table.started:
            raise PlaymillError("you have a seat already", "у вас уже есть место")
        if message.id not in self._sat:
            self._sat[message.id] = (message.seat, await self._seating.sit(message), browser)
            while len(self._sat) > _MOST_SAT:
                del self._sat[next(iter(self._sat))]
        seat, token, who = self._sat[message.id]
        if who is not browser and not hmac.compare_digest(message.token or "", token):
            raise PlaymillError("this seat is taken", "это место занято")
        if self.table.chairs[seat].token == hashed(token) and seat not in held:
            self._change_viewer(browser, browser.viewer.seat if held else seat, (*held, seat))
        return token

    async def _leave_seat(self, seat: int) -> None:
        """Frees a seat; all browsers that held it hold it no more."""
        await self._seating.put(seat, Chair(), "left")
        for who in self.browsers:
            if seat in who.viewer.held:
                rest = tuple(one for one in who.viewer.held if one != seat)
                self._change_viewer(who, rest[0] if len(rest) == 1 else None, rest)

    async def _move(self, viewer: Viewer, message: protocol.Move) -> None:
        if self.table.knows(message.id, viewer.held):
            return
        seat = _own(viewer, None)
        if self.table.chairs[seat].agent:
            raise PlaymillError(
                "the computer plays for you: take your seat back first",
                "за вас играет компьютер: сначала верните себе место",
            )
        self.table.check(seat, message.action, message.version)
        await self._decide(LoggedDecision(message.id, seat, message.action))

    async def _decide(self, entry: LoggedDecision) -> None:
        await self._work(self._store.append, self.table.facts.id, len(self.table.entries), entry)
        await self._work(self.table.record, entry)
        if self.table.mistake is not None:
            self._log_of_rules(self.table.mistake)

    async def _undo(self, viewer: Viewer, message: protocol.Undo) -> None:
        if self.table.knows(message.id, viewer.held):
            return
        seat = undo_seat(self.table, viewer)
        if seat is None:
            raise PlaymillError(*undo.NOT_YOURS)
        why = await self._work(self.table.undo_refused, seat)
        if why is not None:
            raise PlaymillError(*why)
        if message.version != self.table.version:
            raise PlaymillError("the table has moved on", "на столе уже другая позиция")
        await self._decide(LoggedDecision(message.id, seat, UNDO))
        self._agents.forget_all()

    async def _remove(self, browser: Browser) -> None:
        """Removes the table for good, with all that was decided at it, and disconnects everybody."""
        _only_owner(browser)
        await self._work(self._store.remove, self.table.facts.id)
        self.remove()

    def remove(self) -> None:
        """Marks the table as removed from the store, and disconnects everybody."""
        self.table.trouble = Text("the table was removed", "стол убран")
        self.removed = True
        for guest in self.browsers:
            guest.close()

    def _change_viewer(self, browser: Browser, seat: int | None, seats: tuple[int, ...]) -> None:
        """Changes the seats of a browser; it gets the whole table anew."""
        browser.viewer = Viewer(seat, browser.viewer.owner, seats)
        browser.version = -1
        self._count()

    def _start_agent(self) -> None:
        """Starts the agent whose turn it is, unless it runs already."""
        table = self.table
        if table.turn == NOBODY or not table.chairs[table.turn].agent or self._agent_version == table.version:
            return
        if self._only_agents and not self.browsers:
            return
        self._agent_version = table.version
        seat, state = table.turn, table.state.clone()
        self._start(self._run_agent(seat, table.version, state, AGENTS_PACE if self._only_agents else 0.0))

    async def _run_agent(self, seat: int, version: int, state: State, pace: float) -> None:
        """Waits for the action of an agent; meanwhile the table may have moved on."""
        await asyncio.sleep(pace)
        answer = await self._agents.answer(seat, state, self._threads.thinking)
        self.post(partial(self._apply_answer, seat, version, answer))

    async def _apply_answer(self, seat: int, version: int, answer: Answer) -> None:
        """Applies an agent's action if it is still awaited; a random one in its place is noted."""
        if self._agent_version == version:
            self._agent_version = -1
        if version == self.table.version and self.table.chairs[seat].agent and self.table.turn == seat:
            if answer.trouble is not None:
                self.table.remarks[version + 1] = self._agents.remark(seat)
            if answer.cold != (seat in self._cold):
                self._cold ^= {seat}
                await self._seating.note("cold" if answer.cold else "warm", seat)
            await self._decide(LoggedDecision(secrets.token_urlsafe(9), seat, answer.action))
            await self._browsers.show_all()


def _own(viewer: Viewer, seat: int | None) -> int:
    """A seat that the viewer holds: the one named, else that of the viewer's observation."""
    found = viewer.seat if seat is None else seat
    if found is None or found not in viewer.held:
        raise PlaymillError("that is not your seat", "это не ваше место")
    return found


def _only_owner(browser: Browser) -> None:
    if not browser.viewer.owner:
        raise PlaymillError("only who made the table can do this", "это может только хозяин стола")
