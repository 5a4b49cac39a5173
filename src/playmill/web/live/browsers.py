"""Browsers connected to one table, their outboxes, and the messages that show them the table."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from playmill.texts import Lang
from playmill.web.table import protocol
from playmill.web.table.observation import Viewer, current_viewer, observe_past, observe_table
from playmill.web.table.state import GameTable
from playmill.web.table.text_view import text_view

#: Browsers at one table, and messages that may wait to be sent to each.
MOST_BROWSERS, MOST_WAITING = 2500, 200

#: Runs a function in a thread and returns its result.
Work = Callable[..., Awaitable[Any]]


class Browser:
    """One browser at a table: its viewer, the last version it has, and its outbox."""

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

    def send(self, text: str | bytes) -> bool:
        """Queues a message; False if there are too many already: then the connection is to end."""
        try:
            self.outbox.put_nowait(text)
        except asyncio.QueueFull:
            return False
        return True

    def close(self) -> None:
        """Ends the connection, whatever still waits."""
        while self.outbox.full():
            self.outbox.get_nowait()
        self.outbox.put_nowait(None)


class Browsers:
    """The browsers at one table. What they are sent is made in threads, once for all who see the same."""

    def __init__(self, table: GameTable, work: Work) -> None:
        self.browsers: set[Browser] = set()
        self._table = table
        self._work = work
        self._started = table.started

    async def show_all(self) -> None:
        """Sends the table as it is now to everybody; when it has just started, as a whole."""
        if self._table.started != self._started:
            self._started = self._table.started
            for browser in self.browsers:
                browser.version = -1
        await self.show(self.browsers)

    async def show(self, browsers: Iterable[Browser]) -> None:
        """Sends the table as it is now to some of them."""
        alike: dict[tuple[Viewer, Lang, int, int, bool, bool], list[Browser]] = {}
        for browser in sorted(browsers, key=lambda who: not who.viewer.held):  # players come first
            browser.viewer = current_viewer(self._table, browser.viewer)
            seen = (browser.viewer, browser.lang, browser.version, browser.noted, browser.in_words, browser.packed)
            alike.setdefault(seen, []).append(browser)
        for seen, group in alike.items():
            text = await self._work(_shown, self._table, *seen)
            for browser in group:
                self._send(browser, text)

    async def show_past(self, browser: Browser, version: int) -> None:
        """Sends one of them the table at a moment that is over."""
        browser.send(await self._work(_past, self._table, browser, version))

    def _send(self, browser: Browser, text: str | bytes) -> None:
        browser.version = self._table.version
        browser.noted = self._table.notes[-1].number if self._table.notes else 0
        if not browser.send(text):
            self.browsers.discard(browser)
            browser.close()


def _shown(
    table: GameTable, viewer: Viewer, lang: Lang, since: int, noted: int, in_words: bool, packed: bool
) -> str | bytes:
    """The message with the table, with the position in words if they are wanted, compressed or not."""
    seat = viewer.seat if table.started else None
    words = {"words": text_view(table, seat, lang)} if in_words else {}
    text = protocol.message_text("seen", **observe_table(table, viewer, lang, since, noted), **words)
    return protocol.compressed(text) if packed else text


def _past(table: GameTable, browser: Browser, version: int) -> str | bytes:
    """The message with the table at a moment that is over."""
    found = observe_past(table, browser.viewer, browser.lang, version, in_words=browser.in_words)
    text = protocol.message_text("past", **found)
    return protocol.compressed(text) if browser.packed else text
