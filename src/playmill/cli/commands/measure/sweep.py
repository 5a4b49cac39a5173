"""`playmill sweep`: figures of the report along numbers of the rules."""

from __future__ import annotations

import argparse
from typing import Any

from playmill.cli import options as shared
from playmill.cli.command import Command, Group
from playmill.cli.parser import Parser, whole
from playmill.cli.shared import until_sure
from playmill.cli.shared.each_agent import show_each
from playmill.texts import Lang, Text

_ABOUT = Text(
    "show figures along a number of the rules, on the same luck", "показатели вдоль числа правил, на одной удаче"
)
_OVER = Text(
    "what changes: path=1..9, path=10..50/5 or path=1,2,5; once for each path",
    "что меняется: путь=1..9, путь=10..50/5 или путь=1,2,5; по разу на каждый путь",
)
_SHOW = Text(
    "figures of the report, named as in the JSON; * is any step: seats.*.win_rate",
    "показатели отчёта, имена — как в JSON; * — любой шаг: seats.*.win_rate",
)
_GAMES = Text("deals of each setting, the same for all", "раздач у каждой настройки, одни и те же у всех")
_FIXED = Text("seats stay as they are, also where agents differ", "места не меняются, даже если агенты разные")


def _options(parser: Parser) -> None:
    shared.table(parser, among=True)
    parser.option("--over", _OVER, action="append", default=[], metavar="PATH=VALUES")
    parser.option("--show", _SHOW, nargs="+", action="extend", default=[], metavar="FIGURE")
    parser.option("--games", _GAMES, type=whole(1), default=2000, metavar="N")
    parser.flag("--fixed-seats", _FIXED)
    until_sure.keeping(parser)
    shared.where(parser)
    shared.out(parser)
    parser.output("--csv", Text("write one row a setting and figure", "записать по строке на настройку и показатель"))
    shared.html(parser)
    shared.quiet(parser)


def _run(options: argparse.Namespace, lang: Lang) -> int:
    """Plays, prints and writes; returns 1 if it was interrupted, else 0."""
    from rich.console import Console

    from playmill.cli.shared.kept_runs import tell_written
    from playmill.engine.config.model import load_config
    from playmill.engine.contract.game import load_game
    from playmill.interrupts import interrupt
    from playmill.lab.decide.report_outputs import write_each
    from playmill.lab.decide.sweep import sweep
    from playmill.lab.decide.sweep.axes import read_axes
    from playmill.lab.decide.sweep.report import print_sweep
    from playmill.lab.io.progress import games_bar
    from playmill.report.files.writing import claim, write_saved, write_text

    game = load_game(options.game)
    config = load_config(game.config, options.config, options.set, strict=options.strict_config)
    settings = 1
    for one in read_axes(options.over, config):
        settings *= len(one.values)
    if options.among:
        return _among(options, lang, config, settings)
    wanted = {"--out": options.out, "--csv": options.csv, "--html": options.html}
    places = claim(wanted)
    with interrupt():
        with games_bar(settings * options.games, lang, quiet=options.quiet) as bars:
            found = sweep(
                options.game,
                over=options.over,
                show=options.show,
                games=options.games,
                rotate=not options.fixed_seats,
                players=options.players,
                seed=options.seed,
                agents=options.agents,
                config=config,
                on=options.on,
                workers=options.workers,
                keep=options.keep,
                progress=bars[0] if bars else None,
                preparing=bars[1] if bars else None,
            )
        written, troubles = write_each(
            places,
            {
                "--out": lambda path: write_saved(path, found.json()),
                "--csv": lambda path: write_text(path, found.csv()),
                "--html": lambda path: write_text(path, found.page(lang)),
            },
        )
        if not options.quiet:
            console = Console(highlight=False)
            print_sweep(console, found, lang)
            tell_written(console, written, wanted, lang)
        if found.remembered and not found.complete:
            until_sure.tell_goes_on(None, lang)
    if troubles:
        raise troubles[0]
    return 0 if found.complete else 1


def _among(options: argparse.Namespace, lang: Lang, config: Any, settings: int) -> int:
    """Sweeps among each agent, prints and writes; returns 1 if it was interrupted, else 0."""
    from playmill.lab.decide.each_agent.sweep_each import sweep_each

    return show_each(
        options,
        lang,
        settings * options.games * len(options.among),
        lambda bars: sweep_each(
            options.game,
            among=options.among,
            over=options.over,
            show=options.show,
            games=options.games,
            rotate=not options.fixed_seats,
            players=options.players,
            seed=options.seed,
            config=config,
            on=options.on,
            workers=options.workers,
            keep=options.keep,
            **bars,
        ),
    )


COMMAND = Command("sweep", _ABOUT, Group.MEASURE, 16, _options, _run)
