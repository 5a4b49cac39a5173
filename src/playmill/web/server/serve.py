"""Runs the server (`playmill serve`): address and port, keys, signals, the browser it opens."""

from __future__ import annotations

import asyncio
import secrets
import signal
import socket
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import uvicorn
from starlette.applications import Starlette

from playmill.agents.agent_specs import agent_file
from playmill.agents.programs.spec import is_program, read_program
from playmill.engine.config.json_input import reason_of, text_of
from playmill.engine.contract.game import Game, game_names, load_game
from playmill.texts import Lang, PlaymillError, Text
from playmill.web.access.connections import limit_log, limited_http
from playmill.web.access.owner import Owner, key_file, owner_key
from playmill.web.access.security import reachable_by
from playmill.web.live.registry import store_path
from playmill.web.server.app import make_app
from playmill.web.table.protocol import LONGEST_MESSAGE, TOKEN_BYTES

#: Default host and port; if the port is taken, any free one.
HOST, PORT = "127.0.0.1", 8317
_SHORTEST_KEY, _LONGEST_KEY = 16, 200
#: Connections that may wait to be accepted.
_BACKLOG = 128

_HERE = Text("Playmill is at {}", "Playmill открыт по адресу {}")
_ALONE = Text("Only this machine can reach it.", "Доступен только с этого компьютера.")
_ALL = Text(
    "Everybody who can reach this machine over the network and has the key in that address can play.",
    "Играть может каждый, кто видит этот компьютер по сети и знает ключ из этого адреса.",
)
_OWNER = Text(
    "Your own address, which may also use the laboratory: {}", "Ваш адрес, с которого доступна и лаборатория: {}"
)
_KEPT = Text("Tables are kept in {}; Ctrl-C ends the server.", "Столы хранятся в {}; Ctrl-C останавливает сервер.")


@dataclass(frozen=True)
class ServerSettings:
    """Settings of a server: address, keys, games, agents and contests of the owner."""

    home: Path
    host: str = HOST
    port: int | None = None
    #: The file of the key that others need.
    key: Path | None = None
    folders: Sequence[str] = ()
    agents: Sequence[str] = ()
    #: Folders of contests that are shown.
    contests: Sequence[str] = ()
    opens: bool = True
    #: The file of a replay that is shown at once.
    replay: Path | None = None


def serve(settings: ServerSettings, lang: Lang, say: Callable[[str], None] = print) -> int:
    """Runs the server until a signal stops it."""
    games = games_on_offer(settings.folders)
    contests = _contests(settings.contests, games)
    for agent in settings.agents:
        _check_agent(agent)
    key = _key(settings)
    listener = listen(settings.host, settings.port)
    owner = owner_key(settings.home)
    ownership = Owner(owner, key_file(settings.home))
    tables = store_path(settings.home)
    app = make_app(tables, games, key=key, owner=ownership, files=settings.agents, contests=contests)
    page = app.state.replays.show(settings.replay) if settings.replay is not None else ""
    port = listener.getsockname()[1]
    own = address(settings.host, port, owner, page, name="owner")
    if key is None:
        say(_HERE.of(lang).format(own))
    else:
        say(_HERE.of(lang).format(address(settings.host, port, key, page)))
        say(_OWNER.of(lang).format(own))
    say((_ALL if key is not None else _ALONE).of(lang))
    say(_KEPT.of(lang).format(tables))
    opened = None
    if settings.opens:  # a browser's command line is there for all to read, so it gets no key
        opened = address(settings.host, port, ownership.new_code(), page, name="code")
    asyncio.run(Server(server_config(app), opened).serve(sockets=[listener]))
    return 0


def server_config(app: Starlette) -> uvicorn.Config:
    """The configuration of uvicorn: no access log, limits of messages."""
    config = uvicorn.Config(
        app,
        http=limited_http(app.state.connections),
        backlog=_BACKLOG,
        log_level="warning",
        access_log=False,
        server_header=False,
        ws_max_size=4 * LONGEST_MESSAGE,
        ws_per_message_deflate=False,  # what is long is compressed once for everybody who gets it
        ws_ping_interval=20,
        ws_ping_timeout=20,
        timeout_graceful_shutdown=1,
    )
    limit_log()
    return config


