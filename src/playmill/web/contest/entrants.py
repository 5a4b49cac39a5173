"""Pages of an entrant: registering, handing in, and what became of their own submissions, of nobody else's."""

from __future__ import annotations

import asyncio
import shutil
import time
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from playmill.lab.contests.bot_folder import RefusedError
from playmill.lab.contests.contest.intake import check_entrant
from playmill.lab.contests.contest.rules import CLOSED, INVITATION
from playmill.lab.contests.hosted.registry import Account, Upload
from playmill.lab.contests.hosted.unpack import unpack
from playmill.report.commands.contest import STATES
from playmill.texts import PlaymillError, Text, one_line
from playmill.web.access.security import RateLimit
from playmill.web.contest.public import LISTED, show_replay, worth_a_look
from playmill.web.contest.site import TOKEN_COOKIE, ContestSite
from playmill.web.page.requests import client_address, language, read_form, small_number
from playmill.web.replay.pages import ReplayPages

SUBMIT = "/submit"
#: Bytes that an archive may have beside what it holds.
SLACK = 1 << 17
#: Registrations of one address at once, and a second after that; a class may come from one address.
_REGISTRATIONS = (300, 0.2)
#: Attempts to hand in of one entrant at once, and a second after that: what is refused costs work, too.
_ATTEMPTS = (30, 0.1)
#: Bodies that are read, and archives that are unpacked, at once.
_READING, _UNPACKING = 8, 2
_LONGEST_NAME = 40
_LOOKED_AT = 12
_COOKIE_SECONDS = 60 * 86_400


