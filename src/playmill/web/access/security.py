"""Security middleware: access key, same-origin checks, body limits, security headers; rate limits."""

from __future__ import annotations

import hmac
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from playmill.web.access.connections import Connections
from playmill.web.access.owner import OWNER_COOKIE, Owner

#: Host names of a server that only this machine can reach: a page elsewhere cannot borrow them.
LOOPBACK = ("127.0.0.1", "localhost", "::1")
KEY_COOKIE = "playmill_key"
#: Bytes of a form, and of what else is sent to some pages.
LONGEST_BODY = 200_000
LONGEST_BODIES = {"/watch": 4_000_000}
#: Nothing from elsewhere, no script or style inside a page, and nobody may put a page into a frame of theirs.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
#: A picture by itself brings its own style and nothing that acts.
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
#: What a browser may keep, if it asks each time whether it has changed.
_KEPT = ("/static/", "/fonts/")
_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cache-Control": "no-store",
}


class SecurityMiddleware:
    """Wraps the whole app. Without a key it answers to the names of this machine only; with one, to whoever has it.

    A `public` server answers everybody, and its pages say who may do what. The owner has another key, which opens
    everything.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        key: str | None = None,
        owner: Owner | None = None,
        connections: Connections | None = None,
        public: bool = False,
        longest_bodies: Mapping[str, int] | None = None,
    ) -> None:
        self._app = app
        self._public = public
        self._longest = LONGEST_BODIES if longest_bodies is None else longest_bodies
        self._connections = connections
        self._key = key
        self._owner = owner or Owner()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._refusal(scope, headers)
        if refusal is None:
            with suppress(ClientDisconnect):  # nobody is there to be answered
                await self._app(scope, receive, _with_headers(send, keeps=scope["path"].startswith(_KEPT)))
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": ""})
        else:
            await refusal(scope, receive, _with_headers(send))

    def _refusal(self, scope: Scope, headers: Headers) -> Response | None:
        """The response to a request that is refused; None lets it pass."""
        if self._connections is not None and self._connections.crowded and not self._owner.is_owner(headers):
            return PlainTextResponse("Too many are here: try again soon.", 503, {"Connection": "close"})
        host = headers.get("host", "")
        if self._key is None and not self._public and _name_of(host) not in LOOPBACK:
            return PlainTextResponse("This server answers to 127.0.0.1 and localhost only.", 421)
        if not _from_own_page(scope, headers, host):
            return PlainTextResponse("Only pages of this server may do that.", 403)
        longest = self._longest.get(scope["path"], LONGEST_BODY)
        if int(headers.get("content-length", "0") or 0) > longest or "transfer-encoding" in headers:
            return PlainTextResponse("That is too much.", 413)
        if (opened := self._key_in_address(scope)) is not None:
            return opened
        if self._key is None or self._has_key(headers) or self._owner.is_owner(headers):
            return None
        return PlainTextResponse(
            "A key is needed: open the address that `playmill serve` printed.\n"
            "Нужен ключ: откройте адрес, который напечатал `playmill serve`.",
            401,
        )

    def _has_key(self, headers: Headers) -> bool:
        try:
            found = SimpleCookie(headers.get("cookie", "")).get(KEY_COOKIE)
        except CookieError:
            return False
        return found is not None and self._fits(found.value)

    def _fits(self, key: str) -> bool:
        return self._key is not None and hmac.compare_digest(key.encode(), self._key.encode())

    def _key_in_address(self, scope: Scope) -> Response | None:
        """Redirects an address with a valid key to the same without it, and sets the key as a cookie."""
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
            return None
        asked = parse_qsl(scope.get("query_string", b"").decode("latin-1"))
        fits = {"key": self._fits, "owner": self._owner.matches}
        given = {name: value for name, value in asked if name in fits and fits[name](value)}
        code = next((value for name, value in asked if name == "code"), None)
        if code is not None and (key := self._owner.key_for(code)) is not None:
            given["owner"] = key
        if not given:
            return None
        rest = urlencode([pair for pair in asked if pair[0] not in (*fits, "code")])
        path = "/" + scope["path"].lstrip("/")
        answer = RedirectResponse(f"{path}?{rest}" if rest else path, 303)
        for name, value in given.items():
            cookie = KEY_COOKIE if name == "key" else OWNER_COOKIE
            answer.set_cookie(cookie, value, max_age=30 * 86400, httponly=True, samesite="lax")
        return answer


def _name_of(host: str) -> str:
    """The name in a Host header, without its port."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.rpartition(":")[0] or host if host.count(":") == 1 else host


def _from_own_page(scope: Scope, headers: Headers, host: str) -> bool:
    """Whether a request that may change something comes from a page of this very server."""
    if scope["type"] == "http" and scope["method"] in ("GET", "HEAD"):
        return True
    origin = headers.get("origin")
    if origin is not None:
        return origin in (f"http://{host}", f"https://{host}")
    return scope["type"] == "http" and headers.get("sec-fetch-site") == "same-origin"


def _with_headers(send: Send, *, keeps: bool = False) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            if keeps:
                headers.setdefault("Cache-Control", "no-cache")
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending


class RateLimit:
    """Token bucket: `burst` at once, `rate` a second after that."""

    def __init__(self, burst: float, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._burst, self._rate, self._clock = burst, rate, clock
        self._left, self._at = burst, clock()

    def allows(self) -> bool:
        """Takes one token; False if there is none."""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


def reachable_by(host: str) -> bool:
    """Whether other machines can reach a server at that host."""
    return host not in LOOPBACK
