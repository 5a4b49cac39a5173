"""Pages on which a new table is set up and created: players, seats, agents, settings."""

from __future__ import annotations

import json
from dataclasses import replace

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from playmill.engine.contract.game import Game
from playmill.texts import Lang, PlaymillError
from playmill.web.access.owner import Owner
from playmill.web.agents.offered import USUAL
from playmill.web.live.registry import TableRegistry
from playmill.web.live.setup import ANYBODY, GRACES, HERE, ME, TableSetup, agent_parameters, setup_of
from playmill.web.page.phrases import PAGE
from playmill.web.page.renderer import Renderer
from playmill.web.page.requests import client_address, form_language, read_form, set_language, small_number
from playmill.web.page.settings_form import PREFIX, form_error, typed_from
from playmill.web.saved.rules import SavedRules


class SetupPages:
    """Answers requests for the set-up page of a game, and makes tables."""

    def __init__(self, tables: TableRegistry, renderer: Renderer, rules: SavedRules, owner: Owner) -> None:
        self._tables, self._renderer, self._rules, self._owner = tables, renderer, rules, owner

    def routes(self) -> list[Route]:
        """The addresses."""
        return [
            Route("/games/{game}", self.page),
            Route("/tables", self.make, methods=["POST"]),
            Route("/tables", self.to_first_page, methods=["GET"]),
        ]

    async def page(self, request: Request) -> Response:
        """The page on which players, seats and settings are chosen; saved rules may be filled in."""
        game = self._tables.games.get(request.path_params["game"])
        if game is None:
            return self._renderer.missing(request)
        setup, error = TableSetup(game.name, players=small_number(request.query_params.get("players"))), None
        try:
            if name := request.query_params.get("rules"):
                setup = replace(setup, typed=typed_from(game, json.dumps(self._rules.data(game, name))))
        except PlaymillError as found:
            error = found
        return await run_in_threadpool(self.show, request, game, setup, error)

    async def to_first_page(self, request: Request) -> Response:
        """Whoever reloads the answer to a form, or comes back to it, begins at the first page."""
        return RedirectResponse("/", 303)

    def show(
        self,
        request: Request,
        game: Game,
        setup: TableSetup,
        error: PlaymillError | None = None,
        lang: Lang | None = None,
    ) -> Response:
        """The page with a set-up filled in, and with what is wrong with it."""
        low, high = game.players
        players = min(max(setup.players or low, low), high)
        seats = list(setup.seats)[:players] or [ME]
        seats += [USUAL] * (players - len(seats))
        sheet = self._tables.settings(game, setup).sheet(error)
        return self._renderer.page(
            request,
            "lay",
            status=200 if error is None else 400,
            here=f"/games/{game.name}",
            lang=lang,
            game=game,
            players=players,
            counts=range(low, high + 1),
            seats=[seat if seat in self._tables.agents[game.name] else seat.partition(":")[0] for seat in seats],
            numbers=agent_parameters(seats),
            minds=list(self._tables.agents[game.name].values()),
            me=ME,
            here_too=HERE,
            anybody=ANYBODY,
            graces=GRACES,
            wish=setup,
            sheet=sheet,
            prefix=PREFIX,
            trouble=form_error(error, sheet),
        )

    async def make(self, request: Request) -> Response:
        """Makes a table out of a form and goes there; its owner's token travels behind the `#`, which no server sees.

        The form may also only be shown again, with all that was typed: for another number of players, in another
        language, with one setting as the rules say, or filled in from a config.
        """
        form = await read_form(request)
        if "like" in form:
            return await self._make_like(request, *(form.get(name, [""])[0] for name in ("like", "mine", "token")))
        game = self._tables.games.get(form.get("game", [""])[0])
        if game is None:
            return self._renderer.missing(request)
        setup = setup_of(form, self._tables.agents[game.name])
        error = None
        try:
            if "load" in form:
                setup = replace(setup, typed=await run_in_threadpool(typed_from, game, setup.file), file="")
            elif not {"again", "speak", "usual"} & form.keys():
                table, owner = await run_in_threadpool(self._tables.make, setup, self._guest(request))
                return RedirectResponse(f"/t/{table}#{owner}", 303)
        except PlaymillError as found:
            error = found
        lang = form_language(form)
        answer = await run_in_threadpool(self.show, request, game, setup, error, lang)
        if lang is not None:
            set_language(answer, lang)
        return answer

    async def _make_like(self, request: Request, table: str, mine: str, token: str) -> Response:
        """Makes the same table once more; the browsers that are still at the old one are told where it is."""
        seat = small_number(mine)
        try:
            made, owner = await run_in_threadpool(self._tables.make_again, table, seat, self._guest(request))
        except PlaymillError as error:
            return self._renderer.error(request, 404, PAGE["wrong"], error.public)
        if (actor := await self._tables.actor(table)) is not None:
            actor.invite(seat, token, made)
        return RedirectResponse(f"/t/{made}#{owner}", 303)

    def _guest(self, request: Request) -> str | None:
        """The address of a guest; the owner is none."""
        return None if self._owner.is_owner(request.headers) else client_address(request)
