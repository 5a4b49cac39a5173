"""`playmill content`: the modifiers, items and the like of a game that are data: its schema, a checker, a list."""

from __future__ import annotations

import argparse
from pathlib import Path
from types import ModuleType

from rich.console import Console
from rich.table import Table

from playmill.engine.game import Game, load_game
from playmill.streams import print_json
from playmill.texts import Lang, PlaymillError, Text, one_line

_TITLES = (Text("kind", "что"), Text("id", "id"), Text("name", "название"), Text("what it does", "что делает"))


def content_command(options: argparse.Namespace, lang: Lang) -> int:
    """Prints the schema, checks files (2 if one has mistakes), or lists what there is."""
    room = content_room(load_game(options.game))
    if options.content and (options.schema or options.check):
        raise PlaymillError(
            "--content is for the list; --schema and --check do without it",
            "--content нужен для списка; --schema и --check обходятся без него",
        )
    if options.schema:
        print_json(room.schema())
        return 0
    if options.check:
        return _check(room, options.check, lang)
    return _list(room, options.content, lang)


def content_room(game: Game) -> ModuleType:
    """The game's content, or one sentence that it has none."""
    if game.content is None:
        raise PlaymillError(
            f"{game.name} has no content files; its numbers are in: playmill config {game.name}",
            f"у {game.name} нет файлов содержания; числа правил: playmill config {game.name}",
        )
    return game.content


def _check(room: ModuleType, paths: list[Path], lang: Lang) -> int:
    """Every mistake of every file, a line each; ids that meet in several files are a mistake too."""
    bad = 0
    for path in paths:
        found = room.mistakes(path)
        for mistake in found:
            print(one_line(mistake.of(lang)))
        bad += bool(found)
    if not bad:
        count = len(room.entries(room.read_content(paths)))
        print(Text(f"no mistakes; entries: {count}", f"ошибок нет; записей: {count}").of(lang))
    return 2 if bad else 0


def _list(room: ModuleType, paths: list[Path], lang: Lang) -> int:
    table = Table(box=None, pad_edge=False)
    for title in _TITLES:
        table.add_column(title.of(lang), overflow="fold")
    for entry in room.entries(room.merged(room.library(), room.read_content(paths))):
        kind = room.KIND_NAMES[entry.kind].of(lang)
        table.add_row(kind, entry.id, entry.name.of(lang), f"{entry.desc.of(lang)} ({entry.detail.of(lang)})")
    Console(highlight=False, markup=False).print(table)
    return 0
