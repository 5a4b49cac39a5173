"""Replay pages: watch an uploaded replay, a finished table or a live one; their JSON data and download."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from playmill.engine.config.json_input import text_of as file_text
from playmill.home import make_private
from playmill.lab.replays.replay_file import text_of
from playmill.report.files.writing import write_text
from playmill.texts import Lang, PlaymillError, Text
from playmill.web.live.registry import TableRegistry
from playmill.web.page.phrases import CLIENT
from playmill.web.page.renderer import Renderer, data_block
from playmill.web.page.requests import client_address, language
from playmill.web.replay import positions as hindsight
from playmill.web.replay.phrases import WATCH, WATCH_KEYS, WATCH_PAGE
from playmill.web.replay.replay_table import MOST_BYTES, MOST_SECONDS, id_of, read_replay, table_of, written
from playmill.web.replay.win_chances import WinChanceService
from playmill.web.table.state import GameTable

#: Replays that are saved for links to them, the bytes of positions that may be in memory, and requests that are worked
#: on at once: tables at which people play come first.
MOST_REPLAYS, _IN_MEMORY, _AT_ONCE = 200, 300_000_000, 2
#: Requests from one address that may wait at the same time.
MOST_ASKED = 100

_GONE = Text(
    "This replay is not kept here any more: drop its file once more.",
    "Этой записи здесь больше нет: перетащите файл ещё раз.",
)
_TOO_MANY = Text(
    "You ask for more than can be answered at once: wait a little.",
    "Вы просите больше, чем можно ответить сразу: подождите немного.",
)
Work = Callable[[GameTable], Any]


class ReplayPages:
    """Answers all requests about replays, and about tables that are watched."""

    def __init__(self, tables: TableRegistry, renderer: Renderer) -> None:
        self._tables = tables
        self._renderer = renderer
        self._folder = tables.store.path.parent / "replays"
        self._shown: OrderedDict[str, GameTable] = OrderedDict()
        self._one = asyncio.Lock()
        self._few = asyncio.Semaphore(_AT_ONCE)
        self._asked: Counter[str] = Counter()
        self.forecasts = WinChanceService()

    def routes(self) -> list[Route]:
        """The addresses: of replays, and the same of tables."""
        made = [Route("/watch", self.drop), Route("/watch", self.take, methods=["POST"])]
        for place in ("/watch/{replay}", "/t/{table}/watch"):
            made += [
                Route(place, self.page),
                Route(f"{place}/story", self.story),
                Route(f"{place}/pictures", self.pictures),
                Route(f"{place}/chances", self.chances),
                Route(f"{place}/replay.json", self.download),
            ]
        return made

    def close(self) -> None:
        """Ends the background process."""
        self.forecasts.close()

    async def drop(self, request: Request) -> Response:
        """The page on which a replay file is uploaded."""
        words = {key: text.of(language(request)) for key, text in WATCH.items()}
        return self._renderer.page(request, "drop", said=WATCH_PAGE, data=data_block({"words": words}))

    async def take(self, request: Request) -> Response:
        """Takes an uploaded replay; answers with its address."""
        lang = language(request)
        body = b""
        async for piece in request.stream():
            body += piece
            if len(body) > MOST_BYTES:
                break
        try:
            return JSONResponse({"to": f"/watch/{await self.keep(body, lang)}"})
        except PlaymillError as error:
            return _sorry(error.public, lang, 400)

    async def keep(self, body: bytes, lang: Lang = "en") -> str:
        """Validates a replay and saves it; returns its id."""
        source = WATCH_PAGE["file"].of(lang)
        try:
            text = body.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise PlaymillError(f"{source}: it is not UTF-8 text", f"{source}: это не текст в UTF-8") from None
        name = id_of(text)
        if name not in self._shown:
            async with self._one:
                table = await run_in_threadpool(self._read, text, source, name)
            await run_in_threadpool(self._put, name, text)
            self._remember(name, table)
        return name

    def show(self, path: Path) -> str:
        """Saves the replay in a file of the owner's; returns the address of its page."""
        text = file_text(path)
        name = id_of(text)
        self._remember(name, self._read(text, str(path), name))
        self._put(name, text)
        return f"watch/{name}"

    def _read(self, text: str, source: str, name: str) -> GameTable:
        return table_of(read_replay(text, source, self._tables.games), source, name, MOST_SECONDS)

    def _put(self, name: str, text: str) -> None:
        """Saves the file of a replay, and removes the oldest."""
        make_private(self._folder)
        write_text(self._folder / f"{name}.json", text, ours=True)
        kept = sorted(self._folder.glob("*.json"), key=lambda path: path.stat().st_mtime)
        for path in kept[:-MOST_REPLAYS]:
            path.unlink(missing_ok=True)

    def _remember(self, name: str, table: GameTable) -> None:
        self._shown[name] = table
        self._shown.move_to_end(name)
        while len(self._shown) > 1 and sum(map(_weight, self._shown.values())) > _IN_MEMORY:
            self._shown.popitem(last=False)

    async def _found(self, request: Request) -> GameTable | None:
        """The table of a request; raises if the rules have changed since the replay."""
        if "table" in request.path_params:
            actor = await self._tables.actor(request.path_params["table"])
            return actor.table if actor is not None else None
        name = request.path_params["replay"]
        if name in self._shown:
            self._shown.move_to_end(name)
            return self._shown[name]
        path = self._folder / f"{name}.json"
        if not (name.isascii() and name.isalnum() and len(name) == len(id_of("")) and path.is_file()):
            return None
        with suppress(OSError):
            await self.keep(await run_in_threadpool(path.read_bytes), language(request))
        return self._shown.get(name)

    async def page(self, request: Request) -> Response:
        """The page itself; it asks for the data."""
        try:
            table = await self._found(request)
        except PlaymillError as error:
            return self._renderer.missing(request, error.public)
        lang = language(request)
        if table is None or table.game is None or table.trouble is not None:
            if table is not None:
                return self._renderer.missing(request, table.trouble)
            return self._renderer.missing(request, _GONE if "replay" in request.path_params else None)
        recorded = "replay" in request.path_params
        agents = self._tables.agents.get(table.facts.game, {})
        data = {
            "at": request.url.path,
            "table": None if recorded else table.facts.id,
            "lang": lang,
            "words": {key: text.of(lang) for key, text in {**CLIENT, **WATCH}.items()},
            "agents": {key: agent.name.of(lang) for key, agent in agents.items()},
            "title": table.game.title.of(lang),
            "key": self._renderer.key,  # whoever sees this page has it; a link for others needs it
        }
        rules = None if recorded else f"/t/{table.facts.id}/rules"
        return self._renderer.page(
            request,
            "watch",
            title=table.game.title,
            data=data_block(data),
            said=WATCH_PAGE,
            watch_keys=WATCH_KEYS,
            rules=rules or f"/games/{table.facts.game}/rules",
            back=None if recorded else f"/t/{table.facts.id}",
        )

    async def _answer(self, request: Request, work: Work) -> Response:
        lang, client = _lang(request), client_address(request)
        if self._asked[client] >= MOST_ASKED:
            return _sorry(_TOO_MANY, lang, 429)
        self._asked[client] += 1
        try:
            table = await self._found(request)
            if table is None:
                return _sorry(_GONE, lang, 404)
            async with self._few:
                return JSONResponse(await run_in_threadpool(work, table))
        except PlaymillError as error:
            return _sorry(error.public, lang, 403)
        finally:
            self._asked[client] -= 1
            self._asked += Counter()  # whoever waits for nothing is forgotten

    async def story(self, request: Request) -> Response:
        """The log of a game from a viewpoint, as JSON."""
        return await self._answer(request, lambda table: hindsight.story(table, _eyes(request), _lang(request)))

    async def pictures(self, request: Request) -> Response:
        """Some positions from a viewpoint, as JSON."""
        first, count = (_number(request.query_params.get(key)) for key in ("from", "count"))
        places = range(first, first + min(count, hindsight.MOST_AT_ONCE))
        return await self._answer(
            request, lambda table: hindsight.pictures(table, _eyes(request), _lang(request), places)
        )

    async def chances(self, request: Request) -> Response:
        """Win chances so far, from positions as everybody knows them, as JSON.

        Not while people play: they would be advice, and reveal more than a glance at the table.
        """

        def work(table: GameTable) -> Any:
            hindsight.check_viewpoint(table, None)
            if not table.over and not all(chair.agent and not chair.token for chair in table.chairs):
                return {"state": "later", "course": None}
            return self.forecasts.ask(table, client_address(request))

        return await self._answer(request, work)

    async def download(self, request: Request) -> Response:
        """A finished game as a replay file."""
        lang = language(request)
        try:
            table = await self._found(request)
        except PlaymillError as error:
            return _sorry(error.public, lang, 403)
        if table is None or table.trouble is not None:
            return self._renderer.missing(request)
        name = request.path_params.get("replay")
        try:
            if name is not None:
                text = await run_in_threadpool((self._folder / f"{name}.json").read_text, "utf-8")
            else:
                text = await run_in_threadpool(lambda: text_of(written(table)))
        except PlaymillError as error:
            return _sorry(error.public, lang, 403)
        except OSError:
            return self._renderer.missing(request)
        headers = {"Content-Disposition": f'attachment; filename="{table.facts.game}.json"'}
        return Response(text, media_type="application/json", headers=headers)


def _weight(table: GameTable) -> int:
    """The bytes of memory that a game's positions take, roughly."""
    return len(table.moments) * table.game.state.itemsize if table.game is not None else 0


def _sorry(text: Text, lang: Lang, status: int) -> JSONResponse:
    return JSONResponse({"error": text.of(lang)}, status)


def _lang(request: Request) -> Lang:
    asked = request.query_params.get("lang")
    return language(request) if asked not in ("en", "ru") else "ru" if asked == "ru" else "en"


def _eyes(request: Request) -> int | None:
    """With whose eyes: a seat's number, `open`, or by default everybody's."""
    asked = request.query_params.get("as", "")
    if asked == "open":
        return hindsight.OPEN
    return int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 3 else None


def _number(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 8 else 0
