"""The first page, and what is shown of a game without a table: cover, rules in words, pictures of choices."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from playmill.engine.config.settings import SettingKind, settings_of
from playmill.engine.contract.choices import offered
from playmill.engine.contract.game import Game
from playmill.texts import LANGUAGES, PlaymillError
from playmill.web.access.owner import Owner
from playmill.web.live.registry import TableRegistry
from playmill.web.page.renderer import Renderer, svg_response
from playmill.web.page.requests import asked_language, language, set_language, small_number
from playmill.web.play.cover import cover
from playmill.web.play.rulebook import rulebook_response


class HomePages:
    """Answers requests for the first page and for what is shown of a game."""

    def __init__(self, tables: TableRegistry, renderer: Renderer, owner: Owner) -> None:
        self._games, self._renderer, self._owner = tables.games, renderer, owner

    def routes(self) -> list[Route]:
        """The addresses."""
        return [
            Route("/", self.home),
            Route("/games/{game}/cover.svg", self.cover),
            Route("/games/{game}/choice.svg", self.choice),
            Route("/games/{game}/rules", self.rules),
            Route("/lang/{lang}", self.switch_language),
        ]

    async def home(self, request: Request) -> Response:
        """The first page: what one can do here, with an example of each, and a card for each game."""
        games = list(self._games.values())
        owner = self._owner.is_owner(request.headers)
        example = await run_in_threadpool(_example, tuple(games)) if owner else None
        rivals = _rivals(games) if owner else None
        return self._renderer.page(request, "home", games=games, owner=owner, example=example, rivals=rivals)

    async def cover(self, request: Request) -> Response:
        """The picture of a game soon after its start."""
        game = self._games.get(request.path_params["game"])
        if game is None:
            return self._renderer.missing(request)
        return svg_response(await run_in_threadpool(cover, game, asked_language(request)))

    async def choice(self, request: Request) -> Response:
        """The picture of something that can be chosen for a setting."""
        game = self._games.get(request.path_params["game"])
        at = small_number(request.query_params.get("at"))
        among = offered(game, game.config()).at(request.query_params.get("path", "")) if game is not None else None
        if among is None or at is None or at >= len(among.among) or (draw := among.among[at].picture) is None:
            return self._renderer.missing(request)
        return svg_response(await run_in_threadpool(draw, asked_language(request)))

    async def rules(self, request: Request) -> Response:
        """The rules of a game in words, with its default settings."""
        game = self._games.get(request.path_params["game"])
        if game is None:
            return self._renderer.missing(request)
        return await rulebook_response(game, game.config().model_dump(mode="json"), language(request))

    async def switch_language(self, request: Request) -> Response:
        """Another language from now on, then back to where one was."""
        lang = request.path_params["lang"]
        to = request.query_params.get("to", "/")
        safe = to if to.startswith("/") and not to.startswith(("//", "/\\")) and to.isprintable() else "/"
        answer = RedirectResponse(safe, 303)
        if lang in LANGUAGES:
            set_language(answer, lang)
        return answer


@lru_cache(maxsize=4)
def _example(games: tuple[Game, ...]) -> dict[str, Any] | None:
    """A number of the rules that can be one more, in a game of several if there is one."""
    for game in sorted(games, key=lambda game: -game.players[0]):
        for one in settings_of(game.config()).leaves():
            if one.kind is not SettingKind.NUMBER or one.fixed or not isinstance(one.usual, int) or one.usual < 2:
                continue
            with suppress(PlaymillError):
                game.config().changed([f"{one.path}={one.usual + 1}"]).pack(game.players[0])
                return {"game": game, "path": one.path, "name": one.name, "usual": one.usual, "value": one.usual + 1}
    return None


def _rivals(games: Sequence[Game]) -> dict[str, Any] | None:
    """A game with several agents of its own."""
    for game in sorted(games, key=lambda game: -len(game.agents)):
        if game.players[1] > 1 and len(game.agents) > 2:
            return {"game": game, "agents": list(game.agents)[:3]}
    return None
