"""Builds of submissions: each is compiled once, when it arrives, and what the compiler said is kept for its author."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from playmill.agents.programs.build import built, language_of_source
from playmill.engine.run.backends import default_workers
from playmill.interrupts import WORKERS
from playmill.lab.contests.contest.rules import ContestRules
from playmill.lab.contests.contest.submissions import Submission, SubmissionStore
from playmill.lab.contests.hosted.published import read_json, write_private
from playmill.texts import Text

BUILDS = "builds"


class Builds:
    """Compiles what has to be, in the folders in which submissions are played."""

    def __init__(self, state: Path, rules: ContestRules, store: SubmissionStore) -> None:
        self._folder, self._rules, self._store = state / BUILDS, rules, store
        self._known: dict[tuple[str, int], Text | None] = {}

    def build_all(self, submissions: Sequence[Submission]) -> None:
        """Builds several at once."""
        new = [one for one in submissions if (one.name, one.version) not in self._known]
        if new:
            with ThreadPoolExecutor(default_workers(), thread_name_prefix=WORKERS) as pool:
                list(pool.map(self.build, new))

    def build(self, one: Submission) -> Text | None:
        """Builds a submission unless that was done; returns why it cannot be played, or None."""
        key = one.name, one.version
        if key not in self._known:
            self._known[key] = self._built(one)
        return self._known[key]

    def _built(self, one: Submission) -> Text | None:
        path = build_file(self._folder.parent, one.name, one.version)
        found = read_json(path)
        if not found:
            place = self._store.copy_of(one)
            language = language_of_source(place)
            if language is None:
                return None
            came = built(place, language, memory=self._rules.limits.memory)
            why = came.why._asdict() if came.why is not None else None
            found = {"why": why, "output": came.output, "language": language.name}
            self._folder.mkdir(exist_ok=True, mode=0o700)
            write_private(path, found)
        return Text(**found["why"]) if found["why"] is not None else None


def build_file(state: Path, name: str, version: int) -> Path:
    """Returns the file with what the compiler said of a submission."""
    return state / BUILDS / f"{name}-{version}.json"
