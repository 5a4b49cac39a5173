"""The page on which content is made: as it is edited it says what a player reads, what is wrong, and what it is worth.

Everything works as a plain form; a script asks for the same in parts. Only the owner has anything found out or kept.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game, reference_of
from playmill.lab.decide.worth import trials_room
from playmill.lab.jobs import Job, State
from playmill.lab.runs.content import Pieces, content_room, joined
from playmill.report.terminal import decimal
from playmill.texts import Lang, PlaymillError, Text
from playmill.web.forms import filled
from playmill.web.lab.content.draft import Draft, from_file, from_library, from_nothing, kinds_of, labels_of
from playmill.web.lab.content.kept import SavedContent
from playmill.web.lab.content.phrases import MAKING, making
from playmill.web.lab.content.typed import PREFIX, Reading, number_of, typed_of
from playmill.web.lab.content.worths import Version, Wanted, Worths, whiskers
from playmill.web.lab.phrases import LAB, saying
from playmill.web.lab.policy import download
from playmill.web.lab.rules import SavedRules
from playmill.web.lab.shelf import LONGEST
from playmill.web.lab.works import Works
from playmill.web.owner import Owner
from playmill.web.pages import Pages, form_of, language
from playmill.web.tables import Tables, Wish

#: Deals of a worth: as many as on the command line; and the most.
DEALS, MOST_DEALS = 100_000, 10_000_000
#: Sizes that a form offers.
SIZES = (2_000, 20_000, 100_000, 1_000_000)
#: Seconds that a plain form waits for first figures, and between two looks for them.
_PATIENCE, _PAUSE = 20.0, 0.1
Form = Mapping[str, Sequence[str]]


class ContentPages:
    """Answers all requests about content being made."""

    def __init__(
        self, tables: Tables, pages: Pages, rules: SavedRules, kept: SavedContent, owner: Owner, works: Works
    ) -> None:
        self._tables, self._pages, self._rules, self._kept, self._owner = tables, pages, rules, kept, owner
        self._works, self._worths = works, Worths(works)

    def routes(self) -> list[Route]:
        """The addresses."""
        at = "/lab/games/{game}/content"
        return [
            Route(at, self.page),
            Route(at, self.submit, methods=["POST"]),
            Route(f"{at}/look", self.look, methods=["POST"]),
            Route(f"{at}/worth/{{work}}", self.worth),
            Route(f"{at}/prompt.txt", self.prompt),
            Route(f"{at}/kept/{{name}}.json", self.file),
            Route(f"{at}/kept/{{name}}/play", self.play),
        ]

    def _game(self, request: Request) -> Game | None:
        """The game that is asked about, if it has content that a form can make."""
        game = self._tables.games.get(request.path_params["game"])
        return game if game is not None and game.content is not None and kinds_of(game) else None

    async def page(self, request: Request) -> Response:
        """The form: with nothing, a piece of the game, one that is kept, or one whose worth was asked for."""
        game = self._game(request)
        if game is None:
            return self._pages.missing(request)
        asked, error = request.query_params, None
        draft = None
        try:
            draft = await run_in_threadpool(self._begun, game, asked)
        except PlaymillError as found:
            error = found
        kind = asked.get("kind", "")
        kind = kind if kind in kinds_of(game) else next(iter(kinds_of(game)))
        draft = replace(draft or from_nothing(game, kind), beside=await run_in_threadpool(self._beside, game, draft))
        making = _Making(self, request, draft, {})
        making.job = self._worths.job(game, asked.get("work", ""))
        return await run_in_threadpool(making.answer, error)

    def _beside(self, game: Game, draft: Draft | None = None) -> Pieces:
        """What is kept, and what came with a piece."""
        return joined(draft.beside if draft is not None else {}, self._kept.pieces(game))

    def _begun(self, game: Game, asked: Mapping[str, str]) -> Draft | None:
        if name := asked.get("from"):
            return from_library(game, name)
        if name := asked.get("kept"):
            return self._kept.draft(game, name)
        if not (name := asked.get("work")):
            return None
        arguments = self._works.about(game.name, name).arguments
        return from_file(game, json.dumps(arguments["content"])) if "content" in arguments else None

    async def submit(self, request: Request) -> Response:
        """What the plain form asks for."""
        game = self._game(request)
        if game is None:
            return self._pages.missing(request)
        form = {name: list(texts) for name, texts in (await form_of(request)).items()}
        wanted, _, about = _last(form, "do").partition(":")
        if wanted == "begin":
            return RedirectResponse(f"/lab/games/{game.name}/content?{_start(_last(form, 'from'))}", 303)
        making = _Making(self, request, await run_in_threadpool(self._filled_in, game, form), form)
        if wanted in ("worth", "keep", "compare", "forget", "import") and not making.mine:
            return self._pages.rendered(request, "sorry", status=403, title=LAB["lab"], sentence=LAB["not_owner"])
        error = None
        try:
            if wanted == "load":
                making.draft = await run_in_threadpool(from_file, game, _last(form, "file"), self._beside(game))
                making.form = {}
            elif wanted == "worth":
                await self._find_out(making)
            elif (answer := await run_in_threadpool(self._done, making, wanted, about)) is not None:
                return answer
        except PlaymillError as found:
            error = found
        answer = await run_in_threadpool(making.answer, error)
        if making.spoken is not None:
            self._pages.remember(answer, making.spoken)
        return answer

    def _done(self, making: _Making, wanted: str, about: str) -> Response | None:
        """Does what was asked for; None if the form is to be shown again."""
        draft, game = making.draft, making.draft.game
        match wanted:
            case "keep":
                name = self._kept.save(draft, _last(making.form, "called"), making.lang)
                making.said = Text(*(text.format(name) for text in MAKING["kept_now"]))
            case "import":
                names, making.mistakes = self._kept.take_apart(game, _last(making.form, "file"), making.lang)
                if names:
                    listed = ", ".join(names)
                    making.said = Text(*(text.format(len(names), listed) for text in MAKING["imported"]))
                    making.form = {name: texts for name, texts in making.form.items() if name != "file"}
            case "forget":
                self._kept.remove(game, about)
            case "take":
                draft.check()
                return download(draft.text, f"{game.name}-{draft.whole.get('id', 'content')}.json")
            case "play":
                draft.check()
                return self._laid(making.request, draft, making.config())
            case "compare":
                draft.check()
                return RedirectResponse(f"/lab/works/{self._compare(making).id}", 303)
        return None

    def _laid(self, request: Request, draft: Draft, config: RuleConfig) -> Response:
        """A table being laid at which the first player has the piece."""
        config = draft.trials(config)[0].configs[0]
        typed = filled(draft.game, config.model_dump_json())
        return self._pages.laid(request, draft.game, Wish(draft.game.name, typed=typed))

    def _compare(self, making: _Making) -> Job:
        """Matches in which the first player has it, against those in which nobody does."""
        draft, config = making.draft, making.config()
        trial = draft.trials(config)[0]
        players = draft.game.players[0]
        agent = trials_room(draft.game).AGENT
        told = [text.format(name) for text, name in zip(MAKING["with_it"], trial.name, strict=True)]
        arguments = {
            "players": players,
            "agents": [agent] * players,
            "games": making.deals(),
            "a": {"config": config.model_dump(mode="json")},
            "b": {"config": trial.configs[0].model_dump(mode="json")},
        }
        about = {"game": draft.game.name, "players": players, "changes": [told], "agents": [agent]}
        return self._works.ask("compare", reference_of(draft.game), arguments, about)

    async def look(self, request: Request) -> Response:
        """The same for a script, in parts: the fields, what is read of it, and how its worth stands.

        `former` is the worth that the page showed; if the piece plays otherwise now, nobody waits for that any more,
        nor for what was begun for the same `page` after fewer `edits`, or for the page that was `left` for this one.
        `begin` has the worth found out.
        """
        game = self._game(request)
        if game is None:
            return JSONResponse({}, 404)
        form = {name: list(texts) for name, texts in (await form_of(request)).items()}
        making = _Making(self, request, await run_in_threadpool(self._filled_in, game, form), form)
        try:
            if making.mine:
                await self._find_out(making, begin=bool(_last(form, "begin")))
        except PlaymillError as error:
            making.trouble = error.public
        return JSONResponse(await run_in_threadpool(making.parts))

    async def _find_out(self, making: _Making, *, begin: bool = True) -> None:
        """Has the worth of a piece found out if nothing is wrong with it, and leaves what was found out before."""
        version = Version.of(_last(making.form, "page"), _last(making.form, "edits"))
        self._worths.hear(version)
        shown = self._worths.job(making.draft.game, _last(making.form, "former"))
        wanted = await run_in_threadpool(making.wanted)
        if self._worths.is_old(version):
            return
        for former in (shown, self._worths.begun(version), self._worths.ended(_last(making.form, "left"))):
            if former is not None and (wanted is None or former.about.get("key") != wanted.key):
                self._worths.leave(former)
        if wanted is None:
            return
        making.job = self._worths.find(wanted.key)
        if begin:
            job = making.job = await run_in_threadpool(self._worths.begin, making.draft, wanted, version)
            if self._worths.is_old(version):
                self._worths.leave(job)
            await self._worths.tidy()
            if not _last(making.form, "script"):
                await _first_figures(job)

    def _filled_in(self, game: Game, form: Form) -> Draft:
        """The piece of a form, beside all that is kept."""
        return replace(_read(game, form), beside=self._beside(game))

    async def prompt(self, request: Request) -> Response:
        """What a language model is asked with."""
        game = self._game(request)
        text = prompt_of(game, language(request)) if game is not None else None
        return self._pages.missing(request) if text is None else PlainTextResponse(text)

    async def worth(self, request: Request) -> Response:
        """How a worth stands, for the page that shows it."""
        game = self._game(request)
        job = self._worths.job(game, request.path_params["work"]) if game is not None else None
        if job is None:
            return JSONResponse({"state": "gone"}, 404)
        return JSONResponse(await run_in_threadpool(self.worth_parts, request, job))

    def worth_parts(
        self, request: Request, job: Job | None, *, right: bool = True, trouble: Text | None = None
    ) -> dict[str, Any]:
        """What a page shows of a worth; what cannot be found out has its trouble."""
        now = self.worth_now(job)
        now = {**now, "state": "failed", "trouble": trouble} if trouble is not None else now
        text = self.shown(request, "content_worth", now=now, right=right)
        return {"worth": text, "state": now["state"], "work": job.id if job is not None else ""}

    def worth_now(self, job: Job | None) -> dict[str, Any]:
        """The figures so far, and how far it is."""
        if job is None:
            return {"state": "", "found": [], "job": None}
        results, standing, state = job.saved("results.json"), job.standing, job.state
        return {
            "state": state.value if not (state is State.WAITING and self._works.is_running(job)) else "running",
            "found": whiskers(results.get("worth", [])),
            "deals": results.get("games", 0),
            "wanted": job.arguments.get("games", 0),
            "agents": results.get("agents", []),
            "before": self._works.before(job),
            "done": standing.done,
            "trouble": job.trouble,
            "job": job,
        }

    async def file(self, request: Request) -> Response:
        """A piece that is kept, as a file."""
        game, name = self._game(request), request.path_params["name"]
        text = await run_in_threadpool(self._kept.file, game, name) if game is not None else None
        if text is None or game is None:
            return self._pages.missing(request)
        return download(text, f"{game.name}-{name}.json")

    async def play(self, request: Request) -> Response:
        """A table being laid for a piece that is kept."""
        game = self._game(request)
        if game is None:
            return self._pages.missing(request)
        try:
            draft = await run_in_threadpool(self._kept.draft, game, request.path_params["name"])
            draft.check()
            return await run_in_threadpool(self._laid, request, draft, game.config())
        except PlaymillError as error:
            return self._pages.missing(request, error.public)

    def shown(self, request: Request, name: str, lang: Lang | None = None, **rest: Any) -> str:
        """A template with all that those of this page need."""
        return bytes(self._rendered(request, name, lang, **rest).body).decode()

    def _rendered(self, request: Request, name: str, lang: Lang | None = None, **rest: Any) -> Response:
        lang = lang or language(request)
        return self._pages.rendered(
            request,
            name,
            lang=lang,
            lab=saying(lang),
            make=making(lang),
            prefix=PREFIX,
            owner=self._owner.asks(request.headers),
            number=lambda value, digits=0: decimal(value, digits, lang),
            signed=lambda share: _signed(share, lang),
            **rest,
        )

    def config(self, game: Game, name: str) -> RuleConfig:
        """The rules of a name, or those as they are."""
        return game.config.read(self._rules.data(game, name)) if name else game.config()

    def chosen(self, game: Game) -> dict[str, Any]:
        """What there is to begin with."""
        room = content_room(game)
        listed = room.entries(room.library())
        return {
            "library": [
                (kind, room.KIND_NAMES[kind], [one for one in listed if one.kind == kind]) for kind in kinds_of(game)
            ],
            "kept": self._kept.listed(game),
            "unread": sorted(set(self._kept.names(game)) - {one.name for one in self._kept.listed(game)}),
            "saved": self._rules.names(game),
        }


class _Making:
    """One request about a piece: what was typed, and what is to be answered."""

    def __init__(self, pages: ContentPages, request: Request, draft: Draft, form: Form) -> None:
        self._pages, self.request, self.draft, self.form = pages, request, draft, form
        spoken = _last(form, "speak")
        self.spoken: Lang | None = "ru" if spoken == "ru" else "en" if spoken == "en" else None
        self.lang: Lang = self.spoken or language(request)
        self.mine = pages._owner.asks(request.headers)
        self.job: Job | None = None
        self.said: Text | None = None
        self.mistakes: Sequence[Text] = ()
        self.trouble: Text | None = None

    def config(self) -> RuleConfig:
        """The rules under which it is tried."""
        return self._pages.config(self.draft.game, _last(self.form, "rules"))

    def deals(self) -> int:
        """How many deals are wanted; raises if that is no number."""
        text = _last(self.form, "deals") or str(DEALS)
        found = number_of(text)
        if not isinstance(found, int) or not 1 <= found <= MOST_DEALS:
            raise PlaymillError(
                f"{text!r} deals: expected a whole number from 1 to {MOST_DEALS}",
                f"{text!r} раздач: нужно целое число от 1 до {MOST_DEALS}",
            )
        return found

    def wanted(self) -> Wanted | None:
        """What its worth would be found out from; None if it has none, or something is wrong."""
        if self.draft.flaws or not self.draft.is_tried:
            return None
        return Wanted.of(self.draft, self.config(), self.deals())

    def _rest(self) -> dict[str, Any]:
        fields, homeless = self.draft.fields(self.lang)
        return {"draft": self.draft, "fields": fields, "homeless": homeless, "game": self.draft.game}

    def parts(self) -> dict[str, Any]:
        """The parts of the page that depend on the piece."""
        pages, request = self._pages, self.request
        worth = pages.worth_parts(request, self.job, right=not self.draft.flaws, trouble=self.trouble)
        return {
            "fields": pages.shown(request, "content_fields", **self._rest()),
            "told": pages.shown(request, "content_told", **self._rest()),
            "right": not self.draft.flaws and self.draft.is_tried,
            **worth,
        }

    def _begun_with(self) -> str:
        asked = self.request.query_params
        return next((f"{how}:{asked[how]}" for how in ("from", "kept") if how in asked), "")

    def answer(self, error: PlaymillError | None = None) -> Response:
        """The whole page."""
        game = self.draft.game
        asked = _last(self.form, "do").partition(":")[0]
        is_told = asked in ("load", "import") or not self.draft.flaws
        trouble = error.public if error is not None and is_told else None
        return self._pages._rendered(
            self.request,
            "content",
            self.lang,
            status=200 if error is None and not self.mistakes else 400,
            here=f"/lab/games/{game.name}/content",
            now=self._pages.worth_now(self.job),
            right=not self.draft.flaws,
            sizes=SIZES,
            deals=_last(self.form, "deals") or str(DEALS),
            rules=_last(self.form, "rules"),
            called=_last(self.form, "called"),
            file=_last(self.form, "file"),
            begun=_last(self.form, "from") or self._begun_with(),
            longest=LONGEST,
            trouble=trouble,
            said=self.said,
            mistakes=self.mistakes,
            untried=labels_of(game).untried,
            kind_names=content_room(game).KIND_NAMES,
            has_prompt=content_room(game).prompt is not None,
            kinds=[(kind, content_room(game).KIND_NAMES[kind]) for kind in kinds_of(game)],
            **self._pages.chosen(game),
            **self._rest(),
        )


async def _first_figures(job: Job) -> None:
    """Waits for a moment until something is known."""
    clock = asyncio.get_running_loop().time
    end = clock() + _PATIENCE
    while job.state is State.WAITING and not job.standing.pages and clock() < end:
        await asyncio.sleep(_PAUSE)


def prompt_of(game: Game, lang: Lang) -> str | None:
    """What a language model is asked with for content of a game, if the game has that."""
    ask = content_room(game).prompt
    return None if ask is None else str(ask(lang))


def _read(game: Game, form: Form) -> Draft:
    """The piece that was filled in."""
    kind = _last(form, "kind")
    if kind not in kinds_of(game):
        return from_nothing(game, next(iter(kinds_of(game))))
    return Draft(game, kind, Reading(typed_of(form), _last(form, "do")).piece(kinds_of(game)[kind]))


def _start(text: str) -> str:
    """What to begin with, as the end of an address."""
    how, _, name = text.partition(":")
    return f"{how}={quote(name)}" if how in ("kind", "from", "kept") else ""


def _signed(share: float, lang: Lang) -> str:
    """A change in percentage points, with its sign."""
    text = decimal(abs(100 * share), 1, lang)
    return f"{'−' if share < 0 else '+'}{text}" if float(f"{100 * share:.1f}") else text


def _last(form: Form, name: str) -> str:
    found = form.get(name, ())
    return found[-1].strip() if found else ""
