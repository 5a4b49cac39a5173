"""The starter kit of a contest, as a download."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from threading import Thread

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from playmill.lab.contests.contest.rules import ContestRules
from playmill.lab.contests.hosted.kit import starter_kit
from playmill.texts import LANGUAGES, Lang
from playmill.web.contest.site import ContestSite
from playmill.web.page.requests import language


class KitPages:
    """Answers requests for the starter kit."""

    def __init__(self, site: ContestSite) -> None:
        self._site = site
        #: By language, the rules a kit is made of, and the kit, which may still be on its way.
        self._made: dict[Lang, tuple[ContestRules, asyncio.Future[bytes]]] = {}

    def routes(self) -> list[Route]:
        """The addresses."""
        return [Route("/kit.zip", self.kit)]

    def prepare(self) -> None:
        """Has the kits made, so that nobody has to wait for one."""
        for lang in LANGUAGES:
            self._making(lang)

    async def kit(self, request: Request) -> Response:
        """The kit as a zip."""
        data = await asyncio.shield(self._making(language(request)))
        name = f"{self._site.rules.game.name}-kit.zip"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(data, media_type="application/zip", headers=headers)

    def _making(self, lang: Lang) -> asyncio.Future[bytes]:
        """The kit in a language: games are played for it, once, in one thread, however many wait."""
        rules = self._site.rules
        if lang not in self._made or self._made[lang][0] is not rules:
            loop = asyncio.get_running_loop()
            made: asyncio.Future[bytes] = loop.create_future()
            self._made[lang] = (rules, made)

            def work() -> None:
                try:
                    done = partial(made.set_result, starter_kit(rules, lang))
                except Exception as error:
                    done = partial(self._failed, lang, made, error)
                with suppress(RuntimeError):  # the server has ended
                    loop.call_soon_threadsafe(done)

            Thread(target=work, daemon=True).start()
        return self._made[lang][1]

    def _failed(self, lang: Lang, made: asyncio.Future[bytes], error: Exception) -> None:
        """Tells those who wait, and has the next one try again."""
        self._made.pop(lang, None)
        made.set_exception(error)
        made.exception()  # nobody may be waiting
