"""`playmill report`."""

from __future__ import annotations

import argparse
from pathlib import Path

from playmill.cli import options as shared
from playmill.cli.command import Command, Group
from playmill.cli.kept import check_begun, claimed, publish, report_files, tell_unfinished
from playmill.cli.parser import Parser
from playmill.texts import Lang, Text

_ABOUT = Text(
    "make every report of simulate from a kept run, without playing it",
    "любой отчёт simulate по сохранённому прогону, без новой игры",
)
_CSV = Text(
    "write one row a game and seat; where single games were not kept, play them again and compare the counts",
    "записать по строке на партию и место; если отдельные партии не сохранены — сыграть их снова и сверить счёт",
)


def _options(parser: Parser) -> None:
    shared.run(parser)
    parser.file("--csv", _CSV)
    shared.workers(parser)
    report_files(parser)


def _run(options: argparse.Namespace, lang: Lang) -> int:
    """Prints and writes what a run found so far."""
    from playmill.lab.kept_csv import write_csv
    from playmill.lab.progress import games_bar
    from playmill.lab.simulate import report_of
    from playmill.lab.store import find_run

    run = find_run(options.run)
    check_begun(run)
    wanted = {"--csv": options.csv, "--out": options.out, "--html": options.html}
    places = claimed(run, wanted)
    found = report_of(run)

    def csv(path: Path) -> None:
        with games_bar(run.games, lang, quiet=options.quiet) as bars:
            progress, preparing = bars if bars else (None, None)
            write_csv(run, path, workers=options.workers, progress=progress, preparing=preparing)

    publish(run, found, wanted, places, lang, quiet=options.quiet, csv=csv)
    if not options.quiet:
        tell_unfinished(run, lang)
    return 0


COMMAND = Command("report", _ABOUT, Group.RUNS, 20, _options, _run)
