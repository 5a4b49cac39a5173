"""`playmill content`: schema, prompt, checker and list of a game's content files."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from playmill.cli import options as shared
from playmill.cli.command import Command, Group
from playmill.cli.parser import Parser
from playmill.stdio import print_json
from playmill.texts import Lang, PlaymillError, Text, one_line

if TYPE_CHECKING:
    from playmill.engine.contract.modules import ContentModule

_ABOUT = Text(
    "modifiers, items and the like of a game as data: list, schema, prompt, checker",
    "модификаторы, предметы и прочее содержание игры: список, схема, запрос, проверка",
)
_LIST = Text("list all content (the default)", "список содержания (по умолчанию)")
_SCHEMA = Text("print the JSON Schema of a content file", "напечатать JSON Schema файла содержания")
_PROMPT = Text(
    "print a prompt that asks a language model for content, to which you add your wish",
    "напечатать запрос для языковой модели, к которому вы добавите пожелание",
)
_CHECK = Text(
    "check these files: tell every mistake, and what can never happen",
    "проверить файлы: назвать каждую ошибку и то, чего никогда не случится",
)
_TITLES = (Text("kind", "что"), Text("id", "id"), Text("name", "название"), Text("what it does", "что делает"))


def _options(parser: Parser) -> None:
    shared.game(parser)
    what = parser.add_mutually_exclusive_group()
    parser.flag("--list", _LIST, within=what)
    parser.flag("--schema", _SCHEMA, within=what)
    parser.flag("--prompt", _PROMPT, within=what)
    parser.file("--check", _CHECK, nargs="+", within=what)
    shared.content(parser)


def _run(options: argparse.Namespace, lang: Lang) -> int:
    """Prints the schema or the prompt, checks files (2 if one has mistakes), or lists what there is."""
    from playmill.engine.contract.game import load_game
    from playmill.lab.runs.content import require_content

    content_module = require_content(load_game(options.game))
    if options.content and (options.schema or options.check or options.prompt):
        raise PlaymillError(
            "--content is for the list; --schema, --prompt and --check do without it",
            "--content нужен для списка; --schema, --prompt и --check обходятся без него",
        )
    if options.prompt:
        return _prompt(options.game, content_module, lang)
    if options.schema:
        print_json(content_module.schema())
        return 0
    if options.check:
        return _check(content_module, options.check, lang)
    return _list(content_module, options.content, lang)


def _prompt(name: str, content_module: ContentModule, lang: Lang) -> int:
    """Returns the prompt in the language of the command."""
    if content_module.prompt is None:
        raise PlaymillError(
            f"{name} has no prompt for a language model; give it the schema: playmill content {name} --schema",
            f"у {name} нет запроса для языковой модели; дайте ей схему: playmill content {name} --schema",
        )
    print(content_module.prompt(lang), end="")
    return 0


def _check(content_module: ContentModule, paths: list[Path], lang: Lang) -> int:
    """Returns every mistake of every file, a line each, or what is strange; ids in several files are a mistake too."""
    bad = 0
    for path in paths:
        found = content_module.mistakes(path)
        for mistake in found:
            print(one_line(mistake.of(lang)))
        bad += bool(found)
    if not bad:
        count = len(content_module.entries(content_module.read_content(paths)))
        strange = [warning for path in paths for warning in content_module.warnings(path)]
        for warning in strange:
            print(one_line(warning.of(lang)))
        message = Text(f"no mistakes; entries: {count}", f"ошибок нет; записей: {count}")
        more = Text(f"; warnings: {len(strange)}", f"; предупреждений: {len(strange)}") if strange else Text("", "")
        print(Text.join((message, more), "").of(lang))
    return 2 if bad else 0


def _list(content_module: ContentModule, paths: list[Path], lang: Lang) -> int:
    from rich.console import Console

    from playmill.report.terminal.row_layout import Column, print_rows

    columns = [Column(title.of(lang), broken=place > 1, names=place < 2) for place, title in enumerate(_TITLES)]
    rows = []
    for entry in content_module.entries(
        content_module.merged(content_module.library(), content_module.read_content(paths))
    ):
        kind = content_module.KIND_NAMES[entry.kind].of(lang)
        rows.append((kind, entry.id, entry.name.of(lang), f"{entry.desc.of(lang)} ({entry.detail.of(lang)})"))
    print_rows(Console(), columns, rows)
    return 0


COMMAND = Command("content", _ABOUT, Group.MAKE, 10, _options, _run)
