"""The command line of `tools/coverage.py`: which experiments are repeated, and the table of what came of them."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from zlib import crc32

import numpy as np

from calibration.intervals import coverage
from calibration.lines import Line, table
from calibration.nulls import null, power
from calibration.pool import Pool, Setting
from calibration.verdicts import questions, verdicts
from playmill.lab.io.progress import bar

KINDS = ("coverage", "null", "power", "sure")
#: Games of a run, or deals of a comparison.
SIZES = {"coverage": (20, 60, 200, 1000), "null": (10, 30, 100, 300, 1000), "power": (100, 300, 1000), "sure": (2000,)}


@dataclass(frozen=True)
class Subject:
    """A game: its heuristic, its players, a small change with the figure it moves, and figures to be sure of."""

    game: str
    heuristic: str
    players: int
    change: str
    moved: str
    #: Asked about by --until-sure: shares, means, and what is rare or has a long tail, each with its agents.
    asked: tuple[tuple[str, str], ...]
    set: tuple[str, ...] = ()

    def settings(self) -> Iterator[Setting]:
        """Who plays: random agents, the heuristic, and where there are several, one of it among random ones."""
        yield Setting(self.game, ("random",), self.set)
        yield Setting(self.game, (self.heuristic,), self.set)
        if self.players > 1:
            yield Setting(self.game, (self.heuristic, *["random"] * (self.players - 1)), self.set, rotate=True)


SUBJECTS = (
    Subject(
        "dimensions",
        "dealer",
        3,
        "yellow_goal=6",
        "factions.yellow.win_rate",
        (("dealer", "factions.yellow.win_rate"), ("dealer", "turns"), ("dealer", "anomalies.big_bang.win_rate")),
    ),
    Subject(
        "grid",
        "greedy",
        2,
        "patterns.C.vp=18",
        "vp_stats.greedy",
        (("random", "winrate.random"), ("random", "vp_stats.random"), ("random", "turns")),
    ),
    Subject(
        "dice",
        "threshold",
        2,
        "target_score=3800",
        "turns",
        (("threshold", "win_rate.seats.0"), ("threshold", "turns"), ("threshold", "hot_dice_per_turn")),
    ),
    Subject(
        "influence",
        "greedy",
        2,
        "weak_capacity=9",
        "rounds",
        (("random", "wins_by_seat.0"), ("random", "rounds"), ("greedy", "over_time.1.cells.1")),
        ("map=small",),
    ),
    Subject(
        "save_oneself",
        "survivor",
        1,
        "lives=17",
        "win_rate",
        (("survivor", "win_rate"), ("survivor", "score"), ("survivor", "lives_over_time.24")),
    ),
    Subject(
        "examples/pig",
        "threshold",
        2,
        "target=98",
        "turns",
        (("threshold", "seats.0.win_rate"), ("threshold", "turns"), ("random", "turns")),
    ),
)


@dataclass(frozen=True)
class Experiment:
    """Something to repeat: it yields how many repetitions are done, and lines at last."""

    name: str
    repeat: Callable[[np.random.Generator], Iterator[int | Line]]


def experiments(
    subject: Subject, kinds: Sequence[str], sizes: Sequence[int], repetitions: int, deals: int, seed: int
) -> Iterator[Experiment]:
    """All that is repeated of a game."""
    pools = {setting: Pool(setting, deals, seed) for setting in subject.settings()}
    for kind, repeat in (("coverage", coverage), ("null", null)):
        for pool in pools.values() if kind in kinds else ():
            for size in sizes or SIZES[kind]:
                yield Experiment(f"{kind} {pool.setting.name} {size}", partial(repeat, pool, size, repetitions))
    if "power" in kinds:
        before = next(pool for setting, pool in pools.items() if setting.agents == (subject.heuristic,))
        after = Pool(replace(before.setting, set=(*subject.set, subject.change)), deals, seed)
        for size in sizes or SIZES["power"]:
            name = f"power {after.setting.name} {size}"
            yield Experiment(name, partial(power, before, after, subject.moved, size, repetitions))
    for agent, figure in subject.asked if "sure" in kinds else ():
        pool = next(pool for setting, pool in pools.items() if setting.agents == (agent,))
        for size in sizes or SIZES["sure"]:
            for asked in questions(pool, figure, size):
                name = f"sure {pool.setting.name} {size} {figure} {asked.name}"
                yield Experiment(name, partial(verdicts, pool, figure, asked, size, repetitions))


def repeated(experiment: Experiment, repetitions: int, seed: int) -> list[Line]:
    """The lines of an experiment, drawn from a stream of its own, with a bar."""
    rng = np.random.default_rng([seed, crc32(experiment.name.encode())])
    lines = []
    with bar(experiment.name) as progress:
        for step in experiment.repeat(rng):
            if isinstance(step, Line):
                lines.append(step)
            elif progress is not None:
                progress(step, repetitions)
    return lines


def main(description: str) -> int:
    """Repeats what was asked for; 1 if anything is worse than promised."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = [Path(subject.game).name for subject in SUBJECTS]
    parser.add_argument("--games", nargs="+", choices=names, default=names)
    parser.add_argument("--only", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--repetitions", type=int, default=300)
    parser.add_argument("--sizes", type=int, nargs="+", default=[], help="games of a run, deals of a comparison")
    parser.add_argument("--matching", default="", help="only lines whose name has these words: 'grid random', '100'")
    parser.add_argument("--pool", type=int, default=100_000, help="deals that are the whole population")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, help="a file for all lines with every figure")
    options = parser.parse_args()
    lines: list[Line] = []
    for subject in SUBJECTS:
        if Path(subject.game).name not in options.games:
            continue
        for one in experiments(subject, options.only, options.sizes, options.repetitions, options.pool, options.seed):
            if options.matching not in one.name:
                continue
            found = repeated(one, options.repetitions, options.seed)
            lines += found
            for line in found:
                print(f"{'FAILS' if line.fails else 'holds'} {one.name}: {line.told}", file=sys.stderr, flush=True)
            if options.json is not None:
                options.json.write_text(json.dumps([line.json() for line in lines], indent=1))
    print(table(lines))
    return int(any(line.fails for line in lines))
