"""`playmill bench`: measures games per second, and compares with a baseline, another checkout or other libraries."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from playmill.cli import options as shared
from playmill.cli.command import Command, Group
from playmill.cli.parser import Parser, path
from playmill.texts import Lang, PlaymillError, Text

if TYPE_CHECKING:
    from rich.console import Console

    from playmill.lab.bench.baseline import Baseline, SpeedChange

_ABOUT = Text("measure the speed of games and agents", "измерить скорость игр и агентов")
_TITLES = (
    Text("game, players", "игра, игроков"),
    Text("agent", "агент"),
    Text("on", "на чём"),
    Text("games/s", "партий/с"),
    Text("decisions/s", "решений/с"),
    Text("× interp.", "× интерп."),
)
_SEARCH_TITLES = (
    Text("game, players", "игра, игроков"),
    Text("agent", "агент"),
    Text("iterations/s, one core", "партий в уме/с, одно ядро"),
)
_AGAINST_TITLES = (
    Text("game, players", "игра, игроков"),
    Text("agent", "агент"),
    Text("games/CPU s", "партий/с проц."),
    Text("times that one", "во сколько раз"),
    Text("±", "±"),
    Text("same results", "те же итоги"),
)
_NEIGHBOUR_TITLES = (
    Text("game", "игра"),
    Text("who plays", "кто играет"),
    Text("games/CPU s", "партий/с проц."),
    Text("× State", "× State"),
)
_BEFORE = Text("× before", "× прежде")
_COMPARED = Text(
    "× before: now divided by what was measured {} ({}); ~ is within noise",
    "× прежде: отношение к измеренному {} ({}); ~ — в пределах погрешности",
)
_EARLIER = Text("earlier on this machine", "раньше на этой машине")
_IN_FILE = Text("in {}", "в {}")
_SLOWER = Text("slower than before: {}", "медленнее, чем прежде: {}")
_NOT_KEPT = Text("this measurement is not kept: {}", "это измерение не сохранено: {}")
_DIFFERENT = Text("other results than there: {}", "итоги не те, что там: {}")
_YES_NO = (Text("no", "нет"), Text("yes", "да"))
#: How long one measurement may take, in seconds.
_SHORTEST, _LONGEST = 0.001, 3600.0


def _options(parser: Parser) -> None:
    parser.option("games", Text("only these games", "только эти игры"), nargs="*", metavar="GAME")
    about = Text("seconds for each measurement", "секунд на каждое измерение")
    parser.option("--seconds", about, type=float, default=2.0, metavar="S")
    reference = Text("compare with what an earlier --out has written", "сравнить с тем, что записал прежний --out")
    parser.file("--reference", reference)
    against = Text(
        "measure against another checkout, by turns: ratios hold on a busy machine, too",
        "измерять по очереди с другой рабочей копией: отношения верны и на занятой машине",
    )
    parser.option("--against", against, type=path, metavar="DIR")
    neighbours = Text(
        "Pig and Connect Four beside OpenSpiel and PettingZoo, if they are installed",
        "ещё Pig и Connect Four рядом с OpenSpiel и PettingZoo, если они установлены",
    )
    parser.flag("--neighbours", neighbours)
    no_keep = Text("do not keep it to compare the next one with", "не сохранять для сравнения в следующий раз")
    parser.flag("--no-keep", no_keep)
    shared.out(parser)


def _run(options: argparse.Namespace, lang: Lang) -> int:
    """Measures every game and agent, compares, prints tables, writes JSON if asked to."""
    from rich.console import Console

    from playmill.engine.contract.game import game_names, load_game
    from playmill.engine.run.backends import default_workers
    from playmill.interrupts import STOPPED, interrupt
    from playmill.lab.bench.baseline import keep, last_kept, machine, read_baseline
    from playmill.lab.bench.checkouts import bench_checkouts, source_of
    from playmill.lab.bench.other_libraries import bench_other_libraries
    from playmill.lab.bench.speed import bench_all
    from playmill.report.files.writing import claim, write_saved
    from playmill.stdio import complain
    from playmill.version import __version__

    if not _SHORTEST <= options.seconds <= _LONGEST:  # not a number is out of every range
        raise PlaymillError(
            f"--seconds is {options.seconds}; expected {_SHORTEST:g} … {_LONGEST:g}",
            f"--seconds равно {options.seconds}; нужно {_SHORTEST:g} … {_LONGEST:g}",
        )
    if options.against is not None and (options.reference is not None or options.neighbours):
        raise PlaymillError(
            "--against is a comparison by itself; leave out --reference and --neighbours",
            "--against — отдельное сравнение; уберите --reference и --neighbours",
        )
    games = [load_game(name) for name in dict.fromkeys(options.games or game_names())]
    earlier = read_baseline(options.reference) if options.reference is not None else None
    source = source_of(options.against) if options.against is not None else None
    place = claim({"--out": options.out}).get("--out")
    measured: dict[str, Any] = {"playmill": __version__, "machine": machine(), "cores": default_workers()}
    console = Console(highlight=False)
    complete = True
    with interrupt() as stop:
        with Console(stderr=True).status("…") as status:
            if source is not None:
                with stop.breaking():
                    turns = bench_checkouts(games, source, seconds=options.seconds, progress=status.update)
                measured |= {"against": str(options.against), "turns": turns}
            else:
                rows, searches, complete = bench_all(games, seconds=options.seconds, stop=stop, progress=status.update)
                measured |= {"complete": complete, "rows": rows, "search": searches}
            beside: list[dict[str, Any]] = []
            missing: list[Text] = []
            if options.neighbours and complete:
                with stop.breaking():
                    beside, missing = bench_other_libraries(seconds=options.seconds, progress=status.update)
                measured["neighbours"] = beside
        if source is not None:
            _tell_turns(console, turns, lang)
        else:
            named = _IN_FILE.of(lang).format(options.reference) if earlier is not None else _EARLIER.of(lang)
            _tell(console, rows, searches, earlier or last_kept(), named, lang)
            trouble = keep([*rows, *searches]) if complete and not options.no_keep else None
            if trouble is not None:
                complain(_NOT_KEPT.of(lang).format(trouble.of(lang)))
        if beside:
            _tell_neighbours(console, beside, lang)
        for sentence in missing:
            console.print(sentence.of(lang), markup=False, soft_wrap=True)
        if place is not None:
            write_saved(place, measured)
    if complete:
        return 0
    complain(STOPPED.of(lang))
    return 1


def _tell(
    console: Console,
    rows: Sequence[Mapping[str, Any]],
    searches: Sequence[Mapping[str, Any]],
    earlier: Baseline,
    named: str,
    lang: Lang,
) -> None:
    """Prints the tables of speeds and of `search`, beside the baseline, if there is one."""
    from playmill.report.number_format import decimal

    changes = {id(row): earlier.change(row) for row in (*rows, *searches)}
    known = any(changes.values())
    speeds = [
        (
            f"{row['game']}, {row['players']}",
            row["agent"],
            f"{row['backend']} ×{row['threads']}",
            decimal(row["games_per_s"], 0, lang),
            decimal(row["decisions_per_s"], 0, lang),
            _ratio(changes[id(row)], lang) if known else decimal(row["times_interpreted"], 0, lang),
        )
        for row in rows
    ]
    thoughts = [
        (
            f"{row['game']}, {row['players']}",
            f"search:iterations={row['iterations']}",
            decimal(row["iterations_per_s"], 0, lang),
            *([_ratio(changes[id(row)], lang)] if known else []),
        )
        for row in searches
    ]
    _print_table(console, (*_TITLES[:-1], _BEFORE) if known else _TITLES, 3, speeds, lang)
    console.print()
    _print_table(console, (*_SEARCH_TITLES, _BEFORE) if known else _SEARCH_TITLES, 2, thoughts, lang)
    if not known:
        return
    when = earlier.when([*rows, *searches])
    heading = (
        _COMPARED.of(lang).format(named, when) if when else _COMPARED.of(lang).format(named, "–").replace(" (–)", "")
    )
    console.print(f"\n{heading}", markup=False, soft_wrap=True)
    slower = [
        f"{row['game']} {row['agent']} {row['backend']} ×{row['threads']} ({decimal(change.ratio, 2, lang)})"
        for row in (*rows, *searches)
        if (change := changes[id(row)]) is not None and change.ratio < 1 and not change.is_noise
    ]
    if slower:
        console.print(_SLOWER.of(lang).format(", ".join(slower)), style="bold", markup=False, soft_wrap=True)


def _ratio(change: SpeedChange | None, lang: Lang) -> str:
    """Returns now divided by before; a tilde where that may be noise."""
    from playmill.report.number_format import decimal

    return "–" if change is None else f"{'~' if change.is_noise else ''}{decimal(change.ratio, 2, lang)}"


def _tell_turns(console: Console, rows: Sequence[Mapping[str, Any]], lang: Lang) -> None:
    from playmill.report.number_format import decimal

    lines = [
        (
            f"{row['game']}, {row['players']}",
            row["agent"],
            decimal(row["games_per_cpu_s"], 0, lang),
            f"{'~' if row['within_noise'] else ''}{decimal(row['ratio'], 3, lang)}",
            decimal(row["noise"], 3, lang),
            _YES_NO[row["same_results"]].of(lang),
        )
        for row in rows
    ]
    _print_table(console, _AGAINST_TITLES, 2, lines, lang)
    other = [f"{row['game']} {row['agent']}" for row in rows if not row["same_results"]]
    if other:
        console.print(_DIFFERENT.of(lang).format(", ".join(other)), style="bold", markup=False, soft_wrap=True)


def _tell_neighbours(console: Console, rows: Sequence[Mapping[str, Any]], lang: Lang) -> None:
    from playmill.report.number_format import decimal

    states = {row["game"]: row["games_per_cpu_s"] for row in rows if row["runner"].endswith("State")}
    lines = [
        (
            row["game"],
            row["runner"],
            decimal(row["games_per_cpu_s"], 0, lang),
            decimal(row["games_per_cpu_s"] / states[row["game"]], 2, lang),
        )
        for row in rows
    ]
    console.print()
    _print_table(console, _NEIGHBOUR_TITLES, 2, lines, lang)


def _print_table(
    console: Console, titles: Sequence[Text], words: int, rows: Sequence[Sequence[str]], lang: Lang
) -> None:
    """Prints a table whose first columns are words and whose others are numbers."""
    from playmill.report.terminal.row_layout import Column, print_rows

    columns = [Column(one.of(lang), right=place >= words, names=place < words) for place, one in enumerate(titles)]
    print_rows(console, columns, rows)


COMMAND = Command("bench", _ABOUT, Group.MEASURE, 90, _options, _run)
