"""The pages: the games, a table being laid, the table itself. All of them are whole HTML; scripts only add to them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from playmill.engine.config.model import RefusedConfigError
from playmill.engine.config.settings import Kind, settings_of
from playmill.engine.contract.choices import offered
from playmill.engine.contract.game import Game
from playmill.texts import LANGUAGES, Lang, PlaymillError, Text
from playmill.version import __version__
from playmill.web.forms import PREFIX, Sheet, filled
from playmill.web.guard import LONGEST_BODY, PICTURE_POLICY
from playmill.web.handbook import BOOK_POLICY, rules_page
from playmill.web.lab.rules import SavedRules
from playmill.web.ledger import GRACE
from playmill.web.minds import USUAL, Mind, spec_of
from playmill.web.owner import Owner
from playmill.web.phrases import CLIENT, KEYS, PAGE
from playmill.web.pictures import cover
from playmill.web.protocol import clean_name
from playmill.web.tables import ANYBODY, GRACES, HERE, ME, Tables, Wish

FOLDER = Path(__file__).parent
_OPTION = re.compile(r"--set:? ")
#: Addresses with the name of a game in them, and those from which one goes back to the laboratory.
_OF_GAMES, _OF_LAB = ("/games/", "/lab/games/"), ("/lab", "/contests")
_LANG_COOKIE = "playmill_lang"
#: The most tables that are listed.
_MOST_LISTED = 1000
#: Fields of a form: the largest has a few hundred settings.
_MOST_FIELDS = 1500
#: A number of an agent: its seat, the agent, what it is called.
_NUMBER_OF = re.compile(r"p:(\d{1,2}):([\w-]{1,60}):(\w{1,60})")


class Pages:
    """Answers requests for pages."""

    def __init__(
        self, tables: Tables, key: str | None = None, rules: SavedRules | None = None, owner: Owner | None = None
    ) -> None:
        self._tables = tables
        self._key = key
        self._saved = rules
        self._owner = owner or Owner()
        self._templates = templates()

    def _page(
        self, request: Request, name: str, status: int = 200, here: str = "", lang: Lang | None = None, **rest: Any
    ) -> HTMLResponse:
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
            version=__version__,
            **rest,
        )
        return HTMLResponse(text, status)

    @property
    def key(self) -> str | None:
        """The key of the server, which a link for others needs; whoever sees a page has it."""
        return self._key

    def rendered(self, request: Request, name: str, **rest: Any) -> HTMLResponse:
        """A page of another room, from its template."""
        return self._page(request, name, **rest)

    async def home(self, request: Request) -> Response:
        """The first page: what one can do here, with an example of each, and a card for each game."""
        games = list(self._tables.games.values())
        owner = self._owner.asks(request.headers)
        example = await run_in_threadpool(_example, tuple(games)) if owner else None
        rivals = _rivals(games) if owner else None
        return self._page(request, "home", games=games, owner=owner, example=example, rivals=rivals)

    async def first(self, request: Request) -> Response:
        """Whoever reloads the answer to a form, or comes back to it, begins at the first page."""
        return RedirectResponse("/", 303)

    async def picture(self, request: Request) -> Response:
        """A game as it looks soon after its start."""
        game = self._tables.games.get(request.path_params["game"])
        if game is None:
            return self.missing(request)
        asked = request.query_params.get("lang")
        lang: Lang = "ru" if asked == "ru" else "en"
        return _svg(await run_in_threadpool(cover, game, lang))

    async def rules(self, request: Request) -> Response:
        """The rules of a game in words, as they usually are."""
        game = self._tables.games.get(request.path_params["game"])
        if game is None:
            return self.missing(request)
        return await self._rules(request, game, game.config().model_dump(mode="json"))

    async def table_rules(self, request: Request) -> Response:
        """The rules in words that a table is played by."""
        room = await self._tables.room(request.path_params["table"])
        if room is None or room.table.game is None or room.table.trouble is not None:
            return self.missing(request)
        return await self._rules(request, room.table.game, dict(room.table.facts.config))

    async def _rules(self, request: Request, game: Game, config: object) -> Response:
        text = await run_in_threadpool(rules_page, game, config, language(request))
        return HTMLResponse(text, headers={"Content-Security-Policy": BOOK_POLICY})

    async def lay(self, request: Request) -> Response:
        """The page on which players, seats and settings are chosen."""
        game = self._tables.games.get(request.path_params["game"])
        if game is None:
            return self.missing(request)
        wish, error = Wish(game.name, players=_number(request.query_params.get("players"))), None
        try:
            if self._saved is not None and (name := request.query_params.get("rules")):
                wish = replace(wish, typed=filled(game, json.dumps(self._saved.data(game, name))))
        except PlaymillError as found:
            error = found
        return await run_in_threadpool(self._laid, request, game, wish, error)

    async def choice(self, request: Request) -> Response:
        """The picture of something that can be chosen for a setting."""
        game = self._tables.games.get(request.path_params["game"])
        at = _number(request.query_params.get("at"))
        among = offered(game, game.config()).at(request.query_params.get("path", "")) if game is not None else None
        if among is None or at is None or at >= len(among.among) or (draw := among.among[at].picture) is None:
            return self.missing(request)
        svg = await run_in_threadpool(draw, "ru" if request.query_params.get("lang") == "ru" else "en")
        return _svg(svg)

    def _laid(
        self, request: Request, game: Game, wish: Wish, error: PlaymillError | None = None, lang: Lang | None = None
    ) -> Response:
        low, high = game.players
        players = min(max(wish.players or low, low), high)
        seats = list(wish.seats)[:players] or [ME]
        seats += [USUAL] * (players - len(seats))
        sheet = self._tables.settings(game, wish).sheet(error)
        return self._page(
            request,
            "lay",
            status=200 if error is None else 400,
            here=f"/games/{game.name}",
            lang=lang,
            game=game,
            players=players,
            counts=range(low, high + 1),
            seats=[seat if seat in self._tables.minds[game.name] else seat.partition(":")[0] for seat in seats],
            numbers=numbers_of(seats),
            minds=list(self._tables.minds[game.name].values()),
            me=ME,
            here_too=HERE,
            anybody=ANYBODY,
            graces=GRACES,
            wish=wish,
            sheet=sheet,
            prefix=PREFIX,
            trouble=trouble_of(error, sheet),
        )

    def laid(self, request: Request, game: Game, wish: Wish) -> Response:
        """The page on which a table is laid, with a wish of another room filled in."""
        return self._laid(request, game, wish)

    async def make(self, request: Request) -> Response:
        """Makes a table out of a form and goes there; her token travels behind the `#`, which no server sees.

        A form may also be laid anew, with all that was typed: for another number of players, in another language, with
        one setting as the rules say, or filled in from a config.
        """
        form = await form_of(request)
        if "like" in form:
            return await self._make_like(request, *(form.get(name, [""])[0] for name in ("like", "mine", "token")))
        game = self._tables.games.get(form.get("game", [""])[0])
        if game is None:
            return self.missing(request)
        wish = wish_of(form, self._tables.minds[game.name])
        error = None
        try:
            if "load" in form:
                wish = replace(wish, typed=await run_in_threadpool(filled, game, wish.file), file="")
            elif not {"again", "speak", "usual"} & form.keys():
                table, owner = await run_in_threadpool(self._tables.make, wish, self._guest(request))
                return RedirectResponse(f"/t/{table}#{owner}", 303)
        except PlaymillError as found:
            error = found
        spoken = form.get("speak", [""])[0]
        lang: Lang | None = "ru" if spoken == "ru" else "en" if spoken == "en" else None
        answer = await run_in_threadpool(self._laid, request, game, wish, error, lang)
        if lang is not None:
            self.remember(answer, lang)
        return answer

    def _guest(self, request: Request) -> str | None:
        """The address of a guest; the owner is none."""
        if self._owner.asks(request.headers):
            return None
        return request.client.host if request.client is not None else ""

    async def all_tables(self, request: Request) -> Response:
        """The owner's list of all tables, from which they can be removed."""
        if not self._owner.asks(request.headers):
            return self._page(request, "sorry", 403, title=PAGE["all_tables"], sentence=PAGE["not_owner"])
        if request.method == "POST":
            form = await form_of(request)
            for table in form.get("table", []):
                await self._tables.remove(table)
            return RedirectResponse("/tables/all", 303)
        listed = await run_in_threadpool(self._tables.ledger.listed)
        here = {table: len(room.watchers) for table, room in self._tables.open_rooms.items()}
        return self._page(
            request, "tables", listed=listed[:_MOST_LISTED], more=len(listed) - _MOST_LISTED, here_now=here, day=_day
        )

    def remember(self, answer: Response, lang: Lang) -> None:
        """Whoever gets an answer speaks that language from now on."""
        _remember(answer, lang)

    async def _make_like(self, request: Request, table: str, mine: str, token: str) -> Response:
        """The same table once more; those who are still at the old one are told where it is."""
        try:
            made, owner = await run_in_threadpool(self._tables.make_like, table, _number(mine), self._guest(request))
        except PlaymillError as error:
            return self._page(request, "sorry", 404, title=PAGE["wrong"], sentence=error.public)
        if (room := await self._tables.room(table)) is not None:
            room.invite(_number(mine), token, made)
        return RedirectResponse(f"/t/{made}#{owner}", 303)

    async def table(self, request: Request) -> Response:
        """The page of a table."""
        room = await self._tables.room(request.path_params["table"])
        if room is None:
            return self._page(request, "sorry", 404, title=PAGE["missing_table"], sentence=None)
        facts = room.table.facts
        game = self._tables.games.get(facts.game)
        lang = language(request)
        words = {key: text.of(lang) for key, text in CLIENT.items()}
        minds = self._tables.minds.get(facts.game, {})
        data = {
            "table": facts.id,
            "lang": lang,
            "words": words,
            "agents": {key: mind.name.of(lang) for key, mind in minds.items()},
            "usual": USUAL,
            "title": game.title.of(lang) if game else facts.game,
            "game": facts.game,
            "key": self._key,  # whoever sees this page has it; a link for others needs it
        }
        return self._page(
            request,
            "table",
            title=game.title if game else Text(facts.game, facts.game),
            game=game,
            graces=GRACES,
            data=data_block(data),
        )

    async def speak(self, request: Request) -> Response:
        """Another language from now on, then back to where one was."""
        lang = request.path_params["lang"]
        to = request.query_params.get("to", "/")
        safe = to if to.startswith("/") and not to.startswith(("//", "/\\")) and to.isprintable() else "/"
        answer = RedirectResponse(safe, 303)
        if lang in LANGUAGES:
            _remember(answer, lang)
        return answer

    def sorry(self, request: Request, sentence: Text) -> Response:
        """It cannot be done now, and why."""
        return self._page(request, "sorry", 503, title=PAGE["wrong"], sentence=sentence)

    def missing(self, request: Request, sentence: Text | None = None) -> Response:
        """There is no such page; where a game is meant that is not on offer, those are named that are."""
        game = request.path_params.get("game", "")
        if sentence is None and request.url.path.startswith(_OF_GAMES) and game not in self._tables.games:
            known = ", ".join(self._tables.games)
            sentence = Text(
                f"There is no game “{game[:40]}” here; there are {known}.",
                f"Игры «{game[:40]}» здесь нет; есть {known}.",
            )
        lab = request.url.path.startswith(_OF_LAB)
        return self._page(request, "sorry", 404, title=PAGE["missing"], sentence=sentence, lab=lab)


