"""`playmill bot`: checks a bot before it takes part in a contest, and plays whole games with it."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from playmill.cli import options as shared
from playmill.cli.command import Command, Group
from playmill.cli.parser import Parser, path, whole
from playmill.texts import Lang, PlaymillError, Text, one_line

if TYPE_CHECKING:
    from playmill.agents.programs.spec import Program
    from playmill.engine.config.model import RuleConfig
    from playmill.engine.contract.game import Game
    from playmill.lab.contests.bot_play import BotGames

_ABOUT = Text(
    "check a bot in any language, or play whole games with it: results, what is wrong with it, how quick it is",
    "проверить бота на любом языке или сыграть с ним целые партии: итоги, что с ним не так, насколько он быстр",
)
_WHAT = Text(
    "what to do with it: check (what is wrong with it) or play (games against others)",
    "что с ним сделать: check (что с ним не так) или play (партии с другими)",
)
_COMMAND = Text(
    "the bot: a command in one word, quoted, or its folder", "бот: команда одним словом, в кавычках, или его папка"
)
_GAMES = Text(
    "games to play: whole deals, each from every seat", "сколько партий сыграть: целыми раздачами, каждую со всех мест"
)
_AGAINST = Text(
    "play: who sits at the table with it: agents of the game, FILE.py, search:…, folders of bots (random)",
    "play: кто сидит с ним за столом: агенты игры, ФАЙЛ.py, search:…, папки ботов (random)",
)
_REPLAYS = Text("play: a folder for the replays of all games", "play: папка для записей всех партий")
_WATCH = Text(
    "Replay of deal {deal}, seat {seat} ({result}): {file}\n  playmill replay {file} {game}--html game.html",
    "Запись раздачи {deal}, место {seat} ({result}): {file}\n  playmill replay {file} {game}--html game.html",
)
_ALL_REPLAYS = Text("Replays of {} games are in {}", "Записи партий ({}) — в папке {}")
_NOTHING = Text("stopped before a game was over", "остановлено раньше, чем закончилась партия")
_PLAYING = Text("playing", "играю")
_PLAYED = Text("{name} · {games} games of {title} against random", "{name} · партий в «{title}» против random: {games}")
_PLAYED_ALONE = Text("{name} · {games} games of {title}", "{name} · партий в «{title}»: {games}")
_STDERR = Text("What it wrote to stderr: {}", "Что он писал в stderr: {}")
_NOT_REPEATED = Text(
    "The first deal, played again, went another way: chance that can be repeated comes from `random` of each question.",
    "Первая раздача при повторе сыграна иначе: повторяемый случай берут из поля `random` каждого вопроса.",
)
_READY = Text("ready", "готов")
#: Lines of stderr that are shown, the last ones.
_LINES = 40


def _options(parser: Parser) -> None:
    parser.option("what", _WHAT, choices=("check", "play"), metavar="check|play")
    parser.option("bot", _COMMAND, metavar="COMMAND")
    shared.game(parser)
    shared.players(parser)
    parser.option("--games", _GAMES, type=whole(1, 100_000), default=10, metavar="N")
    parser.option("--against", _AGAINST, nargs="+", default=[], metavar="AGENT")
    parser.option("--replays", _REPLAYS, type=path, metavar="FOLDER")
    shared.seed(parser)
    shared.settings(parser)


def _run(options: argparse.Namespace, lang: Lang) -> int:
    """Checks a bot or plays with it."""
    if options.what == "play":
        return _play(options, lang)
    for name in ("against", "replays"):
        if getattr(options, name):
            raise PlaymillError(f"--{name} is for `bot play`", f"--{name} — для `bot play`")
    return _check(options, lang)


def _wanted(options: argparse.Namespace) -> tuple[Game, RuleConfig, int, Program]:
    """Returns the game, its config, how many play, and the bot; all opponents that are named have a seat."""
    from playmill.agents.programs.spec import program_of

    game, config = shared.game_and_config(options)
    players = options.players
    if players is None:
        players = min(max(game.players[0], 1 + len(options.against)), game.players[1])
    game.check_players(players)
    return game, config, players, program_of(options.bot)


def _play(options: argparse.Namespace, lang: Lang) -> int:
    """Plays games with a bot against others; raises if it failed."""
    from rich.console import Console

    from playmill.interrupts import interrupt
    from playmill.lab.contests.bot_play import play_bot
    from playmill.lab.io.progress import bar
    from playmill.report.terminal.report_printer import print_table

    game, config, players, program = _wanted(options)
    with interrupt() as stop, bar(_PLAYING.of(lang)) as progress:
        found = play_bot(
            game,
            program,
            against=options.against,
            players=players,
            config=config,
            games=options.games,
            seed=options.seed,
            progress=progress,
            stop=stop,
        )
    if not found.games:
        raise PlaymillError(_NOTHING.en, _NOTHING.ru)
    console = Console(highlight=False)
    for table in (found.results(), found.listed(), found.findings.figures()):
        print_table(console, table, lang)
    print()
    for sentence in found.findings.complaints():
        print(f"  – {sentence.of(lang)}")
    if found.stderr.strip():
        print(_STDERR.of(lang).format(""))
        print("".join(f"  {one_line(line)}\n" for line in found.stderr.splitlines()[-_LINES:]), end="")
    _write_replays(options.replays, program.folder.name, found, game, lang)
    if not found.findings.ready:
        raise PlaymillError(f"{program.name} failed", f"{program.name}: были сбои")
    return 0


def _write_replays(folder: Path | None, name: str, found: BotGames, game: Game, lang: Lang) -> None:
    """Writes the game to look at, or all of them, where they are wanted."""
    from playmill.engine.contract.game import game_names, reference_of
    from playmill.home import home
    from playmill.report.files.atomic_file import cannot_write, reason_of
    from playmill.report.files.writing import write_text

    place = folder or home() / "bots" / "played"
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(place, reason_of(error)) from None
    shown = found.to_watch
    files = {}
    for one in found.games if folder is not None else [shown]:
        if one is not None:
            files[one] = place / f"{name}-{one.deal}-{one.seat + 1}.json"
            write_text(files[one], one.replay)
    if folder is not None:
        print(_ALL_REPLAYS.of(lang).format(len(files), folder))
    if shown is not None:
        print(
            _WATCH.of(lang).format(
                deal=shown.deal,
                seat=shown.seat + 1,
                result=shown.result.of(lang),
                file=shlex.quote(str(files[shown])),
                game="" if game.name in game_names() else f"--game {shlex.quote(reference_of(game))} ",
            )
        )


def _check(options: argparse.Namespace, lang: Lang) -> int:
    """Plays some games with a bot; raises unless it is ready."""
    from rich.console import Console

    from playmill.interrupts import interrupt
    from playmill.lab.contests.bot_check import check_bot
    from playmill.lab.io.progress import bar
    from playmill.report.terminal.report_printer import print_table

    game, config, players, program = _wanted(options)
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
