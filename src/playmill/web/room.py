"""A table that people sit at: an actor with a queue, so that everything happens one after the other.

Decisions are kept before anybody is told. Drawing, the ledger and agents work in threads; the event loop only waits.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from playmill.engine.state import State
from playmill.texts import Lang, PlaymillError, Text
from playmill.web import protocol, undo
from playmill.web.hints import Adviser, Hints
from playmill.web.in_words import position_in_words
from playmill.web.ledger import UNDO, Chair, Entry, Ledger, hashed
from playmill.web.minds import USUAL, Answer, Mind, Player, mind_of
from playmill.web.moments import NOBODY
from playmill.web.seating import Seating
from playmill.web.sight import Viewer, eyes_of, looked_back, seen_by, undoer
from playmill.web.strangers import LATE, LateError, Strangers
from playmill.web.table import Table
from playmill.web.warming import Warming

#: So many browsers can be at one table, and so many messages can wait to be sent to each.
MOST_WATCHERS, MOST_WAITING = 2500, 200
#: Seconds between two decisions where only agents play, so that somebody can watch.
AGENTS_PACE = 0.8
#: An agent that has not answered after so many seconds is not waited for; the first answer may need the compiler.
PATIENCE = 300.0
#: Comings and goings are told together, so many seconds after the first; in a crowd of so many, twice as late.
_GATHERING, _CROWD = 0.3, 100
#: Clocks are not exact: a look at who is away comes so many seconds after it is due.
_A_LITTLE = 0.05
#: So many answers to whoever sat down are remembered, should one be lost on its way.
_MOST_SAT = 20

AT_RANDOM = Text(
    "its agent gave no answer that could be used: a random choice instead",
    "его агент не дал годного ответа: вместо него случайный выбор",
)

_log = logging.getLogger("playmill.web")
Made = TypeVar("Made")
Job = Callable[[], Awaitable[None]]


@dataclass(frozen=True)
class Threads:
    """Where pictures are drawn and the ledger is written, and where agents think."""

    drawing: Executor
    thinking: Executor


class Watcher:
    """One browser at a table: who it is, what it has seen, and what waits to be sent to it."""

    def __init__(
        self,
        viewer: Viewer,
        lang: Lang,
        version: int,
        noted: int = 0,
        *,
        in_words: bool = False,
        packed: bool = False,
    ) -> None:
        self.viewer = viewer
        self.lang = lang
        self.version = version
        self.noted = noted
        self.in_words = in_words
        self.packed = packed
        self.outbox: asyncio.Queue[str | bytes | None] = asyncio.Queue(MOST_WAITING)

    def say(self, text: str | bytes) -> bool:
        """Lets a message wait for its turn; False if there are too many already: then the connection is to end."""
        try:
            self.outbox.put_nowait(text)
        except asyncio.QueueFull:
            return False
        return True

    def end(self) -> None:
        """Lets the connection end, whatever still waits."""
        while self.outbox.full():
            self.outbox.get_nowait()
        self.outbox.put_nowait(None)


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
        self.watchers: set[Watcher] = set()
        self._ledger = ledger
        self._minds = minds
        self._busy, self._idle = busy, idle
        self._adviser = Adviser(table, hints)
        self._warming = warming
        self._strangers = strangers
        self._late: set[int] = set()
        self._cold: set[int] = set()
        self._seating = Seating(table, ledger, minds, self._work)
        self._started = table.started
        self._sat: dict[str, tuple[int, str]] = {}
        self._due: asyncio.TimerHandle | None = None
        self._queue: asyncio.Queue[Job] = asyncio.Queue()
        self._players: dict[int, Player] = {}
        self._thought_of = -1
        self._tasks: set[asyncio.Task[None]] = set()
        self._gathering = False
        self._start(self._run())

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
            except Exception:  # a mistake of ours must not stop the table
                _log.exception("table %s", self.table.facts.id[:6])

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
        await self._show(watcher)
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
            await self._show_all()

    def _gather(self) -> None:
        """Tells everybody who is here, a little later and once for all who come and go until then."""
        if not self._gathering:
            self._gathering = True
            self._start(self._gathered())

    async def _gathered(self) -> None:
        await asyncio.sleep(_GATHERING * (1 + len(self.watchers) / _CROWD))
        self._gathering = False
        self.post(self._show_all)

    async def _show(self, watcher: Watcher) -> None:
        await self._show_to([watcher])

    def _send(self, watcher: Watcher, text: str | bytes) -> None:
        watcher.version = self.table.version
        watcher.noted = self.table.notes[-1].number if self.table.notes else 0
        if not watcher.say(text):
            self.watchers.discard(watcher)
            watcher.end()

    async def _show_all(self) -> None:
        """Shows the table as it is now to everybody; one that has just begun is seen anew."""
        if self.table.started != self._started:
            self._started = self.table.started
            for watcher in self.watchers:
                watcher.version = -1
        await self._show_to(self.watchers)

    async def _show_to(self, watchers: Iterable[Watcher]) -> None:
        """Shows the table, drawn once for all who see the same."""
        alike: dict[tuple[Viewer, Lang, int, int, bool, bool], list[Watcher]] = {}
        for watcher in sorted(watchers, key=lambda who: not who.viewer.held):  # players come first
            watcher.viewer = eyes_of(self.table, watcher.viewer)
            seen = (watcher.viewer, watcher.lang, watcher.version, watcher.noted, watcher.in_words, watcher.packed)
            alike.setdefault(seen, []).append(watcher)
        for seen, group in alike.items():
            text = await self._work(_shown, self.table, *seen)
            for watcher in group:
                self._send(watcher, text)

    async def _heard(self, watcher: Watcher, message: protocol.Message) -> None:
        """Does what somebody wishes, and answers under the id of the wish: done, or why not."""
        move = getattr(message, "id", "")
        try:
            done = await self._obey(watcher, message)
        except PlaymillError as error:
            watcher.say(protocol.said("refused", id=move, why=error.text.of(watcher.lang)))
            await self._show(watcher)
            return
        watcher.say(protocol.said("done", id=move, **done))
        if not isinstance(message, protocol.Hint | protocol.Look):
            await self._show_all()

    async def _obey(self, watcher: Watcher, message: protocol.Message) -> dict[str, str]:
        """Does what somebody wishes, unless she may not; returns what the answer says besides."""
        viewer, seating = watcher.viewer, self._seating
        if isinstance(message, protocol.Sit):
            return {"token": await self._sit(watcher, message)}
        if isinstance(message, protocol.Words):
            watcher.in_words = message.wanted
        elif isinstance(message, protocol.Look):
            watcher.say(await self._work(_past, self.table, watcher, message.version))
        elif isinstance(message, protocol.Appoint):
            await seating.appoint(viewer, message)
            self._players.pop(message.seat, None)
            self._late.discard(message.seat)
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
        """Gives a free seat away; whoever asks again, because the answer was lost, is answered the same."""
        held = watcher.viewer.held
        if held and self.table.started:
            raise PlaymillError("you have a seat already", "у вас уже есть место")
        if message.id not in self._sat:
            self._sat[message.id] = (message.seat, await self._seating.sit(message))
            while len(self._sat) > _MOST_SAT:
                del self._sat[next(iter(self._sat))]
        seat, token = self._sat[message.id]
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
        self._players.clear()

    async def _remove(self, watcher: Watcher) -> None:
        """Removes the table for good, with all that was decided at it; everybody has to leave."""
        _only_owner(watcher)
        await self._work(self._ledger.remove, self.table.facts.id)
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
        self._start(self._thought(self._player(seat), seat, table.version, state, AGENTS_PACE if self._lonely else 0.0))

    async def _thought(self, player: Player, seat: int, version: int, state: State, pace: float) -> None:
        """What an agent decides; while it thinks, its last word may have become meaningless."""
        await asyncio.sleep(pace)
        try:
            answer = await self._answer(player, seat, state)
        except LateError as error:
            self._late.add(seat)
            answer = Answer(secrets.choice(state.legal_actions()), error.text)
        except Exception as error:  # an agent may do anything
            self._players.pop(seat, None)  # it may be at it still
            _log.warning("agent of seat %d: %r", seat + 1, error)
            answer = Answer(secrets.choice(state.legal_actions()), Text(repr(error), repr(error)))
        if answer.trouble is not None:
            _log.warning("agent of seat %d chose at random: %s", seat + 1, answer.trouble.en)
        self.post(partial(self._agreed, seat, version, answer))

    async def _answer(self, player: Player, seat: int, state: State) -> Answer:
        """What an agent answers; one out of a file that was late once is not asked again at this table."""
        if player.file:
            if seat in self._late:
                raise LateError
            return await self._strangers.ask(player.file, partial(player.choose, state), PATIENCE)
        thought = asyncio.get_running_loop().run_in_executor(self._threads.thinking, player.choose, state)
        return await asyncio.wait_for(thought, PATIENCE)

    def _player(self, seat: int) -> Player:
        """Who plays a seat; one that thinks about what was taken back in the meantime is another."""
        if seat not in self._players:
            assert self.table.game is not None
            mind = self._mind(seat)
            self._players[seat] = Player(self.table.game, self.table.facts.players, mind, self._warming)
        return self._players[seat]

    def _mind(self, seat: int) -> Mind:
        """The agent of a seat; one that is not on offer any more is stood in for by the usual one."""
        assert self.table.game is not None
        with suppress(PlaymillError):
            found = mind_of(self._minds, self.table.game, self.table.chairs[seat].agent)
            if found is not None:
                return found
        return self._minds[USUAL]

    async def _agreed(self, seat: int, version: int, answer: Answer) -> None:
        """An agent's decision, if it is still awaited; one made at random in its place is told as such."""
        if self._thought_of == version:
            self._thought_of = -1
        if version == self.table.version and self.table.chairs[seat].agent and self.table.turn == seat:
            if answer.trouble is not None:
                self.table.remarks[version + 1] = LATE if seat in self._late else AT_RANDOM
            if answer.cold != (seat in self._cold):
                self._cold ^= {seat}
                await self._seating.note("cold" if answer.cold else "warm", seat)
            await self._decide(Entry(secrets.token_urlsafe(9), seat, answer.action))
            await self._show_all()


def _shown(
    table: Table, viewer: Viewer, lang: Lang, since: int, noted: int, in_words: bool, packed: bool
) -> str | bytes:
    """The table as the JSON text that is sent, with the position in words if they are wanted, compressed or not."""
    seat = viewer.seat if table.started else None
    words = {"words": position_in_words(table, seat, lang)} if in_words else {}
    text = protocol.said("seen", **seen_by(table, viewer, lang, since, noted), **words)
    return protocol.packed(text) if packed else text


def _past(table: Table, watcher: Watcher, version: int) -> str | bytes:
    """The table at a moment that is over, as it is sent."""
    found = looked_back(table, watcher.viewer, watcher.lang, version, in_words=watcher.in_words)
    text = protocol.said("past", **found)
    return protocol.packed(text) if watcher.packed else text


def _own(viewer: Viewer, seat: int | None) -> int:
    """A seat of one's own: the one named, else that with whose eyes one sees."""
    found = viewer.seat if seat is None else seat
    if found is None or found not in viewer.held:
        raise PlaymillError("that is not your seat", "это не ваше место")
    return found


def _only_owner(watcher: Watcher) -> None:
    if not watcher.viewer.owner:
        raise PlaymillError("only who made the table can do this", "это может только хозяин стола")
