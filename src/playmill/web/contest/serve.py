"""Runs the server of a contest (`playmill contest DIR --serve`): its address, the organiser's key, the player."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from playmill.lab.contests.contest.folder import STATE
from playmill.lab.contests.hosted.contest import HostedContest
from playmill.lab.contests.hosted.player import PlayerProcess
from playmill.lab.contests.hosted.registry import Registry
from playmill.lab.runs.store.lock import RunLock
from playmill.texts import Lang, PlaymillError, Text
from playmill.web.access.owner import Owner, key_file, owner_key
from playmill.web.access.security import reachable_by
from playmill.web.contest.app import make_contest_app
from playmill.web.contest.organiser import PAGE
from playmill.web.server.serve import HOST, Server, address, listen, server_config

_HERE = Text("The contest is at {}", "Соревнование открыто по адресу {}")
_ALONE = Text(
    "Only this machine can reach it; --host 0.0.0.0 opens it to the network.",
    "Доступно только с этого компьютера; --host 0.0.0.0 откроет его сети.",
)
_ORGANISER = Text("Your own page, as the organiser: {}", "Ваша страница организатора: {}")
_KEPT = Text(
    "All that is handed in and played is kept in {}; Ctrl-C ends the server, the same command goes on.",
    "Всё присланное и сыгранное хранится в {}; Ctrl-C останавливает сервер, та же команда продолжает.",
)


@dataclass(frozen=True)
class ContestServerSettings:
    """Settings of a contest's server."""

    folder: Path
    host: str = HOST
    port: int | None = None
    workers: int | None = None
    on: str | None = None
    opens: bool = True


def serve_contest(settings: ContestServerSettings, lang: Lang, say: Callable[[str], None] = print) -> int:
    """Runs the server until a signal stops it; whoever asks to begin anew gets a process that has read all again."""
    folder = settings.folder.absolute()
    state = folder / STATE
    registry = Registry(state)
    HostedContest(folder, registry)  # raises what is wrong with the rules before anything is listened to
    (state / "server").mkdir(exist_ok=True)
    try:
        lock = RunLock(state / "server", "")
        lock.__enter__()
    except PlaymillError:
        raise PlaymillError(
            f"the contest in {folder} is served by another process already",
            f"соревнование в {folder} уже обслуживает другой процесс",
        ) from None
    try:
        again = _serve(settings, folder, registry, lang, say)
    finally:
        lock.__exit__()
    if again:
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])
    return 0


def _serve(
    settings: ContestServerSettings, folder: Path, registry: Registry, lang: Lang, say: Callable[[str], None]
) -> bool:
    """Serves; returns whether it is to begin anew."""
    # After a restart everybody finds it where it was.
    listener = listen(settings.host, settings.port if settings.port is not None else _last_port(settings, registry))
    port = listener.getsockname()[1]
    registry.change({"port": port})
    registry.close()
    key = owner_key(folder / STATE)
    owner = Owner(key, key_file(folder / STATE))
    player = PlayerProcess(folder, workers=settings.workers, on=settings.on)
    again: list[bool] = []

    def restart() -> None:
        again.append(True)
        server.should_exit = True

    public = reachable_by(settings.host)
    app = make_contest_app(folder, owner=owner, player=player, restart=restart, public=public)
    say(_HERE.of(lang).format(address(settings.host, port, None)))
    if not public:
        say(_ALONE.of(lang))
    say(_ORGANISER.of(lang).format(address(settings.host, port, key, PAGE.lstrip("/"), name="owner")))
    say(_KEPT.of(lang).format(folder))
    opened = address(settings.host, port, owner.new_code(), PAGE.lstrip("/"), name="code") if settings.opens else None
    server = Server(server_config(app), opened)
    try:
        asyncio.run(server.serve(sockets=[listener]))
    finally:
        player.end()
    return bool(again)


def _last_port(settings: ContestServerSettings, registry: Registry) -> int | None:
    """Returns the port that the contest had before, if it is free."""
    port = registry.setting("port")
    if port is None:
        return None
    try:
        listen(settings.host, port).close()
    except PlaymillError:
        return None
    return int(port)
