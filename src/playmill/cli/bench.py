"""`playmill bench`."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import Any

from playmill.cli import options as shared
from playmill.cli.command import Command, Group
from playmill.cli.parser import Parser
from playmill.texts import Lang, PlaymillError, Text

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
#: How long one measurement may take, in seconds.
_SHORTEST, _LONGEST = 0.001, 3600.0


def _options(parser: Parser) -> None:
    parser.option("games", Text("only these games", "только эти игры"), nargs="*", metavar="GAME")
    about = Text("seconds for each measurement", "секунд на каждое измерение")
    parser.option("--seconds", about, type=float, default=2.0, metavar="S")
    shared.out(parser)


def _run(options: argparse.Namespace, lang: Lang) -> int:
    """Measures every game and agent, prints a table, writes JSON if asked to."""
    import platform

    from rich.console import Console

    from playmill.engine.game import game_names, load_game
    from playmill.engine.play import default_workers
    from playmill.engine.workplace import files_in_use
    from playmill.lab.bench import bench_all
    from playmill.report.files import claim, write_saved
    from playmill.stopping import STOPPED, interrupt
    from playmill.streams import complain
    from playmill.version import __version__

    if not _SHORTEST <= options.seconds <= _LONGEST:  # not a number is out of every range
        raise PlaymillError(
            f"--seconds is {options.seconds}; expected {_SHORTEST:g} … {_LONGEST:g}",
            f"--seconds равно {options.seconds}; нужно {_SHORTEST:g} … {_LONGEST:g}",
        )
    games = [load_game(name) for name in dict.fromkeys(options.games or game_names())]
    place = claim({"--out": options.out}, files_in_use).get("--out")
    with interrupt() as stop:
        with Console(stderr=True).status("…") as status:
            rows, searches, complete = bench_all(games, seconds=options.seconds, stop=stop, told=status.update)
        _tell(rows, searches, lang)
        if place is not None:
            machine = {"machine": platform.machine(), "cores": default_workers()}
            measured = {"playmill": __version__, **machine, "complete": complete, "rows": rows, "search": searches}
            write_saved(place, measured)
    if complete:
        return 0
    complain(STOPPED.of(lang))
    return 1


def _tell(rows: Sequence[Mapping[str, Any]], searches: Sequence[Mapping[str, Any]], lang: Lang) -> None:
    from rich.console import Console

    speeds = [
        (
            f"{row['game']}, {row['players']}",
            row["agent"],
            f"{row['backend']} ×{row['threads']}",
            _spaced(row["games_per_s"]),
            _spaced(row["decisions_per_s"]),
            _spaced(row["times_interpreted"]),
        )
        for row in rows
    ]
    thoughts = [
        (
            f"{row['game']}, {row['players']}",
            f"search:iterations={row['iterations']}",
            _spaced(row["iterations_per_s"]),
        )
        for row in searches
    ]
    console = Console(highlight=False)
    console.print(_table(_TITLES, 3, speeds, lang))
    console.print()
    console.print(_table(_SEARCH_TITLES, 2, thoughts, lang))


def _table(titles: Sequence[Text], words: int, rows: Sequence[Sequence[str]], lang: Lang) -> Any:
    """A table whose first columns are words and whose others are numbers."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for place, title in enumerate(titles):
        table.add_column(title.of(lang), justify="left" if place < words else "right", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    return table


def _spaced(number: float) -> str:
    return f"{number:,.0f}".replace(",", " ")


COMMAND = Command("bench", _ABOUT, Group.MEASURE, 90, _options, _run)
