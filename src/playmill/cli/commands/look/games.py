"""`playmill games`: lists the games."""

from __future__ import annotations

import argparse

from playmill.cli.command import Command, Group
from playmill.cli.parser import Parser
from playmill.texts import Lang, PlaymillError, Text

_TITLES = (Text("game", "игра"), Text("players", "игроков"), Text("about", "о чём"))


def _options(parser: Parser) -> None:
    """There are none."""


def _run(options: argparse.Namespace, lang: Lang) -> int:
    """Lists the games."""
    from rich.console import Console

    from playmill.engine.contract.game import game_names, load_game, package_of
    from playmill.report.terminal.row_layout import Column, print_rows

    name_title, players_title, about_title = (title.of(lang) for title in _TITLES)
    columns = (Column(name_title, names=True), Column(players_title), Column(about_title, broken=True))
    rows = []
    for name in game_names():
        package = package_of(name)
        origin = f" [{package}]" if package is not None else ""
        try:
            game = load_game(name)
        except PlaymillError as error:  # a game of another package must not hide all others
            rows.append((name, "–", f"{error.text.of(lang)}{origin}"))
            continue
        low, high = game.players
        about = f"{game.title.of(lang)}: {game.about.of(lang)}{origin}"
        rows.append((name, str(low) if low == high else f"{low}–{high}", about))
    print_rows(Console(), columns, rows)
    return 0


COMMAND = Command("games", Text("list the games", "список игр"), Group.LOOK, 10, _options, _run)
