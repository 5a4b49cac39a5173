"""`playmill simulate`: the run, or one for each number of players, its progress bar, and what is written of it."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path

from rich.console import Console

from playmill.agents.seats import seats_for
from playmill.engine.config import RuleConfig, load_config
from playmill.engine.game import Game, load_game
from playmill.engine.workplace import files_in_use, same_folder
from playmill.lab.fallback_file import FallbackFile
from playmill.lab.frames import CsvRows
from playmill.lab.progress import games_bar
from playmill.lab.show import narrate
from playmill.lab.side_by_side import SideBySide, agents_of, check_sizes, simulate_each
from playmill.lab.simulate import Simulation
from playmill.report.files import claim, write_json, write_saved, write_text
from playmill.report.html import html_page, side_by_side_page
from playmill.report.side_by_side import players_text, print_side_by_side
from playmill.report.terminal import print_report
from playmill.stopping import Stop, interrupt
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
    sizes = check_sizes(game, options.players or [game.players[0]])
    seated = {size: seats_for(game, size, agents_of(options.agents, size, sizes)) for size in sizes}
    trace_path = _trace_path(options)
    wanted = {
        "--out": options.out,
        "--csv": options.csv,
        "--html": options.html,
        "--trace-out": trace_path,
        "--fallbacks": options.fallbacks,
    }
    places = claim(wanted, files_in_use)
    names = {size: [seat.name for seat in seats] for size, seats in seated.items()}
    rows = CsvRows(places["--csv"], names) if options.csv is not None else None
    fallbacks = FallbackFile(places["--fallbacks"]) if options.fallbacks is not None else None
    quiet: bool = options.quiet
    # Until everything is written, whoever asks to stop gets what is finished.
    with interrupt() as stop:
        try:
            with games_bar(options.games * len(sizes), lang, quiet=quiet) as bars:
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
                    on_chunk=rows.add if rows else None,
                    on_fallback=fallbacks.add if fallbacks else None,
                )
        except BaseException:
            for file in (rows, fallbacks):
                if file:
                    file.abandon()
            raise
        report: _Alone | _Together = _Alone(found.runs[0]) if len(sizes) == 1 else _Together(found)
        told, all_told = _trace(options, game, config, found, lang, stop)
        written, troubles = _write(
            places,
            {
                "--csv": lambda path: rows.finish() if rows else None,
                "--fallbacks": lambda path: fallbacks.finish() if fallbacks else None,
                "--out": report.save,
                "--html": lambda path: write_text(path, report.page(lang)),
                "--trace-out": lambda path: write_text(path, told),
            },
        )
        if not quiet:
            if told and trace_path is None:
                print(told)
            console = Console(highlight=False)
            report.show(console, lang)
            for option in written:
                console.print(_WROTE.of(lang).format(wanted[option]), markup=False, soft_wrap=True)
    if troubles:
        raise troubles[0]
    return 0 if found.series.complete and all_told else 1


def _write(
    places: Mapping[str, Path], writers: Mapping[str, Callable[[Path], None]]
) -> tuple[list[str], list[PlaymillError]]:
    """Writes everything that can be written; returns what it was, and why the rest was not."""
    written, troubles = [], []
    for option, write in writers.items():
        if option in places:
            try:
                write(places[option])
                written.append(option)
            except PlaymillError as error:
                troubles.append(error)
    return written, troubles


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


def _trace(
    options: argparse.Namespace, game: Game, config: RuleConfig, found: SideBySide, lang: Lang, stop: Stop
) -> tuple[str, bool]:
    """The first games of each run, move by move, and whether all are there: Ctrl-C leaves out those not told yet."""
    lines: list[str] = []
    sizes = found.series.players
    for run in found.runs:
        players = run.info.players
        agents = agents_of(options.agents, players, sizes)
        for number in range(min(options.trace, run.info.games)):
            settings = {"players": players, "seed": options.seed, "agents": agents, "number": number}
            try:
                with same_folder(), stop.breaking():
                    told = [*narrate(game, config=config, lang=lang, **settings)]
            except KeyboardInterrupt:
                return "\n".join(lines), False
            if stop() > 1:
                return "\n".join(lines), False
            alone = _GAME.of(lang).format(number)
            lines.append(alone if len(sizes) == 1 else _GAME_OF.of(lang).format(players_text(players, lang), number))
            lines += [*told, ""]
    return "\n".join([*lines, ""] if lines else []), True
