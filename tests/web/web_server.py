"""A server for tests, in a thread of its own, and a WebSocket client without a browser."""

from __future__ import annotations

import asyncio
import http.client
import json
import secrets
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import uvicorn
from starlette.applications import Starlette
from websockets.sync.client import ClientConnection, connect

from playmill import Game
from playmill.web.lab.pages import Laboratory
from playmill.web.live.registry import TableRegistry
from playmill.web.live.setup import TableSetup
from playmill.web.replay.pages import ReplayPages
from playmill.web.server.app import make_app
from playmill.web.server.serve import server_config

#: Seconds after which something is taken for never: no machine is so slow.
LONGEST = 1200


def until(wanted: Callable[[], Any]) -> None:
    """Waits until something is true."""
    end = time.monotonic() + LONGEST
    while not wanted():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


class Site:
    """A running server: its address, its tables, and requests to it."""

    def __init__(self, port: int, app: Starlette, loop: asyncio.AbstractEventLoop) -> None:
        self.port = port
        self.loop = loop
        self.tables: TableRegistry = app.state.tables
        self.replays: ReplayPages = app.state.replays
        self.laboratory: Laboratory = app.state.laboratory
        self.url = f"http://127.0.0.1:{port}"

    def ask(self, path: str, form: dict[str, Any] | None = None, **headers: str) -> tuple[int, dict[str, str], str]:
        """A request, a POST if there is a form: the status, the headers and the text of the answer."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LONGEST)
        sent = {"Origin": self.url, **{name.replace("_", "-"): value for name, value in headers.items()}}
        body = urlencode(form, doseq=True) if form is not None else None
        if body is not None:
            sent["Content-Type"] = "application/x-www-form-urlencoded"
        line.request("GET" if body is None else "POST", path, body, {k: v for k, v in sent.items() if v})
        answer = line.getresponse()
        text = answer.read().decode()
        line.close()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, text

    def make(
        self, game: str, seats: Sequence[str] = (), seed: int | None = None, *, waits: bool = False, **rest: Any
    ) -> tuple[str, str]:
        """A new table: its id and its owner's token; with luck that is known, if a seed is given.

        Its owner is ready to begin unless she `waits`.
        """
        table, owner = self.tables.make(TableSetup(game, len(seats) or None, seats, **rest))
        self.tables.store._do(("UPDATE seats SET waits = ? WHERE table_id = ?", (int(waits), table)))
        if seed is not None:
            self.tables.store._do(("UPDATE tables SET seed = ? WHERE id = ?", (seed, table)))
        return table, owner

    @contextmanager
    def at(self, table: str, *tokens: str, **hello: Any) -> Iterator[Guest]:
        """Somebody at a table."""
        address = f"ws://127.0.0.1:{self.port}/t/{table}/socket"
        with connect(address, origin=self.url, open_timeout=LONGEST) as line:
            guest = Guest(line)
            guest.say(kind="hello", tokens=list(tokens), **hello)
            guest.look()
            yield guest


class Guest:
    """Somebody at a table: what she has seen, and what she was answered."""

    def __init__(self, line: ClientConnection) -> None:
        self.line = line
        self.seen: dict[str, Any] = {}
        self.texts: list[str] = []
        self.answers: dict[str, dict[str, Any]] = {}

    def say(self, **message: Any) -> None:
        """Sends a message."""
        self.line.send(json.dumps(message))

    def hear(self, timeout: float = LONGEST) -> dict[str, Any]:
        """The next message."""
        text = str(self.line.recv(timeout))
        self.texts.append(text)
        message: dict[str, Any] = json.loads(text)
        if message["kind"] == "seen":
            self.seen = message
        elif "id" in message:
            self.answers[message["id"]] = message
        return message

    def look(self) -> dict[str, Any]:
        """Hears until the table is shown."""
        while self.hear()["kind"] != "seen":
            pass
        return self.seen

    def until(self, wanted: Any) -> dict[str, Any]:
        """Hears until what is shown is as wanted."""
        end = time.monotonic() + LONGEST
        while not wanted(self.seen):
            assert time.monotonic() < end, f"waited in vain; last: {self.seen}"
            self.hear()
        return self.seen

    def ask(self, **message: Any) -> dict[str, Any]:
        """Sends a wish and hears until it is answered; whoever sits down is ready unless she says otherwise."""
        if message["kind"] == "sit":
            message.setdefault("ready", True)
        message.setdefault("id", secrets.token_urlsafe(9))
        self.say(**message)
        while message["id"] not in self.answers:
            self.hear()
        return self.answers.pop(message["id"])

    def move(self, action: int | None = None) -> dict[str, Any]:
        """Decides, by default for the first option."""
        action = self.seen["options"][0]["action"] if action is None else action
        return self.ask(kind="move", version=self.seen["version"], action=action)


@contextmanager
def running(path: Path, games: dict[str, Game], **rest: Any) -> Iterator[Site]:
    """A server whose tables are in a file; agents make do with what is compiled already."""
    app = make_app(path, games, **{"compiles": False, **rest})
    with serving(app) as (port, loop):
        yield Site(port, app, loop)


@contextmanager
def serving(app: Starlette) -> Iterator[tuple[int, asyncio.AbstractEventLoop]]:
    """Any application, served in a thread: its port, and its event loop."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(100)
    server = uvicorn.Server(server_config(app))
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=lambda: loop.run_until_complete(server.serve(sockets=[listener])), daemon=True)
    thread.start()
    until(lambda: server.started)
    yield listener.getsockname()[1], loop
    server.should_exit = True
    thread.join(LONGEST)


class Cable:
    """A way to a server that can be cut: then nothing comes or goes, and nobody says so, until it is mended."""

    def __init__(self, port: int) -> None:
        self._server = port
        self._whole = threading.Event()
        self._whole.set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """From now on nothing passes."""
        self._whole.clear()

    def mend(self) -> None:
        """What waited passes, and everything after it."""
        self._whole.set()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near = self._listener.accept()[0]
                self._whole.wait()
                far = socket.create_connection(("127.0.0.1", self._server))
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=self._pass, args=(one, other), daemon=True).start()

    def _pass(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(65536):
                self._whole.wait()
                other.sendall(data)
        with suppress(OSError):
            other.shutdown(socket.SHUT_WR)
