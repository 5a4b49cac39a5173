"""Pages of the laboratory: forms that start jobs, the list of jobs, and the page of a job with its report."""

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
from playmill.engine.config.settings import SettingKind, settings_of
from playmill.engine.contract.game import Game
from playmill.lab.jobs import Job, JobState
from playmill.lab.runs.executors import offered
from playmill.lab.runs.store.reader import run_names
from playmill.texts import Lang, PlaymillError, Text
from playmill.web.access.owner import Owner
from playmill.web.lab.job_form import (
    DEALS,
    GAMES,
    MINUTES,
    QUESTIONS,
    USUAL,
    JobForm,
    figures_of,
    goals_of,
    is_number,
    usual_agent,
)
from playmill.web.lab.job_queue import JobQueue, gone
from playmill.web.lab.phrases import LAB, counting, saying
from playmill.web.lab.responses import FRAME_POLICY, download, report_answer
from playmill.web.lab.run_reports import RunReports
from playmill.web.lab.runs import KeptRuns, RunPages, moment
from playmill.web.live.registry import TableRegistry
from playmill.web.live.setup import TableSetup, agent_parameters, setup_of
from playmill.web.page.renderer import Renderer
from playmill.web.page.requests import form_language, language, read_form
from playmill.web.page.settings_form import PREFIX, form_error, typed_from
from playmill.web.saved.rules import SavedRules

#: Files of a job that can be downloaded.
_FOUND = ("config.json", "smallest.json")
_FILES = ("results.json", *_FOUND)
#: Jobs in the list.
_LISTED = 60