class EntrantPages:
    """Answers requests of entrants."""

    def __init__(self, site: ContestSite, replays: ReplayPages) -> None:
        self._site, self._replays = site, replays
        self._registrations: dict[str, RateLimit] = {}
        self._attempts: dict[str, RateLimit] = {}
        self._reading, self._unpacking = asyncio.Semaphore(_READING), asyncio.Semaphore(_UNPACKING)

    def routes(self) -> list[Route]:
        """The addresses."""
        return [
            Route("/register", self.register, methods=["POST"]),
            Route("/enter", self.enter, methods=["POST"]),
            Route("/leave", self.leave, methods=["POST"]),
            Route("/me", self.mine),
            Route("/me.json", self.mine_as_json),
            Route("/me/{version}", self.report),
            Route("/me/{version}/{place}/{deal}-{rotation}", self.watch),
            Route(SUBMIT, self.submit, methods=["POST"]),
        ]

    # Who one is

    async def register(self, request: Request) -> Response:
        """Registers a name; the token is shown once."""
        form = await read_form(request)
        name, code = (form.get(key, [""])[0].strip() for key in ("name", "invitation"))
        try:
            token = await run_in_threadpool(self._registered, request, name, code)
        except PlaymillError as error:
            return _refused(self._site, request, error.text, 400)
        if _wants_json(request):
            return JSONResponse({"name": name, "token": token})
        answer = self._site.page(request, "token", who=name, token=token)
        _remember(answer, token)
        return answer

    def _registered(self, request: Request, name: str, code: str) -> str:
        site = self._site
        mode = site.registration
        if site.over or mode == CLOSED:
            raise PlaymillError("registration is closed", "запись закрыта")
        if not _allowed(self._registrations, client_address(request), _REGISTRATIONS):
            raise PlaymillError(
                "too many registrations come from your address: wait a minute",
                "с вашего адреса слишком много регистраций: подождите минуту",
            )
        check_contest_name(name, {one.name for one in site.rules.house})
        if mode == INVITATION and not code:
            raise PlaymillError(
                "an invitation is needed: ask the organiser", "нужно приглашение: спросите организатора"
            )
        invitation = code if mode == INVITATION else None
        return site.registry.register(name, most=site.rules.server.entrants, invitation=invitation)

    async def enter(self, request: Request) -> Response:
        """Has a browser remember a token."""
        token = (await read_form(request)).get("token", [""])[0].strip()
        if not 0 < len(token) <= 100 or await run_in_threadpool(self._site.registry.account, token) is None:
            return _refused(self._site, request, Text("Nobody has this token.", "Такого токена ни у кого нет."), 403)
        answer = RedirectResponse("/me", 303)
        _remember(answer, token)
        return answer

    async def leave(self, request: Request) -> Response:
        """Has a browser forget the token."""
        answer = RedirectResponse("/", 303)
        answer.delete_cookie(TOKEN_COOKIE, httponly=True, samesite="lax")
        return answer

    # What one hands in

    async def submit(self, request: Request) -> Response:
        """Takes a bot: it is unpacked, on disk and in the queue when the answer comes."""
        site, lang = self._site, language(request)
        account = await run_in_threadpool(site.account, request)
        if account is None:
            return _said(Text("a token is needed: register first", "нужен токен: сначала зарегистрируйтесь"), lang, 401)
        try:
            await run_in_threadpool(self._check_may_submit, account)
            async with self._reading:
                body = await _body(request, (site.rules.server.megabytes << 20) + SLACK)
            name = request.query_params.get("name", "")[:200]
            async with self._unpacking:
                upload, new = await run_in_threadpool(self._taken, account, name, body)
        except RefusedError as error:
            return _said(error.why, lang, 400)
        except PlaymillError as error:
            return _said(error.public, lang, 429 if isinstance(error, _LaterError) else 400)
        version = [one.id for one in site.registry.uploads(account.name)].index(upload.id) + 1
        return JSONResponse({"version": version, "upload": upload.id, "new": new, "to": f"/me/{version}"})

    def _check_may_submit(self, account: Account) -> None:
        """Raises unless an entrant may hand in something now."""
        site, rules = self._site, self._site.rules.server
        if not site.takes:
            raise PlaymillError("nothing is taken at the moment", "сейчас ничего не принимают")
        if account.disqualified:
            raise PlaymillError(
                "you are disqualified: ask the organiser", "вы дисквалифицированы: спросите организатора"
            )
        if not _allowed(self._attempts, account.name, _ATTEMPTS):
            raise _LaterError("you try too often: wait a minute", "слишком много попыток: подождите минуту")
        mine = site.registry.uploads(account.name)
        if sum(one.made > time.time() - 3600 for one in mine) >= rules.per_hour:
            raise _LaterError(
                f"{rules.per_hour} submissions an hour are taken of you, and there were as many: wait a while",
                f"за час от вас принимают столько версий: {rules.per_hour}, и они уже были: подождите",
            )
        if site.view.waiting_of(account.name) >= rules.waiting:
            raise _LaterError(
                f"{rules.waiting} submissions of yours wait already: let them play first",
                f"ваших версий уже ждёт столько: {rules.waiting}; пусть сначала сыграют",
            )
        if site.registry.used_bytes() > rules.disk << 20:
            raise PlaymillError(
                "the contest's disk is full: tell the organiser", "место на диске кончилось: скажите организатору"
            )

    def _taken(self, account: Account, name: str, body: bytes) -> tuple[Upload, bool]:
        site = self._site
        rules, registry = site.rules.server, site.registry
        place = registry.incoming()
        try:
            code, size = unpack(body, name, place, most_bytes=rules.megabytes << 20, most_files=rules.files)
            return registry.take(account.name, code, size, place, most_versions=site.rules.versions)
        finally:
            shutil.rmtree(place, ignore_errors=True)

    # What became of it

    async def mine(self, request: Request) -> Response:
        """An entrant's own page: hand in, versions, and the games to look at."""
        site = self._site
        account = await run_in_threadpool(site.account, request)
        if account is None:
            return RedirectResponse("/", 303)
        name = account.name
        handed, tables, standing = await run_in_threadpool(
            lambda: (site.view.handed(name), site.view.tables_of(name), site.view.standing())
        )
        ratings = {one["name"]: one["rating"]["value"] for one in standing.get("ladder", [])}
        return site.page(
            request,
            "mine",
            account=account,
            handed=handed,
            on_ladder=site.view.latest(name),
            rung=next((one for one in standing.get("ladder", []) if one["name"] == name), None),
            looked=worth_a_look(tables, ratings, _LOOKED_AT),
            megabytes=site.rules.server.megabytes,
            address=str(request.base_url).rstrip("/"),
        )

    async def mine_as_json(self, request: Request) -> Response:
        """The same for a program: the versions and their states."""
        site, lang = self._site, language(request)
        account = await run_in_threadpool(site.account, request)
        if account is None:
            return _said(Text("a token is needed", "нужен токен"), lang, 401)
        handed = await run_in_threadpool(site.view.handed, account.name)
        return JSONResponse({"name": account.name, "versions": [self._as_json(one, lang) for one in handed]})

    def _as_json(self, one: Any, lang: Any) -> dict[str, Any]:
        why = one.submission.why.of(lang) if one.submission is not None and one.submission.why is not None else None
        data = {"version": one.version, "state": one.state, "state_text": STATES[one.state].of(lang), "why": why}
        return {**data, "figures": one.figures}

    async def report(self, request: Request) -> Response:
        """The whole report on one version, for its author."""
        account = await run_in_threadpool(self._site.account, request)
        if account is None:
            return self._site.missing(request)
        return await report_page(self._site, request, account.name, "/me")

    async def watch(self, request: Request) -> Response:
        """Leads to a game of one of their versions, on the ladder or not."""
        site, asked = self._site, request.path_params
        account = await run_in_threadpool(site.account, request)
        deal, rotation, version = (small_number(asked[key]) for key in ("deal", "rotation", "version"))
        if account is None or deal is None or rotation is None or version is None:
            return site.missing(request)
        path = await run_in_threadpool(site.view.replay, account.name, asked["place"], deal, rotation, version)
        return await show_replay(site, self._replays, request, path)


