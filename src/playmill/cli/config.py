"""`playmill config`."""

from __future__ import annotations

import argparse

from playmill.cli import options as shared
from playmill.cli.command import Command, Group
from playmill.cli.parser import Parser
from playmill.streams import print_json
from playmill.texts import Lang, Text

_ABOUT = Text("print the rule numbers of a game as JSON", "числа правил игры в виде JSON")


def _options(parser: Parser) -> None:
    shared.game(parser)
    parser.flag("--schema", Text("print the JSON Schema of the config instead", "вместо этого — JSON Schema конфига"))


def _run(options: argparse.Namespace, lang: Lang) -> int:
    """Prints the config of the rules as they are, or its schema."""
    from playmill.engine.config import schema_in
    from playmill.engine.game import load_game

    model = load_game(options.game).config
    print_json(schema_in(model, lang) if options.schema else model().model_dump(mode="json"))
    return 0


COMMAND = Command("config", _ABOUT, Group.LOOK, 20, _options, _run)
