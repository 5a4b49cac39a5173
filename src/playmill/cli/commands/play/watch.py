"""`playmill watch`: serves a recorded game in a browser."""

from __future__ import annotations

import argparse

from playmill.cli.command import Command, Group
from playmill.cli.parser import Parser, whole
from playmill.texts import Lang, Text

_ABOUT = Text(
    "watch a recorded game in a browser, with the chances of each side",
    "посмотреть записанную партию в браузере, с шансами сторон",
)
_FILE = Text("a file written by playmill record", "файл, записанный playmill record")
_GAME = Text(
    "the folder of a game of your own; a replay never says where code is to be loaded from",
    "папка своей игры; сама запись не решает, откуда загружать код",
)
_PORT = Text("port (8317, or any free one)", "порт (8317 или любой свободный)")
_NO_OPEN = Text("do not open a browser", "не открывать браузер")


def _options(parser: Parser) -> None:
    parser.file("file", _FILE)
    parser.option("--game", _GAME, metavar="FOLDER")
    parser.option("--port", _PORT, type=whole(0, 65535), metavar="N")
    parser.flag("--no-open", _NO_OPEN)


def _run(options: argparse.Namespace, lang: Lang) -> int:
    """Serves until it is stopped, and opens the page of the recorded game."""
    from playmill.home import home
    from playmill.web.server.serve import ServerSettings, serve

    settings = ServerSettings(
        home=home(),
        port=options.port,
        folders=[options.game] if options.game is not None else [],
        opens=not options.no_open,
        replay=options.file,
    )
    return serve(settings, lang, say=lambda line: print(line, flush=True))


COMMAND = Command("watch", _ABOUT, Group.PLAY, 35, _options, _run)
