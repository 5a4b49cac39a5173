"""`playmill check`: checks the contract of a game."""

from __future__ import annotations

import argparse

from playmill.cli import options as shared
from playmill.cli.command import Command, Group
from playmill.cli.parser import Parser, number_of_players, whole
from playmill.texts import Lang, PlaymillError, Text

_ABOUT = Text("check that a game keeps the engine's contract", "проверить, что игра выполняет договор движка")
_GAMES = Text(
    "how many games are looked at, move by move (20 by default, 12 with every further number of players)",
    "сколько партий смотреть ход за ходом (обычно 20, с каждым следующим числом игроков 12)",
)
_PLAYERS = Text(
    "numbers of players to try (by default all there are)", "при каком числе игроков проверять (обычно при любом)"
)


def _options(parser: Parser) -> None:
    shared.game(parser)
    parser.option("--games", _GAMES, type=whole(1), metavar="N")
    parser.option("--players", _PLAYERS, type=number_of_players, nargs="+", metavar="N")
    shared.settings(parser)


def _run(options: argparse.Namespace, lang: Lang) -> int:
    """Checks every promise of a game."""
    from rich.console import Console

    from playmill.engine.check.check_game import CheckError, check_game

    game, config = shared.game_and_config(options)
    for players in options.players or ():
        game.check_players(players)
    tried: list[Text] = []
    try:
        with Console(stderr=True, highlight=False).status("…") as status:
            doubts = check_game(
                game,
                config=config,
                games=options.games,
                players=options.players,
                progress=lambda message: status.update(message.of(lang)),
                tried=tried.append,
            )
    except CheckError as error:
        raise PlaymillError(
            f"{game.name} breaks a promise: {error.text.en}", f"{game.name} нарушает договор: {error.text.ru}"
        ) from None
    print(Text(f"{game.name} keeps the contract", f"{game.name} выполняет договор").of(lang))
    for message in tried:
        print(message.of(lang))
    for doubt in doubts:
        print(Text(f"worth a look: {doubt.en}", f"стоит взглянуть: {doubt.ru}").of(lang))
    return 0


COMMAND = Command("check", _ABOUT, Group.MAKE, 30, _options, _run)
