"""`playmill map`: leaves map commands to the game's module `maps`."""

from __future__ import annotations

import argparse

from playmill.cli import options as shared
from playmill.cli.command import Command, Group
from playmill.cli.parser import NUMBER, Parser, number_of_players
from playmill.texts import Lang, PlaymillError, Text

_ABOUT = Text(
    "maps of a game: list and draw them, check map files, make new ones",
    "карты игры: список и рисунок, проверка файлов, генератор",
)
_SHOW = Text("draw a built-in map or a map file", "нарисовать встроенную карту или карту из файла")
_CHECK = Text("check these map files and tell every mistake", "проверить файлы карт и назвать каждую ошибку")
_SCHEMA = Text("print the JSON Schema of a map file", "напечатать JSON Schema файла карты")
_SIZE = Text("make a map in a rectangle of this size", "сделать карту в прямоугольнике такого размера")
_HOLES = Text("share of holes: 10% or 0.1 (10% by default)", "доля дыр: 10% или 0.1 (по умолчанию 10%)")
_STRONG = Text(
    "share of strong cells: 25% or 0.25 (25% by default)", "доля сильных клеток: 25% или 0.25 (по умолчанию 25%)"
)
_SYMMETRIC = Text(
    "alike for 2, for 3, or for 2, 3 and 6 players (0, free, by default)",
    "одинаково для 2, для 3 или для 2, 3 и 6 игроков (по умолчанию 0 — как угодно)",
)
_PLAYERS = Text(
    "write starts for this number of players only; with --show, draw them",
    "записать старты только для стольких игроков; вместе с --show — нарисовать их",
)
_SEED = Text("the same seed gives the same map (0 by default)", "с тем же сидом карта та же (по умолчанию 0)")
_NAME = Text("what the map is called", "как назвать карту")
_OUT = Text("write the map to a file (printed by default)", "записать карту в файл (по умолчанию печатается)")


def _options(parser: Parser) -> None:
    shared.game(parser)
    what = parser.add_mutually_exclusive_group()
    parser.option("--show", _SHOW, metavar="NAME|FILE", within=what)
    parser.file("--check", _CHECK, nargs="+", within=what)
    parser.flag("--schema", _SCHEMA, within=what)
    parser.option("--size", _SIZE, metavar="ROWSxCOLS", within=what)
    parser.option("--holes", _HOLES, metavar="SHARE")
    parser.option("--strong", _STRONG, metavar="SHARE")
    parser.option("--symmetric", _SYMMETRIC, type=int, choices=(0, 2, 3, 6))
    parser.option("--players", _PLAYERS, type=number_of_players, metavar="N")
    parser.option("--seed", _SEED, type=NUMBER, metavar="S")
    parser.option("--name", _NAME, metavar="NAME")
    parser.output("--out", _OUT)


def _run(options: argparse.Namespace, lang: Lang) -> int:
    """Leaves it to the game, if it has maps."""
    from playmill.engine.contract.game import load_game

    game = load_game(options.game)
    if game.maps is None:
        raise PlaymillError(f"{game.name} has no maps", f"у {game.name} нет карт")
    return int(game.maps.map_command(options, lang))


COMMAND = Command("map", _ABOUT, Group.MAKE, 20, _options, _run)
