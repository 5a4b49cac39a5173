"""The organiser's page: open and close, invitations, disqualify, replay everything, end, and take it all away."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from playmill.engine.run.backends import default_workers
from playmill.lab.contests.contest.estimate import quadratic
from playmill.lab.contests.contest.rules import REGISTRATION
from playmill.lab.contests.contest.submissions import WAITING_STATES, SubmissionState
from playmill.texts import Text
from playmill.web.contest.entrants import report_page
from playmill.web.contest.export import static_site
from playmill.web.contest.phrases import CONTEST
from playmill.web.contest.site import ContestSite
from playmill.web.page.requests import read_form, small_number

PAGE = "/organiser"
_MOST_INVITATIONS = 500
_COLUMNS = (
    *("first_place", "last_place", "name", "version", "rating", "rating_low", "rating_high"),
    *("points", "points_low", "points_high", "games"),
)
Form = dict[str, str]


class OrganiserPages:
    """Answers requests of the organiser, and of nobody else."""

    def __init__(self, site: ContestSite, restart: Callable[[], None]) -> None:
        self._site, self._restart = site, restart

    def routes(self) -> list[Route]:
        """The addresses."""
        return [
            Route(PAGE, self.page),
            Route(f"{PAGE}/ladder.csv", self.as_csv),
            Route(f"{PAGE}/contest.json", self.as_json),
            Route(f"{PAGE}/site.zip", self.as_site),
            Route(f"{PAGE}/of/{{entrant}}/{{version}}", self.report),
            Route(f"{PAGE}/{{act}}", self.act, methods=["POST"]),
        ]

    def _stranger(self, request: Request) -> Response | None:
        """The answer to somebody who is not the organiser."""
        if self._site.is_organiser(request):
            return None
        return self._site.renderer.error(request, 403, CONTEST["organiser"], CONTEST["not_organiser"])

    async def page(self, request: Request) -> Response:
        """How everything stands, and what can be done about it."""
        return self._stranger(request) or await self._page(request)

    async def _page(self, request: Request, **shown: Any) -> Response:
        site = self._site

        def found() -> dict[str, Any]:
            handed = {one.name: site.view.handed(one.name) for one in site.registry.accounts()}
            there = len(handed) + len(site.rules.house)
            return {
                "many": quadratic(site.rules, there, default_workers(), None, served=True),
                "accounts": site.registry.accounts(),
                "handed": handed,
                "invited": site.registry.invitations(),
                "on_ladder": site.view.names(),
                "waiting": len(site.view.queue()),
                "used": site.registry.used_bytes() >> 20,
                "edition": site.registry.edition,
                "trouble": site.player.trouble() if site.player is not None else "",
            }

        shown = {"codes": [], "token": None, **shown}
        return site.page(request, "organiser", modes=REGISTRATION, **await run_in_threadpool(found), **shown)

    async def act(self, request: Request) -> Response:
        """Does what a button says."""
        if (stranger := self._stranger(request)) is not None:
            return stranger
        acts: dict[str, Callable[[Form], dict[str, Any] | None]] = {
            "settings": self._settings,
            "invite": self._invite,
            "disqualify": lambda form: self._out(form, out=True),
            "readmit": lambda form: self._out(form, out=False),
            "token": self._token,
            "replay": self._replay,
            "finish": self._finish,
        }
        act = acts.get(request.path_params["act"])
        if act is None:
            return self._site.missing(request)
        form = {key: values[0] for key, values in (await read_form(request)).items()}
        shown = await run_in_threadpool(act, form)
        return await self._page(request, **shown) if shown is not None else RedirectResponse(PAGE, 303)

    def _settings(self, form: Form) -> None:
        mode = form.get("registration")
        changed: dict[str, Any] = {"takes": form.get("takes") == "yes"}
        if mode in REGISTRATION:
            changed["registration"] = mode
        self._site.registry.change(changed)

    def _invite(self, form: Form) -> dict[str, Any]:
        count = min(small_number(form.get("count")) or 1, _MOST_INVITATIONS)
        return {"codes": self._site.registry.invite(count)}

    def _out(self, form: Form, *, out: bool) -> None:
        self._site.registry.disqualify(form.get("name", ""), out=out)

    def _token(self, form: Form) -> dict[str, Any] | None:
        name = form.get("name", "")
        token = self._site.registry.new_token(name)
        return None if token is None else {"token": (name, token)}

    def _replay(self, form: Form) -> None:
        if form.get("sure") == "yes" and not self._site.over:
            self._site.registry.begin_edition(self.chosen())
            self._restart()

    def chosen(self) -> set[int]:
        """Returns the uploads that are played when everything is begun anew: last good ones, last ones, and waiting."""
        registry = self._site.registry
        known = {(one.name, one.code): one.state for one in self._site.view.submissions()}
        found: set[int] = set()
        good: dict[str, int] = {}
        last: dict[str, int] = {}
        for upload in registry.uploads():
            state = known.get((upload.name, upload.code))
            last[upload.name] = upload.id
            if state is SubmissionState.DONE:
                good[upload.name] = upload.id
            if state in WAITING_STATES:
                found.add(upload.id)
        return found | set(good.values()) | set(last.values())

    def _finish(self, form: Form) -> None:
        if form.get("sure") == "yes" and not self._site.over:
            self._site.registry.change({"final": True, "takes": False})
            if self._site.player is not None:
                self._site.player.restart()

    async def report(self, request: Request) -> Response:
        """The report on anybody's version."""
        return self._stranger(request) or await report_page(self._site, request, request.path_params["entrant"], PAGE)

    # What can be taken away

    async def as_csv(self, request: Request) -> Response:
        """The ladder as a table."""
        if (stranger := self._stranger(request)) is not None:
            return stranger
        text = ladder_csv(await run_in_threadpool(self._site.view.standing))
        return _file(text.encode(), "ladder.csv", "text/csv; charset=utf-8")

    async def as_json(self, request: Request) -> Response:
        """Everything that is known, but for tokens and files."""
        if (stranger := self._stranger(request)) is not None:
            return stranger
        data = await run_in_threadpool(contest_json, self._site)
        return _file(json.dumps(data, ensure_ascii=False, indent=1).encode(), "contest.json", "application/json")

    async def as_site(self, request: Request) -> Response:
        """The ladder and games as pages that need no server."""
        if (stranger := self._stranger(request)) is not None:
            return stranger
        data = await run_in_threadpool(static_site, self._site)
        return _file(data, f"{self._site.rules.game.name}-contest.zip", "application/zip")


