"""`playmill resume`: plays what is missing of a kept run."""

from __future__ import annotations

import argparse

from playmill.cli import options as shared
from playmill.cli.command import Command, Group
from playmill.cli.parser import Parser
from playmill.cli.shared.kept_runs import go_on, report_files
from playmill.cli.shared.kept_works import find_work, goes_on_otherwise, work_names
from playmill.texts import Lang, Text

_ABOUT = Text(
    "go on with a kept run that was stopped or killed, and play damaged games again",
    "продолжить сохранённый прогон, который остановили или прервали; повреждённое сыграть снова",
)


def _options(parser: Parser) -> None:
    shared.run(parser)
    shared.found_by(parser)
    shared.how(parser)
    report_files(parser)


def _run(options: argparse.Namespace, lang: Lang) -> int:
    """Plays what is missing of a run; returns 1 if it was interrupted, else 0."""
    from playmill.lab.runs.store import find_run

    if (other := find_work(options.run)) is not None:
        raise goes_on_otherwise(other)
    run = find_run(options.run, game=options.game, agents=options.agents, others=work_names())
    return go_on(run, options, lang)


COMMAND = Command("resume", _ABOUT, Group.RUNS, 30, _options, _run)
