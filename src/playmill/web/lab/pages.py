"""The pages of the laboratory: questions about a game, and what came of those that were asked."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from playmill.engine.config.model import RefusedConfigError
from playmill.engine.config.settings import Kind, settings_of
from playmill.engine.contract.game import Game
from playmill.lab.jobs import Job, State
from playmill.lab.runs.store.kept import run_names
from playmill.texts import Lang, PlaymillError, Text
from playmill.web.forms import PREFIX, filled
from playmill.web.lab.asking import (
    DEALS,
    GAMES,
    MINUTES,
    QUESTIONS,
    USUAL,
    Asking,
    figures_of,
    goals_of,
    is_number,
    usual_agent,
)
from playmill.web.lab.phrases import LAB, counting, saying
from playmill.web.lab.policy import FRAME_POLICY, download, report_answer
from playmill.web.lab.rules import SavedRules
from playmill.web.lab.runs import KeptRuns, RunPages, moment
from playmill.web.lab.shown import ShownRuns
from playmill.web.lab.works import Works, gone
from playmill.web.owner import Owner
from playmill.web.pages import Pages, form_of, language, numbers_of, trouble_of, wish_of
from playmill.web.tables import Tables, Wish

#: Files of a job that can be taken away.
_FOUND = ("config.json", "smallest.json")
_FILES = ("results.json", *_FOUND)
#: So many jobs a list shows.
_LISTED = 60


class Laboratory:
    """Answers all requests about work; only the owner may ask for some, or change anything."""

    def __init__(
        self,
        tables: Tables,
        pages: Pages,
        rules: SavedRules,
        owner: Owner,
        home: Path,
        contests: Sequence[str] = (),
    ) -> None:
        self._tables, self._pages, self._rules, self._owner = tables, pages, rules, owner
        self._contests = contests
        self.works = Works(home / "jobs", home)
        self.shown = ShownRuns(home)
        self.kept = KeptRuns(home, tables.games, owner)
        self._runs = RunPages(self.kept, self.shown, self.works, pages, owner)

    def routes(self) -> list[Route]:
        """The addresses."""
        return [
            Route("/lab", self.home),
            Route("/lab/games/{game}", self.form),
            Route("/lab/games/{game}", self.ask, methods=["POST"]),
            Route("/lab/games/{game}/rules/{name}.json", self.rules),
            Route("/lab/works/{work}", self.work),
            Route("/lab/works/{work}", self.act, methods=["POST"]),
            Route("/lab/works/{work}/state", self.state),
            Route("/lab/works/{work}/report", self.report),
            Route("/lab/works/{work}/{file}", self.file),
            *self._runs.routes(),
        ]

    def _page(self, request: Request, name: str, **rest: Any) -> HTMLResponse:
        lang = rest.get("lang") or language(request)
        said = {"lab": saying(lang), "whole": counting(lang)}
        return self._pages.rendered(request, name, **said, owner=self._owner.asks(request.headers), **rest)

    async def home(self, request: Request) -> Response:
        """The games to ask about, and all that was asked."""
        mine = self._owner.asks(request.headers)
        jobs = [job for job in self.works.jobs() if job.kind != "worth"][:_LISTED] if mine else []
        rows = await run_in_threadpool(lambda: [self._row(job) for job in jobs])
        runs = await run_in_threadpool(self.kept.rows) if mine else []
        most = len(runs) if "runs" in request.query_params else _LISTED
        return self._page(
            request,
            "lab",
            games=list(self._tables.games.values()),
            rows=rows,
            runs=runs[:most],
            hidden=len(runs[most:]),
            contests=self._contests,
        )

    def _row(self, job: Job) -> dict[str, Any]:
        """What a list tells of a job."""
        game = self._game_of(job)
        return {
            "job": job,
            "state": self._state(job),
            "when": moment(job.created),
            "title": game.title if game else Text(job.game, job.game),
        }

    def _state(self, job: Job) -> str:
        """In which state a page calls it; who has written down the end of it may still be tidying up."""
        state = job.state
        ended = state in (State.DONE, State.FAILED)
        return "running" if not ended and self.works.is_running(job) else state.value

    def _game_of(self, job: Job) -> Game | None:
        return self._tables.games.get(str(job.about.get("game", "")))

    async def form(self, request: Request) -> Response:
        """Questions about a game: with its rules as they are, those of a name, or those of a job."""
        game = self._tables.games.get(request.path_params["game"])
        if game is None:
            return self._pages.missing(request)
        wish, error = Wish(game.name), None
        try:
            wish = await run_in_threadpool(self._begun_from, game, request.query_params)
        except PlaymillError as found:
            error = found
        return await run_in_threadpool(self._asked, request, self._asking(game, wish, {}), error)

    def _begun_from(self, game: Game, asked: Mapping[str, str]) -> Wish:
        if name := asked.get("rules"):
            return Wish(game.name, typed=filled(game, json.dumps(self._rules.data(game, name))))
        if name := asked.get("run"):
            if (names := self.kept.named(asked.get("seal", ""), name)) is None:
                raise PlaymillError(
                    f"there is no run “{name[:40]}” here; it may have been removed",
                    f"прогона «{name[:40]}» здесь нет; возможно, его удалили",
                )
            plan = self.kept.open(names[0]).plan
            if plan.game == game.name:
                return Wish(game.name, plan.players, list(plan.names), typed=filled(game, json.dumps(plan.config)))
        if not (name := asked.get("work")):
            return Wish(game.name)
        job = self.works.about(game.name, name)
        given = job.arguments
        config = given.get("config") or given.get("b", {}).get("config") or {}
        if (found := asked.get("found", "")) in _FOUND and (job.folder / found).exists():
            config = json.loads((job.folder / found).read_text(encoding="utf-8"))
        seats = list(job.about.get("seats", ()))
        return Wish(game.name, given.get("players"), seats, typed=filled(game, json.dumps(config)))

    def _asking(self, game: Game, wish: Wish, form: Mapping[str, list[str]]) -> Asking:
        kept = self._tables.kept(game)
        return Asking(game, self._tables.minds[game.name], self._rules, wish, form, kept=kept)

    def _asked(
        self,
        request: Request,
        asking: Asking,
        error: PlaymillError | None = None,
        *,
        kind: str = "",
        said: Text | None = None,
        lang: Lang | None = None,
    ) -> Response:
        """The form with all that was typed."""
        game, players = asking.game, asking.players
        seats = [*asking.wish.seats, *[usual_agent(game)] * players][:players]
        sheet = asking.settings.sheet(error)
        found: dict[str, Any] = {"lang": lang} if lang else {}
        return self._page(
            request,
            "lab_game",
            status=200 if error is None else 400,
            here=f"/lab/games/{game.name}",
            game=game,
            players=players,
            counts=range(game.players[0], game.players[1] + 1),
            seats=[seat if seat in self._tables.minds[game.name] else seat.partition(":")[0] for seat in seats],
            numbers=numbers_of(seats),
            minds=list(self._tables.minds[game.name].values()),
            wish=asking.wish,
            sheet=sheet,
            prefix=PREFIX,
            asking=asking,
            open_kind=kind,
            sizes={"games": GAMES, "deals": DEALS, "minutes": MINUTES},
            usual=USUAL,
            figures=figures_of(game, players),
            goals=goals_of(game),
            is_number=is_number,
            paths=_paths(game),
            saved=self._rules.names(game),
            trouble=trouble_of(error, sheet),
            wrong=kind if _is_about(kind, game, error) else "",
            said=said,
            **found,
        )

    async def ask(self, request: Request) -> Response:
        """Asks what a form asks for, or keeps its rules under a name, or lays it anew."""
        game = self._tables.games.get(request.path_params["game"])
        if game is None:
            return self._pages.missing(request)
        form = {name: list(texts) for name, texts in (await form_of(request)).items()}
        wish = wish_of(form, self._tables.minds[game.name])
        kind = form.get("kind", [""])[-1]
        spoken = form.get("speak", [""])[0]
        lang: Lang | None = "ru" if spoken == "ru" else "en" if spoken == "en" else None
        if not self._owner.asks(request.headers):
            return self._pages.rendered(request, "sorry", status=403, title=LAB["lab"], sentence=LAB["not_owner"])
        return await run_in_threadpool(self._answer, request, self._asking(game, wish, form), kind, form, lang)

    def _answer(
        self, request: Request, asking: Asking, kind: str, form: Mapping[str, list[str]], lang: Lang | None
    ) -> Response:
        game, error, said = asking.game, None, None
        try:
            if "load" in form:
                wish = replace(asking.wish, typed=filled(game, asking.wish.file), file="")
                asking = self._asking(game, wish, form)
            elif "forget" in form:
                self._rules.remove(game, form["forget"][0])
            elif "keep" in form:
                told = "kept_over" if asking.text("called") in self._rules.names(game) else "kept_now"
                name = self._rules.save(game, asking.text("called"), asking.settings.config(asking.players))
                said = Text(*(text.format(name) for text in LAB[told]))
            elif kind in QUESTIONS and not {"again", "speak", "usual"} & form.keys():
                about = {**asking.about(kind), "game": game.name, "seats": list(asking.wish.seats)}
                job = self.works.ask(kind, asking.reference(), asking.arguments(kind), about)
                return RedirectResponse(f"/lab/works/{job.id}", 303)
        except PlaymillError as found:
            error = found
        kind = kind or asking.text("open") if error is None else kind
        return self._asked(request, asking, error, kind=kind, said=said, lang=lang)

    async def rules(self, request: Request) -> Response:
        """Rules of a name, as a file."""
        game = self._tables.games.get(request.path_params["game"])
        text = self._rules.text(game, request.path_params["name"]) if game is not None else None
        if text is None:
            return self._pages.missing(request)
        return download(text, f"{game.name if game else ''}-{request.path_params['name']}.json")

    async def work(self, request: Request) -> Response:
        """The page of a job: how far it is, and its report."""
        job = self.works.find(request.path_params["work"])
        if job is None:
            told = gone(request.path_params["work"])
            return self._pages.missing(request, Text(*(f"{line[0].upper()}{line[1:]}." for line in told)))
        game = self._game_of(job)
        answer = self._page(
            request,
            "work",
            job=job,
            game=game,
            now=self._now(job),
            files=[name for name in _FILES if (job.folder / name).exists()],
            run=self._run_of(job),
            key=self._pages.key,
            has_page=job.page("en") is not None,
        )
        answer.headers["Content-Security-Policy"] = FRAME_POLICY
        return answer

    def _run_of(self, job: Job) -> str | None:
        """Where the kept run of a job can be seen, if it has one."""
        name = str(job.result.get("run", ""))
        return self.kept.address(name) if name in run_names(self.kept.folder) else None

    def _now(self, job: Job) -> dict[str, Any]:
        standing = job.standing
        state = self._state(job)
        return {
            "state": state,
            "label": standing.label,
            "done": standing.done,
            "total": standing.total,
            "pages": standing.pages,
            "seconds": standing.seconds,
            "before": self.works.before(job) if state == "waiting" else 0,
            "trouble": job.trouble,
        }

    async def state(self, request: Request) -> Response:
        """How far a job is, for its page."""
        job = self.works.find(request.path_params["work"])
        if job is None:
            return JSONResponse({"state": "gone"}, 404)
        lang = language(request)
        now = await run_in_threadpool(self._now, job)
        said = {key: now[key].of(lang) if now[key] else "" for key in ("label", "trouble")}
        return JSONResponse({**now, **said})

    async def report(self, request: Request) -> Response:
        """The report of a job, as `--html` writes it."""
        job = self.works.find(request.path_params["work"])
        lang = language(request)
        text = await run_in_threadpool(job.page, lang) if job is not None else None
        if text is None:
            return self._pages.missing(request)
        return report_answer(text, lang)

    async def file(self, request: Request) -> Response:
        """A file of a job, to be taken away."""
        job, name = self.works.find(request.path_params["work"]), request.path_params["file"]
        if job is None or name not in _FILES or not (job.folder / name).exists():
            return self._pages.missing(request)
        text = await run_in_threadpool((job.folder / name).read_text, "utf-8")
        return download(text, f"{job.about.get('game', job.kind)}-{name}")

    async def act(self, request: Request) -> Response:
        """Stops a job, goes on with it, or removes it."""
        job = self.works.find(request.path_params["work"])
        if job is None:
            return self._pages.missing(request)
        if not self._owner.asks(request.headers):
            return self._pages.rendered(request, "sorry", status=403, title=LAB["lab"], sentence=LAB["not_owner"])
        wanted = (await form_of(request)).get("act", [""])[0]
        if wanted == "remove":
            await self.works.remove(job)
            return RedirectResponse("/lab", 303)
        if wanted == "stop" and job.state is State.WAITING:
            self.works.stop(job)
        elif wanted == "go_on" and job.state in (State.STOPPED, State.FAILED):
            self.works.go_on(job)
        return RedirectResponse(f"/lab/works/{job.id}", 303)


def _is_about(kind: str, game: Game, error: PlaymillError | None) -> bool:
    """Whether a mistake is told at its question, and not above the rules: if it is none of them, and there is one."""
    asked = kind in QUESTIONS and (kind != "tournament" or game.players[1] > 1)
    return asked and error is not None and not isinstance(error, RefusedConfigError)


def _paths(game: Game) -> list[tuple[str, Text, Any, float | None, float | None]]:
    """The numbers of a config, for lists to choose from."""
    return [
        (one.path, one.name, one.usual, one.low, one.high)
        for one in settings_of(game.config()).leaves()
        if one.kind is Kind.NUMBER and not one.fixed
    ]
