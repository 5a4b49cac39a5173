"""A job as a folder: its description, state, progress, result and page.

Nobody writes down in which state it is; that follows from which files are there, so that it is right whenever and
however everything ended. What is wanted never changes; the process that does the job writes the rest, a file at a time
and each as a whole.
"""

from __future__ import annotations

import json
import secrets
import shutil
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from playmill.lab.runs.kept_work import KeptWork, moment_text
from playmill.lab.runs.store.manifest import make_folder, write_aside
from playmill.texts import LANGUAGES, Lang, PlaymillError, Text

#: What can be asked for, by the name of the command that does the same.
KINDS = ("simulate", "compare", "sweep", "tune", "audit", "tournament", "sure", "resume", "worth")
_WANTED, _NOW, _END, _STOPPED = "job.json", "now.json", "end.json", "stopped"
_ID_BYTES = 12
#: What the process of a job wrote on its standard error.
LOG = "log.txt"


class JobState(Enum):
    """State of a job; whether an unfinished one is being performed is known to whoever runs it."""

    WAITING = "waiting"
    STOPPED = "stopped"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True)
class JobProgress:
    """Progress of a job: label, done of total (0: unknown), and number of pages shown."""

    label: Text | None = None
    done: int = 0
    total: int = 0
    pages: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class Job:
    """A request: a kind, a game as `load_game` takes it, and arguments of the function that performs it.

    `about` is for whoever tells of it.
    """

    folder: Path
    kind: str
    game: str
    arguments: Mapping[str, Any]
    about: Mapping[str, Any]
    created: float

    @property
    def id(self) -> str:
        """Its name, which nobody can guess."""
        return self.folder.name

    @classmethod
    def open(cls, folder: Path) -> Job:
        """Returns the job in a folder; raises unless it is one."""
        found = _read(folder / _WANTED)
        kind, game, arguments, about = (found.get(key) for key in ("kind", "game", "arguments", "about"))
        if kind not in KINDS or not isinstance(game, str) or not isinstance(arguments, dict):
            raise PlaymillError(f"{folder} is no job", f"{folder} — не задание")
        return cls(folder, kind, game, arguments, about or {}, float(found.get("created") or 0))

    @property
    def state(self) -> JobState:
        """Where it stands."""
        end = _read(self.folder / _END)
        if end:
            return JobState.FAILED if "trouble" in end else JobState.DONE
        return JobState.STOPPED if (self.folder / _STOPPED).exists() else JobState.WAITING

    @property
    def standing(self) -> JobProgress:
        """How far it is."""
        now = _read(self.folder / _NOW)
        label = now.get("label")
        return JobProgress(
            Text(*label) if label else None,
            int(now.get("done", 0)),
            int(now.get("total", 0)),
            int(now.get("pages", 0)),
            float(now.get("seconds", 0)),
        )

    @property
    def trouble(self) -> Text | None:
        """Why it failed, if it did."""
        message = _read(self.folder / _END).get("trouble")
        return Text(*message) if message else None

    @property
    def result(self) -> Mapping[str, Any]:
        """What came of it beside its pages: files by what they are, and what else a page wants to know."""
        found = _read(self.folder / _END).get("result", {})
        return found if isinstance(found, dict) else {}

    def page(self, lang: Lang) -> str | None:
        """Returns the report so far, if there is one."""
        try:
            return (self.folder / f"page.{lang}.html").read_text(encoding="utf-8")
        except OSError:
            return None

    def stop(self) -> None:
        """It is not to be worked at until somebody says so."""
        (self.folder / _STOPPED).touch()

    def go_on(self) -> None:
        """It is to be worked at again, if it has not been finished."""
        (self.folder / _STOPPED).unlink(missing_ok=True)
        if self.state is JobState.FAILED:
            (self.folder / _END).unlink(missing_ok=True)

    def remove(self) -> None:
        """Removes it with all that came of it; kept runs stay."""
        # First what makes it a job: half removed, it is none.
        (self.folder / _WANTED).unlink(missing_ok=True)
        shutil.rmtree(self.folder, ignore_errors=True)

    def tell(self, standing: JobProgress) -> None:
        """Writes how far it is."""
        label = list(standing.label) if standing.label else None
        now = {"label": label, "done": standing.done, "total": standing.total, "pages": standing.pages}
        _write(self.folder / _NOW, {**now, "seconds": round(standing.seconds, 1)})

    def show(self, pages: Mapping[Lang, str]) -> None:
        """Writes its report in all languages."""
        for lang in LANGUAGES:
            write_aside(self.folder / f"page.{lang}.html", pages[lang].encode())

    def save(self, name: str, data: Any) -> None:
        """Writes a file of its results."""
        write_aside(self.folder / name, (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode())

    def saved(self, name: str) -> dict[str, Any]:
        """Returns a file of its results; nothing, if there is none yet."""
        return _read(self.folder / name)

    def end(self, result: Mapping[str, Any]) -> None:
        """It is done."""
        _write(self.folder / _END, {"result": dict(result)})

    def fail(self, trouble: Text) -> None:
        """It cannot be done, and why."""
        _write(self.folder / _END, {"trouble": list(trouble)})


def new_job(
    jobs: Path, kind: str, game: str, arguments: Mapping[str, Any], about: Mapping[str, Any] | None = None
) -> Job:
    """Writes a new job; whoever runs the jobs of that folder will perform it."""
    folder = jobs / secrets.token_urlsafe(_ID_BYTES)
    make_folder(folder)
    job = Job(folder, kind, game, dict(arguments), dict(about or {}), time.time())
    wanted = {"kind": kind, "game": game, "arguments": job.arguments, "about": job.about, "created": job.created}
    _write(folder / _WANTED, wanted)
    return job


def jobs_in(folder: Path) -> list[Job]:
    """Returns all jobs, the newest first; incomplete folders are skipped."""
    found = []
    for place in folder.iterdir() if folder.is_dir() else ():
        try:
            found.append(Job.open(place))
        except PlaymillError:
            continue
    return sorted(found, key=lambda job: (-job.created, job.id))


def job_works(folder: Path) -> Iterator[KeptWork]:
    """Yields the jobs as kept work; those that play a kept run are that run."""
    for job in jobs_in(folder):
        if job.kind not in ("simulate", "resume"):
            standing = job.standing
            yield KeptWork(
                name=job.id,
                kind="laboratory",
                folder=job.folder,
                game=job.game,
                command=job.kind,
                done=standing.done,
                total=standing.total,
                complete=job.state is JobState.DONE,
                created=moment_text(job.created),
                last=moment_text(max(path.stat().st_mtime for path in job.folder.iterdir())),
            )


def _read(path: Path) -> dict[str, Any]:
    """Returns the content of a file; empty if it is not there or is not ours."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _write(path: Path, data: Mapping[str, Any]) -> None:
    write_aside(path, json.dumps(data, ensure_ascii=False).encode())
