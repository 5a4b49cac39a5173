"""How progress bars look; imported, with what draws them, where there is a terminal that shows them."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, RenderableType
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

from playmill.report.model.tables import Table
from playmill.report.terminal.report_printer import print_table
from playmill.texts import Lang

#: Seconds over which the speed of learning is averaged: a round is labels, then training, then games.
_LONG_PERIOD = 600.0
_LABEL = "{task.description}"


class BarAndFigures(Progress):
    """A progress bar with figures below it that are known so far; in a low terminal they are cut, and the bar stays."""

    figures: RichText | None = None

    def get_renderables(self) -> Iterable[RenderableType]:
        """What is shown: the bar, then the figures."""
        yield from super().get_renderables()
        if self.figures is not None:
            yield self.figures

    def show(self, table: Table, lang: Lang) -> None:
        """Shows a table in place of the one before."""
        with self.console.capture() as shown:
            print_table(self.console, table, lang)
        self.figures = RichText.from_ansi(shown.get())
        self.refresh()


class _Rate(ProgressColumn):
    """Column of a progress bar: games per second."""

    def render(self, task: Task) -> RichText:
        speed = task.finished_speed or task.speed
        return RichText(f"{speed:,.0f}/s".replace(",", " ") if speed else "")


def share_bar(console: Console) -> Progress:
    """A bar that tells the share done and the time left."""
    columns = (TextColumn(_LABEL), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    return Progress(*columns, console=console, transient=True)


def bare_bar(console: Console) -> Progress:
    """A bar that tells nothing else."""
    return Progress(TextColumn(_LABEL), BarColumn(), console=console, transient=True)


def count_bar(console: Console) -> Progress:
    """A bar that tells how many of all are done, and the time left."""
    columns = (TextColumn(_LABEL), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=console, transient=True)


def rate_bar(console: Console) -> BarAndFigures:
    """A bar that tells how many of all are done, how many in a second, and the time left; with figures below it."""
    columns = (TextColumn(_LABEL), BarColumn(), MofNCompleteColumn(), _Rate(), TimeRemainingColumn())
    return BarAndFigures(*columns, console=console, transient=True)


def learning_bar(console: Console) -> BarAndFigures:
    """A bar that tells the share done and the time left of long rounds; with figures below it."""
    columns = (TextColumn(_LABEL), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    return BarAndFigures(*columns, console=console, transient=True, speed_estimate_period=_LONG_PERIOD)
