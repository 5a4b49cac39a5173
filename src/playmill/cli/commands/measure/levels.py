"""`playmill levels`: the report of a game among beginners, good players and experts, side by side."""

from __future__ import annotations

import argparse

from playmill.cli import options as shared
from playmill.cli.command import Command, Group
from playmill.cli.parser import Parser, amount, sizes
from playmill.cli.shared.each_agent import among_whom, each_bar, games_of_each
from playmill.cli.shared.until_sure import keeping
from playmill.texts import Lang, Text

_ABOUT = Text(
    "play among beginners, good players and experts, and say what turns over",
    "сыграть среди новичков, хороших игроков и мастеров и сказать, что переворачивается",
)
_GAMES = Text(
    "at most so many games of each level (100000), as time allows; N,N,N: exactly so many of each",
    "не больше стольких партий у каждого уровня (100000), сколько успеется; N,N,N — ровно по стольку",
)


def _options(parser: Parser) -> None:
    for add in (shared.game, shared.players, shared.seed, shared.settings):
        add(parser)
    parser.option("--games", _GAMES, type=sizes, metavar="N")
    parser.option("--minutes", shared.MINUTES, type=amount, metavar="M")
    keeping(parser)
    shared.where(parser)
    shared.out(parser)
    shared.summary(parser)
    shared.html(parser)
    shared.quiet(parser)


def _run(options: argparse.Namespace, lang: Lang) -> int:
    """Plays, prints and writes; returns 1 if it was interrupted, else 0."""
    from rich.console import Console

    from playmill.cli.shared.kept_runs import tell_kept, tell_written
    from playmill.interrupts import interrupt
    from playmill.lab.decide.report_outputs import SideBySideOutputs, report_writers, write_each
    from playmill.lab.decide.simulate_each import resolve_each, simulate_each
    from playmill.lab.runs.simulate import How
    from playmill.report.files.writing import claim

    _, config = shared.game_and_config(options)
    wanted = {"--out": options.out, "--summary": options.summary, "--html": options.html}
    places = claim(wanted)
    options.levels = True
    among = among_whom(options, config)
    plans = resolve_each(options.game, players=options.players, among=among, config=config, seed=options.seed)
    how = How(workers=options.workers, on=options.on, keep=options.keep)
    with interrupt():
        sizes = games_of_each(options, plans, options.games or (), how)
        with each_bar(sizes, lang, levels=True, quiet=options.quiet) as bars:
            found = simulate_each(
                options.game,
                players=options.players,
                among=among,
                config=config,
                seed=options.seed,
                games=sizes.games,
                workers=options.workers,
                on=options.on,
                keep=options.keep,
                keep_games=False,
                progress=bars[0] if bars else None,
            )
        report = SideBySideOutputs(found)
        written, troubles = write_each(places, report_writers(report, lang))
        if not options.quiet:
            console = Console(highlight=False)
            report.show(console, lang)
            tell_written(console, written, wanted, lang)
        tell_kept(found.runs, lang, quiet=options.quiet)
    if troubles:
        raise troubles[0]
    return 0 if found.series.complete else 1


COMMAND = Command("levels", _ABOUT, Group.MEASURE, 12, _options, _run)
