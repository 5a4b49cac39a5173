"""Store of submissions: every version of every entrant, copied as it was, with a journal of their states.

A submission is what lies in an entrant's folder, known by a hash of it: the same content is the same submission, other
content another. What is played is the copy, so that nobody can change a bot while it plays.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

from playmill.lab.contests.bot_folder import RefusedError, copy
from playmill.lab.contests.contest.intake import EntrantFolder
from playmill.lab.runs.store.manifest import ASIDE, flush_folder
from playmill.report.files.atomic_file import cannot_write, reason_of
from playmill.texts import Text

JOURNAL, COPIES = "submissions.jsonl", "submissions"


class SubmissionState(StrEnum):
    """State of a submission."""

    QUEUED = "queued"
    CHECKING = "checking"
    PLAYING = "playing"
    DONE = "done"
    REFUSED = "refused"


#: States of submissions that are not through yet.
WAITING_STATES = (SubmissionState.QUEUED, SubmissionState.CHECKING, SubmissionState.PLAYING)


@dataclass(frozen=True)
class Submission:
    """One version of an entrant."""

    name: str
    code: str
    #: The first one of an entrant is 1.
    version: int
    state: SubmissionState
    when: str
    why: Text | None = None

    def json(self) -> dict[str, Any]:
        """Returns the JSON form, as it is kept."""
        data = {"name": self.name, "code": self.code, "version": self.version, "state": str(self.state)}
        return {**data, "when": self.when, **({"why": self.why._asdict()} if self.why is not None else {})}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Submission:
        """Returns one that was kept."""
        why = data.get("why")
        return cls(
            str(data["name"]),
            str(data["code"]),
            int(data["version"]),
            SubmissionState(data["state"]),
            str(data["when"]),
            Text(str(why["en"]), str(why["ru"])) if why else None,
        )


class SubmissionStore:
    """Stores submissions and their states in a journal; a killed process continues from it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[tuple[str, str], Submission] = {}
        self._whole = 0
        path = folder / JOURNAL
        if path.exists():
            for line in path.read_bytes().splitlines(keepends=True):
                try:
                    found = Submission.from_json(json.loads(line)) if line.endswith(b"\n") else None
                except (ValueError, KeyError, TypeError):
                    found = None
                if found is None:
                    break
                self._known[found.name, found.code] = found
                self._whole += len(line)

    @property
    def all(self) -> list[Submission]:
        """Every submission, in the order in which they came."""
        return list(self._known.values())

    def versions(self, name: str) -> list[Submission]:
        """Returns the submissions of an entrant."""
        return [one for one in self._known.values() if one.name == name]

    def find(self, name: str, code: str) -> Submission | None:
        """Returns the submission of that content."""
        return self._known.get((name, code))

    def copy_of(self, submission: Submission) -> Path:
        """Returns where its files lie as they were handed in."""
        return self._folder / COPIES / f"{submission.name}-{submission.version}"

    def admitted(self, folder: EntrantFolder, house: set[str], most: int) -> EntrantFolder:
        """Returns a folder, refused if its name is taken, or if there were as many versions of it as may be."""
        if folder.why is None and folder.name in house:
            return folder.refused(Text("a house agent has this name", "так зовут агента самого соревнования"))
        if self.find(folder.name, folder.code) is None and len(self.versions(folder.name)) >= most:
            return folder.refused(
                Text(
                    f"the contest takes {most} versions of an entrant, and there were as many",
                    f"от участника принимают столько версий: {most}, и они уже были",
                )
            )
        return folder

    def take(self, folder: EntrantFolder, version: int | None = None) -> Submission | None:
        """A new submission, copied and queued; None if it was changed while it was copied, to be looked at again.

        Its version is the next of its entrant's, unless somebody else counts them.
        """
        version = version if version is not None else len(self.versions(folder.name)) + 1
        submission = Submission(folder.name, folder.code, version, SubmissionState.QUEUED, _now())
        place = self.copy_of(submission)
        aside = place.with_name(f"{ASIDE}{place.name}")
        try:
            for old in (aside, place):  # left by somebody who was killed before it was written down
                if old.exists():
                    shutil.rmtree(old)
            place.parent.mkdir(parents=True, exist_ok=True)
            if copy(folder.path, aside) != folder.code:
                shutil.rmtree(aside)
                return None
            aside.rename(place)
            flush_folder(place.parent)
        except RefusedError:
            shutil.rmtree(aside, ignore_errors=True)
            return None
        except OSError as error:
            raise cannot_write(place, reason_of(error)) from None
        self._write(submission)
        self._forget_copies(submission)
        return submission

    def _forget_copies(self, submission: Submission) -> None:
        """Removes copies that nobody will play or look at any more, so that an entrant does not fill the disk."""
        versions = self.versions(submission.name)
        kept = {submission.version} | {one.version for one in versions if one.state is not SubmissionState.REFUSED}
        for one in versions:
            if one.version not in kept:
                shutil.rmtree(self.copy_of(one), ignore_errors=True)

    def refuse_folder(self, folder: EntrantFolder, why: Text, version: int | None = None) -> Submission:
        """Returns a submission that cannot even be copied."""
        version = version if version is not None else len(self.versions(folder.name)) + 1
        submission = Submission(folder.name, folder.code, version, SubmissionState.REFUSED, _now(), why)
        self._write(submission)
        return submission

    def move(self, submission: Submission, state: SubmissionState, why: Text | None = None) -> Submission:
        """The same in another state."""
        moved = replace(submission, state=state, why=why, when=_now())
        if moved.state != submission.state or why != submission.why:
            self._write(moved)
        return moved

    def _write(self, submission: Submission) -> None:
        self._known[submission.name, submission.code] = submission
        path = self._folder / JOURNAL
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with path.open("r+b" if path.exists() else "w+b") as file:
                file.truncate(self._whole)
                file.seek(self._whole)
                file.write(json.dumps(submission.json()).encode() + b"\n")
                file.flush()
                os.fsync(file.fileno())
                self._whole = file.tell()
        except OSError as error:
            raise cannot_write(path, reason_of(error)) from None


def still_arriving(folder: EntrantFolder) -> bool:
    """Returns whether files may still be being copied there."""
    return time.time() - folder.changed < 1.0


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
