"""Pages of kept runs: list, report, comparison, continuation, removal.

The address of a run has a seal in it that only the server can make: a name can be guessed, an address cannot.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hmac import compare_digest
from pathlib import Path
from urllib.parse import quote, urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from playmill.engine.config.model import differences
from playmill.engine.config.settings import describe_changes
from playmill.engine.contract.game import Game
from playmill.lab.runs.store.manifest import MANIFEST
from playmill.lab.runs.store.reader import KeptRun, is_name, remove_folder, run_names
from playmill.report.number_format import decimal
from playmill.texts import LANGUAGES, PlaymillError, Text
from playmill.web.access.owner import Owner
from playmill.web.lab.job_form import whole_number
from playmill.web.lab.job_queue import JobQueue
from playmill.web.lab.phrases import LAB, counting, saying
from playmill.web.lab.responses import FRAME_POLICY, download, report_answer, trouble_answer
from playmill.web.lab.run_reports import RunReports
from playmill.web.page.renderer import Renderer
from playmill.web.page.requests import language, read_form

#: The longest value that is shown, and the most games a run may grow to.
_SHORT, _MOST_GAMES = 30, 10**10
_IN_ALL = Text("how many games in all?", "сколько всего партий?")
_BETWEEN = ","
#: Prefix of the names of runs that were started on a page.
FROM_PAGE = "lab-"


@dataclass(frozen=True)
class RunRow:
    """A run in the list; of one that cannot be read only its name and the error."""

    name: str
    at: str
    game: str = ""
    title: Text | None = None
    changes: Sequence[Text] = ()
    agents: Sequence[str] = ()
    players: int = 0
    games: int = 0
    requested: int = 0
    complete: bool = False
    when: str = ""
    seed: int = 0
    rotated: bool = False
    #: The job of this server that plays it, or played it.
    work: str | None = None
    host: str = ""
    trouble: Text | None = None

    @property
    def state(self) -> str:
        """The CSS class of its line."""
        return "failed" if self.trouble is not None else "done" if self.complete else "stopped"


class KeptRuns:
    """The kept runs in a folder as rows of a list, read again only when they have changed."""

    def __init__(self, home: Path, games: Mapping[str, Game], owner: Owner) -> None:
        self.folder, self.games, self._owner = home / "runs", games, owner
        self._known: dict[str, tuple[tuple[int, int], RunRow]] = {}

    def address(self, *names: str) -> str:
        """The address of a run, or of two compared."""
        text = _BETWEEN.join(names)
        return f"/lab/runs/{self._owner.seal(f'run {text}')}/{quote(text)}"

    def named(self, seal: str, text: str) -> list[str] | None:
        """The names in an address; None unless its seal is ours and the runs exist."""
        names = text.split(_BETWEEN)
        genuine = compare_digest(seal.encode(), self._owner.seal(f"run {text}").encode())
        there = all(is_name(name) and (self.folder / name / MANIFEST).is_file() for name in names)
        return names if genuine and there and len(names) <= 2 else None

    def rows(self) -> list[RunRow]:
        """All runs, the newest first; those that cannot be read last."""
        rows = [self.row(name) for name in run_names(self.folder) if is_name(name)]
        self._known = {row.name: self._known[row.name] for row in rows if row.name in self._known}
        rows.sort(key=lambda row: row.name)
        return sorted(rows, key=lambda row: row.when, reverse=True)

    def row(self, name: str) -> RunRow:
        """The row of a run."""
        try:
            found = (self.folder / name / MANIFEST).stat()
        except OSError:
            return self._read(name)
        stamp = (found.st_mtime_ns, found.st_size)
        if name not in self._known or self._known[name][0] != stamp:
            self._known[name] = (stamp, self._read(name))
        return self._known[name][1]

    def open(self, name: str) -> KeptRun:
        """Opens the run of a name; raises unless it can be read."""
        return KeptRun.open(self.folder / name)

    def remove(self, name: str) -> None:
        """Removes a run; raises if it is being played."""
        remove_folder(self.folder / name)
        self._known.pop(name, None)

    def _read(self, name: str) -> RunRow:
        at = self.address(name)
        try:
            return self._row(name, at, self.open(name))
        except PlaymillError as error:
            return RunRow(name, at, trouble=error.public)
        except (AttributeError, KeyError, OverflowError, TypeError, ValueError):  # somebody has written into its files
            return RunRow(name, at, trouble=Text(f"run {name} is damaged", f"прогон {name} повреждён"))

    def _row(self, name: str, at: str, run: KeptRun) -> RunRow:
        plan, sessions = run.plan, run.manifest.sessions
        game = self.games.get(plan.game)
        return RunRow(
            name,
            at,
            game=plan.game,
            title=game.title if game is not None else Text(plan.game, plan.game),
            changes=_changes(game, run),
            agents=plan.names[:1] if len(set(plan.names)) == 1 else plan.names,
            players=plan.players,
            games=run.games,
            requested=run.requested,
            complete=run.complete,
            when=moment(sessions[-1]["when"] if sessions else run.about["created"]),
            seed=plan.seed,
            rotated=plan.rotations > 1,
            work=name.removeprefix(FROM_PAGE) if name.startswith(FROM_PAGE) else None,
            host=str(sessions[-1].get("host", "")) if sessions else "",
        )


def _changes(game: Game | None, run: KeptRun) -> Sequence[Text]:
    """The settings that differ from the default; none for a game that is not on offer here."""
    if game is None:
        return ()
    try:
        config = game.config.read(run.plan.config, run.name)
    except PlaymillError as error:
        return (error.public,)
    return tuple(describe_changes(config, differences(config), longest=_SHORT))


def moment(when: object) -> str:
    """A local time from seconds since 1970 or an ISO 8601 text; empty if it is neither."""
    try:
        found = datetime.fromtimestamp(when, UTC) if isinstance(when, float) else datetime.fromisoformat(str(when))
        return f"{found.astimezone():%Y-%m-%d %H:%M}"
    except (OSError, OverflowError, ValueError):
        return ""


class RunPages:
    """Answers requests about kept runs; whoever has an address may read, only the owner may change anything."""

    def __init__(self, kept: KeptRuns, reports: RunReports, queue: JobQueue, renderer: Renderer, owner: Owner) -> None:
        self._kept, self._reports, self._queue, self._renderer, self._owner = kept, reports, queue, renderer, owner

    def routes(self) -> list[Route]:
        """The addresses."""
        return [
            Route("/lab/runs", self.choose, methods=["POST"]),
            Route("/lab/runs/{seal}/{runs}", self.page),
            Route("/lab/runs/{seal}/{runs}", self.act, methods=["POST"]),
            Route("/lab/runs/{seal}/{runs}/report", self.report),
            Route("/lab/runs/{seal}/{runs}/results.json", self.results),
        ]

    def _named(self, request: Request) -> list[str] | None:
        return self._kept.named(request.path_params["seal"], request.path_params["runs"])

    async def page(self, request: Request) -> Response:
        """The page of a run, or of two, with the report in a frame."""
        names = await run_in_threadpool(self._named, request)
        return self._renderer.missing(request) if names is None else await self._page(request, names)

    async def _page(self, request: Request, names: list[str], trouble: Text | None = None) -> Response:
        owner = self._owner.is_owner(request.headers)
        rows = await run_in_threadpool(lambda: [self._kept.row(name) for name in names])
        others = await run_in_threadpool(self._kept.rows) if owner and len(rows) == 1 else []
        answer: HTMLResponse = self._renderer.page(
            request,
            "run",
            status=200 if trouble is None else 400,
            at=self._kept.address(*names),
            here=self._kept.address(*names),
            lab=saying(language(request)),
            whole=counting(language(request)),
            known=rows[0].game in self._kept.games,
            change=urlencode({"seal": self._kept.address(names[0]).split("/")[3], "run": names[0]}),
            owner=owner,
            rows=rows,
            others=[row for row in others if row.game == rows[0].game and row.name != names[0] and row.games],
            playing=self._playing(names[0]),
            key=self._renderer.key,
            trouble=trouble,
        )
        answer.headers["Content-Security-Policy"] = FRAME_POLICY
        return answer

    def _playing(self, name: str) -> str | None:
        """The job of this server that plays a run, or is about to."""
        for job in self._queue.jobs():
            mine = f"{FROM_PAGE}{job.id}" if job.kind == "simulate" else job.arguments.get("run")
            if mine == name and job.state.value == "waiting":
                return job.id
        return None

    async def report(self, request: Request) -> Response:
        """The report, as `--html` writes it."""
        names, lang = await run_in_threadpool(self._named, request), language(request)
        if names is None:
            return self._renderer.missing(request)
        shown = await self._reports.report(names)
        if (trouble := shown.trouble) is not None:
            return trouble_answer(trouble, lang)
        return report_answer(await run_in_threadpool(shown.page, lang), lang)

    async def results(self, request: Request) -> Response:
        """All figures, as a download."""
        names = await run_in_threadpool(self._named, request)
        shown = await self._reports.report(names) if names is not None else None
        if names is None or shown is None or shown.trouble is not None:
            return self._renderer.missing(request)
        return download(await run_in_threadpool(shown.results), f"{'-'.join(names)}.json")

    async def choose(self, request: Request) -> Response:
        """Redirects from the list to two runs that were ticked."""
        if not self._owner.is_owner(request.headers):
            return self._renderer.error(request, 403, LAB["lab"], LAB["not_owner"])
        names = list(dict.fromkeys((await read_form(request)).get("run", [])))
        if len(names) != 2 or not set(names) <= set(await run_in_threadpool(run_names, self._kept.folder)):
            return self._renderer.error(request, 400, LAB["runs"], LAB["tick_two"])
        return RedirectResponse(self._kept.address(*names), 303)

    async def act(self, request: Request) -> Response:
        """Continues a run, compares it with another, or removes it."""
        names = await run_in_threadpool(self._named, request)
        if names is None or len(names) != 1:
            return self._renderer.missing(request)
        if not self._owner.is_owner(request.headers):
            return self._renderer.error(request, 403, LAB["lab"], LAB["not_owner"])
        form = await read_form(request)
        wanted = form.get("act", [""])[0]
        try:
            if wanted == "remove":
                await run_in_threadpool(self._kept.remove, names[0])
                return RedirectResponse("/lab#runs", 303)
            if wanted == "compare" and (other := form.get("with", [""])[0]) in run_names(self._kept.folder):
                return RedirectResponse(self._kept.address(names[0], other), 303)
            if wanted in ("go_on", "extend"):
                games = form.get("games", [""])[0] if wanted == "extend" else None
                job = await run_in_threadpool(self._go_on, names[0], games)
                return RedirectResponse(f"/lab/works/{job}", 303)
        except PlaymillError as error:
            return await self._page(request, names, error.public)
        return RedirectResponse(self._kept.address(*names), 303)

    def _go_on(self, name: str, games: str | None) -> str:
        """Starts a job that plays what is missing of a run, or more games."""
        run = self._kept.open(name)
        wanted = whole_number(games, _MOST_GAMES, _IN_ALL) if games is not None else None
        if wanted is not None and wanted <= run.requested:
            en, ru = (decimal(run.requested, 0, lang) for lang in LANGUAGES)
            raise PlaymillError(
                f"the run has {en} games already; name more than that", f"в прогоне уже {ru} партий; назовите больше"
            )
        row = self._kept.row(name)
        about = {
            "game": row.game,
            "players": row.players,
            "changes": [list(text) for text in row.changes],
            "agents": list(row.agents),
            "run": name,
        }
        return self._queue.add("resume", run.plan.game, {"run": name, "games": wanted}, about).id
