"""Read side of a served contest: what the player process has written, by file and moment, for the pages.

Nothing is played or judged here. Each method says for whom its answer is meant.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playmill.lab.contests.contest.rules import ContestRules
from playmill.lab.contests.contest.submissions import (
    JOURNAL,
    WAITING_STATES,
    Submission,
    SubmissionState,
    SubmissionStore,
)
from playmill.lab.contests.hosted.builds import build_file
from playmill.lab.contests.hosted.contest import state_of
from playmill.lab.contests.hosted.published import (
    LONGEST_OUTPUT,
    PROGRESS,
    STANDING,
    CheckReport,
    check_file,
    read_json,
    tables_file,
)
from playmill.lab.contests.hosted.registry import Registry, Upload
from playmill.lab.contests.tournament.store import GAMES


@dataclass(frozen=True)
class Handed:
    """One version of an entrant: the upload, and what became of it so far."""

    upload: Upload
    version: int
    #: None until the player has taken it.
    submission: Submission | None
    figures: Mapping[str, Any] | None = None

    @property
    def state(self) -> str:
        """Its state in one word."""
        return str(self.submission.state if self.submission is not None else SubmissionState.QUEUED)

    @property
    def waits(self) -> bool:
        """Whether it is not through yet."""
        return self.submission is None or self.submission.state in WAITING_STATES


@dataclass(frozen=True)
class Waiting:
    """A submission in the queue: where, and in how many seconds it will be through, as far as that is known."""

    name: str
    version: int
    state: str
    since: float
    seconds: float | None
    checked: bool = False


@dataclass(frozen=True)
class TableView:
    """A table of an entrant, and its games that can be watched: deal, rotation, and the entrant's rank in it."""

    opponents: tuple[tuple[str, int], ...]
    setting: str
    deals: int
    failed: int
    place: str
    games: tuple[tuple[int, int, int], ...]
    #: What went wrong there with this entrant, for them and the organiser: deal, rotation, and the sentence.
    mishaps: tuple[tuple[int, int, str, str], ...]
    #: Their place among those at the table, by which their own files are found.
    seat: int
    #: The games in which others came first beside the entrant: deal, rotation.
    drawn: frozenset[tuple[int, int]]

    def outcome(self, deal: int, rotation: int, rank: int) -> str:
        """The phrase that says how a game ended for the entrant."""
        return "lost_to" if rank else "tied_with" if (deal, rotation) in self.drawn else "won_against"