def games_on_offer(folders: Sequence[str] = ()) -> dict[str, Game]:
    """Loads the installed games, and those in folders that the owner named."""
    games = [load_game(name) for name in game_names()]
    games += [load_game(folder if "/" in folder or "\\" in folder else f"./{folder}") for folder in folders]
    return {game.name: game for game in games}


def _contests(folders: Sequence[str], games: dict[str, Game]) -> dict[str, Path]:
    """Opens the contests in some folders, by name; their games are on offer, so that they can be watched."""
    found: dict[str, Path] = {}
    for folder in folders:
        from playmill.lab.contests.contest import Contest  # most servers show none

        contest = Contest(folder)
        name = contest.folder.name
        if name in found:
            raise PlaymillError(f"two contests are called {name!r}", f"два соревнования называются {name!r}")
        found[name] = contest.folder
        games.setdefault(contest.rules.game.name, contest.rules.game)
    return found


def _check_agent(agent: str) -> None:
    """Raises unless an agent of the owner's is an existing file, or a program."""
    if is_program(agent):
        read_program(agent)
        return
    found = agent_file(agent)
    if found is None or not found[0].is_file():
        raise PlaymillError(f"there is no agent file {agent}", f"файла агента {agent} нет")


class Server(uvicorn.Server):
    """Stops by the first signal, and at once by the second; opens a browser when it is ready."""

    def __init__(self, config: uvicorn.Config, address: str | None) -> None:
        super().__init__(config)
        self._address = address

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        loop, heard = asyncio.get_running_loop(), []
        for number in (signal.SIGINT, signal.SIGTERM):
            before = signal.getsignal(number)
            with suppress(NotImplementedError, RuntimeError, ValueError):  # not everywhere, nor in every thread
                loop.add_signal_handler(number, self.handle_exit, number, None)
                heard.append((number, before))
        yield
        for number, before in heard:
            loop.remove_signal_handler(number)
            signal.signal(number, before)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self._address is not None:
            asyncio.get_running_loop().run_in_executor(None, webbrowser.open, self._address)


def _key(settings: ServerSettings) -> str | None:
    """The access key of a server that other machines can reach; else None."""
    if settings.key is None:
        return secrets.token_urlsafe(TOKEN_BYTES) if reachable_by(settings.host) else None
    key = text_of(settings.key).strip()
    if not _SHORTEST_KEY <= len(key) <= _LONGEST_KEY or not key.isascii() or not key.isprintable() or " " in key:
        raise PlaymillError(
            f"the key in {str(settings.key)!r} has {len(key)} characters; expected {_SHORTEST_KEY} to {_LONGEST_KEY} "
            "letters, digits and signs",
            f"в ключе из {str(settings.key)!r} символов: {len(key)}; нужно от {_SHORTEST_KEY} до {_LONGEST_KEY} "
            "латинских букв, цифр и знаков",
        )
    return key


def listen(host: str, given: int | None) -> socket.socket:
    """Opens a socket; without a given port, at the default one or any free one."""
    ports = [given] if given is not None else [PORT, 0]
    for place, port in enumerate(ports):
        try:
            kind = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
            listener = socket.socket(kind[0], socket.SOCK_STREAM)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(kind[4])
            listener.listen(2048)
        except OSError as error:
            if place + 1 < len(ports):
                continue
            why = reason_of(error)
            raise PlaymillError(
                f"cannot listen at {host}, port {port}: {why.en}",
                f"не удаётся слушать {host}, порт {port}: {why.ru}",
            ) from None
        return listener
    raise AssertionError


def address(host: str, port: int, key: str | None, page: str = "", name: str = "key") -> str:
    """The address to type into a browser."""
    machine = socket.gethostname() if host in ("0.0.0.0", "::", "") else host
    machine = f"[{machine}]" if ":" in machine else machine
    return f"http://{machine}:{port}/{page}" + (f"?{name}={key}" if key is not None else "")
