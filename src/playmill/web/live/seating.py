"""Seats of one table: sitting down, leaving, agents that stand in for absent players. Every change is stored."""

from __future__ import annotations

import secrets
import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import replace
from typing import Any

from playmill.texts import PlaymillError
from playmill.web.agents.offered import USUAL, OfferedAgent
from playmill.web.table import protocol
from playmill.web.table.history import NOBODY
from playmill.web.table.observation import Viewer
from playmill.web.table.state import GameTable
from playmill.web.table.store import LONGEST_GRACE, MOST_NOTES, Chair, TableNote, TableStore, hashed

#: Runs a function that uses the disk in a thread, and waits for it.
Work = Callable[..., Awaitable[Any]]


class Seating:
    """Changes the seats of one table, and knows since when each player is away."""

    def __init__(self, table: GameTable, store: TableStore, agents: Mapping[str, OfferedAgent], work: Work) -> None:
        self._table, self._store, self._offered, self._work = table, store, agents, work
        self._away: dict[int, float] = {}
        self.count((), 0)

    def count(self, present: Collection[int], spectators: int) -> None:
        """Updates who is present."""
        self._table.present, self._table.spectators = set(present), spectators
        now = time.monotonic()
        self._away = {seat: self._away.get(seat, now) for seat in range(len(self._table.chairs)) if seat not in present}

    async def put(self, seat: int, chair: Chair, what: str | None = None) -> None:
        """Stores who sits in a seat, with a note of what has happened."""
        before = self._table.chairs[seat]
        await self._work(self._store.seat, self._table.facts.id, seat, chair)
        self._table.chairs[seat] = chair
        if what is not None:
            await self.note(what, seat, chair.name or before.name)

    async def note(self, what: str, seat: int, who: str = "") -> None:
        """Stores a note about a seat."""
        table = self._table
        number = table.notes[-1].number + 1 if table.notes else 1
        note = TableNote(number, table.version, seat, what, who)
        await self._work(self._store.note, table.facts.id, note)
        table.notes[:] = [*table.notes[1 - MOST_NOTES :], note]

    async def sit(self, message: protocol.Sit) -> str:
        """Gives a free seat away; returns the token that holds it."""
        if message.seat >= len(self._table.chairs) or not self._table.chairs[message.seat].open:
            raise PlaymillError("this seat is taken", "это место занято")
        token = message.token or secrets.token_urlsafe(protocol.TOKEN_BYTES)
        await self.put(message.seat, Chair(name=message.name, token=hashed(token), waits=not message.ready), "sat")
        return token

    async def ready(self, viewer: Viewer, ready: bool) -> None:
        """Stores that the people of one browser agree that the game begins, or no longer do."""
        if self._table.started:
            raise PlaymillError("the game has begun already", "партия уже началась")
        for seat in viewer.held:
            if self._table.chairs[seat].person:
                await self.put(seat, replace(self._table.chairs[seat], waits=not ready))

    async def rename(self, seat: int, name: str) -> None:
        """Stores another name of a player."""
        await self.put(seat, replace(self._table.chairs[seat], name=name))

    async def grace(self, seconds: int) -> None:
        """Stores how long a player may be away."""
        assert 0 <= seconds <= LONGEST_GRACE
        await self._work(self._store.set_grace, self._table.facts.id, seconds)
        self._table.grace = seconds

    async def appoint(self, viewer: Viewer, message: protocol.Appoint) -> None:
        """Seats an agent or removes one: in a seat that the viewer holds, or for the owner where nobody is."""
        chairs, seat = self._table.chairs, message.seat
        if message.agent and message.agent not in self._offered:
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

    async def returned(self, seats: Collection[int]) -> None:
        """Removes agents that stood in for a player who is back."""
        for seat in seats:
            chair = self._table.chairs[seat]
            if chair.token and chair.agent:
                await self.put(seat, replace(chair, agent=""), "back")

    def overdue(self) -> tuple[int, float] | None:
        """The seat that the others wait for though nobody is there, and in how many seconds that is too long.

        Before the game begins that is a seat whose player was ready; after that the one whose turn it is. No agent
        stands in while nobody waits.
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
        """Puts an agent in the seat of a player who has been away too long; False if there is none."""
        due = self.overdue()
        if due is None or due[1] > 0:
            return False
        chair = self._table.chairs[due[0]]
        if self._table.turn == NOBODY:
            await self.put(due[0], replace(chair, waits=True))
        else:
            await self.put(due[0], replace(chair, agent=USUAL), "away")
        return True
