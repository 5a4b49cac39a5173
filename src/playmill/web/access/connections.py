"""Connection limits of the server: how many browsers, timeouts of requests, and a cap on log lines.

A connection that has sent no whole request yet *waits*. Few may wait, of one address fewer, and none for long; where
more come, the oldest that waits is dropped, so that whoever sends a request is always heard: it takes milliseconds. A
part of all connections is reserved for the owner.
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
#: Seconds between two checks for those that are late.
_LOOK = 1.0
#: Lines of the log a minute.
_MOST_LINES = 60
#: Errors that the other end of a connection causes.
_THEIRS = (ClientDisconnect, ConnectionError, WebSocketDisconnect, WebSocketException, h11.ProtocolError)


class Connection(Protocol):
    """A connection as far as limits need to know it."""

    client: tuple[str, int] | None
    transport: Any

    @property
    def has_head(self) -> bool:
        """Whether the head of its request has come."""


class Connections:
    """Counts the connections of a server and drops those beyond the limits."""

    def __init__(self, most: int | None = None) -> None:
        self.most = most if most is not None else _most()
        self.most_waiting = min(MOST_WAITING, self.most // 2)
        #: Those that wait, the oldest first: since when; and of each address.
        self._waiting: dict[Connection, float] = {}
        self._waiting_of: dict[str, dict[Connection, None]] = {}
        self._open: set[Any] = set()
        self._of: Counter[str] = Counter()
        self._timer: asyncio.TimerHandle | None = None

    @property
    def crowded(self) -> bool:
        """Whether the connections that are left are reserved for the owner."""
        return len(self._open) > self.most - OWNERS

    def opened(self, one: Connection) -> None:
        """Registers a new connection, which waits; drops the oldest that waits if there are too many."""
        address = _address(one)
        self._open.add(one.transport)
        self._of[address] += 1
        if self._of[address] > MOST_OF_ONE and not _is_near(address):
            one.transport.abort()
            return
        self.start_waiting(one)
        mine = self._waiting_of[address]
        if len(mine) > WAITING_OF_ONE:
            self._drop(next(iter(mine)))
        elif len(self._waiting) > self.most_waiting or len(self._open) > self.most:
            self._drop(next(iter(self._waiting)))

    def start_waiting(self, one: Connection) -> None:
        """Registers that the server waits for a request of this connection, unless it does already."""
        self._waiting.setdefault(one, time.monotonic())
        self._waiting_of.setdefault(_address(one), {})[one] = None
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(_LOOK, self._drop_late)

    def stop_waiting(self, one: Connection) -> None:
        """Registers that a whole request has come, or that the connection is gone."""
        if self._waiting.pop(one, None) is not None:
            address = _address(one)
            del self._waiting_of[address][one]
            if not self._waiting_of[address]:
                del self._waiting_of[address]

    def closed(self, one: Connection) -> None:
        """Removes a closed connection."""
        self.stop_waiting(one)
        if one.transport in self._open:
            self._open.discard(one.transport)
            address = _address(one)
            self._of[address] -= 1
            if not self._of[address]:
                del self._of[address]

    def _drop(self, one: Connection) -> None:
        self.stop_waiting(one)
        one.transport.abort()

    def _drop_late(self) -> None:
        """Drops connections whose request takes too long."""
        self._timer = None
        now = time.monotonic()
        for one, since in list(self._waiting.items()):
            if now - since > (BODY_SECONDS if one.has_head else HEAD_SECONDS):
                self._drop(one)
        if self._waiting:
            self._timer = asyncio.get_running_loop().call_later(_LOOK, self._drop_late)


def _address(one: Connection) -> str:
    return one.client[0] if one.client is not None else ""


def _is_near(address: str) -> bool:
    """Whether an address is this machine's own: a proxy in front of this server brings everybody from there."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return True


def _most() -> int:
    """The limit of connections: what the system allows a process, up to MOST."""
    if sys.platform == "win32":
        return MOST
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST + OTHER_FILES
    if 0 <= soft < wanted:
        soft = wanted if hard < 0 else min(hard, wanted)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return MOST if soft < 0 else max(OWNERS * 2, min(MOST, soft - OTHER_FILES))


def limited_http(connections: Connections) -> type[H11Protocol]:
    """uvicorn's HTTP protocol, with all its connections registered in `connections`."""

    class Limited(H11Protocol):
        """One connection."""

        @property
        def has_head(self) -> bool:
            """Whether the head of its request has come."""
            return self.cycle is not None and not self.cycle.response_complete

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            connections.opened(self)

        def connection_lost(self, exc: Exception | None) -> None:
            connections.closed(self)
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            upgraded = self.transport.get_protocol() is not self
            if upgraded or (self.has_head and not self.cycle.more_body):
                connections.stop_waiting(self)
            elif not self.transport.is_closing():
                connections.start_waiting(self)

        def on_response_complete(self) -> None:
            super().on_response_complete()
            if not self.transport.is_closing():
                connections.start_waiting(self)

        def handle_websocket_upgrade(self, event: h11.Request) -> None:
            super().handle_websocket_upgrade(event)
            socket: Any = self.transport.get_protocol()
            lost = socket.connection_lost

            def closed(error: Exception | None) -> None:
                connections.closed(self)
                lost(error)

            socket.connection_lost = closed

    return Limited


class LogLimit(logging.Filter):
    """Log filter: a number of lines a minute, and none about clients that hang up or send invalid data."""

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


#: Loggers that are limited.
_LOGS = ("uvicorn.error", "asyncio", "websockets.server", "playmill.web")


def limit_log() -> None:
    """Installs the filter, so that clients cannot fill the log of the server."""
    brief = LogLimit()
    for name in _LOGS:
        log = logging.getLogger(name)
        log.filters = [one for one in log.filters if not isinstance(one, LogLimit)]
        log.addFilter(brief)
