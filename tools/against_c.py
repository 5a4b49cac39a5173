"""How fast compiled rules are beside C that plays the very same games, decision by decision, and counts them alike.

    python tools/against_c.py                      # needs gcc; a minute
    python tools/against_c.py dice --seconds 3

The programs in `against_c/` are written by hand to be fast, one for each game and its usual settings; gcc compiles them
for this processor, twice: the second time it knows, from games of the first, which way branches go. Both sides play by
turns on one core, and time is that of the processor. A ratio of 0.5 means that compiled rules take twice as long.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from playmill import simulate

#: What is played in each game: how many players, and which agent on every seat.
CASES: Mapping[str, Sequence[tuple[int, str]]] = {
    "dice": ((2, "random"), (2, "threshold")),
    "save_oneself": ((1, "random"),),
    "dimensions": ((3, "random"), (3, "dealer")),
    "grid": ((2, "random"), (3, "random"), (4, "random")),
    "influence": ((2, "random"),),
}
_SOURCES = Path(__file__).with_name("against_c")
_FLAGS = ("-O3", "-march=native", "-mtune=native", "-std=gnu11", "-Wno-missing-profile")
_TRAINING = 20_000
_SEED = 1


@dataclass(frozen=True)
class Played:
    """What came of some games: all counts by their names, and seconds of the processor."""

    counts: Mapping[str, np.ndarray[Any, np.dtype[np.int64]]]
    seconds: float


@dataclass(frozen=True)
class Measured:
    """Both sides in the same games by turns: nanoseconds a game, the ratio of every turn, and counts that differ."""

    c: float
    rules: float
    ratios: Sequence[float]
    different: Sequence[str]

    @property
    def ratio(self) -> float:
        """How many times as fast as C the rules are."""
        return median(self.ratios)


class Program:
    """The C program of a game, compiled into a folder; as fast as can be if it is trained."""

    def __init__(self, game: str, folder: Path, *, trained: bool = True) -> None:
        self._source, self._path = _SOURCES / f"{game}.c", folder / game
        if trained:
            self._compile("-fprofile-generate")
            for players, agent in CASES[game]:
                self.play(players, agent, _TRAINING)
        self._compile(*(["-fprofile-use"] if trained else []))

    def _compile(self, *flags: str) -> None:
        command = ["gcc", *_FLAGS, *flags, "-o", str(self._path), str(self._source)]
        subprocess.run(command, cwd=self._path.parent, check=True)

    def play(self, players: int, agent: str, games: int) -> Played:
        """Plays the first games of the run."""
        command = [str(self._path), str(players), agent, str(_SEED), str(games)]
        told = subprocess.run(command, cwd=self._path.parent, check=True, capture_output=True, text=True).stdout
        lines = dict(line.split(" ", 1) for line in told.splitlines())
        seconds = float(lines.pop("seconds"))
        return Played({name: np.array(numbers.split(), np.int64) for name, numbers in lines.items()}, seconds)


def play_rules(game: str, players: int, agent: str, games: int) -> Played:
    """Plays the same games by the rules, compiled."""
    start = time.process_time()
    setting: dict[str, Any] = {"players": players, "agents": [agent], "seed": _SEED, "workers": 1}
    run = simulate(game, games=games, keep=False, keep_games=False, **setting)
    seconds = time.process_time() - start
    assert run.info.games == games, "stopped"
    fields = {name: np.ravel(run.counts[name]).astype(np.int64) for name in run.counts.dtype.names or ()}
    return Played(fields, seconds)


def unlike(program: Played, rules: Played) -> list[str]:
    """The names of what both have counted and not alike; places for larger values may be missing in one of them."""
    pairs = {name: (numbers, rules.counts[name]) for name, numbers in program.counts.items()}
    return [name for name, both in pairs.items() if not np.array_equal(*(np.trim_zeros(one, "b") for one in both))]


def measure(game: str, players: int, agent: str, program: Program, *, seconds: float, turns: int) -> Measured:
    """Lets the rules and C play the same games by turns; a turn of the rules takes about so many seconds."""
    play_rules(game, players, agent, _TRAINING)  # compiles
    trial = play_rules(game, players, agent, _TRAINING)
    games = int(_TRAINING * seconds / trial.seconds) + 1
    sides = [(program.play(players, agent, games), play_rules(game, players, agent, games)) for _ in range(turns)]
    c, rules = (median(one.seconds for one in side) / games * 1e9 for side in zip(*sides, strict=True))
    return Measured(c, rules, [one.seconds / other.seconds for one, other in sides], unlike(*sides[0]))


def case_name(game: str, players: int, agent: str) -> str:
    """What is played, for tables."""
    return f"{game}, {'1 player' if players == 1 else f'{players} players'}, `{agent}`"


def main() -> int:
    """Prints a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games_of", metavar="GAME", nargs="*", help=f"of {', '.join(CASES)}; all if none is named")
    parser.add_argument("--seconds", type=float, default=1.0, help="what the rules may take for each turn")
    parser.add_argument("--turns", type=int, default=7, help="how often each side plays")
    options = parser.parse_args()
    if unknown := set(options.games_of) - set(CASES):
        parser.error(f"there is no program for {', '.join(sorted(unknown))}")
    if options.turns < 1 or not options.seconds > 0:
        parser.error("each side plays at least once, and for some time")
    if shutil.which("gcc") is None:
        parser.error("gcc is not installed")
    print("| game | C, ns a game | rules, ns a game | ratio | same counts |")
    print("|---|---|---|---|---|")
    same = True
    for game in options.games_of or CASES:
        with tempfile.TemporaryDirectory() as folder:
            program = Program(game, Path(folder))
            for players, agent in CASES[game]:
                case = (game, players, agent)
                found = measure(*case, program, seconds=options.seconds, turns=options.turns)
                same &= not found.different
                told = f"no: {', '.join(found.different)}" if found.different else "yes"
                figures = f"{found.c:,.0f} | {found.rules:,.0f} | {found.ratio:.2f}"
                print(f"| {case_name(*case)} | {figures} | {told} |", flush=True)
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
