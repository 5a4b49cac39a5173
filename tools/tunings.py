"""Proof of what a tuning claims: how often the intervals of its gaps and figures hold what is true.

    python tools/tunings.py gaps             # gaps made by hand, of a known size beside the noise
    python tools/tunings.py claims           # 60 tunings, each claim beside a hundred times as many fresh games

Each line tells how many of the intervals held; of 95 % intervals about one in twenty may not.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping
from math import sqrt
from typing import Any

import numpy as np

from playmill.interrupts import interrupt
from playmill.lab.decide.tune import tune
from playmill.lab.decide.tune.meters import PlayLimits, ReportMeter
from playmill.lab.decide.tune.result import Tuning
from playmill.lab.runs.resolved_plan import with_setting
from playmill.stats.goal_loss import Aim, Floats, Reading, gap, judged
from playmill.stats.inequality import spread

#: True gaps in standard errors of a figure.
GAPS = (0.0, 0.5, 1.0, 2.0, 3.0, 5.0)
FIGURES = (2, 3, 5, 8)
GROUPS = 64
#: Figures are seen with an error of one; as shares, with one of this part.
PARTS = 1000
#: Cheap games, what may change in them, and what is wanted.
TUNED: tuple[tuple[str, Mapping[str, Any]], ...] = (
    ("examples/pig", {"agents": "threshold", "free": ["target:40..120", "faces:4..8"], "goal": ["turns=25"]}),
    (
        "examples/pig",
        {"agents": "threshold", "free": ["target:20..120"], "goal": ["equal:seats.*.win_rate", "turns=12"]},
    ),
    ("dimensions", {"agents": "dealer", "free": ["yellow_goal:3..7", "green_goal:3..6"], "goal": ["factions"]}),
)
#: The fresh games of the truth begin so many seeds away from those of a tuning.
AWAY = 1_000_003


def shapes(figures: int, size: float) -> Iterator[Floats]:
    """Figures whose largest gap is of this size: one ahead of all, all apart, half of them ahead."""
    yield np.where(np.arange(figures) == 0, size, 0.0)
    if figures > 2:
        yield np.linspace(0.0, size, figures)
        yield np.where(np.arange(figures) < figures // 2, size, 0.0)


def seen(truth: Floats, rng: np.random.Generator, uneven: float, groups: int = GROUPS) -> Reading:
    """The figures as they are seen, each with an error of 1, the first of another size."""
    errors = np.where(np.arange(len(truth)) == 0, uneven, 1.0)
    games = truth + rng.standard_normal((groups, len(truth))) * errors * sqrt(groups)
    names = tuple(f"f{place}" for place in range(len(truth)))
    without = (games.sum(axis=0) - games) / (groups - 1)
    return Reading(names, games.mean(axis=0), without, (1.0,) * len(truth), (1,) * groups)


def held(truth: Floats, repeat: int, rng: np.random.Generator, uneven: float = 1.0) -> tuple[int, int]:
    """How many intervals hold the true gap: that of a tuning (of the mean square), and the largest of all."""
    mean_square, largest = sqrt(float(((truth - truth.mean()) ** 2).mean())), float(np.ptp(truth))
    errors = np.diag(np.where(np.arange(len(truth)) == 0, uneven, 1.0) ** 2)
    found = [0, 0]
    for _ in range(repeat):
        reading = seen(truth, rng, uneven)
        tuned = gap(judged(reading, [Aim("equal", reading.names, 1.0)]), 1.0)
        whole = spread(reading.values / PARTS, errors / PARTS**2).gap  # of shares
        found[0] += tuned.low - 1e-9 <= mean_square <= tuned.high
        found[1] += whole.low - 1e-9 <= largest / PARTS <= whole.high
    return found[0], found[1]


def gaps(repeat: int) -> None:
    """Prints the share of intervals that hold gaps of a known size: of all shapes, and of the worst of them."""
    rng = np.random.default_rng(1)
    print("figures   true gap / error   held, mean square (worst)   held, largest (worst)")
    for figures in FIGURES:
        for size in GAPS:
            every = [held(truth, repeat, rng, uneven) for uneven in (1.0, 3.0) for truth in shapes(figures, size)]
            told = (
                f"{100 * sum(one) / len(one) / repeat:.1f} % ({100 * min(one) / repeat:.1f})"
                for one in zip(*every, strict=True)
            )
            print(f"{figures:7}  {size:17.1f}  {next(told):>26}  {next(told):>22}", flush=True)


def claims(tunings: int, deals: int, first: int) -> None:
    """Prints what tunings claim beside what fresh games say, and how many of the claims hold."""
    total: dict[str, list[int]] = {}
    for number in range(first, first + tunings):
        game, settings = TUNED[number % len(TUNED)]
        found = tune(game, games=640, trials=10, seed=number, keep=False, **settings)
        for name, goal, held_it in claimed(found, deals, number + AWAY):
            counted = total.setdefault(name, [0, 0])
            counted[0] += held_it
            counted[1] += 1
            if not held_it:
                print(f"  {game}, seed {number}: {name} of {goal} does not hold")
        print(f"{number + 1:3}  {found}", flush=True)
    for name, (hits, of) in total.items():
        print(f"{name}: {hits} of {of} hold ({100 * hits / of:.1f} %)")


def claimed(found: Tuning, deals: int, seed: int) -> Iterator[tuple[str, str, bool]]:
    """Each claim on fresh games: of the rules, the best or the smallest change, of which goal, and whether it holds."""
    proofs = {"rules": found.rules}
    if found.better:
        proofs |= {"best": found.best} | ({"smallest": found.smallest} if found.smallest is not found.best else {})
    for name, proof in proofs.items():
        with interrupt() as stop:
            resolved = with_setting(found.resolved, found.space.configured(proof.setting), seed=seed)
            meter = ReportMeter(resolved, [goal.pattern for goal in found.goals], GROUPS, PlayLimits(None, stop))
            meter.play(range(deals))
        for number, goal in enumerate(found.goals):
            truth, told = found.told(number, meter.reading()), found.told(number, proof.reading)
            yield name, goal.written(), told.low <= truth.value <= told.high


def main(words: list[str]) -> int:
    """Runs one of the proofs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("gaps", "claims"))
    parser.add_argument("--repeat", type=int, default=1000, help="intervals of each kind of gap")
    parser.add_argument("--tunings", type=int, default=60)
    parser.add_argument("--first", type=int, default=0, help="the seed of the first tuning")
    parser.add_argument("--deals", type=int, default=128_000, help="fresh deals that stand for the truth")
    given = parser.parse_args(words)
    if given.what == "gaps":
        gaps(given.repeat)
    else:
        claims(given.tunings, given.deals, given.first)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
