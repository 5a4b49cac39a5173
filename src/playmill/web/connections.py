"""Connections of browsers: how many there may be, how long each may keep the server waiting, and what the log says.

A connection that has sent no whole request yet *waits*. Few may wait, of one address fewer, and none for long; where
more come, the oldest that waits is let go, so that whoever asks for something is always heard: her request takes
milliseconds. A part of all connections is kept for the owner.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import sys
import time
from collections import Counter
from collections.abc import Callable
from typing import Any, Protocol

import h11
from starlette.requests import ClientDisconnect
from starlette.websockets import WebSocketDisconnect
from uvicorn.protocols.http.h11_impl import H11Protocol
from websockets.exceptions import WebSocketException

#: Connections in all, those that the owner alone may use, and files besides that a server needs.
MOST, OWNERS, OTHER_FILES = 4000, 20, 300
#: Connections that wait, in all and of one address; and all of one address, unless it is this machine's (a proxy's).
MOST_WAITING, WAITING_OF_ONE, MOST_OF_ONE = 1000, 400, 500
#: Seconds until the head of a request must have come, and until its body must.
HEAD_SECONDS, BODY_SECONDS = 10.0, 60.0
#: Seconds between two looks for those that are late.
_LOOK = 1.0
#: Lines of the log a minute.
_MOST_LINES = 60
#: What breaks off because of whoever is at the other end.
_THEIRS = (ClientDisconnect, ConnectionError, WebSocketDisconnect, WebSocketException, h11.ProtocolError)


class Connection(Protocol):
    """What is known of a connection here."""

    client: tuple[str, int] | None
    transport: Any

    @property
    def has_head(self) -> bool:
        """Whether the head of its request has come."""


class Connections:
    """All connections of a server."""

    def __init__(self, most: int | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self.most = most if most is not None else _most()
        self.most_waiting = min(MOST_WAITING, self.most // 2)
        self._clock = clock
        #: Those that wait, the oldest first: since when; and of each address.
        self._waiting: dict[Connection, float] = {}
        self._waiting_of: dict[str, dict[Connection, None]] = {}
        self._open: set[Any] = set()
        self._of: Counter[str] = Counter()
        self._looking: asyncio.TimerHandle | None = None

    @property
    def crowded(self) -> bool:
        """Whether what is left is kept for the owner."""
        return len(self._open) > self.most - OWNERS

    def came(self, one: Connection) -> None:
        """A connection was opened: it waits, and perhaps another one has to go."""
        address = _address(one)
        self._open.add(one.transport)
        self._of[address] += 1
        if self._of[address] > MOST_OF_ONE and not _is_near(address):
            one.transport.abort()
            return
        self.waits(one)
        mine = self._waiting_of[address]
        if len(mine) > WAITING_OF_ONE:
            self._let_go(next(iter(mine)))
        elif len(self._waiting) > self.most_waiting or len(self._open) > self.most:
            self._let_go(next(iter(self._waiting)))

    def waits(self, one: Connection) -> None:
        """A connection keeps the server waiting from now on, unless it does already."""
        self._waiting.setdefault(one, self._clock())
        self._waiting_of.setdefault(_address(one), {})[one] = None
        if self._looking is None:
            self._looking = asyncio.get_running_loop().call_later(_LOOK, self._look)

    def asks(self, one: Connection) -> None:
        """A connection has sent a whole request, or is no more."""
        if self._waiting.pop(one, None) is not None:
            address = _address(one)
            del self._waiting_of[address][one]
            if not self._waiting_of[address]:
                del self._waiting_of[address]

    def gone(self, one: Connection) -> None:
        """A connection was closed."""
        self.asks(one)
        if one.transport in self._open:
            self._open.discard(one.transport)
            address = _address(one)
            self._of[address] -= 1
            if not self._of[address]:
                del self._of[address]

    def _let_go(self, one: Connection) -> None:
        self.asks(one)
        one.transport.abort()

    def _look(self) -> None:
        """Lets go of those that have kept the server waiting for too long."""
        self._looking = None
        now = self._clock()
        for one, since in list(self._waiting.items()):
            if now - since > (BODY_SECONDS if one.has_head else HEAD_SECONDS):
                self._let_go(one)
        if self._waiting:
            self._looking = asyncio.get_running_loop().call_later(_LOOK, self._look)


def _address(one: Connection) -> str:
    return one.client[0] if one.client is not None else ""


def _is_near(address: str) -> bool:
    """Whether an address is this machine's own: a server in front of this one brings everybody from there."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return True


def _most() -> int:
    """As many connections as the system lets a process have, and no more than are of use."""
    if sys.platform == "win32":
        return MOST
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST + OTHER_FILES
    if 0 <= soft < wanted:
        soft = wanted if hard < 0 else min(hard, wanted)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return MOST if soft < 0 else max(OWNERS * 2, min(MOST, soft - OTHER_FILES))


def http_of(connections: Connections) -> type[H11Protocol]:
    """HTTP as uvicorn speaks it, with all its connections known to `connections`, from the first byte to the last."""

    class Limited(H11Protocol):
        """One connection."""

        @property
        def has_head(self) -> bool:
            """Whether the head of its request has come."""
            return self.cycle is not None and not self.cycle.response_complete

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            connections.came(self)

        def connection_lost(self, exc: Exception | None) -> None:
            connections.gone(self)
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            upgraded = self.transport.get_protocol() is not self
            if upgraded or (self.has_head and not self.cycle.more_body):
                connections.asks(self)
            elif not self.transport.is_closing():
                connections.waits(self)

        def on_response_complete(self) -> None:
            super().on_response_complete()
            if not self.transport.is_closing():
                connections.waits(self)

        def handle_websocket_upgrade(self, event: h11.Request) -> None:
            super().handle_websocket_upgrade(event)
            socket: Any = self.transport.get_protocol()
            lost = socket.connection_lost

            def gone(error: Exception | None) -> None:
                connections.gone(self)
                lost(error)

            socket.connection_lost = gone

    return Limited


class Brief(logging.Filter):
    """Lets so many lines a minute into the log, and none about whoever has hung up or sent what is no message."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._minute, self._lines = clock(), 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a line is written."""
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, _THEIRS):
            return False
        now = self._clock()
        if now - self._minute >= 60:
            self._minute, self._lines = now, 0
        self._lines += 1
        if self._lines == _MOST_LINES:
            record.msg, record.args, record.exc_info = "too many lines: the rest of this minute is left out", (), None
        return self._lines <= _MOST_LINES


#: Whose lines these are.
_LOGS = ("uvicorn.error", "asyncio", "websockets.server", "playmill.web")


def keep_log_brief() -> None:
    """From now on the log of a server cannot be filled from outside."""
    brief = Brief()
    for name in _LOGS:
        log = logging.getLogger(name)
        log.filters = [one for one in log.filters if not isinstance(one, Brief)]
        log.addFilter(brief)
