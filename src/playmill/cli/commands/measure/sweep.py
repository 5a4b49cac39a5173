"""`playmill sweep`: figures of the report along numbers of the rules."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from playmill.cli import options as shared
from playmill.cli.command import Command, Group
from playmill.cli.parser import Parser, sizes
from playmill.cli.shared import until_sure
from playmill.cli.shared.each_agent import among_whom, deals_of_each, one_number, show_each
from playmill.texts import Lang, PlaymillError, Text

if TYPE_CHECKING:
    from playmill.lab.runs.resolved_plan import ResolvedPlan

_ABOUT = Text(
    "show figures along a number of the rules, or of an agent, on the same luck",
    "показатели вдоль числа правил или агента, на одной удаче",
)
_OVER = Text(
    "what changes: path=1..9, path=10..50/5 or path=1,2,5; once for each path; agent.NAME.KEY is a number of an agent",
    "что меняется: путь=1..9, путь=10..50/5 или путь=1,2,5; по разу на каждый путь; agent.ИМЯ.КЛЮЧ — число агента",
)
_SHOW = Text(
    "figures of the report; * is any step: seats.*.win_rate; without it they are listed",
    "показатели отчёта; * — любой шаг: seats.*.win_rate; без этого — их список",
)
_LISTED = Text(
    "Name one of these figures, or several, after --show; * is any step: seats.*.win_rate.",
    "Назовите после --show один из этих показателей или несколько; * — любой шаг: seats.*.win_rate.",
)
_FIGURE, _MEANING = Text("figure", "показатель"), Text("what it is", "что это")
_GAMES = Text("deals of each setting, the same for all (2000)", "раздач у каждой настройки, одни и те же у всех (2000)")
_FIXED = Text("seats stay as they are, also where agents differ", "места не меняются, даже если агенты разные")


def _options(parser: Parser) -> None:
    shared.table(parser, among=True)
    parser.option("--over", _OVER, action="append", default=[], metavar="PATH=VALUES")
    parser.option("--show", _SHOW, nargs="+", action="extend", default=[], metavar="FIGURE")
    parser.option("--games", _GAMES, type=sizes, metavar="N")
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
    from playmill.engine.contract.levels import Level
    from playmill.interrupts import interrupt
    from playmill.lab.decide.changeable import Changeable
    from playmill.lab.decide.report_outputs import write_each
    from playmill.lab.decide.sweep import sweep
    from playmill.lab.decide.sweep.axes import read_axes
    from playmill.lab.decide.sweep.report import print_sweep
    from playmill.lab.decide.sweep.run import DEALS
    from playmill.lab.io.progress import games_bar
    from playmill.lab.runs.resolved_plan import resolve_plan
    from playmill.report.files.writing import claim, write_saved, write_text

    game, config = shared.game_and_config(options)
    among = among_whom(options, config, changing=True)
    agents = [one.agent if isinstance(one, Level) else one for one in among[:1]] or options.agents
    rules = resolve_plan(options.game, players=options.players, agents=agents, config=config, seed=options.seed)
    axes = read_axes(options.over, Changeable(config, game, rules.seats)) if options.over or options.show else ()
    if not options.show:
        if extra := next((key for key in ("out", "csv", "html") if getattr(options, key) is not None), None):
            raise PlaymillError(
                f"without --show figures are listed and nothing is played; leave out --{extra}",
                f"без --show показатели перечисляются и ничего не играется; уберите --{extra}",
            )
        return _list_figures(rules, lang)
    settings = 1
    for one in axes:
        settings *= len(one.values)
    if among:
        return _among(options, lang, config, among, settings)
    games = one_number(options, DEALS)
    wanted = {"--out": options.out, "--csv": options.csv, "--html": options.html}
    places = claim(wanted)
    with interrupt():
        with games_bar(settings * games, lang, quiet=options.quiet) as bars:
            found = sweep(
                options.game,
                over=options.over,
                show=options.show,
                games=games,
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


def _list_figures(rules: ResolvedPlan, lang: Lang) -> int:
    """Prints every figure of the report with its title."""
    from rich.console import Console

    from playmill.lab.decide.sweep.run import report_figures
    from playmill.report.terminal.row_layout import Column, print_rows, print_words

    console = Console(highlight=False)
    print_words(console, _LISTED.of(lang))
    columns = (Column(_FIGURE.of(lang), names=True), Column(_MEANING.of(lang), broken=True))
    print_rows(console, columns, [(figure.name, figure.title.of(lang)) for figure in report_figures(rules)])
    return 0


def _among(options: argparse.Namespace, lang: Lang, config: Any, among: Sequence[Any], settings: int) -> int:
    """Sweeps among each agent, prints and writes; returns 1 if it was interrupted, else 0."""
    from playmill.lab.decide.each_agent.sweep_each import sweep_each
    from playmill.lab.decide.levels import LevelSizes
    from playmill.lab.decide.sweep.run import DEALS

    # The rules are played beside the settings.
    deals = deals_of_each(options, among, config, DEALS, each=settings + 1)
    return show_each(
        options,
        lang,
        LevelSizes(tuple(settings * one for one in deals.games), tuple(settings * one for one in deals.rates)),
        lambda bars: sweep_each(
            options.game,
            among=among,
            over=options.over,
            show=options.show,
            games=deals.games,
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
