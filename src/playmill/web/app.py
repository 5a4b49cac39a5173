"""The app: routes, and what lives as long as the server does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket

from playmill.engine.contract.game import Game
from playmill.texts import PlaymillError
from playmill.web.connections import Connections
from playmill.web.guard import Guard
from playmill.web.lab.content.kept import SavedContent
from playmill.web.lab.content.pages import ContentPages
from playmill.web.lab.contest import ContestPages
from playmill.web.lab.drawing import DrawingPages
from playmill.web.lab.pages import Laboratory
from playmill.web.lab.rules import SavedRules
from playmill.web.ledger import Ledger
from playmill.web.owner import Owner
from playmill.web.pages import FOLDER, Pages
from playmill.web.sockets import attend
from playmill.web.tables import Tables
from playmill.web.watching import Watching

#: Seconds between two looks for tables at which nobody is.
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
    """The whole site, its tables kept in the file at `path` and its work beside it; with a key, for all who have it.

    Whoever has the `owner`'s key may have work done. Unless it `compiles` what agents need, they make do with what was
    compiled before.
    """
    connections = Connections()
    ownership = owner if isinstance(owner, Owner) else Owner(owner)
    tables = Tables(Ledger(path), games, files, compiles=compiles)
    kept = SavedContent(path.parent / "content")
    tables.kept = kept.right
    rules = SavedRules(path.parent / "rules")
    pages = Pages(tables, key, rules, ownership)
    watching = Watching(tables, pages, key)
    contest_pages = ContestPages(contests or {}, pages, watching, ownership)
    laboratory = Laboratory(tables, pages, rules, ownership, path.parent, sorted(contest_pages.folders))
    drawings = DrawingPages(tables, pages, rules, ownership, laboratory.works, path.parent)
    content_pages = ContentPages(tables, pages, rules, kept, ownership, laboratory.works)

    async def socket(connection: WebSocket) -> None:
        await attend(connection, tables)

    async def missing(request: Request, error: Exception) -> Response:
        return pages.missing(request)

    async def busy(request: Request, error: Exception) -> Response:
        assert isinstance(error, PlaymillError)
        return pages.sorry(request, error.public)

    @asynccontextmanager
    async def living(app: Starlette) -> AsyncIterator[None]:
        chores = [asyncio.ensure_future(_tidy(tables)), asyncio.ensure_future(laboratory.works.run())]
        try:
            yield
        finally:
            for chore in chores:
                chore.cancel()
                with suppress(asyncio.CancelledError):
                    await chore
            await laboratory.shown.close()
            watching.close()
            tables.close()

    app = Starlette(
        routes=[
            Route("/", pages.home),
            Route("/games/{game}", pages.lay),
            Route("/games/{game}/cover.svg", pages.picture),
            Route("/games/{game}/choice.svg", pages.choice),
            Route("/games/{game}/rules", pages.rules),
            Route("/tables", pages.make, methods=["POST"]),
            Route("/tables", pages.first, methods=["GET"]),
            Route("/tables/all", pages.all_tables, methods=["GET", "POST"]),
            Route("/t/{table}", pages.table),
            Route("/t/{table}/rules", pages.table_rules),
            WebSocketRoute("/t/{table}/socket", socket),
            *watching.routes(),
            *laboratory.routes(),
            *drawings.routes(),
            *content_pages.routes(),
            *contest_pages.routes(),
            Route("/lang/{lang}", pages.speak),
            Mount("/static", StaticFiles(directory=FOLDER / "static")),
            Mount("/fonts", StaticFiles(directory=FOLDER.parent / "fonts")),
        ],
        middleware=[Middleware(Guard, key=key, owner=ownership, connections=connections)],
        exception_handlers={404: missing, HTTPException: missing, PlaymillError: busy},
        lifespan=living,
    )
    app.state.connections = connections
    app.state.tables = tables
    app.state.watching = watching
    app.state.laboratory = laboratory
    return app


async def _tidy(tables: Tables) -> None:
    while True:
        await asyncio.sleep(_TIDYING)
        tables.put_away()
        tables.expire()
