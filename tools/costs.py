"""What a game costs as its size grows, and a run as its games do: processor time and memory.

    python tools/costs.py                 # all tables, a few minutes
    python tools/costs.py --seconds 0.2   # as quick as can be
    python tools/costs.py --most 100_000_000

Everybody plays at random, on one core. Each row is a process of its own, so that its memory is its own, too; games are
compiled before the clock starts. Time is that of the processor: beside other programs the clock says little.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

from playmill import simulate

#: What is played before anything is measured: it compiles the game.
_WARMING = 20_000
#: Games of a run, and the game so light that many of them can be played.
_LIGHT, _RUNS = "save_oneself", (10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000)
_FIELDS = ((4, 5), (8, 8), (10, 10), (12, 12), (16, 16))


@dataclass(frozen=True)
class Row:
    """One measurement: a game of some size, and how many of it; 0: as many as fit in the time."""

    label: str
    game: str
    players: int
    config: dict[str, Any] | None = None
    games: int = 0


@dataclass(frozen=True)
class Cost:
    """What came of it: games, decisions, seconds of the processor, and bytes of memory at the most."""

    games: int
    decisions: float
    seconds: float
    memory: int


def sizes() -> Iterator[Row]:
    """Games of all sizes."""
    for rows, columns in _FIELDS:
        lines = ["".join("wS"[(row + column) % 2] for column in range(columns)) for row in range(rows)]
        field_of = {"map": {"name": f"{rows} by {columns}", "rows": lines}}
        yield Row(f"influence, {rows * columns} cells", "influence", 2, field_of)
    for players in (3, 4, 5):
        yield Row(f"dimensions, {players} players", "dimensions", players)
    for players in (2, 3, 4):
        yield Row(f"grid, {players} players", "grid", players)


def runs(most: int) -> Iterator[Row]:
    """Runs of more and more games."""
    for games in _RUNS:
        if games <= most:
            yield Row(f"{_LIGHT}, {games:,} games", _LIGHT, 1, games=games)


def measure(row: Row, seconds: float) -> Cost:
    """Plays a row."""
    setting: dict[str, Any] = {"players": row.players, "config": row.config, "workers": 1}
    setting |= {"keep": False, "keep_games": False}  # counts only: single games would fill the memory
    simulate(row.game, games=_WARMING if row.games else 200, **setting)
    games = row.games
    if not games:
        games = _WARMING // 100
        while _time(row.game, games, setting) < seconds:
            games *= 2
    start = time.process_time()
    played = simulate(row.game, games=games, seed=1, **setting)
    spent = time.process_time() - start
    assert played.info.games == games, "stopped"
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return Cost(games, int(played.counts["decisions"].sum()) / games, spent, peak)


def _time(game: str, games: int, setting: dict[str, Any]) -> float:
    start = time.process_time()
    simulate(game, games=games, **setting)
    return time.process_time() - start


def table(rows: Sequence[Row], seconds: float) -> Iterator[str]:
    """The lines of a table in Markdown, one after the other as they are measured."""
    yield "| what | games | decisions a game | µs a game | ns a decision | memory, MB |"
    yield "|---|---|---|---|---|---|"
    for row in rows:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as alone:
            cost = alone.submit(measure, row, seconds).result()
        each = cost.seconds / cost.games
        yield (
            f"| {row.label} | {cost.games:,} | {cost.decisions:,.1f} | {each * 1e6:,.2f} "
            f"| {each / cost.decisions * 1e9:,.1f} | {cost.memory / 1e6:,.0f} |"
        )


def main() -> None:
    """Prints both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1.0, help="for each size of a game")
    parser.add_argument("--most", type=int, default=10_000_000, help="games of the longest run")
    options = parser.parse_args()
    for rows in (list(sizes()), list(runs(options.most))):
        for line in table(rows, options.seconds):
            print(line, flush=True)
        print()


if __name__ == "__main__":
    main()
