"""The ASGI application: routes, middleware, background tasks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Mount, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket

from playmill.engine.contract.game import Game
from playmill.web.access.connections import Connections
from playmill.web.access.owner import Owner
from playmill.web.access.security import SecurityMiddleware
from playmill.web.lab.content.pages import ContentPages
from playmill.web.lab.content.saved import SavedContent
from playmill.web.lab.contests import ContestPages
from playmill.web.lab.map_editor.pages import MapEditorPages
from playmill.web.lab.pages import Laboratory
from playmill.web.live.registry import TableRegistry
from playmill.web.live.websocket import serve_browser
from playmill.web.page.renderer import FOLDER, Renderer
from playmill.web.play.home import HomePages
from playmill.web.play.setup_pages import SetupPages
from playmill.web.play.table_pages import TablePages
from playmill.web.replay.pages import ReplayPages
from playmill.web.saved.rules import SavedRules
from playmill.web.table.store import TableStore

#: Seconds between two checks for idle tables.
_TIDYING = 60.0


def make_app(
    path: Path,
    games: Mapping[str, Game],
    *,
    key: str | None = None,
    owner: str | Owner | None = None,
    files: Sequence[str] = (),
    contests: Mapping[str, Path] | None = None,
    compiles: bool = True,
) -> Starlette:
    """Builds the application; its tables are stored in the file at `path`, and its jobs beside it.

    With a `key`, only browsers that have it are served. Whoever has the `owner`'s key may start jobs. Without
    `compiles`, agents make do with what was compiled before.
    """
    connections = Connections()
    ownership = owner if isinstance(owner, Owner) else Owner(owner)
    tables = TableRegistry(TableStore(path), games, files, compiles=compiles)
    kept = SavedContent(path.parent / "content")
    tables.kept = kept.valid
    rules = SavedRules(path.parent / "rules")
    renderer = Renderer(tables.games, key)
    home = HomePages(tables, renderer, ownership)
    setup = SetupPages(tables, renderer, rules, ownership)
    table_pages = TablePages(tables, renderer, ownership)
    replays = ReplayPages(tables, renderer)
    contest_pages = ContestPages(contests or {}, renderer, replays, ownership)
    laboratory = Laboratory(tables, renderer, rules, ownership, path.parent, sorted(contest_pages.folders))
    map_editor = MapEditorPages(tables, renderer, rules, ownership, laboratory.queue, path.parent)
    content_pages = ContentPages(tables, renderer, setup.show, rules, kept, ownership, laboratory.queue)

    async def socket(connection: WebSocket) -> None:
        await serve_browser(connection, tables)

    @asynccontextmanager
    async def living(app: Starlette) -> AsyncIterator[None]:
        chores = [asyncio.ensure_future(_tidy(tables)), asyncio.ensure_future(laboratory.queue.run())]
        try:
            yield
        finally:
            for chore in chores:
                chore.cancel()
                with suppress(asyncio.CancelledError):
                    await chore
            await laboratory.reports.close()
            replays.close()
            tables.close()

    app = Starlette(
        routes=[
            *home.routes(),
            *setup.routes(),
            *table_pages.routes(),
            WebSocketRoute("/t/{table}/socket", socket),
            *replays.routes(),
            *laboratory.routes(),
            *map_editor.routes(),
            *content_pages.routes(),
            *contest_pages.routes(),
            Mount("/static", StaticFiles(directory=FOLDER / "static")),
            Mount("/fonts", StaticFiles(directory=FOLDER.parent / "fonts")),
        ],
        middleware=[Middleware(SecurityMiddleware, key=key, owner=ownership, connections=connections)],
        exception_handlers=renderer.exception_handlers(),
        lifespan=living,
    )
    app.state.connections = connections
    app.state.tables = tables
    app.state.replays = replays
    app.state.laboratory = laboratory
    return app


async def _tidy(tables: TableRegistry) -> None:
    while True:
        await asyncio.sleep(_TIDYING)
        tables.close_idle()
        tables.expire()
