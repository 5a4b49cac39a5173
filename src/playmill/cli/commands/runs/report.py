"""`playmill report`: reports a kept run, or compares two."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from playmill.cli import options as shared
from playmill.cli.command import Command, Group
from playmill.cli.parser import Parser, name
from playmill.cli.shared.kept_runs import check_begun, publish, report_files, tell_unfinished, tell_written
from playmill.texts import Lang, PlaymillError, Text

if TYPE_CHECKING:
    from playmill.lab.runs.store import KeptRun

_ABOUT = Text(
    "make every report of simulate from a kept run, without playing it",
    "любой отчёт simulate по сохранённому прогону, без новой игры",
)
_CSV = Text(
    "write one row a game and seat; where single games were not kept, play them again and compare the counts",
    "записать по строке на партию и место; если отдельные партии не сохранены — сыграть их снова и сверить счёт",
)
_AGAINST = Text(
    "compare with another kept run of the game: every figure with its difference",
    "сравнить с другим сохранённым прогоном игры: каждое число с его разницей",
)


def _options(parser: Parser) -> None:
    shared.run(parser)
    shared.found_by(parser)
    parser.option("--against", _AGAINST, type=name, metavar="RUN")
    parser.output("--csv", _CSV)
    shared.workers(parser)
    report_files(parser)


def _run(options: argparse.Namespace, lang: Lang) -> int:
    """Prints and writes what a run found so far."""
    from playmill.lab.io.progress import games_bar
    from playmill.lab.runs.csv_export import write_csv
    from playmill.lab.runs.simulate import report_of
    from playmill.lab.runs.store import find_run
    from playmill.report.files.writing import claim

    run = find_run(options.run, game=options.game, agents=options.agents)
    check_begun(run)
    if options.against is not None:
        return _compare(run, find_run(options.against, game=options.game), options, lang)
    wanted = {"--csv": options.csv, "--out": options.out, "--html": options.html}
    places = claim(wanted)
    found = report_of(run)

    def csv(path: Path) -> None:
        with games_bar(run.games, lang, quiet=options.quiet) as bars:
            progress, preparing = bars if bars else (None, None)
            write_csv(run, path, workers=options.workers, progress=progress, preparing=preparing)

    publish(found, wanted, places, lang, quiet=options.quiet, csv=csv)
    if not options.quiet:
        tell_unfinished(run, lang)
    return 0


def _compare(run: KeptRun, other: KeptRun, options: argparse.Namespace, lang: Lang) -> int:
    """Prints and writes how two runs differ."""
    from rich.console import Console

    from playmill.lab.decide.compare_kept import compare_kept
    from playmill.lab.decide.report_outputs import write_result
    from playmill.report.commands.compare import print_comparison
    from playmill.report.files.writing import claim

    if options.csv is not None:
        raise PlaymillError(
            "--csv writes the games of one run; leave out --against",
            "--csv записывает партии одного прогона; уберите --against",
        )
    wanted = {"--out": options.out, "--html": options.html}
    places = claim(wanted)
    found = compare_kept(run, other)
    written, troubles = write_result(places, found, lang)
    if not options.quiet:
        console = Console(highlight=False)
        print_comparison(console, found.shown, found.tables(), lang)
        tell_written(console, written, wanted, lang)
    if troubles:
        raise troubles[0]
    return 0


COMMAND = Command("report", _ABOUT, Group.RUNS, 20, _options, _run)
