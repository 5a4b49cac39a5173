"""Who sits where: seats are taken, left, given to an agent for a while, and taken back. Every change is kept."""

from __future__ import annotations

import secrets
import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import replace
from typing import Any

from playmill.texts import PlaymillError
from playmill.web import protocol
from playmill.web.ledger import LONGEST_GRACE, MOST_NOTES, Chair, Ledger, Note, hashed
from playmill.web.minds import USUAL, Mind
from playmill.web.moments import NOBODY
from playmill.web.sight import Viewer
from playmill.web.table import Table

#: Does something with the disk in a thread, and waits for it.
Work = Callable[..., Awaitable[Any]]


class Seating:
    """The seats of one table; who is there is told to it, and it knows since when everybody else is away."""

    def __init__(self, table: Table, ledger: Ledger, minds: Mapping[str, Mind], work: Work) -> None:
        self._table, self._ledger, self._minds, self._work = table, ledger, minds, work
        self._away: dict[int, float] = {}
        self.count((), 0)

    def count(self, present: Collection[int], spectators: int) -> None:
        """Somebody has come or gone."""
        self._table.present, self._table.spectators = set(present), spectators
        now = time.monotonic()
        self._away = {seat: self._away.get(seat, now) for seat in range(len(self._table.chairs)) if seat not in present}

    async def put(self, seat: int, chair: Chair, what: str | None = None) -> None:
        """Somebody else, or the same person in another way, sits in a seat; `what` is told of it."""
        before = self._table.chairs[seat]
        await self._work(self._ledger.seat, self._table.facts.id, seat, chair)
        self._table.chairs[seat] = chair
        if what is not None:
            await self.note(what, seat, chair.name or before.name)

    async def note(self, what: str, seat: int, who: str = "") -> None:
        """Something is told of a seat."""
        table = self._table
        number = table.notes[-1].number + 1 if table.notes else 1
        note = Note(number, table.version, seat, what, who)
        await self._work(self._ledger.note, table.facts.id, note)
        table.notes[:] = [*table.notes[1 - MOST_NOTES :], note]

    async def sit(self, message: protocol.Sit) -> str:
        """Gives a free seat away; returns the token that holds it."""
        if message.seat >= len(self._table.chairs) or not self._table.chairs[message.seat].open:
            raise PlaymillError("this seat is taken", "это место занято")
        token = message.token or secrets.token_urlsafe(protocol.TOKEN_BYTES)
        await self.put(message.seat, Chair(name=message.name, token=hashed(token), waits=not message.ready), "sat")
        return token

    async def ready(self, viewer: Viewer, ready: bool) -> None:
        """The people of one browser agree that the game begins, or no longer do."""
        if self._table.started:
            raise PlaymillError("the game has begun already", "партия уже началась")
        for seat in viewer.held:
            if self._table.chairs[seat].person:
                await self.put(seat, replace(self._table.chairs[seat], waits=not ready))

    async def rename(self, seat: int, name: str) -> None:
        """Somebody wants to be called otherwise."""
        await self.put(seat, replace(self._table.chairs[seat], name=name))

    async def grace(self, seconds: int) -> None:
        """Says how long somebody may be away."""
        assert 0 <= seconds <= LONGEST_GRACE
        await self._work(self._ledger.set_grace, self._table.facts.id, seconds)
        self._table.grace = seconds

    async def appoint(self, viewer: Viewer, message: protocol.Appoint) -> None:
        """Seats an agent, or sends one away: in one's own seat, or as the owner where nobody is."""
        chairs, seat = self._table.chairs, message.seat
        if message.agent and message.agent not in self._minds:
            raise PlaymillError(f"there is no agent {message.agent!r}", f"агента {message.agent!r} нет")
        if seat in viewer.held:
            own = replace(chairs[seat], agent=message.agent)
            await self.put(seat, own, "given" if message.agent else "back")
            return
        if not viewer.owner:
            raise PlaymillError("only who made the table can do this", "это может только хозяин стола")
        if seat >= len(chairs) or (chairs[seat].token and seat in self._table.present):
            raise PlaymillError("somebody sits there", "там кто-то сидит")
        if chairs[seat].token and message.agent:
            await self.put(seat, replace(chairs[seat], agent=message.agent), "away")
        elif chairs[seat].token and self._table.entries:
            raise PlaymillError("this seat waits for its player", "это место ждёт своего игрока")
        else:
            await self.put(seat, Chair(agent=message.agent), "agent" if message.agent else "freed")

    async def came(self, seats: Collection[int]) -> None:
        """Somebody is back: whoever stood in for her leaves."""
        for seat in seats:
            chair = self._table.chairs[seat]
            if chair.token and chair.agent:
                await self.put(seat, replace(chair, agent=""), "back")

    def overdue(self) -> tuple[int, float] | None:
        """The seat that the others wait for though nobody is there, and in how many seconds that has been too long.

        Before the game begins that is a seat whose person had said that it may; after that the one whose turn it is.
        Nobody stands in while nobody waits.
        """
        table = self._table
        if not table.grace or table.over or table.trouble is not None:
            return None
        awaited = [
            seat
            for seat, chair in enumerate(table.chairs)
            if chair.person and seat in self._away and (table.turn == seat if table.started else not chair.waits)
        ]
        there = {table.chairs[seat].token for seat in table.present}
        dues = [(self._away[seat] + table.grace, seat) for seat in awaited if there - {table.chairs[seat].token}]
        return (min(dues)[1], min(dues)[0] - time.monotonic()) if dues else None

    async def take_over(self) -> bool:
        """Does what is due where somebody has been away too long; False if nothing is."""
        due = self.overdue()
        if due is None or due[1] > 0:
            return False
        chair = self._table.chairs[due[0]]
        if self._table.turn == NOBODY:
            await self.put(due[0], replace(chair, waits=True))
        else:
            await self.put(due[0], replace(chair, agent=USUAL), "away")
        return True
