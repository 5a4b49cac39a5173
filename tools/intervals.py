"""How often 95 % intervals over blocks hold the truth: synthetic runs whose rotations have much in common.

    python tools/intervals.py [--repeats N]

Each line is one kind of figure with so many blocks: how often the interval over blocks held the true value, how often
the one over single games did, and how wide the first is against the second.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from playmill.stats.block_jackknife import over_blocks
from playmill.stats.estimates import mean, rate, ratio

ROTATIONS = 3
GROUPS = 64
BLOCKS = (2, 5, 16, 64, 200, 2000)

Tally = np.dtype(
    [(name, np.int64) for name in ("games", "hits", "total", "squares", "turns", "turn_squares", "products")],
    align=True,
)
Numbers = np.ndarray[Any, np.dtype[np.int64]]
#: What each game of each block had: hits (0 or 1), a number, and turns.
Played = tuple[Numbers, Numbers, Numbers]
Play = Callable[[np.random.Generator, int], Played]


def report(counts: np.void) -> dict[str, Any]:
    """The three kinds of figures."""
    games, total, squares, turns = (int(counts[name]) for name in ("games", "total", "squares", "turns"))
    turn_squares, products = int(counts["turn_squares"]), int(counts["products"])
    return {
        "rate": rate(counts["hits"], games).json(),
        "mean": mean(games, total, squares).json(),
        "ratio": ratio(games, (total, squares), (turns, turn_squares), products).json(),
    }


def grouped(played: Played, groups: int = GROUPS) -> np.ndarray[Any, np.dtype[np.void]]:
    """The counts of each group; block d is in group d modulo their number."""
    hits, total, turns = (numbers.sum(axis=1) for numbers in played)
    (_, numbers, lengths), blocks = played, len(hits)
    found = np.zeros(groups, Tally)
    place = np.arange(blocks) % groups
    sums = {
        "games": np.full(blocks, played[0].shape[1]),
        "hits": hits,
        "total": total,
        "squares": (numbers * numbers).sum(axis=1),
        "turns": turns,
        "turn_squares": (lengths * lengths).sum(axis=1),
        "products": (numbers * lengths).sum(axis=1),
    }
    for name, values in sums.items():
        np.add.at(found[name], place, values)
    return found


@dataclass(frozen=True)
class Case:
    """A kind of game: how it is played, and the true values of some of its figures."""

    name: str
    play: Play
    truths: Mapping[str, float]


def _numbers(rng: np.random.Generator, blocks: int) -> tuple[Numbers, Numbers]:
    """Points and turns of games: the deal decides most of both, and long games bring more points."""
    shape = (blocks, ROTATIONS)
    length = rng.poisson(8, (blocks, 1))
    turns = 2 + length + rng.poisson(1, shape)
    points = 20 * turns + 15 * rng.poisson(6, (blocks, 1)) + rng.poisson(5, shape)
    return points, turns


_TURNS = 2 + 8 + 1
_POINTS = 20 * _TURNS + 15 * 6 + 5


def _hits(chance: Callable[[np.random.Generator, int], Any]) -> Play:
    def play(rng: np.random.Generator, blocks: int) -> Played:
        hits = (rng.random((blocks, ROTATIONS)) < chance(rng, blocks)).astype(np.int64)
        return (hits, *_numbers(rng, blocks))

    return play


def _deal(share: float) -> Callable[[np.random.Generator, int], Any]:
    return lambda rng, blocks: (rng.random((blocks, 1)) < share).astype(float)


CASES = (
    Case(
        "the deal leans, 40 %",
        _hits(lambda rng, blocks: rng.beta(0.8, 1.2, (blocks, 1))),
        {"rate": 0.4, "mean": _POINTS, "ratio": _POINTS / _TURNS},
    ),
    Case("the deal decides, 30 %", _hits(_deal(0.3)), {"rate": 0.3}),
    Case("the deal decides, 2 %", _hits(_deal(0.02)), {"rate": 0.02}),
    Case("the seat decides, 90 %", _hits(lambda rng, blocks: np.array([[0.9, 0.05, 0.05]])), {"rate": 1 / 3}),
    Case("nothing in common, 50 %", _hits(lambda rng, blocks: 0.5), {"rate": 0.5}),
)


@dataclass(frozen=True)
class Coverage:
    """What came of one figure of a case: how often its intervals held the truth, and their widths."""

    case: str
    figure: str
    blocks: int
    held: float
    held_by_games: float
    width: float
    width_by_games: float


def coverage(case: Case, blocks: int, repeats: int, seed: int) -> list[Coverage]:
    """Repeats a run so many times."""
    rng = np.random.default_rng(seed)
    sizes = np.bincount(np.arange(blocks) % GROUPS, minlength=GROUPS).tolist()
    found: dict[str, list[tuple[bool, bool, float, float]]] = {figure: [] for figure in case.truths}
    for _ in range(repeats):
        groups = grouped(case.play(rng, blocks))
        total = groups.view(np.int64).reshape(GROUPS, -1).sum(axis=0).view(Tally)[0]
        ours, plain = over_blocks(report, groups, sizes), report(total)
        for figure, truth in case.truths.items():
            one, other = ours[figure], plain[figure]
            found[figure].append(
                (
                    one["low"] <= truth <= one["high"],
                    other["low"] <= truth <= other["high"],
                    one["high"] - one["low"],
                    other["high"] - other["low"],
                )
            )
    return [
        Coverage(case.name, figure, blocks, *np.mean(np.array(rows, float), axis=0).tolist())
        for figure, rows in found.items()
    ]


def main() -> None:
    """Prints the table."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    options.add_argument("--repeats", type=int, default=4000)
    repeats = options.parse_args().repeats
    print(f"{'':28}{'figure':8}{'blocks':>8}{'over blocks':>14}{'over games':>14}{'width':>8}")
    for case in CASES:
        for blocks in BLOCKS:
            for one in coverage(case, blocks, repeats, seed=blocks):
                held = f"{100 * one.held:12.1f} %{100 * one.held_by_games:12.1f} %"
                widths = f"{one.width / one.width_by_games:8.2f}"
                print(f"{one.case:28}{one.figure:8}{one.blocks:8}{held}{widths}", flush=True)


if __name__ == "__main__":
    main()
