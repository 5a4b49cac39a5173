"""What pieces are worth: jobs like all others, one for whatever plays the same, stopped when nobody waits for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game, reference_of
from playmill.lab.decide.worth import Weighing
from playmill.lab.jobs import Job, State
from playmill.texts import Text
from playmill.web.lab.content.draft import Draft
from playmill.web.lab.works import Works
from playmill.web.table import rules_of

#: So many are remembered; the oldest give way.
MOST = 200
#: Of so many pages it is known what each waits for; and more edits than any of them has seen.
_PAGES, _ENDED = 500, 10**9
#: The narrowest scale, as a share: figures next to nothing are not blown up to fill it.
_NARROWEST = 0.02


@dataclass(frozen=True)
class Wanted:
    """The worth of a piece: what the job is to be given, and a key that is the same for whatever plays the same."""

    key: str
    arguments: Mapping[str, Any]

    @classmethod
    def of(cls, draft: Draft, config: RuleConfig, deals: int) -> Wanted:
        """What is to be found out about a piece in which nothing is wrong."""
        only = [draft.whole["id"]]
        weighing = Weighing(draft.game, content=draft.content, config=config, only=only)
        data = {"content": draft.data, "config": config.model_dump(mode="json"), "only": only, "games": deals}
        return cls(f"{rules_of(draft.game)}-{weighing.key()}-{deals}", data)


@dataclass(frozen=True)
class Whisker:
    """One figure of a worth, with where it stands on a scale from 0 to 100 whose middle is no difference."""

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
        """Whether it may as well be nothing."""
        return self.low <= 0 <= self.high


def whiskers(found: Sequence[Mapping[str, Any]]) -> list[Whisker]:
    """The figures of a worth, all on one scale."""
    widest = max([_NARROWEST, *(abs(one["change"][end]) for one in found for end in ("low", "high"))]) * 1.08
    made = []
    for one in found:
        value, low, high = (one["change"][end] for end in ("value", "low", "high"))
        at = [round(50 + 50 * share / widest, 2) for share in (value, low, high)]
        name = Text(one["name"]["en"], one["name"]["ru"])
        does = one["fired_per_game"], one["points_per_game"]
        made.append(Whisker(name, one["count"], value, low, high, *does, at, widest))
    return made


@dataclass(frozen=True)
class Version:
    """What a page shows after so many edits; a page without scripts has no name, and nothing overtakes it."""

    page: str
    edits: int

    @classmethod
    def of(cls, page: str, edits: str) -> Version:
        """The version that a form tells of; nonsense is the page as it was opened."""
        return cls(page, int(edits) if edits.isdecimal() and len(edits) < 10 else 0)


class Worths:
    """The worths among the jobs of a laboratory.

    Versions of a page may overtake each other on their way: only the newest that was heard of counts.
    """

    def __init__(self, works: Works) -> None:
        self._works = works
        self._newest: dict[str, Version] = {}
        self._begun: dict[str, str] = {}

    def hear(self, version: Version) -> None:
        """Somebody looks at this version now."""
        if version.page and not self.is_old(version):
            self._newest.pop(version.page, None)
            self._newest[version.page] = version
            while len(self._newest) > _PAGES:
                page = next(iter(self._newest))
                del self._newest[page]
                self._begun.pop(page, None)

    def is_old(self, version: Version) -> bool:
        """Whether its page shows a newer one."""
        newest = self._newest.get(version.page)
        return newest is not None and newest.edits > version.edits

    def ended(self, page: str) -> Job | None:
        """Nobody sees a page any more, nor what is still begun for it; returns what was begun for it last."""
        version = Version(page, _ENDED)
        self.hear(version)
        return self.begun(version)

    def begun(self, version: Version) -> Job | None:
        """What was begun last for its page, if it is still there."""
        return self._works.find(self._begun.get(version.page, ""))

    def find(self, key: str) -> Job | None:
        """The job about something with that key."""
        return next((job for job in self._all() if job.about.get("key") == key), None)

    def job(self, game: Game, name: str) -> Job | None:
        """A job about content of a game, by its name."""
        job = self._works.find(name)
        return job if job is not None and job.kind == "worth" and job.about.get("game") == game.name else None

    def begin(self, draft: Draft, wanted: Wanted, version: Version) -> Job:
        """Has it found out for a page; what is known already, or under way, is not begun twice."""
        job = self._asked(draft, wanted)
        if version.page in self._newest:
            self._begun[version.page] = job.id
        return job

    def _asked(self, draft: Draft, wanted: Wanted) -> Job:
        job = self.find(wanted.key)
        if job is None:
            told = draft.entry.name if draft.entry is not None else Text("", "")
            about = {"key": wanted.key, "game": draft.game.name, "players": draft.game.players[0]}
            about |= {"changes": [list(told)], "agents": []}
            return self._works.ask("worth", reference_of(draft.game), wanted.arguments, about)
        if job.state in (State.STOPPED, State.FAILED):
            self._works.go_on(job)
        return job

    def leave(self, job: Job) -> None:
        """Nobody waits for it any more: what is not finished stops, and is gone on with when it is asked for again."""
        if job.state is State.WAITING:
            self._works.stop(job)

    async def tidy(self) -> None:
        """Forgets the oldest, if there are too many."""
        for job in self._all()[MOST:]:
            if job.state is not State.WAITING:
                await self._works.remove(job)

    def _all(self) -> list[Job]:
        return [job for job in self._works.jobs() if job.kind == "worth"]
