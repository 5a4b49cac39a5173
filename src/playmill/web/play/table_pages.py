"""Page of a table, its rules in words, and the owner's list of all tables."""

from __future__ import annotations

from datetime import datetime

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from playmill.texts import Text
from playmill.web.access.owner import Owner
from playmill.web.agents.offered import USUAL
from playmill.web.live.registry import TableRegistry
from playmill.web.live.setup import GRACES
from playmill.web.page.phrases import CLIENT, PAGE
from playmill.web.page.renderer import Renderer, data_block
from playmill.web.page.requests import language, read_form
from playmill.web.play.rulebook import rulebook_response

#: The most tables that are listed.
_MOST_LISTED = 1000


class TablePages:
    """Answers requests for pages of tables; what happens there goes through the WebSocket."""

    def __init__(self, tables: TableRegistry, renderer: Renderer, owner: Owner) -> None:
        self._tables, self._renderer, self._owner = tables, renderer, owner

    def routes(self) -> list[Route]:
        """The addresses."""
        return [
            Route("/tables/all", self.all_tables, methods=["GET", "POST"]),
            Route("/t/{table}", self.page),
            Route("/t/{table}/rules", self.rules),
        ]

    async def page(self, request: Request) -> Response:
        """The page of a table."""
        actor = await self._tables.actor(request.path_params["table"])
        if actor is None:
            return self._renderer.error(request, 404, PAGE["missing_table"])
        facts = actor.table.facts
        game = self._tables.games.get(facts.game)
        lang = language(request)
        agents = self._tables.agents.get(facts.game, {})
        data = {
            "table": facts.id,
            "lang": lang,
            "words": {key: text.of(lang) for key, text in CLIENT.items()},
            "agents": {key: agent.name.of(lang) for key, agent in agents.items()},
            "usual": USUAL,
            "title": game.title.of(lang) if game else facts.game,
            "game": facts.game,
            "key": self._renderer.key,  # whoever sees this page has it; a link for others needs it
        }
        return self._renderer.page(
            request,
            "table",
            title=game.title if game else Text(facts.game, facts.game),
            game=game,
            graces=GRACES,
            data=data_block(data),
        )

    async def rules(self, request: Request) -> Response:
        """The rules in words that a table is played by."""
        actor = await self._tables.actor(request.path_params["table"])
        if actor is None or actor.table.game is None or actor.table.trouble is not None:
            return self._renderer.missing(request)
        return await rulebook_response(actor.table.game, dict(actor.table.facts.config), language(request))

    async def all_tables(self, request: Request) -> Response:
        """The owner's list of all tables, from which they can be removed."""
        if not self._owner.is_owner(request.headers):
            return self._renderer.error(request, 403, PAGE["all_tables"], PAGE["not_owner"])
        if request.method == "POST":
            form = await read_form(request)
            for table in form.get("table", []):
                await self._tables.remove(table)
            return RedirectResponse("/tables/all", 303)
        listed = await run_in_threadpool(self._tables.store.listed)
        here = {table: len(actor.browsers) for table, actor in self._tables.open_actors.items()}
        more = len(listed) - _MOST_LISTED
        games = self._tables.games
        return self._renderer.page(
            request, "tables", listed=listed[:_MOST_LISTED], more=more, here_now=here, day=_local_time, games=games
        )


def _local_time(moment: float) -> str:
    """A moment in the time of this machine."""
    return f"{datetime.fromtimestamp(moment):%Y-%m-%d %H:%M}"
