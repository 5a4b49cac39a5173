"""Everybody who looks at one table: their browsers, and how the table is shown to them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from playmill.texts import Lang
from playmill.web import protocol
from playmill.web.in_words import position_in_words
from playmill.web.sight import Viewer, eyes_of, looked_back, seen_by
from playmill.web.table import Table

#: So many browsers can be at one table, and so many messages can wait to be sent to each.
MOST_WATCHERS, MOST_WAITING = 2500, 200

#: Does something in a thread, and brings what came of it.
Work = Callable[..., Awaitable[Any]]


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


class Audience:
    """The browsers at one table. What they are shown is drawn in threads, once for all who see the same."""

    def __init__(self, table: Table, work: Work) -> None:
        self.watchers: set[Watcher] = set()
        self._table = table
        self._work = work
        self._started = table.started

    async def show_all(self) -> None:
        """Shows the table as it is now to everybody; one that has just begun is seen anew."""
        if self._table.started != self._started:
            self._started = self._table.started
            for watcher in self.watchers:
                watcher.version = -1
        await self.show(self.watchers)

    async def show(self, watchers: Iterable[Watcher]) -> None:
        """Shows the table as it is now to some of them."""
        alike: dict[tuple[Viewer, Lang, int, int, bool, bool], list[Watcher]] = {}
        for watcher in sorted(watchers, key=lambda who: not who.viewer.held):  # players come first
            watcher.viewer = eyes_of(self._table, watcher.viewer)
            seen = (watcher.viewer, watcher.lang, watcher.version, watcher.noted, watcher.in_words, watcher.packed)
            alike.setdefault(seen, []).append(watcher)
        for seen, group in alike.items():
            text = await self._work(_shown, self._table, *seen)
            for watcher in group:
                self._send(watcher, text)

    async def show_past(self, watcher: Watcher, version: int) -> None:
        """Shows one of them the table at a moment that is over."""
        watcher.say(await self._work(_past, self._table, watcher, version))

    def _send(self, watcher: Watcher, text: str | bytes) -> None:
        watcher.version = self._table.version
        watcher.noted = self._table.notes[-1].number if self._table.notes else 0
        if not watcher.say(text):
            self.watchers.discard(watcher)
            watcher.end()


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
