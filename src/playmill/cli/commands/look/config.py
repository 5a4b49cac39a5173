"""`playmill config`: prints the config of a game, its schema, or a list of its settings."""

from __future__ import annotations

import argparse

from playmill.cli import options as shared
from playmill.cli.command import Command, Group
from playmill.cli.parser import Parser
from playmill.stdio import print_json
from playmill.texts import Lang, Text

_ABOUT = Text("print the rule numbers of a game as JSON", "числа правил игры в виде JSON")
_SCHEMA = Text("print the JSON Schema of the config instead", "вместо этого — JSON Schema конфига")
_LIST = Text("list them instead, with their bounds and what they mean", "вместо этого — список с границами и смыслом")
_TITLES = (Text("path", "путь"), Text("value", "значение"), Text("bounds", "границы"), Text("what it is", "что это"))


def _options(parser: Parser) -> None:
    shared.game(parser)
    what = parser.add_mutually_exclusive_group()
    parser.flag("--schema", _SCHEMA, within=what)
    parser.flag("--list", _LIST, within=what)


def _run(options: argparse.Namespace, lang: Lang) -> int:
    """Prints the config of the rules as they are, its schema, or a list of what it holds."""
    from playmill.engine.config.model import schema_in
    from playmill.engine.contract.game import load_game

    model = load_game(options.game).config
    if options.list:
        return _list(options.game, lang)
    print_json(schema_in(model, lang) if options.schema else model().file())
    return 0


def _list(game: str, lang: Lang) -> int:
    """Returns a line for each setting that can be changed."""
    from rich.console import Console

    from playmill.engine.config.settings import settings_of
    from playmill.engine.contract.game import load_game
    from playmill.report.terminal.report_printer import cut_setting
    from playmill.report.terminal.row_layout import Column, print_rows

    path, found, within, about = (title.of(lang) for title in _TITLES)
    columns = (Column(path, names=True), Column(found, broken=True), Column(within), Column(about, broken=True))
    rows = []
    for one in settings_of(load_game(game).config()).leaves():
        if not one.fixed:
            value = cut_setting(one.value)
            bounds = f"{one.low} … {one.high}" if one.low is not None and one.high is not None else ""
            rows.append((one.path, value, bounds, one.about.of(lang)))
    print_rows(Console(), columns, rows)
    return 0


COMMAND = Command("config", _ABOUT, Group.LOOK, 20, _options, _run)
