"""Progress bars: on a terminal only, gone when the work is done."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text as RichText

from playmill.engine.contract.agent import Preparing
from playmill.report.sure import Sure
from playmill.streams import watching
from playmill.texts import Lang, Text

_PREPARING = Text("preparing the rules", "готовлю правила")
_LEARNING = Text("computing what the agents know (once)", "вычисляю, что знают агенты (один раз)")
_PLAYING = Text("playing", "играю")


class Played(Protocol):
    """Is told how many games are played, and what is to stand beside the bar."""

    def __call__(self, done: int, told: str = "") -> None:
        """So many games are played."""


class _Rate(ProgressColumn):
    """Games a second."""

    def render(self, task: Task) -> RichText:
        speed = task.finished_speed or task.speed
        return RichText(f"{speed:,.0f}/s".replace(",", " ") if speed else "")


@contextmanager
def bar(label: str, *, quiet: bool = False) -> Iterator[Preparing | None]:
    """A bar that is told how much of how much is done."""
    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(label, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)


@contextmanager
def waiting_bar(label: str) -> Iterator[Callable[[float | None], None] | None]:
    """A bar that appears when it is first told of: the share that is done, or None while nobody knows."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    progress = Progress(TextColumn("{task.description}"), BarColumn(), console=console, transient=True)
    task = progress.add_task(label, total=None)

    def waiting(done: float | None) -> None:
        progress.start()
        progress.update(task, completed=done or 0, total=None if done is None else 1)

    try:
        yield waiting
    finally:
        progress.stop()


@contextmanager
def games_bar(games: int, lang: Lang, *, quiet: bool) -> Iterator[tuple[Played, Preparing] | None]:
    """A bar of games played, with rate and time left; before that it shows what agents have to learn first."""
    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), _Rate(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(_PREPARING.of(lang), total=games)

        def played(done: int, told: str = "") -> None:
            progress.update(task, completed=done, total=games, description=told or _PLAYING.of(lang))

        def learned(done: int, total: int) -> None:
            label = _LEARNING if done < total else _PREPARING
            progress.update(task, completed=done % total, total=total, description=label.of(lang))

        with watching(lambda told: progress.update(task, description=told.of(lang))):
            yield played, learned


@contextmanager
def telling_bar(lang: Lang, *, quiet: bool = False) -> Iterator[Callable[[Text, int, int], None] | None]:
    """A bar that is told what is being done, how much of it is done, and of how much; 0 where nobody knows."""
    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(_PREPARING.of(lang), total=None)

        def tell(label: Text, done: int, total: int) -> None:
            # An update to no total is taken for none at all.
            progress.tasks[0].total = total or None
            progress.update(task, description=label.of(lang), completed=done)

        with watching(lambda told: progress.update(task, description=told.of(lang))):
            yield tell


@contextmanager
def sure_bar(games: int, lang: Lang, *, quiet: bool) -> Iterator[dict[str, Any]]:
    """A bar of deals, by the names of arguments: what is believed so far stands beside it."""
    with games_bar(games, lang, quiet=quiet) as bars:
        if bars is None:
            yield {}
            return
        played, learned = bars
        told = [""]

        def telling(sure: Sure) -> None:
            told[0] = sure.interval(lang)

        yield {"progress": lambda done: played(done, told[0]), "telling": telling, "preparing": learned}
