"""How fast `search` plays against itself on the GPU and on all cores of this machine; and whether the games are equal.

`python tools/gpu_search.py dimensions grid --iterations 100`. The first games of the GPU are compared byte by byte with
those that the cores have played meanwhile. With `--stop 10` the GPU stops after ten seconds, all games unfinished: then
iterations are counted, which tells its rate without waiting for the last of some hundred thousand games.
"""

from __future__ import annotations

import argparse
import os
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from itertools import count
from multiprocessing import get_context
from typing import Any

import numpy as np

from playmill.agents.agent_specs import Seat, seats_for
from playmill.agents.mixed_match import MixedMatch
from playmill.agents.search.gpu_search import SearchOnGpu
from playmill.engine.contract.game import load_game
from playmill.engine.run.backends import backend_workers
from playmill.engine.run.match import Match

Rows = np.ndarray[Any, np.dtype[np.void]]


def match_of(name: str, agent: str, seed: int) -> tuple[Match, tuple[Seat, ...]]:
    """A match of these searchers, by the usual rules with as few players as there may be."""
    game = load_game(name)
    players = game.players[0]
    seats = seats_for(game, players, [agent])
    seated = (-1,) * players
    return Match(game, game.config(), players, seed, seated, (0,) * players, ((),) * players), tuple(seats)


def on_one_core(
    name: str, agent: str, seed: int, first: int, step: int, seconds: float
) -> tuple[list[int], Rows, float]:
    """Plays every step-th game from one on for some seconds: their numbers, their rows, and the time it took."""
    match, seats = match_of(name, agent, seed)
    table = MixedMatch(match, seats)
    table.play(0, 0)
    numbers, rows, start = [], [], time.perf_counter()
    for number in count(first, step):
        if (took := time.perf_counter() - start) > seconds:
            break
        numbers.append(number)
        rows.append(table.play(number, 1).rows)
    return numbers, np.concatenate(rows), took


def on_gpu(gpus: list[SearchOnGpu], iterations: int, games: int, seconds: float) -> tuple[Rows, float]:
    """The rows of games played on the GPU, and its iterations a second; none if it stops after so many seconds."""
    start, each = time.perf_counter(), -(-games // len(gpus))
    with ThreadPoolExecutor(len(gpus)) as pool:
        parts = list(pool.map(lambda part: gpus[part].play(part * each, each).rows, range(len(gpus))))
    took = time.perf_counter() - start
    rows = np.concatenate(parts)
    if seconds:
        kepts = np.concatenate([gpu.kepts.copy_to_host() for gpu in gpus])
        searching = kepts["seat"] >= 0
        done = np.where(searching, (kepts["decisions"] - 1) * iterations + iterations - kepts["left"], 0).sum()
    else:
        done = rows["decisions"].sum() * iterations
        print(f"{len(rows)} games in {took:.1f} s on the GPU, {len(rows) / took:.0f} a second; ", end="")
    return rows, done / took


def measure(
    name: str, iterations: int, net: str | None, seed: int, games: int, seconds: float, stop: float, workers: int
) -> None:
    """Prints the rates of one game."""
    agent = f"search:iterations={iterations}" + (f",net={net}" if net else "")
    match, seats = match_of(name, agent, seed)
    begun = time.perf_counter()
    SearchOnGpu(match, seats).play(0, 0)
    compiled, begun = time.perf_counter() - begun, time.perf_counter()

    def late() -> int:
        return int(0 < stop < time.perf_counter() - begun)

    gpus = [SearchOnGpu(match, seats, stop=late) for _ in range(workers)]
    print(f"{name}, {agent}, ready after {compiled:.0f} s: ", end="", flush=True)
    rows, there = on_gpu(gpus, iterations, games or sum(gpu.sizes.least for gpu in gpus), stop)
    print(f"{there:,.0f} iterations a second on the GPU", end="", flush=True)
    if not seconds:
        print()
        return
    MixedMatch(match, seats).play(0, 0)  # compiles, once for all cores
    cores = os.cpu_count() or 1
    with ProcessPoolExecutor(cores, get_context("spawn")) as pool:
        work = [pool.submit(on_one_core, name, agent, seed, core, cores, seconds) for core in range(cores)]
        done = [one.result() for one in work]
    here = sum(iterations * played["decisions"].sum() / took for _, played, took in done)
    pairs = [(number, row) for numbers, played, _ in done for number, row in zip(numbers, played, strict=True)]
    same = [row.tobytes() == rows[number].tobytes() for number, row in pairs if number < len(rows)]
    print(f", {here:,.0f} on {cores} cores, {there / here:.1f} times as many", end="")
    print(f"; {sum(same)} of {len(same)} games are the same" if same else "", flush=True)


def main() -> None:
    """Measures the games named."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("games", nargs="+")
    parser.add_argument("--iterations", type=int, default=100)
    parser.add_argument("--net", help="the network it thinks with")
    parser.add_argument("--count", type=int, default=0, help="games on the GPU; 0: as many as it plays at a time")
    parser.add_argument("--seconds", type=float, default=10, help="of play on the cores; 0: none")
    parser.add_argument("--stop", type=float, default=0, help="after so many seconds on the GPU; 0: when all is played")
    parser.add_argument("--workers", type=int, default=backend_workers("cuda", 1), help="of the GPU; as in a run")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for name in given.games:
        measure(name, given.iterations, given.net, given.seed, given.count, given.seconds, given.stop, given.workers)


if __name__ == "__main__":
    main()
