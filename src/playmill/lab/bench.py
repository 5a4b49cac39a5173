"""`playmill bench`: games and decisions a second, on one core and on all, against the interpreter in the same run."""

from __future__ import annotations

import argparse
import json
import math
import platform
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from playmill.agents.search import Thinker
from playmill.engine.books import open_book
from playmill.engine.game import Game, game_names, load_game
from playmill.engine.kernels import agent_numbers
from playmill.engine.match import Backend, Match
from playmill.engine.play import backend_maker, backend_workers, default_workers, play_in_order
from playmill.engine.state import State
from playmill.engine.workplace import files_in_use
from playmill.report.files import claim, write_text
from playmill.stopping import STOPPED, Stop, interrupt
from playmill.streams import complain
from playmill.texts import Lang, PlaymillError, Text
from playmill.version import __version__

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
#: Thoughts for one decision when `search` is measured.
_THOUGHTS = 200


#: How long one measurement may take, in seconds.
_SHORTEST, _LONGEST = 0.001, 3600.0


def bench_command(options: argparse.Namespace, lang: Lang) -> int:
    """Measures every game and agent, prints a table, writes JSON if asked to."""
    if not _SHORTEST <= options.seconds <= _LONGEST:  # not a number is out of every range
        raise PlaymillError(
            f"--seconds is {options.seconds}; expected {_SHORTEST:g} … {_LONGEST:g}",
            f"--seconds равно {options.seconds}; нужно {_SHORTEST:g} … {_LONGEST:g}",
        )
    games = [load_game(name) for name in dict.fromkeys(options.games or game_names())]
    place = claim({"--out": options.out}, files_in_use).get("--out")
    with interrupt() as stop:
        rows, searches, complete = _measured(games, options.seconds, stop)
        _tell(rows, searches, lang)
        if place is not None:
            machine = {"machine": platform.machine(), "cores": default_workers()}
            measured = {"playmill": __version__, **machine, "complete": complete, "rows": rows, "search": searches}
            write_text(place, json.dumps(measured, indent=2) + "\n")
    if complete:
        return 0
    complain(STOPPED.of(lang))
    return 1


def _measured(
    games: Sequence[Game], seconds: float, stop: Stop
) -> tuple[list[dict[str, Any]], list[dict[str, Any]], bool]:
    """The rows of all games and agents, those of their searches, and whether nobody asked to stop before the end."""
    rows: list[dict[str, Any]] = []
    searches: list[dict[str, Any]] = []
    try:
        with Console(stderr=True).status("…") as status, stop.breaking():
            for game in games:
                for agent in game.agents:
                    status.update(f"{game.name}, {agent}")
                    rows += bench(game, agent, seconds=seconds)
                    stop.keep()
                status.update(f"{game.name}, search")
                searches.append(bench_search(game, seconds=seconds))
    except KeyboardInterrupt:
        if not rows:
            raise
        return rows, searches, False
    return rows, searches, True


def _tell(rows: Sequence[Mapping[str, Any]], searches: Sequence[Mapping[str, Any]], lang: Lang) -> None:
    table = Table(box=None, pad_edge=False)
    for place, title in enumerate(_TITLES):
        table.add_column(title.of(lang), justify="left" if place < 3 else "right", no_wrap=True)
    for row in rows:
        table.add_row(
            f"{row['game']}, {row['players']}",
            row["agent"],
            f"{row['backend']} ×{row['threads']}",
            f"{row['games_per_s']:,.0f}".replace(",", " "),
            f"{row['decisions_per_s']:,.0f}".replace(",", " "),
            f"{row['times_interpreted']:,.0f}".replace(",", " "),
        )
    Console(highlight=False).print(table)
    Console(highlight=False).print()
    Console(highlight=False).print(_search_table(searches, lang))


