"""A table that people sit at: an actor with a queue, so that everything happens one after the other.

Decisions are kept before anybody is told. Drawing, the ledger and agents work in threads; the event loop only waits.
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
from playmill.web import protocol, undo
from playmill.web.audience import Audience, Watcher
from playmill.web.hints import Adviser, Hints
from playmill.web.ledger import UNDO, Chair, Entry, Ledger, hashed
from playmill.web.minds import Answer, Mind
from playmill.web.moments import NOBODY
from playmill.web.seating import Seating
from playmill.web.sight import Viewer, undoer
from playmill.web.strangers import Strangers
from playmill.web.table import Table
from playmill.web.thinkers import Thinkers
from playmill.web.warming import Warming

#: Seconds between two decisions where only agents play, so that somebody can watch.
AGENTS_PACE = 0.8
#: Comings and goings are told together, so many seconds after the first; in a crowd of so many, twice as late.
_GATHERING, _CROWD = 0.3, 100
#: Clocks are not exact: a look at who is away comes so many seconds after it is due.
_A_LITTLE = 0.05
#: So many answers to whoever sat down are remembered, should one be lost on its way.
_MOST_SAT = 20

_log = logging.getLogger("playmill.web")
Made = TypeVar("Made")
Job = Callable[[], Awaitable[None]]


@dataclass(frozen=True)
class Threads:
    """Where pictures are drawn and the ledger is written, and where agents think."""

    drawing: Executor
    thinking: Executor


class Room:
    """The actor of one table."""

    def __init__(
        self,
        table: Table,
        ledger: Ledger,
        minds: dict[str, Mind],
        *,
        busy: Threads,
        idle: Threads,
        hints: Hints,
        warming: Warming,
        strangers: Strangers,
    ) -> None:
        self.table = table
        self.touched = time.monotonic()
        self.removed = False
        self._ledger = ledger
        self._busy, self._idle = busy, idle
        self._adviser = Adviser(table, hints)
        self._audience = Audience(table, self._work)
        self._thinkers = Thinkers(table, minds, warming, strangers)
        self._cold: set[int] = set()
        self._seating = Seating(table, ledger, minds, self._work)
        self._sat: dict[str, tuple[int, str, Watcher]] = {}
        self._due: asyncio.TimerHandle | None = None
        self._queue: asyncio.Queue[Job] = asyncio.Queue()
        self._thought_of = -1
        self._tasks: set[asyncio.Task[None]] = set()
        self._gathering = False
        self._start(self._run())

    @property
    def watchers(self) -> set[Watcher]:
        """The browsers that are here."""
        return self._audience.watchers

    @property
    def idle(self) -> bool:
        """Whether nobody is here and nothing is going on."""
        return not self.watchers and self._queue.empty() and self._thought_of < 0

    def close(self) -> None:
        """Ends everything that goes on here; the log knows it all."""
        for watcher in self.watchers:
            watcher.end()
        for task in self._tasks:
            task.cancel()
        self._adviser.close()
        if self._due is not None:
            self._due.cancel()

    def post(self, job: Job) -> None:
        """Something to be done when its turn comes."""
        self.touched = time.monotonic()
        self._queue.put_nowait(job)

    def enter(self, watcher: Watcher) -> None:
        """Somebody comes in."""
        self.post(partial(self._entered, watcher))

    def leave(self, watcher: Watcher) -> None:
        """Somebody goes away."""
        self.post(partial(self._left, watcher))

    def hear(self, watcher: Watcher, message: protocol.Message) -> None:
        """Somebody says something."""
        self.post(partial(self._heard, watcher, message))

    def invite(self, seat: int | None, token: str, table: str) -> None:
        """Tells everybody of the table where one of them, who shows the token of her seat, wants to play once more."""
        chairs = self.table.chairs
        if self.table.over and seat is not None and seat < len(chairs) and chairs[seat].token == hashed(token):
            self.post(partial(self._invited, table))

    async def _invited(self, table: str) -> None:
        await self._work(self._ledger.set_again, self.table.facts.id, table)
        self.table.again = table
        await self._audience.show_all()

    def _start(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run(self) -> None:
        while True:
            job = await self._queue.get()
            try:
                await job()
                self._think()
                self._adviser.moved_on()
                self._wait_for_the_absent()
            except RuleMistakeError as mistake:
                self._log_of_rules(mistake.text)
            except Exception:  # a mistake of ours must not stop the table
                _log.exception("table %s", self.table.facts.id[:6])

    def _log_of_rules(self, mistake: Text) -> None:
        """A mistake of the game's author, in one line."""
        _log.warning("table %s: %s", self.table.facts.id[:6], mistake.en)

    async def _work(self, work: Callable[..., Made], *args: object) -> Made:
        return await asyncio.get_running_loop().run_in_executor(self._threads.drawing, partial(work, *args))

    @property
    def _lonely(self) -> bool:
        """Whether agents play among themselves."""
        return all(chair.agent for chair in self.table.chairs)

    @property
    def _threads(self) -> Threads:
        """Where work is done: no person waits behind agents who play among themselves."""
        return self._idle if self._lonely else self._busy

    async def _entered(self, watcher: Watcher) -> None:
        self.watchers.add(watcher)
        self._count()
        await self._seating.came(watcher.viewer.held)
        await self._audience.show([watcher])
        self._gather()

    async def _left(self, watcher: Watcher) -> None:
        self.watchers.discard(watcher)
        self._count()
        self._gather()

    def _count(self) -> None:
        present = {seat for who in self.watchers for seat in who.viewer.held}
        self._seating.count(present, sum(not who.viewer.held for who in self.watchers))

    def _wait_for_the_absent(self) -> None:
        """Looks again when somebody whom the others wait for has been away for too long."""
        if self._due is not None:
            self._due.cancel()
        due = self._seating.overdue()
        if due is not None:
            self._due = asyncio.get_running_loop().call_later(max(due[1], 0) + _A_LITTLE, self.post, self._take_over)

    async def _take_over(self) -> None:
        if await self._seating.take_over():
            await self._audience.show_all()

    def _gather(self) -> None:
        """Tells everybody who is here, a little later and once for all who come and go until then."""
        if not self._gathering:
            self._gathering = True
            self._start(self._gathered())

    async def _gathered(self) -> None:
        await asyncio.sleep(_GATHERING * (1 + len(self.watchers) / _CROWD))
        self._gathering = False
        self.post(self._audience.show_all)

    async def _heard(self, watcher: Watcher, message: protocol.Message) -> None:
        """Does what somebody wishes, and answers under the id of the wish: done, or why not."""
        move = getattr(message, "id", "")
        try:
            done = await self._obey(watcher, message)
        except PlaymillError as error:
            watcher.say(protocol.said("refused", id=move, why=error.public.of(watcher.lang)))
            await self._audience.show([watcher])
            return
        watcher.say(protocol.said("done", id=move, **done))
        if not isinstance(message, protocol.Hint | protocol.Look):
            await self._audience.show_all()

    async def _obey(self, watcher: Watcher, message: protocol.Message) -> dict[str, str]:
        """Does what somebody wishes, unless she may not; returns what the answer says besides."""
        viewer, seating = watcher.viewer, self._seating
        if isinstance(message, protocol.Sit):
            return {"token": await self._sit(watcher, message)}
        if isinstance(message, protocol.Words):
            watcher.in_words = message.wanted
        elif isinstance(message, protocol.Look):
            await self._audience.show_past(watcher, message.version)
        elif isinstance(message, protocol.Appoint):
            await seating.appoint(viewer, message)
            self._thinkers.forget(message.seat)
        elif isinstance(message, protocol.Grace):
            _only_owner(watcher)
            await seating.grace(message.seconds)
        elif isinstance(message, protocol.Remove):
            await self._remove(watcher)
        elif not viewer.held:
            raise PlaymillError("you only look on here", "вы здесь зритель")
        elif isinstance(message, protocol.Ready):
            await seating.ready(viewer, message.ready)
        elif isinstance(message, protocol.Lift):
            self._become(watcher, _own(viewer, message.seat), viewer.held)
        elif isinstance(message, protocol.Rename):
            await seating.rename(_own(viewer, message.seat), message.name)
        elif isinstance(message, protocol.Leave):
            await self._leave_seat(_own(viewer, message.seat))
        elif isinstance(message, protocol.Move):
            await self._move(viewer, message)
        elif isinstance(message, protocol.Undo):
            await self._undo(viewer, message)
        elif isinstance(message, protocol.Hint):
            await self._adviser.advise(watcher, self._adviser.check(viewer.seat, message.version), self._work)
        return {}

    async def _sit(self, watcher: Watcher, message: protocol.Sit) -> str:
        """Gives a free seat away; whoever asks again, because the answer was lost, is answered the same.

        That is whoever asked over the same line, or knows the token: the id of a wish is no secret.
        """
        held = watcher.viewer.held
        if held and self.table.started:
            raise PlaymillError("you have a seat already", "у вас уже есть место")
        if message.id not in self._sat:
            self._sat[message.id] = (message.seat, await self._seating.sit(message), watcher)
            while len(self._sat) > _MOST_SAT:
                del self._sat[next(iter(self._sat))]
        seat, token, who = self._sat[message.id]
        if who is not watcher and not hmac.compare_digest(message.token or "", token):
            raise PlaymillError("this seat is taken", "это место занято")
        if self.table.chairs[seat].token == hashed(token) and seat not in held:
            self._become(watcher, watcher.viewer.seat if held else seat, (*held, seat))
        return token

    async def _leave_seat(self, seat: int) -> None:
        """A seat is free again; whoever was in it, at any device, is there no more."""
        await self._seating.put(seat, Chair(), "left")
        for who in self.watchers:
            if seat in who.viewer.held:
                rest = tuple(one for one in who.viewer.held if one != seat)
                self._become(who, rest[0] if len(rest) == 1 else None, rest)

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
        await self._decide(Entry(message.id, seat, message.action))

    async def _decide(self, entry: Entry) -> None:
        await self._work(self._ledger.append, self.table.facts.id, len(self.table.entries), entry)
        await self._work(self.table.record, entry)
        if self.table.mistake is not None:
            self._log_of_rules(self.table.mistake)

    async def _undo(self, viewer: Viewer, message: protocol.Undo) -> None:
        if self.table.knows(message.id, viewer.held):
            return
        seat = undoer(self.table, viewer)
        if seat is None:
            raise PlaymillError(*undo.NOT_YOURS)
        why = await self._work(self.table.undo_refused, seat)
        if why is not None:
            raise PlaymillError(*why)
        if message.version != self.table.version:
            raise PlaymillError("the table has moved on", "на столе уже другая позиция")
        await self._decide(Entry(message.id, seat, UNDO))
        self._thinkers.forget_all()

    async def _remove(self, watcher: Watcher) -> None:
        """Removes the table for good, with all that was decided at it; everybody has to leave."""
        _only_owner(watcher)
        await self._work(self._ledger.remove, self.table.facts.id)
        self.remove()

    def remove(self) -> None:
        """The table is gone from the ledger."""
        self.table.trouble = Text("the table was removed", "стол убран")
        self.removed = True
        for guest in self.watchers:
            guest.end()

    def _become(self, watcher: Watcher, seat: int | None, seats: tuple[int, ...]) -> None:
        """Somebody is somebody else from now on: she sees the table anew."""
        watcher.viewer = Viewer(seat, watcher.viewer.owner, seats)
        watcher.version = -1
        self._count()

    def _think(self) -> None:
        """Lets the agent whose turn it is think, unless it does already."""
        table = self.table
        if table.turn == NOBODY or not table.chairs[table.turn].agent or self._thought_of == table.version:
            return
        if self._lonely and not self.watchers:
            return
        self._thought_of = table.version
        seat, state = table.turn, table.state.clone()
        self._start(self._thought(seat, table.version, state, AGENTS_PACE if self._lonely else 0.0))

    async def _thought(self, seat: int, version: int, state: State, pace: float) -> None:
        """What an agent decides; while it thinks, its last word may have become meaningless."""
        await asyncio.sleep(pace)
        answer = await self._thinkers.answer(seat, state, self._threads.thinking)
        self.post(partial(self._agreed, seat, version, answer))

    async def _agreed(self, seat: int, version: int, answer: Answer) -> None:
        """An agent's decision, if it is still awaited; one made at random in its place is told as such."""
        if self._thought_of == version:
            self._thought_of = -1
        if version == self.table.version and self.table.chairs[seat].agent and self.table.turn == seat:
            if answer.trouble is not None:
                self.table.remarks[version + 1] = self._thinkers.remark(seat)
            if answer.cold != (seat in self._cold):
                self._cold ^= {seat}
                await self._seating.note("cold" if answer.cold else "warm", seat)
            await self._decide(Entry(secrets.token_urlsafe(9), seat, answer.action))
            await self._audience.show_all()


def _own(viewer: Viewer, seat: int | None) -> int:
    """A seat of one's own: the one named, else that with whose eyes one sees."""
    found = viewer.seat if seat is None else seat
    if found is None or found not in viewer.held:
        raise PlaymillError("that is not your seat", "это не ваше место")
    return found


def _only_owner(watcher: Watcher) -> None:
    if not watcher.viewer.owner:
        raise PlaymillError("only who made the table can do this", "это может только хозяин стола")
