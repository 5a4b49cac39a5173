"""Kept work that is no run, for the commands that list, remove and resume: audits, tunings, questions, tournaments."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from playmill.texts import PlaymillError

if TYPE_CHECKING:
    from playmill.lab.runs.kept_work import KeptWork


#: The kind of what was asked for on a page of the laboratory, and of all tables that tournaments of a game have played.
LABORATORY, PAIRINGS = "laboratory", "pairings"


def all_works() -> Iterator[KeptWork]:
    """Yields all that is kept beside the runs."""
    from playmill.home import home
    from playmill.lab.contests.tournament.kept import kept_pairings
    from playmill.lab.jobs.job import job_works
    from playmill.lab.runs.kept_work import kept_works

    yield from kept_works()
    yield from kept_pairings()
    yield from job_works(home() / "jobs")


def work_names() -> list[str]:
    """Returns the names of all that is kept beside the runs."""
    return [work.name for work in all_works()]


def find_work(name: str) -> KeptWork | None:
    """Returns what is kept under a name, or in a folder, unless it is a run."""
    from playmill.lab.runs.store.manifest import MANIFEST
    from playmill.lab.runs.store.reader import folder_of

    if (folder_of(name) / MANIFEST).is_file():
        return None
    place = Path(name).absolute()
    return next((work for work in all_works() if name == work.name or (place == work.folder and work.command)), None)


def remove(work: KeptWork) -> None:
    """Removes it from the disk; raises if somebody is at it, or only its server can."""
    if work.kind == LABORATORY:
        raise PlaymillError(
            f"{work.name} is a job of the laboratory; remove it there: playmill serve",
            f"{work.name} — задание лаборатории; удалите его там: playmill serve",
        )
    work.remove()


def goes_on_otherwise(work: KeptWork) -> PlaymillError:
    """Returns the message that says what goes on with something that is no run."""
    if work.kind == LABORATORY:
        return PlaymillError(
            f"{work.name} is a job of the laboratory; it goes on there: playmill serve",
            f"{work.name} — задание лаборатории; оно продолжится там: playmill serve",
        )
    if work.kind == PAIRINGS:
        return PlaymillError(
            f"{work.name} are tables of tournaments of {work.game}; playmill runs lists the tournaments",
            f"{work.name} — столы турниров по {work.game}; список турниров: playmill runs",
        )
    what = f"{work.name} is kept by {work.kind} of {work.game}"
    what_ru = f"{work.name} — сохранённое командой {work.kind} для {work.game}"
    if work.command is None:
        return PlaymillError(f"{what}; the same command goes on", f"{what_ru}; продолжит та же команда")
    if work.complete:
        return PlaymillError(
            f"{what} and is done; this shows it again: {work.command}",
            f"{what_ru}, и всё готово; показать снова: {work.command}",
        )
    return PlaymillError(
        f"{what}; this goes on with it: {work.command}", f"{what_ru}; продолжит команда: {work.command}"
    )