def _day(moment: float) -> str:
    """A moment in the time of this machine."""
    return f"{datetime.fromtimestamp(moment):%Y-%m-%d %H:%M}"


def templates() -> Environment:
    """What pages are made of."""
    return Environment(
        loader=FileSystemLoader(FOLDER / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@lru_cache(maxsize=4)
def _example(games: tuple[Game, ...]) -> dict[str, Any] | None:
    """A number of the rules that can be one more, in a game of several if there is one."""
    for game in sorted(games, key=lambda game: -game.players[0]):
        for one in settings_of(game.config()).leaves():
            if one.kind is not Kind.NUMBER or one.fixed or not isinstance(one.usual, int) or one.usual < 2:
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


def _remember(answer: Response, lang: str) -> None:
    answer.set_cookie(_LANG_COOKIE, lang, max_age=365 * 86400, samesite="lax", httponly=True)


def _svg(text: str) -> Response:
    headers = {"Content-Security-Policy": PICTURE_POLICY, "Cache-Control": "private, max-age=600"}
    return Response(text, media_type="image/svg+xml", headers=headers)


def wish_of(form: Mapping[str, list[str]], minds: Mapping[str, Mind]) -> Wish:
    """What a form asks for; fields it does not have are as usual."""
    given: dict[tuple[int, str], dict[str, str]] = {}
    for name, texts in form.items():
        if (found := _NUMBER_OF.fullmatch(name)) is not None:
            given.setdefault((int(found[1]), found[2]), {})[found[3]] = texts[0]
    seats = [
        spec_of(minds[key], given.get((seat, key), {})) if key in minds else key
        for seat, key in enumerate(form.get("seat", []))
    ]
    typed = {name.removeprefix(PREFIX): texts for name, texts in form.items() if name.startswith(PREFIX)}
    for path in form.get("usual", []):
        typed.pop(path, None)
    return Wish(
        game=form.get("game", [""])[0],
        players=_number(form.get("players", [""])[0]),
        seats=seats,
        changes=[line.strip() for line in form.get("changes", [""])[0].splitlines() if line.strip()],
        typed=typed,
        file=form.get("file", [""])[0],
        name=clean_name(form.get("name", [""])[0]),
        grace=_grace(form.get("grace", [""])[0]),
        hints=form.get("hints", ["on"])[-1] == "on",
    )


def numbers_of(seats: Sequence[str]) -> dict[tuple[int, str], dict[str, str]]:
    """The numbers of agents that were given, as they were typed, by seat and agent."""
    found = {}
    for seat, spec in enumerate(seats):
        name, colon, rest = spec.partition(":")
        if colon:
            found[seat, name] = {key: value for key, _, value in (part.partition("=") for part in rest.split(","))}
    return found


def trouble_of(error: PlaymillError | None, sheet: Sheet) -> Text | None:
    """What is said above a form: a mistake that belongs to no field of it, or that there are some below.

    A change that is called by its option on the command line has a line of its own here.
    """
    if error is None:
        return None
    if not isinstance(error, RefusedConfigError):
        return Text(*(_OPTION.sub("", told) for told in error.public))
    return sheet.mistakes[0] if sheet.mistakes else PAGE["look_below"]


def language(request: Request) -> Lang:
    """The language somebody chose, else the first of the browser's that there is, else English."""
    chosen = request.cookies.get(_LANG_COOKIE)
    if chosen in LANGUAGES:
        return "ru" if chosen == "ru" else "en"
    for part in request.headers.get("accept-language", "")[:200].split(","):
        if (short := part.strip()[:2].lower()) in LANGUAGES:
            return "ru" if short == "ru" else "en"
    return "en"


async def form_of(request: Request) -> Mapping[str, list[str]]:
    """The fields of a form; what is too long or no form at all is an empty one."""
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > LONGEST_BODY:
            return {}
    try:
        return parse_qs(body.decode(), keep_blank_values=True, max_num_fields=_MOST_FIELDS)
    except ValueError:
        return {}


def _grace(text: str) -> int:
    found = _number(text)
    return found if found in GRACES else GRACE


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 4 else None


def data_block(data: object) -> str:
    """JSON that can stand in a page: no tag can begin or end in it."""
    text = json.dumps(data, ensure_ascii=False)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
