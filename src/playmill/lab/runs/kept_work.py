"""Kept work that is no run: what an audit, a tuning or a question has played, in a folder with a description.

Whoever keeps something describes it in a small file beside it, so that `playmill runs` can list and remove it without
knowing how it is kept.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from playmill.home import home
from playmill.lab.io.untrusted import json_of_bytes, read_regular
from playmill.lab.runs.store.lock import RunLock
from playmill.lab.runs.store.manifest import write_aside
from playmill.report.files.atomic_file import reason_of
from playmill.texts import PlaymillError

ABOUT = "about.json"
#: The folders of kept work beside those of runs, and of what kind it is there.
FOLDERS = {
    "audits": "audit",
    "tunings": "tune",
    "questions": "question",
    "tournaments": "tournament",
    "contests": "contest",
    "learning": "learn",
}
_MOST_ABOUT = 1 << 20
#: Seconds between two notes of how far something is.
_PAUSE = 2.0


def work_name(game: str, asked: str) -> str:
    """Returns the name of the folder of kept work: the game's, and a hash of what was asked."""
    name = "".join(sign if sign.isalnum() else "_" for sign in game)
    return f"{name}-{hashlib.sha256(asked.encode()).hexdigest()[:10]}"


@dataclass(frozen=True)
class KeptWork:
    """Something kept: of what kind (`audit`, `tune` …), which game, how far it is, and the command that goes on."""

    name: str
    kind: str
    folder: Path
    game: str
    command: str | None = None
    done: int = 0
    #: 0: nobody knows.
    total: int = 0
    #: None: it does not say.
    complete: bool | None = None
    created: str | None = None
    last: str | None = None

    @property
    def bytes(self) -> int:
        """The bytes of its files."""
        return sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file())

    def json(self, *, sized: bool = False) -> dict[str, Any]:
        """Returns the JSON form, as it is listed; `sized` says how many bytes there are."""
        return {
            "kind": self.kind,
            "run": self.name,
            "folder": str(self.folder),
            "game": self.game,
            "command": self.command,
            "done": self.done,
            "requested": self.total or None,
            "complete": self.complete,
            "created": self.created,
            "last": self.last,
            **({"bytes": self.bytes} if sized else {}),
        }

    def remove(self) -> None:
        """Removes it from the disk; raises if somebody is at it."""
        try:
            with RunLock(self.folder, self.name):
                (self.folder / ABOUT).unlink(missing_ok=True)
            shutil.rmtree(self.folder)
        except OSError as error:
            why = reason_of(error)
            raise PlaymillError(
                f"cannot remove {self.name}: {why.en}", f"не удаётся удалить {self.name}: {why.ru}"
            ) from None


class KeptDescription:
    """Writes what is kept in a folder, and now and then how far it is."""

    def __init__(self, folder: Path, *, kind: str, game: str, command: str | None) -> None:
        self._folder = folder
        before = _read(folder)
        created = before.get("created") or moment_text(time.time())
        self._about = {"kind": kind, "game": game, "command": command, "created": created}
        self._about |= {key: before[key] for key in ("done", "total", "complete") if key in before}
        self._noted = 0.0
        self._write()

    def remove(self) -> None:
        """Removes the folder: there is nothing to go on with."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def note(self, done: int, total: int, *, complete: bool = False) -> None:
        """Says how far it is; unless that is its end, not too often."""
        if complete or time.monotonic() - self._noted >= _PAUSE:
            self._noted = time.monotonic()
            self._about |= {"done": done, "total": total, "complete": complete}
            self._write()

    def _write(self) -> None:
        """Writes what there is to know; that it cannot be listed must not end what is played."""
        with suppress(PlaymillError):
            write_aside(self._folder / ABOUT, json.dumps(self._about, ensure_ascii=False).encode())


def kept_works() -> Iterator[KeptWork]:
    """Yields everything that is kept beside the runs, by kind and name."""
    for below, kind in FOLDERS.items():
        yield from works_in(home() / below, kind)


def works_in(folder: Path, kind: str) -> Iterator[KeptWork]:
    """Yields what is kept in a folder, by name; of what has no description only its name is known."""
    try:
        places = sorted(place for place in folder.iterdir() if place.is_dir() and not place.is_symlink())
    except OSError:
        return
    for place in places:
        about = _read(place)
        with suppress(OSError):
            yield KeptWork(
                name=place.name,
                kind=_text(about.get("kind")) or kind,
                folder=place,
                game=_text(about.get("game")) or place.name.rpartition("-")[0] or place.name,
                command=_text(about.get("command")),
                done=_count(about.get("done")),
                total=_count(about.get("total")),
                complete=about["complete"] if isinstance(about.get("complete"), bool) else None,
                created=_text(about.get("created")),
                last=moment_text(
                    max((path.stat().st_mtime for path in place.iterdir()), default=place.stat().st_mtime)
                ),
            )


def _read(folder: Path) -> dict[str, Any]:
    try:
        found = json_of_bytes(read_regular(folder / ABOUT, _MOST_ABOUT))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _count(value: object) -> int:
    return value if isinstance(value, int) and value > 0 else 0


def moment_text(seconds: float) -> str:
    """Returns a moment as it is written."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
