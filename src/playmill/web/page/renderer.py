"""Renders HTML pages from Jinja templates, in the language of the request; error pages, too."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from playmill.engine.contract.game import Game
from playmill.report.number_format import decimal, interval, percentage
from playmill.texts import Lang, PlaymillError, Text
from playmill.version import __version__
from playmill.web.access.security import PICTURE_POLICY
from playmill.web.page.phrases import KEYS, PAGE
from playmill.web.page.requests import language

#: The folder with `templates` and `static`.
FOLDER = Path(__file__).parents[1]
#: Addresses with the name of a game in them, and those from which one goes back to the laboratory.
_OF_GAMES, _OF_LAB = ("/games/", "/lab/games/"), ("/lab", "/contests")


class Renderer:
    """Renders templates with what all of them need.

    `key` is that of the server, which links for others contain; `first_page` says where the address / leads.
    """

    def __init__(self, games: Mapping[str, Game], key: str | None = None, first_page: Text = PAGE["home"]) -> None:
        self._games = games
        self.key = key
        self._first_page = first_page
        self._templates = templates()

    def page(
        self, request: Request, name: str, status: int = 200, here: str = "", lang: Lang | None = None, **rest: Any
    ) -> HTMLResponse:
        """Renders a template; `here` is the address to come back to after a change of language."""
        lang = lang or language(request)

        def say(key: str, *args: object) -> str:
            return PAGE[key].of(lang).format(*args)

        text = self._templates.get_template(f"{name}.html").render(
            lang=lang,
            other="en" if lang == "ru" else "ru",
            here=here or request.url.path,
            say=say,
            of=lambda text: text.of(lang),
            keys=KEYS,
            first_page=self._first_page.of(lang),
            version=__version__,
            **rest,
        )
        return HTMLResponse(text, status)

    def error(self, request: Request, status: int, title: Text, sentence: Text | None = None) -> Response:
        """A page with a title and a sentence that says what is wrong."""
        lab = request.url.path.startswith(_OF_LAB)
        return self.page(request, "sorry", status, title=title, sentence=sentence, lab=lab)

    def sorry(self, request: Request, sentence: Text) -> Response:
        """The page of something that cannot be done now (503), and why."""
        return self.error(request, 503, PAGE["wrong"], sentence)

    def missing(self, request: Request, sentence: Text | None = None) -> Response:
        """The page of an unknown address (404); for an unknown game it lists those on offer."""
        game = request.path_params.get("game", "")
        if sentence is None and request.url.path.startswith(_OF_GAMES) and game not in self._games:
            known = ", ".join(self._games)
            sentence = Text(
                f"There is no game “{game[:40]}” here; there are {known}.",
                f"Игры «{game[:40]}» здесь нет; есть {known}.",
            )
        return self.error(request, 404, PAGE["missing"], sentence)

    def exception_handlers(self) -> dict[Any, Any]:
        """Handlers of a Starlette app that answer errors with pages."""

        async def missing(request: Request, error: Exception) -> Response:
            return self.missing(request)

        async def busy(request: Request, error: Exception) -> Response:
            assert isinstance(error, PlaymillError)
            return self.sorry(request, error.public)

        return {404: missing, HTTPException: missing, PlaymillError: busy}


def templates() -> Environment:
    """The Jinja environment of all pages."""
    return Environment(
        loader=FileSystemLoader(FOLDER / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def data_block(data: object) -> str:
    """JSON that can stand in a page: no tag can begin or end in it."""
    text = json.dumps(data, ensure_ascii=False)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def svg_response(text: str) -> Response:
    """A picture by itself."""
    headers = {"Content-Security-Policy": PICTURE_POLICY, "Cache-Control": "private, max-age=600"}
    return Response(text, media_type="image/svg+xml", headers=headers)


def number_formats(lang: Lang) -> dict[str, Any]:
    """Returns what templates write numbers with: plain ones, shares in percent, and the ends of an interval."""
    return {
        "number": lambda value, digits=0: decimal(value, digits, lang),
        "percent": lambda share: percentage(share, 0, lang),
        "interval": lambda low, high: interval(low, high, lang),
    }
