"""`playmill contest`: creates, runs and shows a contest in a folder."""

from __future__ import annotations

import argparse

from playmill.cli import options as shared
from playmill.cli.command import Command, Group
from playmill.cli.parser import Parser, name, path
from playmill.texts import Lang, Text

_ABOUT = Text("run a contest of bots from a folder", "провести соревнование ботов из папки")
_FOLDER = Text("the contest's folder, with contest.toml in it", "папка соревнования, в ней contest.toml")
_WATCH = Text("go on looking for new submissions until Ctrl-C", "ждать новых заявок до Ctrl-C")
_STATUS = Text("show how it stands, and play nothing", "показать, как дела, и ничего не играть")
_LOOK = Text("show an entrant's games, what went wrong, and its stderr", "показать партии участника, сбои и его stderr")
_NEW = Text(
    "begin a contest in this game: rules and a first bot", "начать соревнование по этой игре: правила и первый бот"
)
_TIME = Text("play at most so long: 90s, 10m, 2h", "играть не дольше: 90s, 10m, 2h")
_JSON = Text("print it as JSON", "напечатать в виде JSON")
_CLOSED = Text(
    "The contest is closed: nothing new is taken, and its seed is told.",
    "Соревнование закрыто: новое не берут, сид опубликован.",
)
_WROTE = Text("The ladder is in {}", "Лестница — в {}")


def _options(parser: Parser) -> None:
    parser.option("folder", _FOLDER, type=path, metavar="DIR")
    what = parser.add_mutually_exclusive_group()
    parser.flag("--watch", _WATCH, within=what)
    parser.flag("--status", _STATUS, within=what)
    parser.option("--new", _NEW, within=what, type=name, metavar="GAME")
    parser.option("--entrant", _LOOK, within=what, type=name, metavar="NAME")
    parser.option("--time", _TIME, metavar="T")
    shared.where(parser)
    parser.flag("--json", _JSON)
    shared.quiet(parser)


def _run(options: argparse.Namespace, lang: Lang) -> int:
    """Runs the contest, or shows how it stands."""
    from rich.console import Console

    from playmill.cli.shared.kept_runs import WROTE
    from playmill.engine.config.input_files import same_folder
    from playmill.interrupts import interrupt
    from playmill.lab.contests.contest import Contest
    from playmill.lab.io.progress import telling_bar
    from playmill.report.commands.contest import print_looked, print_submissions
    from playmill.report.commands.tournament import print_ladder
    from playmill.stdio import print_json

    if options.new is not None:
        from playmill.lab.contests.contest.scaffold import create_contest

        for file in create_contest(options.folder, options.new, lang):
            print(WROTE.of(lang).format(file))
        return 0
    seconds = shared.seconds(options.time)
    console = Console(highlight=False)
    if options.entrant is not None:
        looked = Contest(options.folder).look_at(options.entrant)
        if options.json:
            print_json(looked.json())
        else:
            print_looked(console, looked, lang)
        return 0
    with interrupt(), same_folder():
        if options.status:
            standing = Contest(options.folder).standing()
        else:
            with telling_bar(lang, quiet=options.quiet) as telling:
                contest = Contest(options.folder, workers=options.workers, on=options.on, telling=telling)
                standing = contest.run(watch=options.watch, seconds=seconds)
    if options.json:
        print_json(standing.json())
    elif not options.quiet:
        if standing.ladder is not None:
            print_ladder(console, standing.ladder, lang)
        print_submissions(console, standing.submissions, lang)
        if standing.closed:
            console.print(_CLOSED.of(lang))
        if standing.ladder is not None and not options.status:
            page = standing.folder / ("ladder.html" if lang == "en" else f"ladder.{lang}.html")
            console.print(_WROTE.of(lang).format(page), markup=False, soft_wrap=True)
    return 0


COMMAND = Command("contest", _ABOUT, Group.MEASURE, 26, _options, _run)
