"""`playmill serve`: serves the games in a browser."""

from __future__ import annotations

import argparse

from playmill.cli.command import Command, Group
from playmill.cli.parser import Parser, whole
from playmill.texts import Lang, Text

_ABOUT = Text("open the games in a browser: play, invite, watch", "открыть игры в браузере: играть, звать, смотреть")
_FOLDERS = Text(
    "folders with games of your own, besides those there are", "папки со своими играми, вдобавок к имеющимся"
)
_PORT = Text("port (8317, or any free one)", "порт (8317 или любой свободный)")
_HOST = Text(
    "address to listen at (127.0.0.1: this machine only; 0.0.0.0: the whole network, with a key)",
    "адрес, который слушать (127.0.0.1 — только этот компьютер; 0.0.0.0 — вся сеть, по ключу)",
)
_KEY = Text(
    "file with the key that others need (made up by default)",
    "файл с ключом для остальных (по умолчанию придумывается)",
)
_NEW_KEY = Text(
    "make a new owner's key and end: from then on the old one opens nothing, at a running server neither",
    "сделать новый ключ владельца и закончить: старый больше ничего не откроет, и на работающем сервере тоже",
)
_CHANGED = Text("the owner's key has changed: {}", "ключ владельца изменён: {}")
_HOME = Text(
    "folder in which tables are kept (default: PLAYMILL_HOME)", "папка для столов (по умолчанию PLAYMILL_HOME)"
)
_AGENTS = Text(
    "agents of your own that can be seated: FILE.py or program:COMMAND",
    "свои агенты, которых можно посадить за стол: ФАЙЛ.py или program:КОМАНДА",
)
_CONTESTS = Text("folders of contests whose ladders are shown", "папки соревнований, чьи лестницы показывать")
_NO_OPEN = Text("do not open a browser", "не открывать браузер")


def _options(parser: Parser) -> None:
    parser.option("folders", _FOLDERS, nargs="*", metavar="FOLDER")
    parser.option("--port", _PORT, type=whole(0, 65535), metavar="N")
    parser.option("--host", _HOST, default="127.0.0.1", metavar="ADDRESS")
    parser.file("--key-file", _KEY)
    parser.flag("--new-owner-key", _NEW_KEY)
    parser.file("--home", _HOME)
    parser.option("--agents", _AGENTS, nargs="+", default=[], metavar="AGENT")
    parser.option("--contests", _CONTESTS, nargs="+", default=[], metavar="FOLDER")
    parser.flag("--no-open", _NO_OPEN)


def _run(options: argparse.Namespace, lang: Lang) -> int:
    """Serves until it is stopped."""
    from playmill.home import home
    from playmill.web.access.owner import key_file, owner_key
    from playmill.web.server.serve import ServerSettings, serve

    if options.new_owner_key:
        owner_key(options.home or home(), new=True)
        print(_CHANGED.of(lang).format(key_file(options.home or home())))
        return 0
    settings = ServerSettings(
        home=options.home or home(),
        host=options.host,
        port=options.port,
        key=options.key_file,
        folders=options.folders,
        agents=options.agents,
        contests=options.contests,
        opens=not options.no_open,
    )
    return serve(settings, lang, say=lambda line: print(line, flush=True))


COMMAND = Command("serve", _ABOUT, Group.PLAY, 5, _options, _run)