class Laboratory:
    """Answers all requests about jobs; only the owner may start or change any."""

    def __init__(
        self,
        tables: TableRegistry,
        renderer: Renderer,
        rules: SavedRules,
        owner: Owner,
        home: Path,
        contests: Sequence[str] = (),
    ) -> None:
        self._tables, self._renderer, self._rules, self._owner = tables, renderer, rules, owner
        self._contests = contests
        self.queue = JobQueue(home / "jobs", home)
        self.reports = RunReports(home)
        self.kept = KeptRuns(home, tables.games, owner)
        self._runs = RunPages(self.kept, self.reports, self.queue, renderer, owner)

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
        mine = self._owner.is_owner(request.headers)
        return self._renderer.page(request, name, lab=saying(lang), whole=counting(lang), owner=mine, **rest)

    async def home(self, request: Request) -> Response:
        """The list of games, jobs and kept runs."""
        mine = self._owner.is_owner(request.headers)
        jobs = [job for job in self.queue.jobs() if job.kind != "worth"][:_LISTED] if mine else []
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
        """A job in the list."""
        game = self._game_of(job)
        return {
            "job": job,
            "state": self._state(job),
            "when": moment(job.created),
            "title": game.title if game else Text(job.game, job.game),
        }

    def _state(self, job: Job) -> str:
        """The state that a page shows; a process that has stored its end may still be running."""
        state = job.state
        ended = state in (JobState.DONE, JobState.FAILED)
        return "running" if not ended and self.queue.is_running(job) else state.value

    def _game_of(self, job: Job) -> Game | None:
        return self._tables.games.get(str(job.about.get("game", "")))

    async def form(self, request: Request) -> Response:
        """The form of a game: with default rules, saved ones, or those of a job or a run."""
        game = self._tables.games.get(request.path_params["game"])
        if game is None:
            return self._renderer.missing(request)
        if self._owner.is_owner(request.headers):
            self.queue.get_ready()
        setup, error = TableSetup(game.name), None
        try:
            setup = await run_in_threadpool(self._begun_from, game, request.query_params)
        except PlaymillError as found:
            error = found
        return await run_in_threadpool(self._show_form, request, self._job_form(game, setup, {}), error)

    def _begun_from(self, game: Game, asked: Mapping[str, str]) -> TableSetup:
        if name := asked.get("rules"):
            return TableSetup(game.name, typed=typed_from(game, json.dumps(self._rules.data(game, name))))
        if name := asked.get("run"):
            if (names := self.kept.named(asked.get("seal", ""), name)) is None:
                raise PlaymillError(
                    f"there is no run “{name[:40]}” here; it may have been removed",
                    f"прогона «{name[:40]}» здесь нет; возможно, его удалили",
                )
            plan = self.kept.open(names[0]).plan
            if plan.game == game.name:
                return TableSetup(
                    game.name, plan.players, list(plan.names), typed=typed_from(game, json.dumps(plan.config))
                )
        if not (name := asked.get("work")):
            return TableSetup(game.name)
        job = self.queue.about(game.name, name)
        given = job.arguments
        config = given.get("config") or given.get("b", {}).get("config") or {}
        if (found := asked.get("found", "")) in _FOUND and (job.folder / found).exists():
            config = json.loads((job.folder / found).read_text(encoding="utf-8"))
        seats = list(job.about.get("seats", ()))
        return TableSetup(game.name, given.get("players"), seats, typed=typed_from(game, json.dumps(config)))

    def _job_form(self, game: Game, setup: TableSetup, form: Mapping[str, list[str]]) -> JobForm:
        kept = self._tables.kept(game)
        return JobForm(game, self._tables.agents[game.name], self._rules, setup, form, kept=kept)

    def _show_form(
        self,
        request: Request,
        job_form: JobForm,
        error: PlaymillError | None = None,
        *,
        kind: str = "",
        said: Text | None = None,
        lang: Lang | None = None,
    ) -> Response:
        """Renders the form with all that was typed."""
        game, players = job_form.game, job_form.players
        seats = [*job_form.setup.seats, *[usual_agent(game)] * players][:players]
        sheet = job_form.settings.sheet(error)
        found: dict[str, Any] = {"lang": lang} if lang else {}
        return self._page(
            request,
            "lab_game",
            status=200 if error is None else 400,
            here=f"/lab/games/{game.name}",
            game=game,
            players=players,
            counts=range(game.players[0], game.players[1] + 1),
            seats=[seat if seat in self._tables.agents[game.name] else seat.partition(":")[0] for seat in seats],
            numbers=agent_parameters(seats),
            minds=list(self._tables.agents[game.name].values()),
            wish=job_form.setup,
            sheet=sheet,
            prefix=PREFIX,
            asking=job_form,
            open_kind=kind,
            sizes={"games": GAMES, "deals": DEALS, "minutes": MINUTES},
            usual=USUAL,
            places=offered(),
            figures=figures_of(game, players),
            goals=goals_of(game),
            levels=job_form.levels,
            is_number=is_number,
            paths=_paths(game),
            saved=self._rules.names(game),
            trouble=form_error(error, sheet),
            wrong=kind if _is_about(kind, game, error) else "",
            said=said,
            **found,
        )

    async def ask(self, request: Request) -> Response:
        """Starts the job of a form, saves its rules under a name, or shows it again."""
        game = self._tables.games.get(request.path_params["game"])
        if game is None:
            return self._renderer.missing(request)
        form = {name: list(texts) for name, texts in (await read_form(request)).items()}
        setup = setup_of(form, self._tables.agents[game.name])
        kind = form.get("kind", [""])[-1]
        lang = form_language(form)
        if not self._owner.is_owner(request.headers):
            return self._renderer.error(request, 403, LAB["lab"], LAB["not_owner"])
        return await run_in_threadpool(self._answer, request, self._job_form(game, setup, form), kind, form, lang)

    def _answer(
        self, request: Request, job_form: JobForm, kind: str, form: Mapping[str, list[str]], lang: Lang | None
    ) -> Response:
        game, error, said = job_form.game, None, None
        try:
            if "load" in form:
                setup = replace(job_form.setup, typed=typed_from(game, job_form.setup.file), file="")
                job_form = self._job_form(game, setup, form)
            elif "forget" in form:
                self._rules.remove(game, form["forget"][0])
            elif "keep" in form:
                phrase = "kept_over" if job_form.text("called") in self._rules.names(game) else "kept_now"
                name = self._rules.save(game, job_form.text("called"), job_form.settings.config(job_form.players))
                said = LAB[phrase].format(name)
            elif kind in QUESTIONS and not {"again", "speak", "usual"} & form.keys():
                about = {**job_form.about(kind), "game": game.name, "seats": list(job_form.setup.seats)}
                job = self.queue.add(kind, job_form.reference(), job_form.arguments(kind), about)
                return RedirectResponse(f"/lab/works/{job.id}", 303)
        except PlaymillError as found:
            error = found
        kind = kind or job_form.text("open") if error is None else kind
        return self._show_form(request, job_form, error, kind=kind, said=said, lang=lang)

    async def rules(self, request: Request) -> Response:
        """Saved rules, as a download."""
        game = self._tables.games.get(request.path_params["game"])
        text = self._rules.text(game, request.path_params["name"]) if game is not None else None
        if text is None:
            return self._renderer.missing(request)
        return download(text, f"{game.name if game else ''}-{request.path_params['name']}.json")

    async def work(self, request: Request) -> Response:
        """The page of a job: its progress, and its report."""
        job = self.queue.find(request.path_params["work"])
        if job is None:
            message = gone(request.path_params["work"])
            return self._renderer.missing(request, Text(*(f"{line[0].upper()}{line[1:]}." for line in message)))
        game = self._game_of(job)
        answer = self._page(
            request,
            "work",
            job=job,
            game=game,
            now=self._now(job),
            files=[name for name in _FILES if (job.folder / name).exists()],
            run=self._run_of(job),
            key=self._renderer.key,
            has_page=job.page("en") is not None,
        )
        answer.headers["Content-Security-Policy"] = FRAME_POLICY
        return answer

    def _run_of(self, job: Job) -> str | None:
        """The address of the kept run of a job, if it has one."""
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
            "before": self.queue.before(job) if state == "waiting" else 0,
            "trouble": job.trouble,
        }

    async def state(self, request: Request) -> Response:
        """The progress of a job, as JSON."""
        job = self.queue.find(request.path_params["work"])
        if job is None:
            return JSONResponse({"state": "gone"}, 404)
        lang = language(request)
        now = await run_in_threadpool(self._now, job)
        said = {key: now[key].of(lang) if now[key] else "" for key in ("label", "trouble")}
        return JSONResponse({**now, **said})

    async def report(self, request: Request) -> Response:
        """The report of a job, as `--html` writes it."""
        job = self.queue.find(request.path_params["work"])
        lang = language(request)
        text = await run_in_threadpool(job.page, lang) if job is not None else None
        if text is None:
            return self._renderer.missing(request)
        return report_answer(text, lang)

    async def file(self, request: Request) -> Response:
        """A file of a job, as a download."""
        job, name = self.queue.find(request.path_params["work"]), request.path_params["file"]
        if job is None or name not in _FILES or not (job.folder / name).exists():
            return self._renderer.missing(request)
        text = await run_in_threadpool((job.folder / name).read_text, "utf-8")
        return download(text, f"{job.about.get('game', job.kind)}-{name}")

    async def act(self, request: Request) -> Response:
        """Stops a job, resumes it, or removes it."""
        job = self.queue.find(request.path_params["work"])
        if job is None:
            return self._renderer.missing(request)
        if not self._owner.is_owner(request.headers):
            return self._renderer.error(request, 403, LAB["lab"], LAB["not_owner"])
        wanted = (await read_form(request)).get("act", [""])[0]
        if wanted == "remove":
            await self.queue.remove(job)
            return RedirectResponse("/lab", 303)
        if wanted == "stop" and job.state is JobState.WAITING:
            self.queue.stop(job)
        elif wanted == "go_on" and job.state in (JobState.STOPPED, JobState.FAILED):
            self.queue.resume(job)
        return RedirectResponse(f"/lab/works/{job.id}", 303)


def _is_about(kind: str, game: Game, error: PlaymillError | None) -> bool:
    """Whether an error is shown at the fields of its job, and not above the rules."""
    asked = kind in QUESTIONS and (kind != "tournament" or game.players[1] > 1)
    return asked and error is not None and not isinstance(error, RefusedConfigError)


def _paths(game: Game) -> list[tuple[str, Text, Any, float | None, float | None]]:
    """The numeric settings of a config, for lists to choose from."""
    return [
        (one.path, one.name, one.usual, one.low, one.high)
        for one in settings_of(game.config()).leaves()
        if one.kind is SettingKind.NUMBER and not one.fixed
    ]
