"""`playmill simulate`: plays one run, or one per player count, and writes what is asked for."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from playmill.cli import options as shared
from playmill.cli.command import Command, Group
from playmill.cli.parser import Parser, name, number_of_players, sizes, whole
from playmill.cli.shared import until_sure
from playmill.cli.shared.each_agent import among_whom, each_bar, games_of_each
from playmill.cli.shared.kept_runs import STOPPED, tell_kept, tell_written
from playmill.stdio import complain, print_json
from playmill.texts import Lang, PlaymillError, Text

if TYPE_CHECKING:
    from playmill.engine.config.model import RuleConfig
    from playmill.interrupts import Stop
    from playmill.lab.decide.simulate_each import SideBySide
    from playmill.lab.runs.resolved_plan import ResolvedPlan
    from playmill.report.commands.side_by_side import Which

_ABOUT = Text("play many games and report with error bars", "сыграть много партий и показать отчёт")
_PLAYERS = Text(
    "number of players; several of them: their reports side by side",
    "число игроков; если чисел несколько — отчёты рядом",
)
_ROTATE = Text(
    "play every deal from every seat, each agent in each", "играть каждую раздачу со всех мест, каждый агент на каждом"
)
_GAMES = Text(
    "how many games (10000 by default); N,N: of each run, if there are several",
    "сколько партий (по умолчанию 10000); N,N — в каждом прогоне, если их несколько",
)
_FROM = Text(
    "play games A … B-1 of the run only (with --to B)", "сыграть только партии прогона A … B-1 (вместе с --to B)"
)
_TO = Text("the number of the game after the last", "номер партии, следующей за последней")
_KEEP = Text(
    "keep the run on disk, under a name of its own or this one; a run that takes long is kept anyway",
    "сохранять прогон на диске, под своим именем или под этим; долгий прогон сохраняется и так",
)
_NO_KEEP = Text("do not keep it, however long it takes", "не сохранять, сколько бы он ни длился")
_ROWS = Text("keep single games, too, for questions and CSV", "сохранять и отдельные партии, для вопросов и CSV")
_PLAN = Text("print the plan of the run as JSON and play nothing", "напечатать план прогона в виде JSON и не играть")
_TRACE_OUT = Text(
    "where to (default: beside --out, else the terminal)", "куда (по умолчанию рядом с --out, иначе в терминал)"
)
_FALLBACKS = Text(
    "write every answer of an agent that could not be used: CSV if the name ends so, else JSON lines",
    "записать каждый негодный ответ агента: CSV, если имя так оканчивается, иначе строки JSON",
)
_INVARIANTS = Text(
    "try the game's invariants after every action, in Python: slower, by ten times and more",
    "проверять инварианты игры после каждого действия, на Python: медленнее в десять и более раз",
)
_HELD = Text(
    "invariants that held in every position: {}, games: {}",
    "инвариантов, верных в каждой позиции: {}, партий: {}",
)
_GAME = Text("=== game {} ===", "=== партия {} ===")
_GAME_OF = Text("=== {}, game {} ===", "=== {}, партия {} ===")
_NO_ROWS = Text(
    "{} is not written: {} games kept before were not played again for it; playmill report --csv does so",
    "{} не записан: {} сохранённых партий не сыграно для него заново; это делает playmill report --csv",
)
#: The most games that are told one by one.
_MOST_TRACED = 100_000
#: This many are told by whatever begins at once.
_FEW_TRACED = 20


def _options(parser: Parser) -> None:
    shared.game(parser)
    parser.option("--players", _PLAYERS, type=number_of_players, nargs="+", metavar="N")
    shared.seed(parser)
    shared.who(parser)
    shared.settings(parser)
    parser.flag("--rotate", _ROTATE)
    parser.option("--games", _GAMES, type=sizes, metavar="N")
    parser.option("--from", _FROM, type=whole(0), dest="first", metavar="A")
    parser.option("--to", _TO, type=whole(1), dest="end", metavar="B")
    shared.how(parser)
    keeping = parser.add_mutually_exclusive_group()
    parser.option("--keep", _KEEP, type=name, nargs="?", const=True, metavar="NAME", within=keeping)
    parser.option("--no-keep", _NO_KEEP, action="store_const", const=False, dest="keep", within=keeping)
    parser.flag("--rows", _ROWS)
    shared.out(parser)
    shared.csv(parser)
    shared.summary(parser)
    shared.html(parser)
    about = Text("also tell the first N games move by move", "рассказать первые N партий ход за ходом")
    parser.option("--trace", about, type=whole(0, _MOST_TRACED), default=0, metavar="N")
    parser.output("--trace-out", _TRACE_OUT)
    parser.output("--fallbacks", _FALLBACKS)
    parser.flag("--check-invariants", _INVARIANTS)
    parser.flag("--plan", _PLAN)
    until_sure.options(parser, near=True)
    shared.quiet(parser)


def _run(options: argparse.Namespace, lang: Lang) -> int:
    """Plays, prints and writes; returns 1 if it was interrupted, else 0."""
    until_sure.check(options)
    if options.until_sure is not None:
        return until_sure.simulate(options, lang)
    from rich.console import Console

    from playmill.interrupts import interrupt
    from playmill.lab.decide.report_outputs import SideBySideOutputs, SingleRunOutputs, report_writers, write_each
    from playmill.lab.decide.simulate_each import resolve_each, simulate_each
    from playmill.lab.runs.fallback_file import FallbackFile
    from playmill.lab.runs.simulate import How, game_range
    from playmill.report.files.writing import claim, write_text
    from playmill.report.number_format import decimal

    game, config = shared.game_and_config(options)
    first, asked = _games(options)
    _check_options(options)
    among = among_whom(options, config)
    whose = {"among": among} if among else {"agents": options.agents}
    resolved_plans = resolve_each(
        options.game, players=options.players, config=config, seed=options.seed, rotate=options.rotate, **whose
    )
    how = How(workers=options.workers, backend=options.backend, on=options.on, keep=options.keep)
    wanted_games = games_of_each(options, resolved_plans, asked, how)
    ends = dict(zip(resolved_plans, wanted_games.games, strict=True))
    games = {which: game_range(resolved, first, ends[which]) for which, resolved in resolved_plans.items()}
    if options.plan:
        plans = [resolved.plan.json() for resolved in resolved_plans.values()]
        print_json(plans if len(plans) > 1 else plans[0])
        return 0
    trace_path = _trace_path(options)
    wanted = {
        "--out": options.out,
        "--csv": options.csv,
        "--summary": options.summary,
        "--html": options.html,
        "--trace-out": trace_path,
        "--fallbacks": options.fallbacks,
    }
    places = claim(wanted)
    names = {which: resolved.plan.names for which, resolved in resolved_plans.items()}
    rotations = {which: resolved.plan.rotations for which, resolved in resolved_plans.items()}
    rows = None
    if options.csv is not None:
        from playmill.lab.runs.game_frames import CsvRows  # it takes a fifth of a second that nobody else needs

        rows = CsvRows(places["--csv"], names, rotations)
    fallbacks = FallbackFile(places["--fallbacks"]) if options.fallbacks is not None else None
    quiet: bool = options.quiet
    # Until everything is written, whoever asks to stop gets what is finished.
    with interrupt() as stop:
        try:
            with each_bar(wanted_games, lang, levels=options.levels, quiet=quiet) as bars:
                found = simulate_each(
                    options.game,
                    players=options.players,
                    games=wanted_games.games,
                    first=first,
                    seed=options.seed,
                    **whose,
                    config=config,
                    rotate=options.rotate,
                    workers=options.workers,
                    backend=options.backend,
                    strict=options.strict,
                    keep=options.keep,
                    rows=options.rows,
                    keep_games=False,
                    progress=bars[0] if bars else None,
                    preparing=bars[1] if bars else None,
                    on_part=rows.add if rows else None,
                    on_fallback=fallbacks.add if fallbacks else None,
                    at_once=True,
                    on=options.on,
                    check_invariants=options.check_invariants,
                )
        except BaseException as error:
            for file in (rows, fallbacks):
                if file:
                    file.abandon()
            if isinstance(error, KeyboardInterrupt) and options.keep:
                complain(STOPPED.of(lang).format(_name(options.keep, resolved_plans, games)))
                return 1
            raise
        lacking = sum(run.info.games for run in found.runs) - (rows.games if rows else 0)
        if rows and lacking > 0 and not found.series.complete:
            # Games kept before are played again for their rows; whoever stops that gets no part of them for the whole.
            rows.abandon()
            complain(_NO_ROWS.of(lang).format(options.csv, decimal(lacking, 0, lang)))
            del places["--csv"]
        report = SingleRunOutputs(found.runs[0]) if len(resolved_plans) == 1 else SideBySideOutputs(found)
        traced, all_traced = _trace(options, config, resolved_plans, found, lang, stop)
        written, troubles = write_each(
            places,
            {
                "--csv": lambda path: rows.finish() if rows else None,
                "--fallbacks": lambda path: fallbacks.finish() if fallbacks else None,
                **report_writers(report, lang),
                "--trace-out": lambda path: write_text(path, traced),
            },
        )
        if not quiet:
            if traced and trace_path is None:
                print(traced)
            console = Console(highlight=False)
            report.show(console, lang)
            if options.check_invariants:
                played = decimal(sum(run.info.games for run in found.runs), 0, lang)
                console.print(_HELD.of(lang).format(len(game.invariants), played))
            tell_written(console, written, wanted, lang)
        tell_kept(found.runs, lang, quiet=quiet)
    if troubles:
        raise troubles[0]
    return 0 if found.series.complete and all_traced else 1


def _games(options: argparse.Namespace) -> tuple[int, Sequence[int]]:
    """Returns the games asked for: the first, and the one after the last, of each run if they differ."""
    if options.games is not None and (options.first is not None or options.end is not None):
        raise PlaymillError(
            "--games N is --to N; with --from and --to leave it out", "--games N — то же, что --to N; уберите --games"
        )
    if options.first is not None and options.end is None:
        raise PlaymillError(
            "--from A needs --to B: games A … B-1 are played", "к --from A нужен --to B: играются партии A … B-1"
        )
    return options.first or 0, (options.end,) if options.end else options.games or ()


def _check_options(options: argparse.Namespace) -> None:
    """Raises if an option would be ignored."""
    if options.trace_out is not None and not options.trace:
        raise PlaymillError(
            "--trace-out needs --trace N, the number of games to tell",
            "к --trace-out нужен --trace N, сколько партий рассказать",
        )
    given = ("keep", "rows", "out", "csv", "html", "trace", "fallbacks")
    if options.plan and (extra := next((key for key in given if getattr(options, key)), None)):
        raise PlaymillError(
            f"--plan prints what would be played and plays nothing; leave out --{extra}",
            f"--plan печатает, что было бы сыграно, и не играет; уберите --{extra}",
        )


def _name(keep: bool | str, resolved_plans: Mapping[Which, ResolvedPlan], games: Mapping[Which, range]) -> str:
    """Returns what the first run is called that is kept."""
    from playmill.lab.decide.simulate_each import kept_names
    from playmill.lab.runs.store.writer import default_name

    first = next(iter(resolved_plans))
    name = kept_names(keep, resolved_plans)[0]
    return name if isinstance(name, str) else default_name(resolved_plans[first], games[first])


def _trace_path(options: argparse.Namespace) -> Path | None:
    """Returns where the told games go: where asked to, or beside the JSON file; None is the terminal."""
    if options.trace_out is not None or not options.trace or options.out is None:
        path: Path | None = options.trace_out
        return path
    out: Path = options.out
    return out.with_suffix(".trace.txt")


def _trace(
    options: argparse.Namespace,
    config: RuleConfig,
    resolved_plans: Mapping[Which, ResolvedPlan],
    found: SideBySide,
    lang: Lang,
    stop: Stop,
) -> tuple[str, bool]:
    """The first games of each run, move by move, and whether all are there: Ctrl-C leaves out those not told yet."""
    if not options.trace:
        return "", True
    from playmill.engine.config.input_files import same_folder
    from playmill.lab.replays.narration import narrate
    from playmill.lab.runs.rotation import around
    from playmill.report.commands.side_by_side import which_text

    lines: list[str] = []
    first, _ = _games(options)
    # Few games are told before the rules are compiled for it.
    by = None if options.trace <= _FEW_TRACED else False
    for run in found.runs:
        players, which = run.info.players, found.series.which(run.info)
        resolved = resolved_plans[which]
        for number in range(first, first + min(options.trace, run.info.games)):
            deal, rotation = divmod(number, run.info.rotations)
            settings = {
                "players": players,
                "seed": options.seed,
                "agents": around(resolved.written, rotation),
                "number": deal,
            }
            try:
                with same_folder(), stop.breaking():
                    texts = [*narrate(resolved.game, config=config, lang=lang, interpreted=by, **settings)]
            except KeyboardInterrupt:
                return "\n".join(lines), False
            if stop() > 1:
                return "\n".join(lines), False
            alone = _GAME.of(lang).format(number)
            lines.append(
                alone if len(resolved_plans) == 1 else _GAME_OF.of(lang).format(which_text(which, lang), number)
            )
            lines += [*texts, ""]
    return "\n".join([*lines, ""] if lines else []), True


COMMAND = Command("simulate", _ABOUT, Group.MEASURE, 10, _options, _run)
