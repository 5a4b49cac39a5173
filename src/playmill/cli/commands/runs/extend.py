"""`playmill extend`: plays more games of a kept run."""

from __future__ import annotations

import argparse

from playmill.cli import options as shared
from playmill.cli.command import Command, Group
from playmill.cli.parser import Parser, whole
from playmill.cli.shared.kept_runs import go_on, report_files
from playmill.texts import Lang, Text

_ABOUT = Text("play more games of a kept run", "сыграть ещё партии сохранённого прогона")
_GAMES = Text("how many games it is to have in all", "сколько партий в нём должно быть всего")


def _options(parser: Parser) -> None:
    shared.run(parser)
    shared.found_by(parser)
    parser.option("--games", _GAMES, type=whole(1), required=True, metavar="N")
    shared.how(parser)
    report_files(parser)


def _run(options: argparse.Namespace, lang: Lang) -> int:
    """Plays a run up to more games; returns 1 if it was interrupted, else 0."""
    from playmill.engine.run.match import check_seed
    from playmill.lab.runs.store import find_run

    run = find_run(options.run, game=options.game, agents=options.agents)
    end = run.manifest.first + options.games
    check_seed(run.plan.seed, end)
    return go_on(run, options, lang, end=end)


COMMAND = Command("extend", _ABOUT, Group.RUNS, 40, _options, _run)
