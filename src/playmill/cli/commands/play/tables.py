"""`playmill tables`: lists or removes the tables that a server keeps."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from playmill.cli.command import Command, Group
from playmill.cli.parser import Parser
from playmill.stdio import print_json
from playmill.texts import Lang, PlaymillError, Text, one_line

if TYPE_CHECKING:
    from playmill.web.table.store import ListedTable

_ABOUT = Text("list the tables that a server keeps, or remove some", "список столов, которые хранит сервер, удаление")
_REMOVE = Text(
    "remove these tables: the beginnings of their names suffice", "удалить эти столы: достаточно начала имени"
)
_JSON = Text("print the list as JSON", "напечатать список в виде JSON")
_HOME = Text(
    "folder in which tables are kept (default: PLAYMILL_HOME)", "папка для столов (по умолчанию PLAYMILL_HOME)"
)
_TITLES = (
    Text("table", "стол"),
    Text("game", "игра"),
    Text("who sits there", "кто сидит"),
    Text("decisions", "решений"),
    Text("last played", "последний ход"),
)
_NONE = Text("no tables are kept in {}", "в {} столов нет")
_REMOVED = Text("removed {}", "удалён {}")
#: Letters of a name that are shown, and the fewest that name a table.
_SHOWN, _FEWEST = 10, 4


def _options(parser: Parser) -> None:
    what = parser.add_mutually_exclusive_group()
    parser.option("--remove", _REMOVE, nargs="+", metavar="TABLE", within=what)
    parser.flag("--json", _JSON, within=what)
    parser.file("--home", _HOME)


def _run(options: argparse.Namespace, lang: Lang) -> int:
    """Lists or removes; a server that is running goes on."""
    from playmill.home import home
    from playmill.web.live.registry import store_path
    from playmill.web.table.store import TableStore

    path = store_path(options.home or home())
    if not path.is_file():
        print(_NONE.of(lang).format(path.parent))
        return 0
    ledger = TableStore(path)
    try:
        listed = ledger.listed()
        if options.remove:
            for table in [_named(listed, name) for name in options.remove]:
                ledger.remove(table.id)
                print(_REMOVED.of(lang).format(table.id[:_SHOWN]))
        elif options.json:
            print_json([table._asdict() for table in listed])
        else:
            _print(listed, lang)
    finally:
        ledger.close()
    return 0


def _named(listed: Sequence[ListedTable], name: str) -> ListedTable:
    """Returns the table whose name begins so; raises unless there is one."""
    found = [table for table in listed if table.id.startswith(name)] if len(name) >= _FEWEST else []
    if len(found) != 1:
        raise PlaymillError(
            f"{len(found)} tables begin with {name!r}; name one, by {_FEWEST} letters or more",
            f"столов, чьё имя начинается с {name!r}: {len(found)}; назовите один, {_FEWEST} буквы или больше",
        )
    return found[0]


def _print(listed: Sequence[ListedTable], lang: Lang) -> None:
    from rich.console import Console

    from playmill.report.terminal.row_layout import Column, print_rows

    columns = [Column(title.of(lang), right=place == 3, names=place == 0) for place, title in enumerate(_TITLES)]
    rows = [
        (
            table.id[:_SHOWN],
            table.game,
            one_line(table.who),
            str(table.decisions),
            f"{datetime.fromtimestamp(table.last):%Y-%m-%d %H:%M}",
        )
        for table in listed
    ]
    print_rows(Console(), columns, rows)


COMMAND = Command("tables", _ABOUT, Group.PLAY, 6, _options, _run)