def _search_table(searches: Sequence[Mapping[str, Any]], lang: Lang) -> Table:
    """What `search` does in a second on one core."""
    table = Table(box=None, pad_edge=False)
    for place, title in enumerate(_SEARCH_TITLES):
        table.add_column(title.of(lang), justify="left" if place < 2 else "right", no_wrap=True)
    for row in searches:
        thoughts = f"{row['iterations_per_s']:,.0f}".replace(",", " ")
        table.add_row(f"{row['game']}, {row['players']}", f"search:iterations={row['iterations']}", thoughts)
    return table


def bench(game: Game, agent: str, *, seconds: float) -> list[dict[str, Any]]:
    """Rows for one agent in all seats of the smallest table: interpreted, one core, all cores, a GPU if present."""
    players = game.players[0]
    params = tuple(parameter.default for parameter in game.agents[agent].parameters.values())
    number = agent_numbers(game)[agent]
    seats, book = (number,) * players, open_book(game, game.config(), (number,) * players)
    match = Match(game, game.config(), players, 1, seats, (0,) * players, (params,) * players, book)
    cores = default_workers()
    plans = [("interpreted", 1), ("cpu", 1)] + ([("cpu", cores)] if cores > 1 else [])
    if _has_gpu():
        plans.append(("cuda", backend_workers("cuda", cores)))
    rows: list[dict[str, Any]] = []
    for backend, threads in plans:
        games_per_s, decisions_per_s = _measure(backend_maker(backend, match), threads, seconds)
        rows.append(
            {
                "game": game.name,
                "players": players,
                "agent": agent,
                "backend": backend,
                "threads": threads,
                "games_per_s": round(games_per_s, 1),
                "decisions_per_s": round(decisions_per_s, 1),
            }
        )
    for row in rows:
        row["times_interpreted"] = round(row["decisions_per_s"] / max(rows[0]["decisions_per_s"], 1e-9), 1)
    return rows


def bench_search(game: Game, *, seconds: float) -> dict[str, Any]:
    """How many games `search` plays in its head each second on one core, over whole games of the smallest table."""
    players = game.players[0]
    thinker = Thinker(game, (_THOUGHTS,))
    thoughts = decisions = number = 0
    spent = 0.0
    thinker.think(State(game, players=players, seed=1).desk)
    while spent < seconds:
        state = State(game, players=players, seed=1, number=number)
        thinker.new_game()
        number += 1
        while not state.is_terminal() and spent < seconds:
            start = time.perf_counter()
            thoughts += thinker.think(state.desk)
            spent += time.perf_counter() - start
            decisions += 1
            state.apply_action(thinker.favourite(state.desk))
    return {
        "game": game.name,
        "players": players,
        "agent": "search",
        "backend": "cpu",
        "threads": 1,
        "iterations_per_s": round(thoughts / spent, 1),
        "decisions_per_s": round(decisions / spent, 1),
        "iterations": _THOUGHTS,
    }


def _measure(make: Callable[[], Backend], threads: int, seconds: float) -> tuple[float, float]:
    """Games and decisions a second, compiling and growing chunks left out."""
    warm = make()
    warm.play(0, 1)
    warm.play(0, warm.sizes[0])
    games = decisions = 0
    start = 0.0
    begun = time.perf_counter()

    def over() -> bool:
        return time.perf_counter() - begun > seconds * 1.5

    for chunk in play_in_order(make, 1 << 62, threads, over, patience=math.inf):
        now = time.perf_counter()
        if not start:
            if now - begun > seconds / 2 or len(chunk.rows) >= warm.sizes[1]:
                start = now
            continue
        games += len(chunk.rows)
        decisions += int(chunk.rows["decisions"].sum(dtype="int64"))
        finished = now
    if not games:
        raise PlaymillError("the measurement was too short; raise --seconds", "слишком коротко; увеличьте --seconds")
    return games / (finished - start), decisions / (finished - start)


def _has_gpu() -> bool:
    from playmill.engine.cuda import check_device

    try:
        check_device()
    except PlaymillError:
        return False
    return True
