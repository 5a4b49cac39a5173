"""What all pages of a contest's site share: who asks, how a page is rendered, and whether something is taken now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from playmill.lab.contests.contest.rules import ContestRules
from playmill.lab.contests.hosted.player import PlayerProcess
from playmill.lab.contests.hosted.registry import Account, Registry
from playmill.report.commands.contest import STATES
from playmill.texts import Text
from playmill.web.access.owner import Owner
from playmill.web.contest.phrases import duration, saying
from playmill.web.contest.view import ContestView
from playmill.web.page.renderer import Renderer, number_formats
from playmill.web.page.requests import language

TOKEN_COOKIE = "playmill_entrant"
_LONGEST_TOKEN = 100


@dataclass(frozen=True)
class ContestSite:
    """The parts of the site."""

    title: str
    view: ContestView
    rules: ContestRules
    registry: Registry
    renderer: Renderer
    owner: Owner
    player: PlayerProcess | None

    @property
    def registration(self) -> str:
        """Who may register now."""
        return str(self.registry.setting("registration", self.rules.server.registration))

    @property
    def over(self) -> bool:
        """Whether the contest has ended."""
        return bool(self.registry.setting("final", False)) or self.rules.closed

    @property
    def takes(self) -> bool:
        """Whether something may be handed in now."""
        return bool(self.registry.setting("takes", True)) and not self.over

    def account(self, request: Request) -> Account | None:
        """Returns the entrant who asks: by a cookie, or by a token in the header of a program's request."""
        kind, _, token = request.headers.get("authorization", "").partition(" ")
        if kind.lower() != "bearer":
            token = request.cookies.get(TOKEN_COOKIE, "")
        token = token.strip()
        return self.registry.account(token) if 0 < len(token) <= _LONGEST_TOKEN else None

    def is_organiser(self, request: Request) -> bool:
        """Whether the organiser asks."""
        return self.owner.is_owner(request.headers)

    def page(self, request: Request, name: str, status: int = 200, **rest: Any) -> Response:
        """Renders a page of the site."""
        lang = language(request)
        return self.renderer.page(
            request,
            f"contest_{name}",
            status,
            phrase=saying(lang),
            title=self.title,
            game=self.rules.game,
            site=self,
            states=STATES,
            lasting=lambda seconds: duration(seconds, lang),
            organiser=self.is_organiser(request),
            **number_formats(lang),
            **rest,
        )

    def missing(self, request: Request, sentence: Text | None = None) -> Response:
        """The page of what is not there."""
        return self.renderer.missing(request, sentence)
