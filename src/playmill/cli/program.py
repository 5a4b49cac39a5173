"""The whole command line: finds every command of `cli/commands` and builds the parser."""

from __future__ import annotations

from collections.abc import Container, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path

from playmill.cli.command import Command, Group
from playmill.cli.parser import Parser, Section
from playmill.texts import Lang, Text
from playmill.version import __version__

_ABOUT = Text(
    "A laboratory for tabletop games: play a game a hundred million times and see what is unfair.",
    "Лаборатория настольных игр: сыграйте в игру сто миллионов раз и увидьте, что в ней нечестно.",
)
_VERSION = Text("show program's version number and exit", "показать версию программы и выйти")


def commands(named: Container[str] | None = None) -> list[Command]:
    """Returns every command, or those of some names, by group and place: the order in which they are listed."""
    files = [file for file in _files() if named is None or file.stem in named]
    names = [f"{__package__}.commands.{file.parent.name}.{file.stem}" for file in files]
    found: list[Command] = [import_module(name).COMMAND for name in names]
    order = list(Group)
    return sorted(found, key=lambda command: (order.index(command.group), command.place, command.name))


@cache
def _files() -> list[Path]:
    """The files of all commands, each called like its command."""
    return sorted(Path(__file__).with_name("commands").glob("*/[!_]*.py"))


def program(lang: Lang, words: Sequence[str] | None = None) -> Parser:
    """Returns the parser of command lines; its result has `run_command`, which runs it.

    Of a given command line it knows the options of the command that is named, and nothing of others if it begins with
    that: to build all takes longer than to parse one.
    """
    asked = next((word for word in words or () if word in {file.stem for file in _files()}), None)
    found = commands([asked] if words and words[0] == asked else None)
    groups = {group: [(one.name, one.about) for one in found if one.group is group] for group in Group}
    sections: list[Section] = [(group.value, entries) for group, entries in groups.items() if entries]
    parser = Parser(prog="playmill", lang=lang, about=_ABOUT, sections=sections)
    parser.option("--version", _VERSION, action="version", version=f"playmill {__version__}")
    each = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=Parser)
    for command in found:
        made = each.add_parser(command.name, lang=lang, about=command.about)
        if words is None or command.name == asked:
            made.set_defaults(run_command=command.run)
            command.options(made)
    return parser