async def report_page(site: ContestSite, request: Request, name: str, home: str) -> Response:
    """Renders the report on a version of an entrant; whoever calls this has made sure who asks."""
    version = small_number(request.path_params["version"])
    handed = await run_in_threadpool(site.view.handed, name)
    found = next((one for one in handed if one.version == version), None)
    if found is None or version is None:
        return site.missing(request)
    check, stderr, tables = await run_in_threadpool(
        lambda: (site.view.check(name, version), site.view.stderr(name, version), site.view.tables_of(name, version))
    )
    return site.page(
        request,
        "report",
        who=name,
        handed=found,
        check=check,
        build=await run_in_threadpool(site.view.build, name, version),
        stderr=stderr,
        tables=tables,
        limits=site.rules.limits,
        most=LISTED,
        home=home,
    )


class _LaterError(PlaymillError):
    """Something that may be tried again later."""


def check_contest_name(name: str, house: set[str]) -> None:
    """Raises unless an entrant can have a name."""
    if len(name) > _LONGEST_NAME:
        raise PlaymillError(
            f"a name has at most {_LONGEST_NAME} characters", f"в имени не больше {_LONGEST_NAME} символов"
        )
    try:
        check_entrant(name)
    except RefusedError:
        shown = one_line(name)
        raise PlaymillError(
            f"{shown!r} cannot be a name: it may have letters, digits, and - _ . inside",
            f"{shown!r} не может быть именем: в нём бывают буквы, цифры и - _ . внутри",
        ) from None
    if name.casefold() in {one.casefold() for one in house}:
        raise PlaymillError("a house agent has this name", "так зовут агента самого соревнования")


async def _body(request: Request, most: int) -> bytes:
    found = bytearray()
    async for piece in request.stream():
        found += piece
        if len(found) > most:
            raise RefusedError(f"it has more than {most >> 20} MB", f"больше {most >> 20} МБ")
    return bytes(found)


def _allowed(limits: dict[str, RateLimit], who: str, how: tuple[float, float]) -> bool:
    if len(limits) > 10_000:
        limits.clear()
    return limits.setdefault(who, RateLimit(*how)).allows()


def _remember(answer: Response, token: str) -> None:
    answer.set_cookie(TOKEN_COOKIE, token, max_age=_COOKIE_SECONDS, httponly=True, samesite="lax")


def _wants_json(request: Request) -> bool:
    return "application/json" in request.headers.get("accept", "")


def _said(text: Text, lang: Any, status: int) -> JSONResponse:
    return JSONResponse({"error": text.of(lang)}, status)


def _refused(site: ContestSite, request: Request, text: Text, status: int) -> Response:
    if _wants_json(request):
        return _said(text, language(request), status)
    sentence = Text(*(f"{one[:1].upper()}{one[1:]}{'' if one.endswith('.') else '.'}" for one in text))
    return site.renderer.error(request, status, Text("That cannot be", "Так нельзя"), sentence)
