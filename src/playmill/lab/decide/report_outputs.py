"""Prints and writes results by option (`--out`, `--html`, `--csv` …), of one run or of several side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from rich.console import Console

from playmill.lab.decide.simulate_each import SideBySide
from playmill.lab.runs.simulate import Simulation
from playmill.report.commands.side_by_side import print_side_by_side
from playmill.report.files.writing import write_json, write_saved, write_text
from playmill.report.model.summary_csv import summary_csv
from playmill.report.terminal.report_printer import print_report
from playmill.texts import Lang, PlaymillError


class SingleRunOutputs:
    """Outputs of one run."""

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
            from playmill.report.commands.until_sure import print_sure

            print_sure(console, self._run.sure, lang)
            console.print()
        print_report(console, self._run.info, self._tables, lang)


class SideBySideOutputs:
    """Outputs of several runs, side by side."""

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
        print_side_by_side(
            console, self._found.series, self._tables, self._reports, lang, verdicts=self._found.verdicts
        )


def report_writers(report: SingleRunOutputs | SideBySideOutputs, lang: Lang) -> dict[str, Callable[[Path], None]]:
    """Returns what writes a report of runs, by option."""
    return {
        "--out": report.save,
        "--summary": report.summarize,
        "--html": lambda path: write_text(path, report.page(lang)),
    }


class SavableResult(Protocol):
    """A result that can be saved as JSON and shown as a page."""

    def json(self) -> dict[str, Any]:
        """Returns all of it as plain data."""

    def page(self, lang: Lang) -> str:
        """Returns a page that needs nothing else."""


def write_result(places: Mapping[str, Path], found: SavableResult, lang: Lang) -> tuple[list[str], list[PlaymillError]]:
    """Writes a result where `--out` and `--html` say; returns what was written, and errors for the rest."""
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
    """Writes everything that can be written, by option; returns what it was, and errors for the rest."""
    written, troubles = [], []
    for option, write in writers.items():
        if option in places:
            try:
                write(places[option])
                written.append(option)
            except PlaymillError as error:
                troubles.append(error)
    return written, troubles
