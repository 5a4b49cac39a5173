"""What was handed in: every version of every entrant, copied as it was, with what became of it.

A submission is what lies in an entrant's folder, known by a hash of it: the same content is the same submission, other
content another. What is played is the copy, so that nobody can change a bot while it plays.
"""

from __future__ import annotations

import hashlib
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

from playmill.lab.store.kept import is_name
from playmill.lab.store.manifest import ASIDE, flush_folder
from playmill.report.draft import cannot_write, reason_of
from playmill.texts import Text

JOURNAL, COPIES = "submissions.jsonl", "submissions"
#: A folder larger than this, or with more files, is no bot.
_MOST_BYTES, _MOST_FILES = 64 << 20, 2000
#: What lies in a folder and is no part of the bot.
_LEFT_OUT = ("__pycache__", ".git", ".DS_Store")


class State(StrEnum):
    """What becomes of a submission."""

    QUEUED = "queued"
    CHECKING = "checking"
    PLAYING = "playing"
    DONE = "done"
    REFUSED = "refused"


@dataclass(frozen=True)
class Submission:
    """One version of an entrant."""

    name: str
    code: str
    #: The first one of an entrant is 1.
    version: int
    state: State
    when: str
    why: Text | None = None

    def json(self) -> dict[str, Any]:
        """The form in which it is kept."""
        told = {"name": self.name, "code": self.code, "version": self.version, "state": str(self.state)}
        return {**told, "when": self.when, **({"why": self.why._asdict()} if self.why is not None else {})}

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Submission:
        """One that was kept."""
        why = told.get("why")
        return cls(
            str(told["name"]),
            str(told["code"]),
            int(told["version"]),
            State(told["state"]),
            str(told["when"]),
            Text(str(why["en"]), str(why["ru"])) if why else None,
        )


class Desk:
    """Takes submissions, and remembers what became of each; whoever is killed goes on where it was."""

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
        """The submissions of an entrant."""
        return [one for one in self._known.values() if one.name == name]

    def find(self, name: str, code: str) -> Submission | None:
        """The submission of that content."""
        return self._known.get((name, code))

    def copy_of(self, submission: Submission) -> Path:
        """Where its files lie as they were handed in."""
        return self._folder / COPIES / f"{submission.name}-{submission.version}"

    def take(self, name: str, source: Path, code: str) -> Submission:
        """A new submission, copied and queued."""
        submission = Submission(name, code, len(self.versions(name)) + 1, State.QUEUED, _now())
        place = self.copy_of(submission)
        aside = place.with_name(f"{ASIDE}{place.name}")
        try:
            for old in (aside, place):  # left by somebody who was killed before it was written down
                if old.exists():
                    shutil.rmtree(old)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copytree(source, aside, symlinks=True, ignore=shutil.ignore_patterns(*_LEFT_OUT))
            aside.rename(place)
            flush_folder(place.parent)
        except (OSError, shutil.Error) as error:
            if isinstance(error, shutil.Error):
                error = OSError(*error.args[:1])
            raise cannot_write(place, reason_of(error)) from None
        self._write(submission)
        return submission

    def refuse_folder(self, name: str, code: str, why: Text) -> Submission:
        """A submission that cannot even be copied."""
        submission = Submission(name, code, len(self.versions(name)) + 1, State.REFUSED, _now(), why)
        self._write(submission)
        return submission

    def move(self, submission: Submission, state: State, why: Text | None = None) -> Submission:
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
                file.write(json.dumps(submission.json(), ensure_ascii=False).encode() + b"\n")
                file.flush()
                os.fsync(file.fileno())
                self._whole = file.tell()
        except OSError as error:
            raise cannot_write(path, reason_of(error)) from None


@dataclass(frozen=True)
class Folder:
    """An entrant's folder as it lies there now: a hash of its content, and why it cannot be taken."""

    name: str
    path: Path
    code: str
    #: When anything in it was last changed.
    changed: float
    why: Text | None = None


def look_into(path: Path) -> Folder:
    """What lies in an entrant's folder."""
    digest, size, files, changed = hashlib.sha256(), 0, 0, 0.0
    why: Text | None = None
    for root, below, names in os.walk(path):
        below[:] = sorted(name for name in below if name not in _LEFT_OUT)
        for name in sorted(names):
            file = Path(root) / name
            if name in _LEFT_OUT:
                continue
            files += 1
            try:
                told = file.lstat()
                changed = max(changed, told.st_mtime)
                size += told.st_size
                digest.update(f"\0{file.relative_to(path)}\0{told.st_mode & 0o111}\0".encode(errors="surrogateescape"))
                if file.is_symlink() or not file.is_file():
                    why = Text(f"{name} is a link, or no file: only files", f"{name} — ссылка или не файл: нужны файлы")
                elif size <= _MOST_BYTES and files <= _MOST_FILES:
                    digest.update(file.read_bytes())
            except OSError as error:
                reason = reason_of(error)
                why = Text(f"{name} cannot be read: {reason.en}", f"{name} не читается: {reason.ru}")
        below[:] = [name for name in below if not (Path(root) / name).is_symlink()]
    if size > _MOST_BYTES or files > _MOST_FILES:
        why = Text(
            f"more than {_MOST_BYTES >> 20} MB or {_MOST_FILES} files",
            f"больше {_MOST_BYTES >> 20} МБ или {_MOST_FILES} файлов",
        )
    if not is_name(path.name):
        why = Text(
            "the folder's name may have letters, digits, and - _ . inside",
            "в имени папки бывают буквы, цифры и - _ . внутри",
        )
    return Folder(path.name, path, digest.hexdigest(), changed, why)


def folders(place: Path) -> list[Folder]:
    """All entrants' folders, by name."""
    try:
        found = sorted(path for path in place.iterdir() if path.is_dir() and not path.name.startswith("."))
    except OSError:
        return []
    return [look_into(path) for path in found]


def still_arriving(folder: Folder) -> bool:
    """Whether somebody may still be copying files there."""
    return time.time() - folder.changed < 1.0


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
