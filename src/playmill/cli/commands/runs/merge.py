"""`playmill merge`: merges kept runs that were played apart into one."""

from __future__ import annotations

import argparse

from playmill.cli import options as shared
from playmill.cli.command import Command, Group
from playmill.cli.parser import Parser
from playmill.cli.shared.kept_runs import tell_unfinished, word_of
from playmill.texts import Lang, Text

_ABOUT = Text(
    "put pieces of one run together that were played apart (simulate --from --to)",
    "собрать прогон из частей, сыгранных отдельно (simulate --from --to)",
)
_KEEP = Text("name of the run they make", "имя прогона, который получится")
_MERGED = Text(
    "{} games are kept as {}; their report: playmill report {}",
    "партий: {}, сохранено как {}; отчёт: playmill report {}",
)
_WITHOUT = Text(
    "without single games, since not all of these runs have them",
    "без отдельных партий: они есть не во всех этих прогонах",
)


def _options(parser: Parser) -> None:
    shared.run(parser, several=True)
    parser.option("--keep", _KEEP, required=True, metavar="NAME")


def _run(options: argparse.Namespace, lang: Lang) -> int:
    """Makes one run of several."""
    from playmill.lab.runs.store import find_run
    from playmill.lab.runs.store.merge_runs import merge
    from playmill.report.number_format import decimal

    runs = [find_run(name) for name in options.runs]
    made = merge(runs, options.keep)
    print(_MERGED.of(lang).format(decimal(made.games, 0, lang), made.source, word_of(made)))
    if not made.has_rows and any(run.has_rows for run in runs):
        print(_WITHOUT.of(lang))
    tell_unfinished(made, lang)
    return 0


COMMAND = Command("merge", _ABOUT, Group.RUNS, 50, _options, _run)
