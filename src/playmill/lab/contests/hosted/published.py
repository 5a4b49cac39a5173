"""Files by which the process that plays a contest tells the web server how it stands: progress, checks, the standing.

They are derived: whoever is killed writes them again. They hold what only an entrant or the organiser may see, so they
are private, and the pages decide what is shown to whom.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playmill.home import open_private
from playmill.lab.contests.bot_check import complaints
from playmill.lab.contests.contest.rules import ContestRules
from playmill.lab.contests.contest.standing import ContestStanding
from playmill.lab.contests.contest.submissions import Submission
from playmill.lab.contests.tournament.event import ContestEvent
from playmill.lab.contests.tournament.store import PairingRecord
from playmill.texts import Text

PROGRESS, STANDING, CHECKS = "progress.json", "standing.json", "checks"
#: Seconds between two notes of progress.
_OFTEN = 0.5
#: Bytes of what a bot or a compiler wrote that an entrant is shown.
LONGEST_OUTPUT = 64 << 10


@dataclass(frozen=True)
class CheckReport:
    """What came of the check of a submission, for its author."""

    name: str
    version: int
    games: int
    failed: int
    unused: int
    complaints: tuple[Text, ...]
    #: Answers, their seconds in all and the longest; starts and the longest; MB of memory.
    used: Mapping[str, float]
    guarantees: Mapping[str, str] = field(default_factory=dict)
    #: Where what it wrote to stderr is kept.
    stderr: str | None = None

    @classmethod
    def of(cls, submission: Submission, record: PairingRecord) -> CheckReport:
        """Reads the report off the table of the check."""
        name = submission.name
        stderr = record.complaints(name)
        return cls(
            name=name,
            version=submission.version,
            games=record.asked(name),
            failed=record.failed[name],
            unused=record.unused[name],
            complaints=tuple(complaints(one for one in record.mishaps if one.entrant == name)),
            used=vars(record.used[name]) if name in record.used else {},
            guarantees=record.guarantees,
            stderr=str(stderr) if stderr is not None else None,
        )

    def json(self) -> dict[str, Any]:
        """Returns the JSON form, as it is saved."""
        lists = {"complaints": [one._asdict() for one in self.complaints]}
        return {**vars(self), **lists, "used": dict(self.used), "guarantees": dict(self.guarantees)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> CheckReport:
        """Returns one that was saved."""
        return cls(**{**data, "complaints": tuple(Text(**one) for one in data["complaints"])})


class Publisher:
    """Writes what the web server shows."""

    def __init__(self, state: Path, rules: ContestRules) -> None:
        self._state, self._rules = state, rules
        self._progress: dict[str, Any] = {"doing": None, "label": None, "done": 0, "total": 0, "seconds_per_game": None}
        self._progress["seconds_per_game"] = read_json(state / PROGRESS).get("seconds_per_game")
        self._noted, self._begun = 0.0, time.monotonic()
        self._entries: dict[tuple[Any, ...], tuple[int, dict[str, Any]]] = {}
        self._figures: dict[str, Any] = read_json(state / STANDING).get("figures", {})

    def doing(self, one: Submission | None) -> None:
        """Notes which submission is being checked and played."""
        doing = None if one is None else {"name": one.name, "version": one.version}
        self._progress |= {"doing": doing, "label": None, "done": 0, "total": 0}
        self._begun = time.monotonic()
        self._note(now=True)

    def progress(self, label: Text, done: int, total: int) -> None:
        """Notes how far it is, and what a game takes."""
        if done and self._progress["doing"] is not None:
            pace, known = (time.monotonic() - self._begun) / done, self._progress["seconds_per_game"]
            self._progress["seconds_per_game"] = pace if known is None else 0.8 * known + 0.2 * pace
        self._progress |= {"label": label._asdict(), "done": done, "total": total}
        self._note()

    def _note(self, *, now: bool = False) -> None:
        if now or time.monotonic() - self._noted > _OFTEN:
            self._noted = time.monotonic()
            write_private(self._state / PROGRESS, {**self._progress, "at": time.time()})

    def checked(self, report: CheckReport) -> None:
        """Writes what came of a check."""
        (self._state / CHECKS).mkdir(exist_ok=True, mode=0o700)
        write_private(check_file(self._state, report.name, report.version), report.json())

    def tables(
        self,
        submission: Submission,
        played: Mapping[tuple[int, tuple[int, ...]], PairingRecord],
        versions: Mapping[str, int],
    ) -> None:
        """Writes what came of the tables at which a submission was played, whether it is on the ladder then or not."""
        entries = [self._entry(versions, setting, record, record.deals) for (setting, _), record in played.items()]
        (self._state / CHECKS).mkdir(exist_ok=True, mode=0o700)
        write_private(tables_file(self._state, submission.name, submission.version), {"tables": entries})

    def write(self, standing: ContestStanding, event: ContestEvent | None, versions: Mapping[str, int]) -> None:
        """Writes how the contest stands: the ladder, the tables, and the last figures of every version."""
        ladder = [rung.json() for rung in standing.ladder.rungs] if standing.ladder is not None else []
        for rung in ladder:
            del rung["agent"]
            rung["version"] = versions.get(rung["name"], 0)
            if rung["version"]:
                figures = {key: rung[key] for key in ("places", "rating", "points", "games")}
                self._figures[f"{rung['name']}-{rung['version']}"] = {**figures, "of": len(ladder)}
        data = {
            "closed": standing.closed,
            "ladder": ladder,
            "settled": standing.ladder is not None and standing.ladder.settled,
            "meetings": [one.json() for one in standing.ladder.meetings] if standing.ladder is not None else [],
            "tables": [self._entry(versions, setting, record, deals) for setting, _, record, deals in event.played()]
            if event is not None
            else [],
            "figures": self._figures,
            "written": time.time(),
        }
        write_private(self._state / STANDING, data)

    def _entry(self, versions: Mapping[str, int], setting: int, record: PairingRecord, deals: int) -> dict[str, Any]:
        """Returns what is known of a table; made once for each number of its deals."""
        names = record.pairing.names
        key = setting, tuple((name, versions.get(name, 0)) for name in names)
        if key in self._entries and self._entries[key][0] == record.deals:
            return self._entries[key][1]
        games = []
        for deal, rotation, _ in record.shown():
            if deal < record.deals:
                ranks = record.ranks[deal, 0 if record.pairing.solo else rotation]
                games.append([deal, rotation, [int(rank) for rank in ranks]])
        entry = {
            "who": [list(one) for one in key[1]],
            "setting": record.pairing.setting.name,
            "deals": deals,
            "place": record.place.name if record.place is not None else None,
            "failed": dict(record.failed),
            "games": games,
            "mishaps": [[one.entrant, one.deal, one.rotation, *one.why] for one in record.mishaps],
            "used": {name: vars(use) for name, use in record.used.items()},
        }
        self._entries[key] = record.deals, entry
        return entry


def tables_file(state: Path, name: str, version: int) -> Path:
    """Returns the file of the tables that a submission has played."""
    return state / CHECKS / f"{name}-{version}.tables.json"


def check_file(state: Path, name: str, version: int) -> Path:
    """Returns the file of a check's report."""
    return state / CHECKS / f"{name}-{version}.json"


def read_json(path: Path) -> dict[str, Any]:
    """Returns what such a file holds; nothing if it is not there."""
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def write_private(path: Path, data: Mapping[str, Any]) -> None:
    """Writes a derived file for this user alone, in one step; that it cannot be written ends nothing."""
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    with suppress(OSError):
        with os.fdopen(open_private(aside, os.O_WRONLY | os.O_TRUNC), "wb") as file:
            file.write(json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace"))
        aside.replace(path)
