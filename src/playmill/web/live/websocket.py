"""WebSocket of a browser at a table: hello, validated messages in, queued messages out."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from starlette.websockets import WebSocket, WebSocketDisconnect

from playmill.texts import PlaymillError
from playmill.web.access.security import RateLimit
from playmill.web.live.actor import TableActor
from playmill.web.live.browsers import MOST_BROWSERS, Browser
from playmill.web.live.registry import TableRegistry
from playmill.web.table import protocol
from playmill.web.table.observation import Viewer
from playmill.web.table.store import hashed

#: Seconds until the hello of a connection, and the most it may be silent: a browser pings every few.
_HELLO, _SILENCE = 10.0, 60.0
#: Messages at once, and messages a second.
_BURST, _RATE = 60.0, 15.0
#: Close codes: invalid message, too many connections, no such table.
_BROKEN, _FULL, _MISSING = 4400, 4429, 4404


async def serve_browser(socket: WebSocket, tables: TableRegistry) -> None:
    """Serves the WebSocket of a browser until it goes away or sends something invalid."""
    await socket.accept()
    try:
        actor = await tables.actor(socket.path_params["table"])
    except PlaymillError:
        await socket.close(_FULL)
        return
    if actor is None:
        await socket.close(_MISSING)
        return
    if len(actor.browsers) >= MOST_BROWSERS:
        await socket.close(_FULL)
        return
    browser = None
    with suppress(WebSocketDisconnect, asyncio.TimeoutError, RuntimeError):
        try:
            hello = protocol.read(await asyncio.wait_for(socket.receive_text(), _HELLO))
            if not isinstance(hello, protocol.Hello):
                raise PlaymillError("a hello comes first", "сначала нужно hello")
        except (PlaymillError, KeyError) as error:
            await _end(socket, error)
            return
        browser = Browser(
            _viewer(actor, hello), hello.lang, hello.have, hello.noted, in_words=hello.words, packed=hello.packed
        )
        actor.connect(browser)
        sending = asyncio.ensure_future(_send(socket, browser))
        hearing = asyncio.ensure_future(_receive(socket, actor, browser))
        try:
            await asyncio.wait((sending, hearing), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (sending, hearing):
                task.cancel()
                with suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
                    await task
    if browser is not None:
        actor.disconnect(browser)


def _viewer(actor: TableActor, hello: protocol.Hello) -> Viewer:
    """The viewer with these tokens; of several seats the one that the browser names."""
    tokens = [hashed(token) for token in hello.tokens]
    seats = actor.table.seats_of(*tokens)
    seat = seats[0] if len(seats) == 1 else hello.seat if hello.seat in seats else None
    return Viewer(seat, actor.table.facts.owner in tokens, seats)


async def _send(socket: WebSocket, browser: Browser) -> None:
    while (message := await browser.outbox.get()) is not None:
        if isinstance(message, bytes):
            await socket.send_bytes(message)
        else:
            await socket.send_text(message)
    await socket.close(_FULL)


async def _receive(socket: WebSocket, actor: TableActor, browser: Browser) -> None:
    """Reads messages until one is invalid, or there are too many, or none for too long."""
    pace = RateLimit(_BURST, _RATE)
    while True:
        try:
            text = await asyncio.wait_for(socket.receive_text(), _SILENCE)
            if not pace.allows():
                raise PlaymillError("too many messages", "слишком много сообщений")
            message = protocol.read(text)
        except (PlaymillError, KeyError) as error:
            await _end(socket, error)
            return
        if isinstance(message, protocol.Ping):
            browser.send(protocol.message_text("pong"))
        elif isinstance(message, protocol.Hello):
            browser.lang = message.lang
        else:
            actor.handle(browser, message)


async def _end(socket: WebSocket, error: Exception) -> None:
    """Closes a connection after an invalid message, with one sentence."""
    why = error.public.en if isinstance(error, PlaymillError) else "a text was expected"
    await socket.close(_BROKEN, why[:100])
