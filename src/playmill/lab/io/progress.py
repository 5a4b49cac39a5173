"""Progress bars for the terminal; they go to stderr and disappear when the work is done.

Where nobody sees them, what draws them is not imported (see `bars.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

from rich.console import Console

from playmill.stdio import watching
from playmill.texts import Lang, Text

if TYPE_CHECKING:
    from playmill.engine.contract.agent import Preparing
    from playmill.report.commands.learning import LearningReport
    from playmill.report.commands.until_sure import Sure
    from playmill.report.model.tables import Table

_PREPARING = Text("preparing the rules", "готовлю правила")
_LEARNING = Text("computing what the agents know (once)", "вычисляю, что знают агенты (один раз)")
_PLAYING = Text("playing", "играю")
_TRAINING = Text("learning", "учусь")


class GamesProgress(Protocol):
    """Callback that takes the number of games played and a note to show beside the bar."""

    def __call__(self, done: int, note: str = "") -> None:
        """Called with the number of games played."""


@contextmanager
def bar(label: str, *, quiet: bool = False) -> Iterator[Preparing | None]:
    """Yields a callback (done, total) that moves a bar, or None where there is no terminal."""
    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield None
        return
    from playmill.lab.io.bars import share_bar

    with share_bar(console) as progress:
        task = progress.add_task(label, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)


@contextmanager
def waiting_bar(label: str) -> Iterator[Callable[[float | None], None] | None]:
    """Yields a callback that shows a bar from its first call on: the share done, or None if unknown."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    from playmill.lab.io.bars import bare_bar

    progress = bare_bar(console)
    task = progress.add_task(label, total=None)

    def waiting(done: float | None) -> None:
        progress.start()
        progress.update(task, completed=done or 0, total=None if done is None else 1)

    try:
        yield waiting
    finally:
        progress.stop()


@contextmanager
def games_bar(games: int, lang: Lang, *, quiet: bool) -> Iterator[tuple[GamesProgress, Preparing] | None]:
    """Yields callbacks for games played (with rate and time left) and for what agents prepare before."""
    with _figures_bar(games, lang, quiet=quiet) as bars:
        yield bars[:2] if bars is not None else None


@contextmanager
def _figures_bar(
    games: int, lang: Lang, *, quiet: bool
) -> Iterator[tuple[GamesProgress, Preparing, Callable[[Table], None]] | None]:
    """Yields the callbacks of `games_bar`, and one for a table that is shown below the bar."""
    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield None
        return
    from playmill.lab.io.bars import rate_bar

    with rate_bar(console) as progress:
        task = progress.add_task(_PREPARING.of(lang), total=games)

        def played(done: int, note: str = "") -> None:
            progress.update(task, completed=done, total=games, description=note or _PLAYING.of(lang))

        def learned(done: int, total: int) -> None:
            label = _LEARNING if done < total else _PREPARING
            progress.update(task, completed=done % total, total=total, description=label.of(lang))

        with watching(lambda note: progress.update(task, description=note.of(lang))):
            yield played, learned, lambda table: progress.show(table, lang)


@contextmanager
def telling_bar(lang: Lang, *, quiet: bool = False) -> Iterator[Callable[[Text, int, int], None] | None]:
    """Yields a callback (label, done, total) that moves a labelled bar; total 0 means unknown."""
    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield None
        return
    from playmill.lab.io.bars import count_bar

    with count_bar(console) as progress:
        task = progress.add_task(_PREPARING.of(lang), total=None)

        def tell(label: Text, done: int, total: int) -> None:
            # An update to no total is taken for none at all.
            progress.tasks[0].total = total or None
            progress.update(task, description=label.of(lang), completed=done)

        with watching(lambda show: progress.update(task, description=show.of(lang))):
            yield tell


@contextmanager
def learning_bar(
    lang: Lang, *, quiet: bool
) -> Iterator[tuple[Callable[[float], None], Callable[[LearningReport], None]] | None]:
    """Yields callbacks for the share that is done (with time left) and for rounds: the last stand below the bar."""
    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield None
        return
    from playmill.lab.io import bars
    from playmill.report.commands.learning import so_far

    with bars.learning_bar(console) as progress:
        task = progress.add_task(_PREPARING.of(lang), total=1.0)

        def passed(share: float) -> None:
            progress.update(task, completed=share, description=_TRAINING.of(lang))

        with watching(lambda note: progress.update(task, description=note.of(lang))):
            yield passed, lambda found: progress.show(so_far(found), lang)


@contextmanager
def sure_bar(games: int, lang: Lang, *, quiet: bool) -> Iterator[dict[str, Any]]:
    """Yields callbacks, by keyword, for a run until sure; the current interval stands beside the bar."""
    with games_bar(games, lang, quiet=quiet) as bars:
        if bars is None:
            yield {}
            return
        played, learned = bars
        notes = [""]

        def telling(sure: Sure) -> None:
            notes[0] = sure.interval(lang)

        yield {"progress": lambda done: played(done, notes[0]), "telling": telling, "preparing": learned}


class _HasTableSoFar(Protocol):
    """A result whose leading figures can be shown while it is being played."""

    def table_so_far(self) -> Table:
        """The leading figures."""


@contextmanager
def comparison_bar(games: int, lang: Lang, *, quiet: bool) -> Iterator[dict[str, Any]]:
    """Yields callbacks, by keyword, for a comparison; the leading figures stand below the bar as they narrow."""
    with _figures_bar(games, lang, quiet=quiet) as bars:
        if bars is None:
            yield {}
            return
        played, learned, show = bars

        def so_far(found: _HasTableSoFar) -> None:
            table = found.table_so_far()
            if table.rows:
                show(table)

        yield {"progress": played, "preparing": learned, "so_far": so_far}