class ContestView:
    """What there is to be shown of a contest."""

    def __init__(self, folder: Path, rules: ContestRules, registry: Registry) -> None:
        self.folder, self.rules, self.registry = folder, rules, registry
        self._known: dict[Path, tuple[object, Any]] = {}

    @property
    def state(self) -> Path:
        """The folder of the present edition."""
        return state_of(self.folder, self.registry)

    def _read(self, path: Path, read: Callable[[], Any]) -> Any:
        """Reads a file unless it is as it was."""
        try:
            status = path.stat()
            stamp: object = (status.st_mtime_ns, status.st_size, status.st_ino)
        except OSError:
            stamp = None
        known = self._known.get(path)
        if known is None or known[0] != stamp:
            known = stamp, read()
            self._known[path] = known
        return known[1]

    def standing(self) -> dict[str, Any]:
        """How the contest stands; its tables hold what only an entrant may see."""
        path = self.state / STANDING
        found: dict[str, Any] = self._read(path, lambda: read_json(path))
        return found

    def submissions(self) -> list[Submission]:
        """Returns what the player has taken; why one was refused is for its author."""
        state = self.state
        found: list[Submission] = self._read(state / JOURNAL, lambda: SubmissionStore(state).all)
        return found

    def handed(self, name: str) -> list[Handed]:
        """Returns all versions of an entrant, the last first."""
        known = {one.code: one for one in self.submissions() if one.name == name}
        figures = self.standing().get("figures", {})
        uploads = self.registry.uploads(name)
        return [
            Handed(one, number, known.get(one.code), figures.get(f"{name}-{number}"))
            for number, one in reversed(list(enumerate(uploads, 1)))
        ]

    def waiting_of(self, name: str) -> int:
        """Returns how many submissions of an entrant are not through yet, in this edition."""
        known = {one.code: one for one in self.submissions() if one.name == name}
        mine = [one for one in self.registry.in_edition() if one.name == name]
        return sum(one.code not in known or known[one.code].state in WAITING_STATES for one in mine)

    def queue(self) -> list[Waiting]:
        """Returns what waits, in its order, each with the seconds until it is through."""
        known = {(one.name, one.code): one for one in self.submissions()}
        out = self.registry.disqualified()
        count: dict[str, int] = {}
        found, ahead = [], 0.0
        waiting = {one.id: one for one in self.registry.in_edition()}
        pace = self.seconds_of_submission()
        for upload in self.registry.uploads():
            count[upload.name] = count.get(upload.name, 0) + 1
            submission = known.get((upload.name, upload.code))
            if upload.id not in waiting or upload.name in out:
                continue
            if submission is not None and submission.state not in WAITING_STATES:
                continue
            version = count[upload.name]
            checked = check_file(self.state, upload.name, version).exists()
            ahead += (pace or 0.0) * (1 - self._share_done(upload.name, version))
            state = str(submission.state) if submission is not None else "queued"
            seconds = ahead if pace is not None else None
            found.append(Waiting(upload.name, version, state, upload.made, seconds, checked))
        return found

    def progress(self) -> dict[str, Any]:
        """What is being done now, and how far it is."""
        return read_json(self.state / PROGRESS)

    def _share_done(self, name: str, version: int) -> float:
        progress = self.progress()
        if progress.get("doing") != {"name": name, "version": version} or not progress.get("total"):
            return 0.0
        return float(min(1.0, progress["done"] / progress["total"]))

    def seconds_of_submission(self) -> float | None:
        """Returns how long one submission takes to be played, by the games that were played last."""
        pace, rules = self.progress().get("seconds_per_game"), self.rules
        if pace is None:
            return None
        others = max(1, len(self.standing().get("ladder", [])))
        tables = min(rules.opponents, others) if rules.opponents else others
        return float(pace) * (tables * rules.deals * rules.size * len(rules.settings) + rules.check * rules.size)

    def latest(self, name: str) -> int:
        """Returns the version of an entrant that is on the ladder; 0 if none is."""
        return next((one["version"] for one in self.standing().get("ladder", []) if one["name"] == name), 0)

    def names(self) -> dict[str, int]:
        """Returns everybody on the ladder with the version that plays; house agents have none."""
        return {one["name"]: one["version"] for one in self.standing().get("ladder", [])}

    def tables_of(self, name: str, version: int | None = None) -> list[TableView]:
        """Returns the tables of an entrant's version, by default the one on the ladder."""
        on_ladder = self.names().get(name)
        if version is None or version == on_ladder:
            version, entries = on_ladder, self.standing().get("tables", [])
        else:
            entries = read_json(tables_file(self.state, name, version)).get("tables", [])
        return [view for one in entries if (view := _table_view(one, name, version)) is not None]

    def replay(self, name: str, place: str, deal: int, rotation: int, version: int | None = None) -> Path | None:
        """Returns the file of a game, if there is one of that entrant."""
        for table in self.tables_of(name, version):
            if table.place == place and any(game[:2] == (deal, rotation) for game in table.games):
                return self.state / "sittings" / place / GAMES / f"{deal}-{rotation}.json"
        return None

    def check(self, name: str, version: int) -> CheckReport | None:
        """Returns what came of a check, for its author."""
        data = read_json(check_file(self.state, name, version))
        return CheckReport.from_json(data) if data else None

    def build(self, name: str, version: int) -> dict[str, Any]:
        """Returns what the compiler said of a version, for its author; nothing if there was none."""
        return read_json(build_file(self.state, name, version))

    def stderr(self, name: str, version: int) -> list[tuple[str, str]]:
        """Returns what a version wrote to stderr, for its author: where, and the text."""
        found = []
        check = self.check(name, version)
        if check is not None and check.stderr is not None:
            found.append(("", _beginning(Path(check.stderr))))
        for table in self.tables_of(name, version):
            path = self.state / "sittings" / table.place / f"{table.seat}.stderr.txt"
            if path.is_file():
                found.append((", ".join(other for other, _ in table.opponents), _beginning(path)))
        return [(where, text) for where, text in found if text]


def _beginning(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(LONGEST_OUTPUT).decode("utf-8", errors="replace")
    except OSError:
        return ""


def _table_view(entry: Mapping[str, Any], name: str, version: int | None) -> TableView | None:
    who = [(other, number) for other, number in entry["who"]]
    if (name, version) not in who:
        return None
    seat = who.index((name, version))
    return TableView(
        opponents=tuple(one for one in who if one[0] != name),
        setting=entry["setting"],
        deals=entry["deals"],
        failed=entry["failed"].get(name, 0),
        place=entry["place"] or "",
        games=tuple((deal, rotation, ranks[seat]) for deal, rotation, ranks in entry["games"]),
        mishaps=tuple((deal, turn, en, ru) for who_, deal, turn, en, ru in entry["mishaps"] if who_ == name),
        seat=seat,
        drawn=frozenset((deal, rotation) for deal, rotation, ranks in entry["games"] if ranks.count(0) > 1),
    )


def ago(moment: float) -> float:
    """Returns the seconds since a moment."""
    return max(0.0, time.time() - moment)
