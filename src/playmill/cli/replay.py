"""`playmill replay`."""

from __future__ import annotations

import argparse
from collections import deque

from playmill.cli import options as shared
from playmill.cli.command import Command, Group
from playmill.cli.parser import Parser
from playmill.texts import Lang, Text

_ABOUT = Text(
    "play a recorded game again, check every move, tell it or draw it",
    "сыграть записанную партию снова, проверить каждый ход, рассказать или нарисовать",
)
_GAME = Text(
    "the folder of a game of your own; a replay never says where code is to be loaded from",
    "папка своей игры; сама запись не решает, откуда загружать код",
)
_DRAWING = Text("drawing", "рисую")
_FRAMES = Text("wrote {} frames to {}", "записано кадров: {}, файл {}")


def _options(parser: Parser) -> None:
    parser.file("file", Text("a file written by playmill record", "файл, записанный playmill record"))
    parser.option("--game", _GAME, metavar="FOLDER")
    shared.looked_at(parser)
    parser.file("--gif", Text("write a moving picture", "записать движущуюся картинку"))
    parser.file("--svg", Text("write a strip of pictures", "записать ленту картинок"))
    shared.quiet(parser)


def _run(options: argparse.Namespace, lang: Lang) -> int:
    """Checks a recorded game from its first move to its last, and tells it or draws it."""
    from playmill.engine.workplace import files_in_use
    from playmill.lab.film import write_gif, write_strip
    from playmill.lab.progress import bar
    from playmill.lab.replay import retold
    from playmill.lab.replay_file import load
    from playmill.lab.show import tell
    from playmill.report.files import claim

    replay = load(options.file, options.game)
    source = str(options.file)
    places = claim({"--svg": options.svg, "--gif": options.gif}, files_in_use)
    say = (lambda text: None) if options.quiet else print
    if options.svg is not None:
        say(_FRAMES.of(lang).format(write_strip(places["--svg"], replay, source, lang), options.svg))
    if options.gif is not None:
        with bar(_DRAWING.of(lang)) as told:
            count = write_gif(places["--gif"], replay, source, lang, told)
        say(_FRAMES.of(lang).format(count, options.gif))
    if options.gif is None and options.svg is None:
        moments = retold(replay, source, lang, boards=options.boards or options.step)
        if options.quiet:
            deque(moments, maxlen=0)  # only checked
        else:
            tell(moments, lang, step=options.step)
    return 0


COMMAND = Command("replay", _ABOUT, Group.PLAY, 30, _options, _run)
