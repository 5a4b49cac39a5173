"""The ASGI application of a contest's site."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from playmill.lab.contests.contest.folder import STATE
from playmill.lab.contests.contest.rules import read_rules
from playmill.lab.contests.hosted.player import PlayerProcess
from playmill.lab.contests.hosted.registry import Registry
from playmill.web.access.connections import Connections
from playmill.web.access.owner import Owner
from playmill.web.access.security import SecurityMiddleware
from playmill.web.contest.entrants import SLACK, SUBMIT, EntrantPages
from playmill.web.contest.kit import KitPages
from playmill.web.contest.organiser import OrganiserPages
from playmill.web.contest.phrases import CONTEST
from playmill.web.contest.public import PublicPages
from playmill.web.contest.site import ContestSite
from playmill.web.contest.view import ContestView
from playmill.web.live.registry import TableRegistry
from playmill.web.page.renderer import FOLDER, Renderer
from playmill.web.play.home import HomePages
from playmill.web.replay.pages import ReplayPages
from playmill.web.table.store import TableStore

#: Seconds between two looks at the player.
_LOOK = 1.0


def make_contest_app(
    folder: Path,
    *,
    owner: Owner,
    player: PlayerProcess | None = None,
    restart: Callable[[], None] | None = None,
    public: bool = False,
) -> Starlette:
    """Builds the application of the contest in a folder.

    Without a `player` nothing is played, and what is handed in waits. `restart` begins the whole server anew. A
    `public` one answers to any name, not to this machine's alone.
    """
    rules = read_rules(folder)
    registry = Registry(folder / STATE)
    registry.sweep()
    games = {rules.game.name: rules.game}
    tables = TableRegistry(TableStore(folder / STATE / "site" / "tables.sqlite3"), games, compiles=False)
    renderer = Renderer(games, first_page=CONTEST["first_page"])
    site = ContestSite(folder.name, ContestView(folder, rules, registry), rules, registry, renderer, owner, player)
    replays = ReplayPages(tables, renderer)
    home = HomePages(tables, renderer, owner)
    kits = KitPages(site)
    connections = Connections()
    watched = [route for route in replays.routes() if route.path.startswith("/watch/")]

    @asynccontextmanager
    async def living(app: Starlette) -> AsyncIterator[None]:
        watching = asyncio.ensure_future(_watch(player))
        if player is not None:
            kits.prepare()
        try:
            yield
        finally:
            watching.cancel()
            with suppress(asyncio.CancelledError):
                await watching
            if player is not None:
                player.end()
            replays.close()
            tables.close()
            registry.close()

    app = Starlette(
        routes=[
            *PublicPages(site, replays).routes(),
            *EntrantPages(site, replays).routes(),
            *OrganiserPages(site, restart or (lambda: None)).routes(),
            *kits.routes(),
            *watched,
            Route("/games/{game}/cover.svg", home.cover),
            Route("/lang/{lang}", home.switch_language),
            Mount("/static", StaticFiles(directory=FOLDER / "static")),
            Mount("/fonts", StaticFiles(directory=FOLDER.parent / "fonts")),
        ],
        middleware=[
            Middleware(
                SecurityMiddleware,
                owner=owner,
                connections=connections,
                public=public,
                longest_bodies={SUBMIT: (rules.server.megabytes << 20) + SLACK},
            )
        ],
        exception_handlers=renderer.exception_handlers(),
        lifespan=living,
    )
    app.state.connections = connections
    app.state.site = site
    return app


async def _watch(player: PlayerProcess | None) -> None:
    """Starts the player, and again whenever it is gone."""
    while player is not None:
        await run_in_threadpool(player.watch)
        await asyncio.sleep(_LOOK)
