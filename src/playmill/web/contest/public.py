"""Pages of a contest that everybody may see: the ladder, the queue, tables and their games, the rules."""

from __future__ import annotations

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from playmill.texts import PlaymillError, Text
from playmill.web.contest.site import ContestSite
from playmill.web.contest.view import TableView
from playmill.web.page.requests import language, small_number
from playmill.web.play.rulebook import rulebook_response
from playmill.web.replay.pages import ReplayPages

#: The most entrants of whom everybody is shown against everybody.
_MATRIX = 24
#: Games of a table that are listed.
LISTED = 40


class PublicPages:
    """Answers requests of anybody."""

    def __init__(self, site: ContestSite, replays: ReplayPages) -> None:
        self._site, self._replays = site, replays

    def routes(self) -> list[Route]:
        """The addresses."""
        return [
            Route("/", self.home),
            Route("/queue", self.queue),
            Route("/standing.json", self.standing),
            Route("/rules", self.rules),
            Route("/games/{game}/rules", self.rules),
            Route("/of/{entrant}", self.entrant),
            Route("/of/{entrant}/{place}/{deal}-{rotation}", self.watch),
        ]

    async def home(self, request: Request) -> Response:
        """The first page: how to take part, and the ladder."""
        site = self._site
        standing = await run_in_threadpool(site.view.standing)
        ladder = standing.get("ladder", [])
        meetings = standing.get("meetings", []) if len(ladder) <= _MATRIX else []
        return site.page(
            request,
            "home",
            ladder=ladder,
            meetings=_by_names(meetings),
            waiting=len(await run_in_threadpool(site.view.queue)),
            account=site.account(request),
            finished=bool(standing.get("closed")),
        )

    async def queue(self, request: Request) -> Response:
        """What is being checked and played, and how long it will take."""
        view = self._site.view
        waiting, progress = await run_in_threadpool(lambda: (view.queue(), view.progress()))
        return self._site.page(request, "queue", waiting=waiting, progress=progress)

    async def standing(self, request: Request) -> Response:
        """The ladder as JSON: what everybody may know of it."""
        found = await run_in_threadpool(self._site.view.standing)
        return JSONResponse({key: found.get(key, []) for key in ("closed", "ladder", "meetings", "settled")})

    async def rules(self, request: Request) -> Response:
        """The rules of the game in words, as the contest plays it."""
        rules = self._site.rules
        config = rules.settings[0].config.model_dump(mode="json")
        return await rulebook_response(rules.game, config, language(request))

    async def entrant(self, request: Request) -> Response:
        """The tables of somebody on the ladder, and their games."""
        name = request.path_params["entrant"]
        view = self._site.view
        names = await run_in_threadpool(view.names)
        if name not in names:
            nobody = Text("Nobody on the ladder is called {}.", "На лестнице нет участника {}.")
            return self._site.missing(request, nobody.format(name[:40]))
        against = request.query_params.get("against", "")
        tables = await run_in_threadpool(view.tables_of, name)
        tables = [one for one in tables if not against or against in dict(one.opponents)]
        rung = next(one for one in view.standing()["ladder"] if one["name"] == name)
        return self._site.page(request, "entrant", who=name, rung=rung, tables=tables, against=against, most=LISTED)

    async def watch(self, request: Request) -> Response:
        """Leads to a game, which is watched as every replay is."""
        asked = request.path_params
        deal, rotation = (small_number(asked[key]) for key in ("deal", "rotation"))
        if deal is None or rotation is None:
            return self._site.missing(request)
        path = await run_in_threadpool(self._site.view.replay, asked["entrant"], asked["place"], deal, rotation)
        return await show_replay(self._site, self._replays, request, path)


async def show_replay(site: ContestSite, replays: ReplayPages, request: Request, path: Any) -> Response:
    """Redirects to the page of a replay."""
    if path is None:
        return site.missing(request)
    try:
        body = await run_in_threadpool(path.read_bytes)
        return RedirectResponse(f"/watch/{await replays.keep(body, language(request))}", 303)
    except PlaymillError as error:
        return site.missing(request, error.public)
    except OSError:
        return site.missing(request)


def worth_a_look(
    tables: list[TableView], ratings: dict[str, float], most: int
) -> list[tuple[TableView, int, int, int]]:
    """Returns games of an entrant: losses first, those to the weakest opponents before others; then what is left."""
    found = [(table, *game) for table in tables for game in table.games]

    places = {name: place for place, name in enumerate(ratings)}

    def order(one: tuple[TableView, int, int, int]) -> tuple[bool, float, int, int]:
        table, deal, rotation, rank = one
        best = min((places.get(name, len(places) / 2) for name, _ in table.opponents), default=0.0)
        return rank == 0, -best if rank else best, deal, rotation

    return sorted(found, key=order)[:most]


def _by_names(meetings: list[dict[str, Any]]) -> dict[tuple[str, str], tuple[float, str, int]]:
    """Returns what each took from each: the share, who is really better, and the deals."""
    found = {}
    for one in meetings:
        better, share = one.get("better") or "", one["share"]["value"]
        found[one["one"], one["other"]] = (share, better, one["deals"])
        found[one["other"], one["one"]] = (1 - share, better, one["deals"])
    return found
