"""`playmill simulate`: the run, or one for each number of players, its progress bar, and what is written of it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from playmill.cli import options as shared
from playmill.cli.command import Command, Group
from playmill.cli.parser import NUMBER, Parser, whole
from playmill.texts import Lang, PlaymillError, Text

if TYPE_CHECKING:
    from playmill.engine.config import RuleConfig
    from playmill.engine.game import Game
    from playmill.lab.side_by_side import SideBySide
    from playmill.stopping import Stop

_ABOUT = Text("play many games and report with error bars", "сыграть много партий и показать отчёт")
_PLAYERS = Text(
    "number of players; several of them: their reports side by side",
    "число игроков; если чисел несколько — отчёты рядом",
)
_TRACE_OUT = Text(
    "where to (default: beside --out, else the terminal)", "куда (по умолчанию рядом с --out, иначе в терминал)"
)
_FALLBACKS = Text(
    "write every answer of an agent that could not be used: CSV if the name ends so, else JSON lines",
    "записать каждый негодный ответ агента: CSV, если имя так оканчивается, иначе строки JSON",
)
_GAME = Text("=== game {} ===", "=== партия {} ===")
_GAME_OF = Text("=== {}, game {} ===", "=== {}, партия {} ===")
_WROTE = Text("wrote {}", "записано: {}")
#: The most games that are told one by one.
_MOST_TOLD = 100_000


def _options(parser: Parser) -> None:
    shared.game(parser)
    parser.option("--players", _PLAYERS, type=NUMBER, nargs="+", metavar="N")
    shared.seed(parser)
    shared.agents(parser)
    shared.settings(parser)
    parser.option("--games", Text("how many games", "сколько партий"), type=whole(1), default=10_000, metavar="N")
    shared.workers(parser)
    backends = ("cpu", "cuda", "interpreted")
    parser.option("--backend", Text("where the games are played", "на чём играть"), choices=backends, default="cpu")
    parser.flag("--strict", Text("an agent's invalid answer is an error", "недопустимый ответ агента — ошибка"))
    shared.out(parser)
    parser.file("--csv", Text("write one row a game and seat", "записать по строке на партию и место"))
    parser.file("--html", Text("write a page that opens without a network", "записать страницу, открывается без сети"))
    told = Text("also tell the first N games move by move", "рассказать первые N партий ход за ходом")
    parser.option("--trace", told, type=whole(0, _MOST_TOLD), default=0, metavar="N")
    parser.file("--trace-out", _TRACE_OUT)
    parser.file("--fallbacks", _FALLBACKS)
    shared.quiet(parser)


def _run(options: argparse.Namespace, lang: Lang) -> int:
    """Plays, prints and writes; returns 1 if it was interrupted, else 0."""
    from rich.console import Console

    from playmill.agents.seats import seats_for
    from playmill.engine.config import load_config
    from playmill.engine.game import load_game
    from playmill.engine.workplace import files_in_use
    from playmill.lab.fallback_file import FallbackFile
    from playmill.lab.frames import CsvRows
    from playmill.lab.outputs import Alone, Together, write_each
    from playmill.lab.progress import games_bar
    from playmill.lab.side_by_side import agents_of, check_sizes, simulate_each
    from playmill.report.files import claim, write_text
    from playmill.stopping import interrupt

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
                    on_part=rows.add if rows else None,
                    on_fallback=fallbacks.add if fallbacks else None,
                )
        except BaseException:
            for file in (rows, fallbacks):
                if file:
                    file.abandon()
            raise
        report = Alone(found.runs[0]) if len(sizes) == 1 else Together(found)
        told, all_told = _trace(options, game, config, found, lang, stop)
        written, troubles = write_each(
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
    from playmill.engine.workplace import same_folder
    from playmill.lab.show import narrate
    from playmill.lab.side_by_side import agents_of
    from playmill.report.side_by_side import players_text

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


COMMAND = Command("simulate", _ABOUT, Group.MEASURE, 10, _options, _run)
