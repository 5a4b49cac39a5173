"""What is printed and written of finished runs: of one, or of several side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from rich.console import Console

from playmill.lab.decide.side_by_side import SideBySide
from playmill.lab.runs.simulate import Simulation
from playmill.report.files import write_json, write_saved, write_text
from playmill.report.side_by_side import print_side_by_side
from playmill.report.summary import summary_csv
from playmill.report.sure import print_sure
from playmill.report.terminal import print_report
from playmill.texts import Lang, PlaymillError


class Alone:
    """The report of one run."""

    def __init__(self, run: Simulation) -> None:
        self._run, self._tables = run, run.tables()

    def save(self, path: Path) -> None:
        """Writes it as JSON."""
        sure = {"sure": self._run.sure.json()} if self._run.sure is not None else {}
        write_json(path, self._run.info, {**self._run.results, **sure})

    def summarize(self, path: Path) -> None:
        """Writes its figures as CSV."""
        write_text(path, summary_csv([(self._run.info, self._run.results)]))

    def page(self, lang: Lang) -> str:
        """It as a page."""
        return self._run.page(lang)

    def show(self, console: Console, lang: Lang) -> None:
        """Prints it."""
        if self._run.sure is not None:
            print_sure(console, self._run.sure, lang)
            console.print()
        print_report(console, self._run.info, self._tables, lang)


class Together:
    """The report of several runs, side by side."""

    def __init__(self, found: SideBySide) -> None:
        self._found, self._tables, self._reports = found, found.tables(), found.reports()

    def save(self, path: Path) -> None:
        """Writes it as JSON."""
        write_saved(path, self._found.json())

    def summarize(self, path: Path) -> None:
        """Writes the figures of all of them as CSV."""
        write_text(path, summary_csv([(run.info, run.results) for run in self._found.runs]))

    def page(self, lang: Lang) -> str:
        """It as a page."""
        return self._found.page(lang)

    def show(self, console: Console, lang: Lang) -> None:
        """Prints it."""
        print_side_by_side(console, self._found.series, self._tables, self._reports, lang)


class Found(Protocol):
    """What a laboratory question found: it can be saved as JSON and shown as a page."""

    def json(self) -> dict[str, Any]:
        """All of it as plain data."""

    def page(self, lang: Lang) -> str:
        """A page that needs nothing else."""


def write_found(places: Mapping[str, Path], found: Found, lang: Lang) -> tuple[list[str], list[PlaymillError]]:
    """Writes what was found where `--out` and `--html` say; what was written, and why the rest was not."""
    return write_each(
        places,
        {
            "--out": lambda path: write_saved(path, found.json()),
            "--html": lambda path: write_text(path, found.page(lang)),
        },
    )


def write_each(
    places: Mapping[str, Path], writers: Mapping[str, Callable[[Path], None]]
) -> tuple[list[str], list[PlaymillError]]:
    """Writes everything that can be written, by option; returns what it was, and why the rest was not."""
    written, troubles = [], []
    for option, write in writers.items():
        if option in places:
            try:
                write(places[option])
                written.append(option)
            except PlaymillError as error:
                troubles.append(error)
    return written, troubles
