"""`playmill simulate`: the run, or one for each number of players, its progress bar, and what is written of it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console

from playmill.agents.seats import seats_for
from playmill.engine.config import RuleConfig, load_config
from playmill.engine.game import Game, load_game
from playmill.lab.progress import games_bar
from playmill.lab.show import narrate
from playmill.lab.side_by_side import PlayersSink, SideBySide, agents_of, check_sizes, simulate_each
from playmill.lab.simulate import Simulation
from playmill.report.files import check_writable, write_json, write_saved, write_text
from playmill.report.html import html_page, side_by_side_page
from playmill.report.side_by_side import players_text, print_side_by_side
from playmill.report.terminal import print_report
from playmill.texts import Lang, PlaymillError, Text

_GAME = Text("=== game {} ===", "=== партия {} ===")
_GAME_OF = Text("=== {}, game {} ===", "=== {}, партия {} ===")
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
    sizes = check_sizes(game, options.players or [game.players[0]])
    quiet: bool = options.quiet
    with games_bar(options.games * len(sizes), lang, quiet=quiet) as bars, _csv(options, game, sizes) as on_chunk:
        found = simulate_each(
            game,
            players=sizes,
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
    report: _Alone | _Together = _Alone(found.runs[0]) if len(sizes) == 1 else _Together(found)
    written = [options.csv] if options.csv is not None else []
    if options.out is not None:
        report.save(options.out)
        written.append(options.out)
    if options.html is not None:
        write_text(options.html, report.page(lang))
        written.append(options.html)
    if options.trace:
        told = _trace(options, game, config, sizes, lang)
        if trace_path is not None:
            write_text(trace_path, told)
            written.append(trace_path)
        elif not quiet:
            print(told)
    if not quiet:
        console = Console(highlight=False)
        report.show(console, lang)
        for path in written:
            console.print(_WROTE.of(lang).format(path), markup=False, soft_wrap=True)
    return 0 if found.series.complete else 1


class _Alone:
    """The report of one run."""

    def __init__(self, run: Simulation) -> None:
        self._run, self._tables = run, run.tables()

    def save(self, path: Path) -> None:
        write_json(path, self._run.info, self._run.results)

    def page(self, lang: Lang) -> str:
        return html_page(self._run.info, self._tables, lang)

    def show(self, console: Console, lang: Lang) -> None:
        print_report(console, self._run.info, self._tables, lang)


class _Together:
    """The report of several runs, side by side."""

    def __init__(self, found: SideBySide) -> None:
        self._found, self._tables, self._reports = found, found.tables(), found.reports()

    def save(self, path: Path) -> None:
        write_saved(path, self._found.json())

    def page(self, lang: Lang) -> str:
        return side_by_side_page(self._found.series, self._tables, self._reports, lang)

    def show(self, console: Console, lang: Lang) -> None:
        print_side_by_side(console, self._found.series, self._tables, self._reports, lang)


def _trace_path(options: argparse.Namespace) -> Path | None:
    """Where the told games go: where asked to, or beside the JSON file; None is the terminal."""
    if options.trace_out is not None or not options.trace or options.out is None:
        path: Path | None = options.trace_out
        return path
    out: Path = options.out
    return out.with_suffix(".trace.txt")


def _trace(options: argparse.Namespace, game: Game, config: RuleConfig, sizes: Sequence[int], lang: Lang) -> str:
    """The first games of each run, move by move."""
    lines = []
    for players in sizes:
        agents = agents_of(options.agents, players, sizes)
        for number in range(min(options.trace, options.games)):
            alone = _GAME.of(lang).format(number)
            lines.append(alone if len(sizes) == 1 else _GAME_OF.of(lang).format(players_text(players, lang), number))
            settings = {"players": players, "seed": options.seed, "agents": agents, "number": number}
            lines += [*narrate(game, config=config, lang=lang, **settings), ""]
    return "\n".join(lines) + "\n"


@contextmanager
def _csv(options: argparse.Namespace, game: Game, sizes: Sequence[int]) -> Iterator[PlayersSink | None]:
    """Where the rows of single games go; what a failed run has written is removed."""
    if options.csv is None:
        yield None
        return
    from playmill.lab.frames import CsvRows

    seated = {size: seats_for(game, size, agents_of(options.agents, size, sizes)) for size in sizes}
    names = {size: [seat.name for seat in seats] for size, seats in seated.items()}
    rows = CsvRows(options.csv, names)
    try:
        yield rows.add
    except BaseException:
        rows.abandon()
        raise
    rows.finish()
