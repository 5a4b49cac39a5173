"""Measures games and decisions per second: interpreted, on one core, on all cores, and on a GPU."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from statistics import fmean, stdev
from typing import Any

import numpy as np

from playmill.agents.search.search_agent import Thinker
from playmill.engine.compile.game_kernels import agent_numbers
from playmill.engine.contract.game import Game
from playmill.engine.run.backends import backend_maker, backend_workers, default_workers, play_in_order
from playmill.engine.run.lookup_tables import load_lookup_tables
from playmill.engine.run.match import Backend, Match
from playmill.engine.run.state import State
from playmill.interrupts import Stop
from playmill.texts import PlaymillError

#: Thoughts for one decision when `search` is measured.
_THOUGHTS = 200
#: A measurement is cut into this many slices: by how much they differ says how much it can be trusted.
_SLICES = 5


def bench_all(
    games: Sequence[Game], *, seconds: float, stop: Stop, progress: Callable[[str], None]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]], bool]:
    """Returns the rows of all games and agents, those of their searches, and whether it was not stopped."""
    rows: list[dict[str, Any]] = []
    searches: list[dict[str, Any]] = []
    try:
        with stop.breaking():
            for game in games:
                for agent in game.agents:
                    progress(f"{game.name}, {agent}")
                    rows += bench(game, agent, seconds=seconds)
                    stop.keep()
                progress(f"{game.name}, search")
                searches.append(bench_search(game, seconds=seconds))
    except KeyboardInterrupt:
        if not rows:
            raise
        return rows, searches, False
    return rows, searches, True


def bench(game: Game, agent: str, *, seconds: float) -> list[dict[str, Any]]:
    """Returns rows for one agent at the smallest table: interpreted, one core, all cores, a GPU if present."""
    players = game.players[0]
    params = tuple(parameter.default for parameter in game.agents[agent].parameters.values())
    number = agent_numbers(game)[agent]
    seats, lookup_tables = (number,) * players, load_lookup_tables(game, game.config(), (number,) * players)
    match = Match(game, game.config(), players, 1, seats, (0,) * players, (params,) * players, lookup_tables)
    cores = default_workers()
    plans = [("interpreted", 1), ("cpu", 1)] + ([("cpu", cores)] if cores > 1 else [])
    if _has_gpu():
        plans.append(("cuda", backend_workers("cuda", cores)))
    rows: list[dict[str, Any]] = []
    counted = "decisions" in (game.tally.names or ())
    for backend, threads in plans:
        # What runs on one core is measured by what it has of it, whatever else the machine does meanwhile.
        clock = time.process_time if threads == 1 else time.perf_counter
        make = backend_maker(backend, match, rows=not counted)
        games_per_s, decisions_per_s, spread = _measure(make, threads, seconds, clock)
        rows.append(
            {
                "game": game.name,
                "players": players,
                "agent": agent,
                "backend": backend,
                "threads": threads,
                "games_per_s": round(games_per_s, 1),
                "decisions_per_s": round(decisions_per_s, 1),
                "spread": round(spread, 4),
            }
        )
    for row in rows:
        row["times_interpreted"] = round(row["decisions_per_s"] / max(rows[0]["decisions_per_s"], 1e-9), 1)
    return rows


def bench_search(game: Game, *, seconds: float) -> dict[str, Any]:
    """Returns simulations per second of `search` on one core, over whole games of the smallest table."""
    players = game.players[0]
    thinker = Thinker(game, (_THOUGHTS,))
    thoughts = decisions = number = 0
    spent = 0.0
    done: list[tuple[float, float]] = []
    thinker.think(State(game, players=players, seed=1).workspace)
    while spent < seconds:
        state = State(game, players=players, seed=1, number=number)
        thinker.new_game()
        number += 1
        while not state.is_terminal() and spent < seconds:
            start = time.process_time()
            new = thinker.think(state.workspace)
            took = max(time.process_time() - start, 1e-9)
            done.append((new, took))
            thoughts, spent = thoughts + new, spent + took
            decisions += 1
            state.apply_action(thinker.favourite(state.workspace))
    return {
        "game": game.name,
        "players": players,
        "agent": "search",
        "backend": "cpu",
        "threads": 1,
        "iterations_per_s": round(thoughts / spent, 1),
        "decisions_per_s": round(decisions / spent, 1),
        "spread": round(spread_of(done), 4),
        "iterations": _THOUGHTS,
    }


def spread_of(done: Sequence[tuple[float, float]]) -> float:
    """Returns the relative standard error of a speed, from repeated amounts and seconds."""
    end = sum(seconds for _, seconds in done)
    slices = [[0.0, 0.0] for _ in range(_SLICES)]
    so_far = 0.0
    for amount, seconds in done:
        place = slices[min(_SLICES - 1, int(_SLICES * so_far / end))]
        place[0] += amount
        place[1] += seconds
        so_far += seconds
    speeds = [amount / seconds for amount, seconds in slices if seconds > 0]
    if len(speeds) < 2 or not fmean(speeds):
        return 0.0
    return stdev(speeds) / fmean(speeds) / math.sqrt(len(speeds))


def _measure(
    make: Callable[[], Backend], threads: int, seconds: float, clock: Callable[[], float]
) -> tuple[float, float, float]:
    """Games and decisions a second and their spread, compiling and growing chunks left out, over a whole chunk or more.

    The spread is a standard error, as a part of the speed.
    """
    warm = make()
    warm.play(0, 1)
    warm.play(0, warm.sizes.first)
    games = decisions = 0
    start = finished = 0.0
    done: list[tuple[float, float]] = []
    begun = clock()

    def over() -> bool:
        return games > 0 and clock() - start > seconds

    for chunk in play_in_order(make, range(1 << 62), threads, over, patience=math.inf):
        now = clock()
        if not start:
            if now - begun > seconds / 2 or chunk.games >= warm.sizes.most:
                start = now
            continue
        games += chunk.games
        counted = chunk.rows if len(chunk.rows) else chunk.counts
        assert isinstance(counted, np.ndarray)
        decisions += int(counted["decisions"].sum(dtype="int64"))
        done.append((chunk.games, now - (finished or start)))
        finished = now
    taken = max(finished - start, 1e-9)
    return games / taken, decisions / taken, spread_of(done)


def _has_gpu() -> bool:
    from playmill.engine.cuda.backend import check_device

    try:
        check_device()
    except PlaymillError:
        return False
    return True
