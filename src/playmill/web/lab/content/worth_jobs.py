"""Jobs that measure the worth of content: one for equal pieces, stopped when no page waits for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game, reference_of
from playmill.lab.jobs import Job, JobState
from playmill.texts import Text
from playmill.web.lab.content.draft import PieceDraft
from playmill.web.lab.job_queue import JobQueue
from playmill.web.table.state import rules_fingerprint_of

#: Jobs that are stored; the oldest are removed.
MOST = 200
#: Pages whose last job is known; and a number of edits that no page reaches.
_PAGES, _ENDED = 500, 10**9
#: The narrowest scale, as a share: tiny figures are not blown up to fill it.
_NARROWEST = 0.02


@dataclass(frozen=True)
class WorthRequest:
    """The arguments of a worth job, and a key that is the same for pieces that play the same."""

    key: str
    arguments: Mapping[str, Any]

    @classmethod
    def of(cls, draft: PieceDraft, config: RuleConfig, deals: int) -> WorthRequest:
        """The request for a piece without mistakes."""
        from playmill.lab.decide.worth import WorthMeasurement

        only = [draft.whole["id"]]
        weighing = WorthMeasurement(draft.game, content=draft.content, config=config, only=only)
        data = {"content": draft.data, "config": config.model_dump(mode="json"), "only": only, "games": deals}
        return cls(f"{rules_fingerprint_of(draft.game)}-{weighing.key()}-{deals}", data)


@dataclass(frozen=True)
class WorthInterval:
    """One figure of a worth, with its position on a scale from 0 to 100 whose middle is no difference."""

    name: Text
    count: int
    value: float
    low: float
    high: float
    fired: float
    points: float
    at: Sequence[float]
    widest: float

    @property
    def is_open(self) -> bool:
        """Whether zero is within the interval."""
        return self.low <= 0 <= self.high


def whiskers(found: Sequence[Mapping[str, Any]]) -> list[WorthInterval]:
    """The figures of a worth, all on one scale."""
    widest = max([_NARROWEST, *(abs(one["change"][end]) for one in found for end in ("low", "high"))]) * 1.08
    made = []
    for one in found:
        value, low, high = (one["change"][end] for end in ("value", "low", "high"))
        at = [round(50 + 50 * share / widest, 2) for share in (value, low, high)]
        name = Text(one["name"]["en"], one["name"]["ru"])
        does = one["fired_per_game"], one["points_per_game"]
        made.append(WorthInterval(name, one["count"], value, low, high, *does, at, widest))
    return made


@dataclass(frozen=True)
class PageVersion:
    """A page of the editor after a number of edits; a page without scripts has no name, and nothing overtakes it."""

    page: str
    edits: int

    @classmethod
    def of(cls, page: str, edits: str) -> PageVersion:
        """The version that a form names; invalid numbers are the page as it was opened."""
        return cls(page, int(edits) if edits.isdecimal() and len(edits) < 10 else 0)


class WorthJobs:
    """The worth jobs in the queue of a laboratory.

    Requests of a page may overtake each other on their way: only the newest version counts.
    """

    def __init__(self, queue: JobQueue) -> None:
        self._queue = queue
        self._newest: dict[str, PageVersion] = {}
        self._begun: dict[str, str] = {}

    def hear(self, version: PageVersion) -> None:
        """Registers the version that a page shows now."""
        if version.page and not self.is_old(version):
            self._newest.pop(version.page, None)
            self._newest[version.page] = version
            while len(self._newest) > _PAGES:
                page = next(iter(self._newest))
                del self._newest[page]
                self._begun.pop(page, None)

    def is_old(self, version: PageVersion) -> bool:
        """Whether its page shows a newer one."""
        newest = self._newest.get(version.page)
        return newest is not None and newest.edits > version.edits

    def ended(self, page: str) -> Job | None:
        """Forgets a page that was left; returns the job that was begun for it last."""
        version = PageVersion(page, _ENDED)
        self.hear(version)
        return self.begun(version)

    def begun(self, version: PageVersion) -> Job | None:
        """The job that was begun last for the page, if it still exists."""
        return self._queue.find(self._begun.get(version.page, ""))

    def find(self, key: str) -> Job | None:
        """The job with that key."""
        return next((job for job in self._all() if job.about.get("key") == key), None)

    def job(self, game: Game, name: str) -> Job | None:
        """A job about content of a game, by its id."""
        job = self._queue.find(name)
        return job if job is not None and job.kind == "worth" and job.about.get("game") == game.name else None

    def begin(self, draft: PieceDraft, wanted: WorthRequest, version: PageVersion) -> Job:
        """Starts a job for a page; one that is done already, or under way, is not started twice."""
        job = self._asked(draft, wanted)
        if version.page in self._newest:
            self._begun[version.page] = job.id
        return job

    def _asked(self, draft: PieceDraft, wanted: WorthRequest) -> Job:
        job = self.find(wanted.key)
        if job is None:
            name = draft.entry.name if draft.entry is not None else Text("", "")
            about = {"key": wanted.key, "game": draft.game.name, "players": draft.game.players[0]}
            about |= {"changes": [list(name)], "agents": []}
            return self._queue.add("worth", reference_of(draft.game), wanted.arguments, about)
        if job.state in (JobState.STOPPED, JobState.FAILED):
            self._queue.resume(job)
        return job

    def leave(self, job: Job) -> None:
        """Stops a job that no page waits for; it is resumed when it is asked for again."""
        if job.state is JobState.WAITING:
            self._queue.stop(job)

    async def tidy(self) -> None:
        """Removes the oldest, if there are too many."""
        for job in self._all()[MOST:]:
            if job.state is not JobState.WAITING:
                await self._queue.remove(job)

    def _all(self) -> list[Job]:
        return [job for job in self._queue.jobs() if job.kind == "worth"]
