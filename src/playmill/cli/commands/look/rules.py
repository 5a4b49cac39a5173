"""`playmill rules`: prints the rules of a game in words, or writes them as a page."""

from __future__ import annotations

import argparse

from playmill.cli import options as shared
from playmill.cli.command import Command, Group
from playmill.cli.parser import Parser
from playmill.texts import Lang, Text

_ABOUT = Text("read the rules of a game in words, with pictures", "прочитать правила игры, с рисунками")
_HTML = Text(
    "write them as a page with pictures that needs nothing but itself",
    "записать их страницей с рисунками, которой ничего больше не нужно",
)
_WROTE = Text("wrote {}", "записано: {}")


def _options(parser: Parser) -> None:
    shared.game(parser)
    shared.settings(parser)
    parser.output("--html", _HTML)


def _run(options: argparse.Namespace, lang: Lang) -> int:
    """Prints the rules with the numbers of a config, or writes them as a page."""
    from rich.console import Console

    from playmill.lab.replays.rulebook import rulebook, rulebook_page
    from playmill.report.commands.rulebook import print_book
    from playmill.report.files.writing import claim, write_text

    game, config = shared.game_and_config(options)
    if options.html is None:
        book = rulebook(game, config, lang)
        print_book(Console(highlight=False), book.title, book.about, book.parts, lang)
        return 0
    places = claim({"--html": options.html})
    write_text(places["--html"], rulebook_page(game, config, lang))
    print(_WROTE.of(lang).format(options.html))
    return 0


COMMAND = Command("rules", _ABOUT, Group.LOOK, 15, _options, _run)
