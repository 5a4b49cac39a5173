"""`playmill worth`: measures what pieces of content are worth."""

from __future__ import annotations

import argparse

from playmill.cli import options as shared
from playmill.cli.command import Command, Group
from playmill.cli.parser import Parser, whole
from playmill.cli.shared import until_sure
from playmill.texts import Lang, Text

_ABOUT = Text(
    "what each piece of content is worth: the change in win rate for the side that has it",
    "чего стоит каждая единица содержания: изменение доли побед той стороны, у которой она есть",
)
_GAMES = Text("deals for each piece and seat", "раздач на каждую единицу и место")
_AGENTS = Text("who plays (the game's choice by default)", "кто играет (по умолчанию выбирает игра)")
_TRYING = Text("trying one after the other", "испытываю одно за другим")
_STOPPED = Text("stopped: {} of {} were tried", "остановлено: испытано {} из {}")
#: The most deals of one trial: what each of them paid is kept in memory.
_MOST_DEALS = 100_000_000


def _options(parser: Parser) -> None:
    shared.game(parser)
    shared.content(parser)
    parser.option("--games", _GAMES, type=whole(1, _MOST_DEALS), default=100_000, metavar="N")
    shared.seed(parser)
    parser.option("--agents", _AGENTS, nargs="+", metavar="AGENT")
    parser.option("--only", Text("try only these ids", "испытать только эти id"), nargs="+", default=[], metavar="ID")
    shared.settings(parser)
    until_sure.keeping(parser)
    shared.where(parser)
    shared.out(parser)
    parser.output("--csv", Text("write one row for each piece tried", "записать по строке на каждую единицу"))


def _run(options: argparse.Namespace, lang: Lang) -> int:
    """Tries every piece of content; returns 1 if it was interrupted, else 0."""
    from rich.console import Console

    from playmill.engine.config.model import load_config
    from playmill.engine.contract.game import load_game
    from playmill.interrupts import interrupt
    from playmill.lab.decide.worth import named_trials, require_trials, worth, worth_csv, worth_table
    from playmill.lab.io.progress import bar
    from playmill.lab.runs.content import require_content
    from playmill.report.files.writing import claim, write_saved, write_text
    from playmill.report.terminal.report_printer import print_tables
    from playmill.version import __version__

    game = load_game(options.game)
    trials_module = require_trials(game)
    content_module = require_content(game)
    content = content_module.merged(content_module.library(), content_module.read_content(options.content))
    config = load_config(game.config, options.config, options.set, strict=options.strict_config)
    tried = named_trials(trials_module, config, content, options.only)
    places = claim({"--out": options.out, "--csv": options.csv})
    # Until everything is written, whoever asks to stop gets what is finished.
    with interrupt():
        with bar(_TRYING.of(lang)) as progress:
            found = worth(
                game,
                content=content,
                config=config,
                games=options.games,
                seed=options.seed,
                agents=options.agents,
                only=options.only,
                on=options.on,
                workers=options.workers,
                keep=options.keep,
                progress=progress,
            )
        finished = sum(one.change.n == options.games for one in found)
        if options.out is not None:
            saved = {
                "playmill": __version__,
                "game": game.name,
                "games": options.games,
                "seed": options.seed,
                "agents": options.agents or [trials_module.AGENT],
                "config": config.model_dump(mode="json"),
                "complete": finished == len(tried),
                "worth": [one.json() for one in found],
            }
            write_saved(places["--out"], saved)
        if options.csv is not None:
            write_text(places["--csv"], worth_csv(found))
        print_tables(Console(highlight=False), [worth_table(found, content_module, options.games)], lang)
    if finished < len(tried):
        print(_STOPPED.of(lang).format(finished, len(tried)))
        return 1
    return 0


COMMAND = Command("worth", _ABOUT, Group.MEASURE, 30, _options, _run)
