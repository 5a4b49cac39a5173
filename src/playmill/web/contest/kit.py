"""The starter kit of a contest, as a download."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from playmill.lab.contests.hosted.kit import starter_kit
from playmill.web.contest.site import ContestSite
from playmill.web.page.requests import language


class KitPages:
    """Answers requests for the starter kit."""

    def __init__(self, site: ContestSite) -> None:
        self._site = site

    def routes(self) -> list[Route]:
        """The addresses."""
        return [Route("/kit.zip", self.kit)]

    async def kit(self, request: Request) -> Response:
        """The kit as a zip."""
        lang = language(request)
        data = await run_in_threadpool(starter_kit, self._site.rules, lang)
        name = f"{self._site.rules.game.name}-kit.zip"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(data, media_type="application/zip", headers=headers)
