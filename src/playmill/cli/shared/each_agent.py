"""Plays, prints and writes a question repeated for each agent (`--among`)."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playmill.texts import Lang

if TYPE_CHECKING:
    from playmill.lab.decide.each_agent.compare_each import ComparisonEach
    from playmill.lab.decide.each_agent.sweep_each import SweepEach


def show_each(
    options: argparse.Namespace,
    lang: Lang,
    games: int,
    ask: Callable[[dict[str, Any]], ComparisonEach | SweepEach],
) -> int:
    """Runs a question under a bar of n games, prints and writes the result; returns 1 if it was interrupted, else 0."""
    from rich.console import Console

    from playmill.cli.shared.kept_runs import tell_written
    from playmill.interrupts import interrupt
    from playmill.lab.decide.each_agent.sweep_each import SweepEach
    from playmill.lab.decide.report_outputs import write_each
    from playmill.lab.io.progress import games_bar
    from playmill.report.files.writing import claim, write_saved, write_text

    wanted = {f"--{name}": getattr(options, name) for name in ("out", "csv", "html") if hasattr(options, name)}
    places = claim(wanted)
    with interrupt():
        with games_bar(games, lang, quiet=options.quiet) as bars:
            found = ask({"progress": bars[0], "preparing": bars[1]} if bars else {})
        writers: dict[str, Callable[[Path], None]] = {
            "--out": lambda path: write_saved(path, found.json()),
            "--html": lambda path: write_text(path, found.page(lang)),
        }
        if isinstance(found, SweepEach):
            writers["--csv"] = lambda path: write_text(path, found.csv())
        written, troubles = write_each(places, writers)
        if not options.quiet:
            console = Console(highlight=False)
            found.show(console, lang)
            tell_written(console, written, wanted, lang)
    if troubles:
        raise troubles[0]
    return 0 if found.complete else 1
