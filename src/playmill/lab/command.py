"""`playmill simulate`: the run, its progress bar, and what is written of it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console

from playmill.agents.seats import seats_for
from playmill.engine.config import RuleConfig, load_config
from playmill.engine.game import Game, load_game
from playmill.lab.progress import games_bar
from playmill.lab.show import narrate
from playmill.lab.simulate import RowSink, simulate
from playmill.report.files import check_writable, write_json, write_text
from playmill.report.html import html_page
from playmill.report.terminal import print_report
from playmill.texts import Lang, PlaymillError, Text

_GAME = Text("=== game {} ===", "=== партия {} ===")
_WROTE = Text("wrote {}", "записано: {}")


def simulate_command(options: argparse.Namespace, lang: Lang) -> int:
    """Runs the command; returns 1 if it was interrupted, else 0."""
    game = load_game(options.game)
    config = load_config(game.config, options.config, options.set)
    if options.trace_out is not None and not options.trace:
        raise PlaymillError(
            "--trace-out needs --trace N, the number of games to tell",
            "к --trace-out нужен --trace N, сколько партий рассказать",
        )
    trace_path = _trace_path(options)
    for path in (options.out, options.csv, options.html, trace_path):
        if path is not None:
            check_writable(path)
    players = options.players if options.players is not None else game.players[0]
    quiet: bool = options.quiet
    with games_bar(options.games, lang, quiet=quiet) as bars, _csv(options, game, players) as on_chunk:
        run = simulate(
            game,
            players=players,
            games=options.games,
            seed=options.seed,
            agents=options.agents,
            config=config,
            workers=options.workers,
            backend=options.backend,
            strict=options.strict,
            keep_games=False,
            progress=bars[0] if bars else None,
            preparing=bars[1] if bars else None,
            on_chunk=on_chunk,
        )
    tables = run.tables()
    written = [options.csv] if options.csv is not None else []
    if options.out is not None:
        write_json(options.out, run.info, run.results)
        written.append(options.out)
    if options.html is not None:
        write_text(options.html, html_page(run.info, tables, lang))
        written.append(options.html)
    if options.trace:
        told = _trace(options, game, config, players, lang)
        if trace_path is not None:
            write_text(trace_path, told)
            written.append(trace_path)
        elif not quiet:
            print(told)
    if not quiet:
        console = Console(highlight=False)
        print_report(console, run.info, tables, lang)
        for path in written:
            console.print(_WROTE.of(lang).format(path), markup=False, soft_wrap=True)
    return 0 if run.info.complete else 1


def _trace_path(options: argparse.Namespace) -> Path | None:
    """Where the told games go: where asked to, or beside the JSON file; None is the terminal."""
    if options.trace_out is not None or not options.trace or options.out is None:
        path: Path | None = options.trace_out
        return path
    out: Path = options.out
    return out.with_suffix(".trace.txt")


def _trace(options: argparse.Namespace, game: Game, config: RuleConfig, players: int, lang: Lang) -> str:
    """The first games of the run, move by move."""
    lines = []
    for number in range(min(options.trace, options.games)):
        lines.append(_GAME.of(lang).format(number))
        settings = {"players": players, "seed": options.seed, "agents": options.agents, "number": number}
        lines += [*narrate(game, config=config, lang=lang, **settings), ""]
    return "\n".join(lines) + "\n"


@contextmanager
def _csv(options: argparse.Namespace, game: Game, players: int) -> Iterator[RowSink | None]:
    """Where the rows of single games go; what a failed run has written is removed."""
    if options.csv is None:
        yield None
        return
    from playmill.lab.frames import CsvRows

    rows = CsvRows(options.csv, [seat.name for seat in seats_for(game, players, options.agents)])
    try:
        yield rows.add
    except BaseException:
        rows.abandon()
        raise
    rows.finish()
