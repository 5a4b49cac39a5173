"""Pages of the content editor: form, live preview, worth, import and export.

Everything works as a plain form; a script asks for the same in parts. Only the owner can start jobs or save anything.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game, reference_of
from playmill.lab.jobs import Job, JobState
from playmill.lab.runs.content import Pieces, joined, require_content
from playmill.texts import Lang, PlaymillError
from playmill.web.access.owner import Owner
from playmill.web.lab.content.draft import PieceDraft, from_file, from_library, from_nothing, kinds_of
from playmill.web.lab.content.editor import EditorRequest, EditorView, Form, last
from playmill.web.lab.content.form_values import FormReader, typed_of
from playmill.web.lab.content.phrases import MAKING
from playmill.web.lab.content.saved import SavedContent
from playmill.web.lab.content.worth_jobs import PageVersion, WorthJobs
from playmill.web.lab.job_queue import JobQueue
from playmill.web.lab.phrases import LAB
from playmill.web.lab.responses import download
from playmill.web.live.registry import TableRegistry
from playmill.web.live.setup import SetupPage, TableSetup
from playmill.web.page.renderer import Renderer
from playmill.web.page.requests import language, read_form, set_language
from playmill.web.page.settings_form import typed_from
from playmill.web.saved.rules import SavedRules

#: Seconds that a plain form waits for first figures, and between two checks for them.
_PATIENCE, _PAUSE = 20.0, 0.1


class ContentPages:
    """Answers all requests of the content editor."""

    def __init__(
        self,
        tables: TableRegistry,
        renderer: Renderer,
        setup_page: SetupPage,
        rules: SavedRules,
        kept: SavedContent,
        owner: Owner,
        queue: JobQueue,
    ) -> None:
        self._tables, self._renderer, self._setup_page = tables, renderer, setup_page
        self._kept, self._queue, self._worths = kept, queue, WorthJobs(queue)
        self._view = EditorView(renderer, rules, kept, owner, queue)

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
        """The game of a request, if it has content that a form can make."""
        game = self._tables.games.get(request.path_params["game"])
        return game if game is not None and game.content is not None and kinds_of(game) else None

    async def page(self, request: Request) -> Response:
        """The editor: empty, with a piece of the game, with a saved one, or with that of a worth job."""
        game = self._game(request)
        if game is None:
            return self._renderer.missing(request)
        asked, error = request.query_params, None
        draft = None
        try:
            draft = await run_in_threadpool(self._begun, game, asked)
        except PlaymillError as found:
            error = found
        kind = asked.get("kind", "")
        kind = kind if kind in kinds_of(game) else next(iter(kinds_of(game)))
        draft = replace(draft or from_nothing(game, kind), beside=await run_in_threadpool(self._beside, game, draft))
        making = EditorRequest(self._view, request, draft, {})
        making.job = self._worths.job(game, asked.get("work", ""))
        return await run_in_threadpool(making.answer, error)

    def _beside(self, game: Game, draft: PieceDraft | None = None) -> Pieces:
        """The saved pieces, and those that came with a piece."""
        return joined(draft.beside if draft is not None else {}, self._kept.pieces(game))

    def _begun(self, game: Game, asked: Mapping[str, str]) -> PieceDraft | None:
        if name := asked.get("from"):
            return from_library(game, name)
        if name := asked.get("kept"):
            return self._kept.draft(game, name)
        if not (name := asked.get("work")):
            return None
        arguments = self._queue.about(game.name, name).arguments
        return from_file(game, json.dumps(arguments["content"])) if "content" in arguments else None

    async def submit(self, request: Request) -> Response:
        """Answers the plain form."""
        game = self._game(request)
        if game is None:
            return self._renderer.missing(request)
        form = {name: list(texts) for name, texts in (await read_form(request)).items()}
        wanted, _, about = last(form, "do").partition(":")
        if wanted == "begin":
            return RedirectResponse(f"/lab/games/{game.name}/content?{_start(last(form, 'from'))}", 303)
        making = EditorRequest(self._view, request, await run_in_threadpool(self._filled_in, game, form), form)
        if wanted in ("worth", "keep", "compare", "forget", "import") and not making.mine:
            return self._renderer.error(request, 403, LAB["lab"], LAB["not_owner"])
        error = None
        try:
            if wanted == "load":
                making.draft = await run_in_threadpool(from_file, game, last(form, "file"), self._beside(game))
                making.form = {}
            elif wanted == "worth":
                await self._find_out(making)
            elif (answer := await run_in_threadpool(self._done, making, wanted, about)) is not None:
                return answer
        except PlaymillError as found:
            error = found
        answer = await run_in_threadpool(making.answer, error)
        if making.spoken is not None:
            set_language(answer, making.spoken)
        return answer

    def _done(self, making: EditorRequest, wanted: str, about: str) -> Response | None:
        """Does what was asked for; None if the form is to be shown again."""
        draft, game = making.draft, making.draft.game
        match wanted:
            case "keep":
                name = self._kept.save(draft, last(making.form, "called"), making.lang)
                making.said = MAKING["kept_now"].format(name)
            case "import":
                names, making.mistakes = self._kept.import_file(game, last(making.form, "file"), making.lang)
                if names:
                    making.said = MAKING["imported"].format(len(names), ", ".join(names))
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

    def _laid(self, request: Request, draft: PieceDraft, config: RuleConfig) -> Response:
        """The set-up page of a table at which the first player has the piece."""
        config = draft.trials(config)[0].configs[0]
        typed = typed_from(draft.game, config.model_dump_json())
        return self._setup_page(request, draft.game, TableSetup(draft.game.name, typed=typed))

    def _compare(self, making: EditorRequest) -> Job:
        """Starts a comparison of matches in which the first player has the piece with those in which nobody does."""
        from playmill.lab.decide.worth import require_trials

        draft, config = making.draft, making.config()
        trial = draft.trials(config)[0]
        players = draft.game.players[0]
        agent = require_trials(draft.game).AGENT
        change = [text.format(name) for text, name in zip(MAKING["with_it"], trial.name, strict=True)]
        arguments = {
            "players": players,
            "agents": [agent] * players,
            "games": making.deals(),
            "a": {"config": config.model_dump(mode="json")},
            "b": {"config": trial.configs[0].model_dump(mode="json")},
        }
        about = {"game": draft.game.name, "players": players, "changes": [change], "agents": [agent]}
        return self._queue.add("compare", reference_of(draft.game), arguments, about)

    async def look(self, request: Request) -> Response:
        """The same for the editor's script, as JSON: the fields, the description, and the worth.

        `former` is the worth that the page showed; if the piece plays differently now, its job is stopped, and so is
        what was begun for the same `page` after fewer `edits`, or for the page that was `left` for this one. `begin`
        starts the job of the worth.
        """
        game = self._game(request)
        if game is None:
            return JSONResponse({}, 404)
        form = {name: list(texts) for name, texts in (await read_form(request)).items()}
        making = EditorRequest(self._view, request, await run_in_threadpool(self._filled_in, game, form), form)
        try:
            if making.mine:
                await self._find_out(making, begin=bool(last(form, "begin")))
        except PlaymillError as error:
            making.trouble = error.public
        return JSONResponse(await run_in_threadpool(making.parts))

    async def _find_out(self, making: EditorRequest, *, begin: bool = True) -> None:
        """Starts the worth job of a piece without mistakes, and stops those of former versions."""
        version = PageVersion.of(last(making.form, "page"), last(making.form, "edits"))
        self._worths.hear(version)
        shown = self._worths.job(making.draft.game, last(making.form, "former"))
        wanted = await run_in_threadpool(making.wanted)
        if self._worths.is_old(version):
            return
        for former in (shown, self._worths.begun(version), self._worths.ended(last(making.form, "left"))):
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
            if not last(making.form, "script"):
                await _first_figures(job)

    def _filled_in(self, game: Game, form: Form) -> PieceDraft:
        """The draft of a form, beside all saved pieces."""
        return replace(_read(game, form), beside=self._beside(game))

    async def prompt(self, request: Request) -> Response:
        """The prompt for a language model."""
        game = self._game(request)
        text = prompt_of(game, language(request)) if game is not None else None
        return self._renderer.missing(request) if text is None else PlainTextResponse(text)

    async def worth(self, request: Request) -> Response:
        """The state of a worth job, as JSON."""
        game = self._game(request)
        job = self._worths.job(game, request.path_params["work"]) if game is not None else None
        if job is None:
            return JSONResponse({"state": "gone"}, 404)
        return JSONResponse(await run_in_threadpool(self._view.worth_parts, request, job))

    async def file(self, request: Request) -> Response:
        """A saved piece, as a download."""
        game, name = self._game(request), request.path_params["name"]
        text = await run_in_threadpool(self._kept.file, game, name) if game is not None else None
        if text is None or game is None:
            return self._renderer.missing(request)
        return download(text, f"{game.name}-{name}.json")

    async def play(self, request: Request) -> Response:
        """The set-up page of a table for a saved piece."""
        game = self._game(request)
        if game is None:
            return self._renderer.missing(request)
        try:
            draft = await run_in_threadpool(self._kept.draft, game, request.path_params["name"])
            draft.check()
            return await run_in_threadpool(self._laid, request, draft, game.config())
        except PlaymillError as error:
            return self._renderer.missing(request, error.public)


async def _first_figures(job: Job) -> None:
    """Waits for the first figures of a job, for a while."""
    clock = asyncio.get_running_loop().time
    end = clock() + _PATIENCE
    while job.state is JobState.WAITING and not job.standing.pages and clock() < end:
        await asyncio.sleep(_PAUSE)


def prompt_of(game: Game, lang: Lang) -> str | None:
    """The prompt for a language model to write content of a game, if the game has one."""
    ask = require_content(game).prompt
    return None if ask is None else str(ask(lang))


def _read(game: Game, form: Form) -> PieceDraft:
    """The draft that was typed."""
    kind = last(form, "kind")
    if kind not in kinds_of(game):
        return from_nothing(game, next(iter(kinds_of(game))))
    return PieceDraft(game, kind, FormReader(typed_of(form), last(form, "do")).piece(kinds_of(game)[kind]))


def _start(text: str) -> str:
    """The query of the address to begin with."""
    how, _, name = text.partition(":")
    return f"{how}={quote(name)}" if how in ("kind", "from", "kept") else ""
