"""Reads requests: language of the browser, form fields, small numbers."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import Response

from playmill.texts import LANGUAGES, Lang
from playmill.web.access.security import LONGEST_BODY

_LANG_COOKIE = "playmill_lang"
#: Fields of a form: the largest has a few hundred settings.
_MOST_FIELDS = 1500


def language(request: Request) -> Lang:
    """The language of the cookie, else the first of the browser's that there is, else English."""
    chosen = request.cookies.get(_LANG_COOKIE)
    if chosen in LANGUAGES:
        return "ru" if chosen == "ru" else "en"
    for part in request.headers.get("accept-language", "")[:200].split(","):
        if (short := part.strip()[:2].lower()) in LANGUAGES:
            return "ru" if short == "ru" else "en"
    return "en"


def client_address(request: Request) -> str:
    """The address of the client."""
    return request.client.host if request.client is not None else ""


def asked_language(request: Request) -> Lang:
    """The language that an address names (`?lang=`), else English."""
    return "ru" if request.query_params.get("lang") == "ru" else "en"


def set_language(response: Response, lang: Lang) -> None:
    """Sets the cookie with which a browser gets all further pages in a language."""
    response.set_cookie(_LANG_COOKIE, lang, max_age=365 * 86400, samesite="lax", httponly=True)


async def read_form(request: Request) -> Mapping[str, list[str]]:
    """The fields of a form; a body that is too long or no form at all is an empty one."""
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > LONGEST_BODY:
            return {}
    try:
        return parse_qs(body.decode(), keep_blank_values=True, max_num_fields=_MOST_FIELDS)
    except ValueError:
        return {}


def form_language(form: Mapping[str, list[str]]) -> Lang | None:
    """The language that a button of a form asks for; None if it was another button."""
    spoken = form.get("speak", [""])[0]
    return "ru" if spoken == "ru" else "en" if spoken == "en" else None


def small_number(text: str | None) -> int | None:
    """A number of at most three digits; None for anything else."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 4 else None
