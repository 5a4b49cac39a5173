"""Pages of contests: submissions, ladder, pairings and their games.

Nothing is played here. `playmill contest` writes the ladder as submissions arrive; the page shows what it wrote last.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from playmill.report.commands.contest import STATES, SubmissionView
from playmill.report.number_format import decimal, interval, percentage
from playmill.texts import Lang, PlaymillError, Text
from playmill.web.access.owner import Owner
from playmill.web.lab.phrases import LAB, saying
from playmill.web.lab.responses import FRAME_POLICY, report_answer
from playmill.web.page.renderer import Renderer, number_formats
from playmill.web.page.requests import language
from playmill.web.replay.pages import ReplayPages

#: Games of one table that are listed.
_LISTED = 40


class ContestPages:
    """Answers requests about contests, by the name of their folder."""

    def __init__(self, folders: Mapping[str, Path], renderer: Renderer, replays: ReplayPages, owner: Owner) -> None:
        self.folders = dict(folders)
        self._renderer, self._replays, self._owner = renderer, replays, owner

    def routes(self) -> list[Route]:
        """The addresses."""
        return [
            Route("/contests/{contest}", self.page),
            Route("/contests/{contest}/ladder", self.ladder),
            Route("/contests/{contest}/of/{entrant}", self.entrant),
            Route("/contests/{contest}/of/{entrant}/{table}/{game}", self.watch),
        ]

    def _rendered(self, request: Request, name: str, **rest: Any) -> HTMLResponse:
        answer = self._renderer.page(request, name, lab=saying(language(request)), **rest)
        answer.headers["Content-Security-Policy"] = FRAME_POLICY
        return answer

    async def page(self, request: Request) -> Response:
        """The submissions with their states, who beats whom, and the whole ladder."""
        name = request.path_params["contest"]
        folder = self.folders.get(name)
        if folder is None:
            return self._renderer.missing(request)
        standing = await run_in_threadpool(_standing, folder)
        results = (standing.get("contest") or {}).get("results", {})
        return self._rendered(
            request,
            "contest",
            contest=name,
            submissions=list(reversed(standing.get("submissions", []))),
            states=STATES,
            ladder=results.get("ladder", []),
            shares=_shares(results.get("meetings", []), language(request)),
            has_ladder=(folder / "ladder.html").exists() and self._owner.is_owner(request.headers),
            **number_formats(language(request)),
        )

    async def ladder(self, request: Request) -> Response:
        """The ladder as the contest wrote it, for the owner only: its commands contain the seeds of the tables."""
        folder, lang = self.folders.get(request.path_params["contest"]), language(request)
        path = folder / ("ladder.html" if lang == "en" else f"ladder.{lang}.html") if folder is not None else None
        if path is None or not path.exists() or not self._owner.is_owner(request.headers):
            return self._renderer.missing(request)
        text = await run_in_threadpool(path.read_text, "utf-8")
        return report_answer(text, lang)

    async def entrant(self, request: Request) -> Response:
        """The page of an entrant: its tables, their games, and its errors."""
        try:
            looked = await self._looked(request)
        except PlaymillError as error:
            return self._renderer.missing(request, error.public)
        if looked is None:
            return self._renderer.missing(request)
        against = request.query_params.get("against", "")
        tables = [(at, table) for at, table in enumerate(looked.tables) if not against or against in table.against]
        if against and not tables:
            return self._renderer.missing(
                request,
                Text(
                    f"There is no table of {looked.name} and {against[:40]}.",
                    f"Стола {looked.name} и {against[:40]} нет.",
                ),
            )
        contest = request.path_params["contest"]
        standing = await run_in_threadpool(_standing, self.folders[contest])
        meetings = (standing.get("contest") or {}).get("results", {}).get("meetings", [])
        return self._rendered(
            request,
            "entrant",
            shares=_shares(meetings, language(request)),
            contest=contest,
            looked=looked,
            tables=tables,
            names=await run_in_threadpool(_names, self.folders[contest]),
            against=against,
            most=_LISTED,
            states=STATES,
        )

    async def watch(self, request: Request) -> Response:
        """Redirects to the replay of a game."""
        try:
            looked = await self._looked(request)
        except PlaymillError as error:
            return self._renderer.missing(request, error.public)
        at, game = (request.path_params[key] for key in ("table", "game"))
        if looked is None or not (at.isdecimal() and game.isdecimal() and len(at) + len(game) < 12):
            return self._renderer.missing(request)
        games = looked.tables[int(at)].games if int(at) < len(looked.tables) else ()
        if int(game) >= len(games):
            return self._renderer.missing(request)
        try:
            body = await run_in_threadpool(Path(games[int(game)]).read_bytes)
            return RedirectResponse(f"/watch/{await self._replays.keep(body, language(request))}", 303)
        except PlaymillError as error:
            return self._renderer.missing(request, error.public)
        except OSError:
            return self._renderer.missing(request)

    async def _looked(self, request: Request) -> SubmissionView | None:
        folder = self.folders.get(request.path_params["contest"])
        if folder is None:
            return None
        from playmill.lab.contests.contest import Contest

        return await run_in_threadpool(lambda: Contest(folder).look_at(request.path_params["entrant"]))


def _standing(folder: Path) -> dict[str, Any]:
    """What the contest wrote last; empty, if that was nothing yet."""
    try:
        found = json.loads((folder / "ladder.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _names(folder: Path) -> set[str]:
    """The names on the ladder; others only played to check a submission."""
    ladder = (_standing(folder).get("contest") or {}).get("results", {}).get("ladder", [])
    return {one["name"] for one in ladder}


def _shares(meetings: list[dict[str, Any]], lang: Lang) -> dict[tuple[str, str], tuple[float, str, str]]:
    """Points of one entrant against another, who is significantly better, and the interval, by both names."""
    found = {}
    for one in meetings:
        better, share = one.get("better") or "", one["share"]
        low, high = share["low"], share["high"]
        for names, ends in (
            ((one["one"], one["other"]), (share["value"], low, high)),
            ((one["other"], one["one"]), (1 - share["value"], 1 - high, 1 - low)),
        ):
            value, least, most = (percentage(end, 1, lang) for end in ends)
            deals = LAB["deals_played"].of(lang).format(decimal(one["deals"], 0, lang))
            found[names] = (ends[0], better, f"{value} {interval(least, most, lang)}, {deals}")
    return found
