"""`playmill bot`: checks a bot before it takes part in a contest."""

from __future__ import annotations

import argparse

from playmill.cli import options as shared
from playmill.cli.command import Command, Group
from playmill.cli.parser import Parser, whole
from playmill.texts import Lang, PlaymillError, Text, one_line

_ABOUT = Text(
    "check a bot in any language: what is wrong with it, how quick it is, what its sandbox holds",
    "проверить бота на любом языке: что с ним не так, насколько он быстр, что держит его песочница",
)
_WHAT = Text("what to do with it: check", "что с ним сделать: check")
_COMMAND = Text(
    "the bot: a command in one word, quoted, or its folder", "бот: команда одним словом, в кавычках, или его папка"
)
_GAMES = Text(
    "games to play: whole deals, each from every seat", "сколько партий сыграть: целыми раздачами, каждую со всех мест"
)
_PLAYING = Text("playing", "играю")
_PLAYED = Text("{name} · {games} games of {title} against random", "{name} · партий в «{title}» против random: {games}")
_PLAYED_ALONE = Text("{name} · {games} games of {title}", "{name} · партий в «{title}»: {games}")
_STDERR = Text("What it wrote to stderr: {}", "Что он писал в stderr: {}")
_NOT_REPEATED = Text(
    "The first deal, played again, went another way: chance that can be repeated comes from `random` of each question.",
    "Первая раздача при повторе сыграна иначе: повторяемый случай берут из поля `random` каждого вопроса.",
)
_READY = Text("ready", "готов")


def _options(parser: Parser) -> None:
    parser.option("what", _WHAT, choices=("check",), metavar="check")
    parser.option("bot", _COMMAND, metavar="COMMAND")
    shared.game(parser)
    shared.players(parser)
    parser.option("--games", _GAMES, type=whole(1, 100_000), default=10, metavar="N")
    shared.seed(parser)
    shared.settings(parser)


def _run(options: argparse.Namespace, lang: Lang) -> int:
    """Plays some games with a bot; raises unless it is ready."""
    from rich.console import Console

    from playmill.agents.programs.spec import PREFIX, is_program, read_program
    from playmill.engine.config.model import load_config
    from playmill.engine.contract.game import load_game
    from playmill.interrupts import interrupt
    from playmill.lab.contests.bot_check import check_bot
    from playmill.lab.io.progress import bar
    from playmill.report.terminal.report_printer import print_table

    game = load_game(options.game)
    config = load_config(game.config, options.config, options.set, strict=options.strict_config)
    players = options.players if options.players is not None else game.players[0]
    game.check_players(players)
    program = read_program(options.bot if is_program(options.bot) else PREFIX + options.bot)
    with interrupt() as stop, bar(_PLAYING.of(lang)) as progress:
        found = check_bot(
            game,
            program,
            players=players,
            config=config,
            games=options.games,
            seed=options.seed,
            progress=progress,
            stop=stop,
        )
    name = one_line(found.name or program.name)
    played = _PLAYED if players > 1 else _PLAYED_ALONE
    print(played.of(lang).format(name=name, games=found.games, title=game.title.of(lang)))
    for sentence in found.complaints():
        print(f"  – {sentence.of(lang)}")
    if found.repeats is False:
        print(f"  – {_NOT_REPEATED.of(lang)}")
    for table in (found.figures(), found.guarantee_table()):
        print_table(Console(highlight=False), table, lang)
    print()
    complaints = found.heard.stderr
    if complaints is not None and complaints.is_file() and complaints.stat().st_size:
        print(_STDERR.of(lang).format(complaints))
    if not found.ready:
        raise PlaymillError(f"{name} is not ready", f"{name} не готов")
    print(_READY.of(lang))
    return 0


COMMAND = Command("bot", _ABOUT, Group.MAKE, 40, _options, _run)
