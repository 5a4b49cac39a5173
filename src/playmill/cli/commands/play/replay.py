"""`playmill replay`: checks a recorded game, and tells, draws or exports it."""

from __future__ import annotations

import argparse
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING

from playmill.cli import options as shared
from playmill.cli.command import Command, Group
from playmill.cli.parser import Parser
from playmill.texts import Lang, PlaymillError, Text

if TYPE_CHECKING:
    from playmill.lab.replays.decision_analysis import DecisionAnalysis
    from playmill.lab.replays.replay import Replay

_ABOUT = Text(
    "play a recorded game again, check every move, tell it or draw it",
    "сыграть записанную партию снова, проверить каждый ход, рассказать или нарисовать",
)
_GAME = Text(
    "the folder of a game of your own, if it is neither the current one nor in it",
    "папка своей игры, если это не текущая папка и не папка в ней",
)
_DRAWING = Text("drawing", "рисую")
_COUNTING = Text("chances", "шансы")
_WROTE = Text("wrote {}", "записан файл {}")
_HTML = Text(
    "write a page with a slider that needs no server and no network",
    "записать страницу с ползунком: без сервера и без сети",
)
_JSON = Text(
    "write an open form that programs read without Playmill (docs/replay.schema.json)",
    "записать открытую форму, её читают без Playmill (docs/replay.schema.json)",
)
_CHANCES = Text(
    "with --html: the chance to win of each side over the game; compiles its rules the first time",
    "с --html: шансы сторон по ходу партии; в первый раз правила компилируются",
)
_MISTAKES = Text(
    "what an expert would have done, and what it cost to do otherwise: printed, or with --html on its page",
    "что сделал бы мастер и чего стоило поступить иначе: печатается, а с --html — на странице",
)
_ANALYSING = Text("decisions", "решения")
_FRAMES = Text("wrote {} frames to {}", "записано кадров: {}, файл {}")


def _options(parser: Parser) -> None:
    parser.file("file", Text("a file written by playmill record", "файл, записанный playmill record"))
    parser.option("--game", _GAME, metavar="FOLDER")
    shared.looked_at(parser)
    parser.output("--gif", Text("write a moving picture", "записать движущуюся картинку"))
    parser.output("--svg", Text("write a strip of pictures", "записать ленту картинок"))
    parser.output("--html", _HTML)
    parser.flag("--chances", _CHANCES)
    parser.flag("--mistakes", _MISTAKES)
    parser.output("--json", _JSON)
    shared.quiet(parser)


def _run(options: argparse.Namespace, lang: Lang) -> int:
    """Checks a recorded game from its first move to its last, and tells it or draws it."""
    from playmill.lab.io.progress import bar
    from playmill.lab.replays.animation import check_gif, gif, strip
    from playmill.lab.replays.narration import tell
    from playmill.lab.replays.open_format import open_form
    from playmill.lab.replays.replay import retold
    from playmill.lab.replays.replay_file import load
    from playmill.report.files.writing import as_utf8, claim, saved_text, write_bytes

    # Whoever stands in a folder has chosen it; the file only says which of the games there it is.
    replay = load(options.file, options.game, around=Path.cwd())
    source = str(options.file)
    if options.chances and options.html is None:
        raise PlaymillError("--chances needs --html: a page that shows them", "--chances требует --html")
    wanted = {"--svg": options.svg, "--gif": options.gif, "--html": options.html, "--json": options.json}
    if options.gif is not None:
        check_gif()
    places = claim(wanted)
    # All of it is made before any of it is written: a page that cannot be made leaves no strip behind.
    made: dict[str, tuple[bytes, str]] = {}
    if options.svg is not None:
        film = strip(replay, source, lang)
        made["--svg"] = film.data, _FRAMES.of(lang).format(film.frames, options.svg)
    if options.gif is not None:
        with bar(_DRAWING.of(lang)) as progress:
            film = gif(replay, source, lang, progress)
        made["--gif"] = film.data, _FRAMES.of(lang).format(film.frames, options.gif)
    if options.html is not None:
        made["--html"] = as_utf8(_page(replay, options, lang)), _WROTE.of(lang).format(options.html)
    if options.json is not None:
        made["--json"] = as_utf8(saved_text(open_form(replay, source))), _WROTE.of(lang).format(options.json)
    for option, (data, message) in made.items():
        write_bytes(places[option], data)
        if not options.quiet:
            print(message)
    if options.mistakes and options.html is None:
        _print_mistakes(replay, options, lang)
    elif not any(wanted.values()):
        moments = retold(replay, source, lang, boards=options.boards or options.step)
        if options.quiet:
            deque(moments, maxlen=0)  # only checked
        else:
            tell(moments, lang, step=options.step)
    return 0


def _print_mistakes(replay: Replay, options: argparse.Namespace, lang: Lang) -> None:
    """Prints what decisions cost."""
    from rich.console import Console

    from playmill.lab.replays.analysis_tables import METHOD, analysis_tables
    from playmill.report.terminal.report_printer import print_tables, print_title

    found = _analysis(replay, options, lang)
    if not options.quiet:
        console = Console(highlight=False)
        print_title(console, [replay.rules_of(str(options.file)).title.of(lang), str(options.file)])
        print_tables(console, analysis_tables(found, replay.names or replay.agents), lang, method=METHOD)


def _analysis(replay: Replay, options: argparse.Namespace, lang: Lang) -> DecisionAnalysis:
    """Returns what an expert says of the decisions."""
    from playmill.interrupts import interrupt
    from playmill.lab.io.progress import bar
    from playmill.lab.replays.decision_analysis import analyse

    with interrupt() as stop, bar(_ANALYSING.of(lang), quiet=options.quiet) as progress:
        return analyse(replay, str(options.file), stop=stop, progress=progress)


def _page(replay: Replay, options: argparse.Namespace, lang: Lang) -> str:
    """Returns the page with the slider."""
    from playmill.lab.io.progress import bar
    from playmill.lab.replays.win_chances import chances
    from playmill.web.replay.replay_table import table_of
    from playmill.web.replay.single_page import single_page_replay

    source, course = str(options.file), None
    if options.chances or options.mistakes:
        with bar(_COUNTING.of(lang)) as progress:
            course = chances(replay, source, progress=progress)
    analysis = _analysis(replay, options, lang) if options.mistakes else None
    with bar(_DRAWING.of(lang)) as progress:
        return single_page_replay(table_of(replay, source), lang, course, progress, analysis=analysis)


COMMAND = Command("replay", _ABOUT, Group.PLAY, 30, _options, _run)
