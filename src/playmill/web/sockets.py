"""One WebSocket of a table: a hello, then messages, each checked; what is sent goes out in order."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from starlette.websockets import WebSocket, WebSocketDisconnect

from playmill.texts import PlaymillError
from playmill.web import protocol
from playmill.web.audience import MOST_WATCHERS, Watcher
from playmill.web.guard import Pace
from playmill.web.ledger import hashed
from playmill.web.room import Room
from playmill.web.sight import Viewer
from playmill.web.tables import Tables

#: Seconds until a connection has said who it is, and the most it may be silent: a browser pings every few.
_HELLO, _SILENCE = 10.0, 60.0
#: Messages at once, and messages a second.
_BURST, _RATE = 60.0, 15.0
#: Codes of the end of a connection: broken rules, too many here, no such table.
_BROKEN, _FULL, _MISSING = 4400, 4429, 4404


async def attend(socket: WebSocket, tables: Tables) -> None:
    """Lets a browser be at a table until it goes away or breaks a rule."""
    await socket.accept()
    try:
        room = await tables.room(socket.path_params["table"])
    except PlaymillError:
        await socket.close(_FULL)
        return
    if room is None:
        await socket.close(_MISSING)
        return
    if len(room.watchers) >= MOST_WATCHERS:
        await socket.close(_FULL)
        return
    watcher = None
    with suppress(WebSocketDisconnect, asyncio.TimeoutError, RuntimeError):
        try:
            hello = protocol.read(await asyncio.wait_for(socket.receive_text(), _HELLO))
            if not isinstance(hello, protocol.Hello):
                raise PlaymillError("a hello comes first", "сначала нужно hello")
        except (PlaymillError, KeyError) as error:
            await _end(socket, error)
            return
        watcher = Watcher(
            _viewer(room, hello), hello.lang, hello.have, hello.noted, in_words=hello.words, packed=hello.packed
        )
        room.enter(watcher)
        sending = asyncio.ensure_future(_send(socket, watcher))
        hearing = asyncio.ensure_future(_hear(socket, room, watcher))
        try:
            await asyncio.wait((sending, hearing), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (sending, hearing):
                task.cancel()
                with suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
                    await task
    if watcher is not None:
        room.leave(watcher)


def _viewer(room: Room, hello: protocol.Hello) -> Viewer:
    """Who somebody with these tokens is; of several seats one is seen with only if it is named."""
    tokens = [hashed(token) for token in hello.tokens]
    seats = room.table.seats_of(*tokens)
    seat = seats[0] if len(seats) == 1 else hello.seat if hello.seat in seats else None
    return Viewer(seat, room.table.facts.owner in tokens, seats)


async def _send(socket: WebSocket, watcher: Watcher) -> None:
    while (message := await watcher.outbox.get()) is not None:
        if isinstance(message, bytes):
            await socket.send_bytes(message)
        else:
            await socket.send_text(message)
    await socket.close(_FULL)


async def _hear(socket: WebSocket, room: Room, watcher: Watcher) -> None:
    """Hears messages until one breaks the rules, or there are too many, or none for too long."""
    pace = Pace(_BURST, _RATE)
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
            watcher.say(protocol.said("pong"))
        elif isinstance(message, protocol.Hello):
            watcher.lang = message.lang
        else:
            room.hear(watcher, message)


async def _end(socket: WebSocket, error: Exception) -> None:
    """Ends a connection that broke the rules, with one sentence; a message that is no text has none."""
    why = error.public.en if isinstance(error, PlaymillError) else "a text was expected"
    await socket.close(_BROKEN, why[:100])