def ladder_csv(standing: dict[str, Any]) -> str:
    """Returns the ladder as CSV."""
    made = io.StringIO()
    writer = csv.writer(made)
    writer.writerow(_COLUMNS)
    for one in standing.get("ladder", []):
        # A name cannot begin a formula of a spreadsheet: it begins with a letter or a digit.
        rating, points = (one[key] for key in ("rating", "points"))
        numbers = [
            *(rating[key] for key in ("value", "low", "high")),
            *(points[key] for key in ("value", "low", "high")),
        ]
        writer.writerow([*one["places"], one["name"], one["version"], *numbers, one["games"]])
    return made.getvalue()


def contest_json(site: ContestSite) -> dict[str, Any]:
    """Returns all that the organiser knows: the ladder, every version with what became of it, the tables."""
    standing = site.view.standing()
    versions = []
    for account in site.registry.accounts():
        for one in reversed(site.view.handed(account.name)):
            why: Text | None = one.submission.why if one.submission is not None else None
            versions.append(
                {
                    "name": account.name,
                    "version": one.version,
                    "state": one.state,
                    "why": why._asdict() if why is not None else None,
                    "sha256": one.upload.code,
                    "handed_in": one.upload.made,
                    "figures": one.figures,
                    "disqualified": account.disqualified,
                }
            )
    shown = {key: standing.get(key) for key in ("closed", "ladder", "settled", "meetings", "tables")}
    return (
        {"contest": site.title, "game": site.rules.game.name, "edition": site.registry.edition}
        | shown
        | {"versions": versions}
    )


def _file(data: bytes, name: str, kind: str) -> Response:
    return Response(data, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})
