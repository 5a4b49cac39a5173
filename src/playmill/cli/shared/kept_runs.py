"""Shared code of commands on kept runs: output options, resuming, printing and writing their reports."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from playmill.cli import options as shared
from playmill.cli.parser import Parser
from playmill.stdio import complain
from playmill.texts import Lang, PlaymillError, Text

if TYPE_CHECKING:
    from rich.console import Console

    from playmill.lab.runs.simulate import Simulation
    from playmill.lab.runs.store import KeptRun

WROTE = Text("wrote {}", "записано: {}")
#: What is said of a run that is kept, with its name twice.
KEPT = Text("kept as {}; its report again: playmill report {}", "сохранён как {}; отчёт ещё раз: playmill report {}")
#: How a run goes on that was stopped.
STOPPED = Text("stopped; playmill resume {} goes on", "остановлено; продолжить: playmill resume {}")
_NOT_KEPT = Text("this long run is not kept: {}", "этот долгий прогон не сохранён: {}")
_UNFINISHED = Text(
    "{} of {} games are finished; playmill resume {} plays the rest",
    "сыграно партий: {} из {}; остальные сыграет playmill resume {}",
)
_AGAIN = Text(
    "games played again, since their files were missing or damaged: {}",
    "партий сыграно заново, потому что их файлов не было или они были повреждены: {}",
)
_CHANGED = Text("as it was counted then; now {}", "как было посчитано тогда; сейчас {}")


def tell_written(console: Console, written: Iterable[str], wanted: Mapping[str, Path | None], lang: Lang) -> None:
    """Prints which files were written, by their options, as they were named."""
    for option in written:
        console.print(WROTE.of(lang).format(wanted[option]), markup=False, soft_wrap=True)


def tell_kept(runs: Iterable[Simulation], lang: Lang, *, quiet: bool) -> None:
    """Says where runs are kept and how they go on, or why one is not though it took long."""
    for run in runs:
        if run.not_kept is not None:
            complain(_NOT_KEPT.of(lang).format(run.not_kept.text.of(lang)))
        if run.kept is not None and run.info.complete and not quiet:
            print(KEPT.of(lang).format(run.kept, run.kept))
        if run.kept is not None and not run.info.complete:
            complain(STOPPED.of(lang).format(run.kept))


def report_files(parser: Parser) -> None:
    """Adds the output options of a report."""
    shared.out(parser)
    shared.html(parser)
    shared.quiet(parser)


def word_of(run: KeptRun) -> str:
    """Returns how a user names a run on a command line."""
    return shlex.quote(run.source)


def go_on(run: KeptRun, options: argparse.Namespace, lang: Lang, *, end: int | None = None) -> int:
    """Plays what is missing of a run and reports it; returns 1 if it was interrupted, else 0."""
    from playmill.interrupts import interrupt
    from playmill.lab.io.progress import games_bar
    from playmill.lab.runs.simulate import How, resume
    from playmill.report.files.writing import claim
    from playmill.stdio import complain

    wanted = {"--out": options.out, "--html": options.html}
    places = claim(wanted)
    last = end if end is not None else run.manifest.end
    # Until everything is written, whoever asks to stop gets what is finished.
    with interrupt():
        try:
            with games_bar(last - run.manifest.first, lang, quiet=options.quiet) as bars:
                how = How(
                    options.workers,
                    options.backend,
                    options.strict,
                    keep_games=False,
                    progress=bars[0] if bars else None,
                    preparing=bars[1] if bars else None,
                    on=options.on,
                )
                found = resume(run, how, end=end)
        except KeyboardInterrupt:
            complain(STOPPED.of(lang).format(word_of(run)))
            return 1
        publish(found, wanted, places, lang, quiet=options.quiet)
    if found.info.complete:
        return 0
    complain(STOPPED.of(lang).format(word_of(run)))
    return 1


def publish(
    found: Simulation,
    wanted: Mapping[str, Path | None],
    places: Mapping[str, Path],
    lang: Lang,
    *,
    quiet: bool,
    csv: Callable[[Path], None] | None = None,
) -> None:
    """Writes and prints the report of a run; raises the first error after everything else is written."""
    from rich.console import Console

    from playmill.lab.decide.report_outputs import SingleRunOutputs, report_writers, write_each
    from playmill.report.number_format import decimal

    report = SingleRunOutputs(found)
    written, troubles = write_each(places, report_writers(report, lang) | ({"--csv": csv} if csv else {}))
    if not quiet:
        console = Console(highlight=False)
        report.show(console, lang)
        tell_written(console, written, wanted, lang)
        if found.again:
            console.print(_AGAIN.of(lang).format(decimal(found.again, 0, lang)), markup=False, soft_wrap=True)
        if found.changed is not None:
            line = _CHANGED.of(lang).format(found.changed.text.of(lang))
            console.print(line, markup=False, soft_wrap=True)
    if troubles:
        raise troubles[0]


def check_begun(run: KeptRun) -> None:
    """Raises unless something of a run is finished."""
    if not run.games:
        raise PlaymillError(
            f"run {run.source} has no finished games yet; playmill resume {word_of(run)} plays them",
            f"в прогоне {run.source} ещё нет сыгранных партий; их сыграет playmill resume {word_of(run)}",
        )


def tell_unfinished(run: KeptRun, lang: Lang) -> None:
    """Prints how to resume a run that is not complete."""
    if not run.complete:
        from playmill.report.number_format import decimal

        played, wanted = (decimal(games, 0, lang) for games in (run.games, run.requested))
        print(_UNFINISHED.of(lang).format(played, wanted, word_of(run)))
