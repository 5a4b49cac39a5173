"""Games a second of `search` against itself, on the GPU and on all cores of this machine; and whether they are equal.

`python tools/gpu_search.py dimensions grid --iterations 100`. The first games of the GPU are compared byte by byte with
those that the cores have played meanwhile.
"""

from __future__ import annotations

import argparse
import os
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import count
from multiprocessing import get_context
from typing import Any

import numpy as np

from playmill.agents.agent_specs import Seat, seats_for
from playmill.agents.mixed_match import MixedMatch
from playmill.agents.search.gpu_search import SearchOnGpu
from playmill.engine.contract.game import load_game
from playmill.engine.run.match import Match

Rows = np.ndarray[Any, np.dtype[np.void]]


def match_of(name: str, iterations: int, seed: int) -> tuple[Match, tuple[Seat, ...]]:
    """A match of searchers, by the usual rules with as few players as there may be."""
    game = load_game(name)
    players = game.players[0]
    seats = seats_for(game, players, [f"search:iterations={iterations}"])
    seated = (-1,) * players
    return Match(game, game.config(), players, seed, seated, (0,) * players, ((),) * players), tuple(seats)


def on_one_core(
    name: str, iterations: int, seed: int, first: int, step: int, seconds: float
) -> tuple[list[int], Rows, float]:
    """Plays every step-th game from one on for some seconds: their numbers, their rows, and the time it took."""
    match, seats = match_of(name, iterations, seed)
    table = MixedMatch(match, seats)
    table.play(0, 0)
    numbers, rows, start = [], [], time.perf_counter()
    for number in count(first, step):
        if (took := time.perf_counter() - start) > seconds:
            break
        numbers.append(number)
        rows.append(table.play(number, 1).rows)
    return numbers, np.concatenate(rows), took


def measure(name: str, iterations: int, seed: int, games: int, seconds: float) -> None:
    """Prints the rates of one game."""
    match, seats = match_of(name, iterations, seed)
    start = time.perf_counter()
    gpu = SearchOnGpu(match, seats)
    SearchOnGpu(*match_of(name, 1, seed)).play(0, 0)
    compiled = time.perf_counter() - start
    games = games or gpu.sizes.first
    start = time.perf_counter()
    rows = gpu.play(0, games).rows
    took = time.perf_counter() - start
    print(
        f"{name}: {games} games in {took:.1f} s on the GPU, {games / took:.0f} a second (compiled in {compiled:.0f} s)",
        flush=True,
    )
    if not seconds:
        return
    cores = os.cpu_count() or 1
    with ProcessPoolExecutor(cores, get_context("spawn")) as pool:
        work = [pool.submit(on_one_core, name, iterations, seed, core, cores, seconds) for core in range(cores)]
        done = [one.result() for one in work]
    there = sum(len(numbers) / time for numbers, _, time in done)
    pairs = [(number, row) for numbers, played, _ in done for number, row in zip(numbers, played, strict=True)]
    same = [row.tobytes() == rows[number].tobytes() for number, row in pairs if number < games]
    times = games / took / there
    print(f"{name}: {there:.1f} games a second on {cores} cores, {times:.1f} times as many on the GPU", flush=True)
    print(f"{name}: {sum(same)} of {len(same)} games are the same", flush=True)


def main() -> None:
    """Measures the games named."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("games", nargs="+")
    parser.add_argument("--iterations", type=int, default=100)
    parser.add_argument("--count", type=int, default=0, help="games on the GPU; 0: as many as it plays at a time")
    parser.add_argument("--seconds", type=float, default=10, help="of play on the cores; 0: none")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for name in given.games:
        measure(name, given.iterations, given.seed, given.count, given.seconds)


if __name__ == "__main__":
    main()
