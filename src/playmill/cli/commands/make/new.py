"""`playmill new`: creates the folder of a new game."""

from __future__ import annotations

import argparse
from pathlib import Path

from playmill.cli.command import Command, Group
from playmill.cli.parser import Parser
from playmill.texts import Lang, Text

_ABOUT = Text("begin a game of your own: a folder that plays at once", "начать свою игру: папка, которая сразу играет")
_NAME = Text(
    "its name, also that of its folder and package: small letters, digits and _",
    "её имя, оно же имя папки и пакета: строчные латинские буквы, цифры и _",
)
_LIKE = Text(
    "what it begins as: board (pieces that everybody sees), cards (open cards and luck, 2 to 4 players), dice (dice and"
    " a track, 2 to 4 players) or hidden (hands that nobody else sees)",
    "с чего начать: board (фишки на поле, которое видят все), cards (открытые карты и случай, от 2 до 4 игроков), dice"
    " (кости и дорожка, от 2 до 4 игроков) или hidden (карты на руках, которых не видит соперник)",
)
_DONE = Text(
    """{name}/ is a game: {about}.
  playmill check {name}       does it keep every promise? run it first and often
  playmill show {name}        one game, move by move
  playmill simulate {name}    many games, and who wins
  playmill serve {name}       play it in the browser, by clicking
Now make it yours: the rules are in {name}/rules.py, its numbers in config.py, its words in words.py, its table in
view.py and a player of its own in agents.py.
Its test is run by pytest {name}, once you have it: pip install pytest. Without it, playmill check says nearly as much.
Everything else is told by the page "A new game": docs/new_game.md in the source of Playmill, where make docs builds all
pages as a site.""",
    """{name}/ — это игра: {about}.
  playmill check {name}       держит ли она всё, что обещает? запускайте первым делом и почаще
  playmill show {name}        одна партия, ход за ходом
  playmill simulate {name}    много партий и кто в них побеждает
  playmill serve {name}       сыграть в браузере, мышью
Теперь сделайте её своей: правила — в {name}/rules.py, числа — в config.py, слова — в words.py, стол — в view.py, свой
игрок — в agents.py.
Её тест запускает pytest {name}, если он установлен: pip install pytest. Без него почти всё скажет playmill check.
Обо всём остальном — страница «Новая игра»: docs/ru/new_game.md в исходниках Playmill; make docs собирает там из всех
страниц сайт.""",
)


def _options(parser: Parser) -> None:
    parser.option("name", _NAME, metavar="NAME")
    parser.option("--like", _LIKE, choices=("board", "cards", "dice", "hidden"), default="board")


def _run(options: argparse.Namespace, lang: Lang) -> int:
    """Writes the folder and says what to do next."""
    from playmill.report.files.atomic_file import cannot_write, reason_of
    from playmill.starters import KINDS, begin

    try:
        begin(options.name, options.like, lang, Path())
    except OSError as error:
        raise cannot_write(Path(options.name), reason_of(error)) from None
    print(_DONE.of(lang).format(name=options.name, about=KINDS[options.like].of(lang)))
    return 0


COMMAND = Command("new", _ABOUT, Group.MAKE, 5, _options, _run)
