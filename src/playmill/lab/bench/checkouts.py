"""Compares the speed of two checkouts by turns in one run: on a busy machine only their ratio can be trusted."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median, stdev
from typing import Any, Self

import playmill
from playmill.engine.contract.game import Game, reference_of
from playmill.lab.bench.baseline import SpeedChange
from playmill.texts import PlaymillError

_CHILD = Path(__file__).with_name("checkout_process.py")
#: Rounds in which both take a turn each; and the games of the first look, from which the size of a turn follows.
_ROUNDS, _FIRST = 8, 64
_LEAST_NOISE = 0.01


def source_of(path: Path) -> Path:
    """Returns the folder to import Playmill from in another checkout; raises unless it is one."""
    for folder in (path / "src", path):
        if (folder / "playmill" / "__init__.py").is_file():
            return folder.resolve()
    raise PlaymillError(
        f"--against {path}: there is no playmill in it; name the folder of another checkout",
        f"--against {path}: playmill там нет; назовите папку другой рабочей копии",
    )


class CheckoutProcess:
    """A process that imports Playmill from a folder and plays as it is told."""

    def __init__(self, source: Path) -> None:
        self._source = source
        place = {"PYTHONPATH": str(source), "PYTHONSAFEPATH": "1"}
        self._process = subprocess.Popen(
            [sys.executable, str(_CHILD)],
            env={**os.environ, **place},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def play(self, **order: Any) -> tuple[float, str]:
        """Returns the processor time that some games took there, and a hash of what came of them."""
        try:
            assert self._process.stdin and self._process.stdout
            print(json.dumps(order), file=self._process.stdin, flush=True)
            line = self._process.stdout.readline()
        except OSError:
            line = ""
        answer = json.loads(line) if line else {"error": "the process has ended"}
        if "error" in answer:
            raise PlaymillError(
                f"{self._source} cannot play {order['game']}: {answer['error']}",
                f"{self._source} не может играть в {order['game']}: {answer['error']}",
            )
        return float(answer["seconds"]), str(answer["results"])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):
            if self._process.stdin:
                self._process.stdin.close()
        self._process.kill()
        self._process.wait()


def bench_checkouts(
    games: Sequence[Game], source: Path, *, seconds: float, progress: Callable[[str], None]
) -> list[dict[str, Any]]:
    """Returns a row for every game and agent: how many times as fast this Playmill is as another checkout."""
    here = Path(playmill.__file__).resolve().parents[1]
    rows = []
    with CheckoutProcess(here) as mine, CheckoutProcess(source) as theirs:
        for game in games:
            for agent in game.agents:
                progress(f"{game.name}, {agent}")
                rows.append(_row(game, agent, mine, theirs, seconds))
    return rows


@dataclass(frozen=True)
class Turns:
    """What two checkouts did by turns: the first beside the second, games of each and how many the first plays a second
    of processor time, and whether both came to the same results."""

    change: SpeedChange
    games: int
    speed: float
    same_results: bool


def play_by_turns(what: Mapping[str, Any], mine: CheckoutProcess, theirs: CheckoutProcess, seconds: float) -> Turns:
    """Has two processes play the same games by turns, each for about n seconds."""
    sides = (theirs, mine)
    for side in sides:
        side.play(**what, games=1)
    size = _FIRST
    while (spent := mine.play(**what, games=size)[0]) < seconds / _ROUNDS / 4:
        size *= 4
    size = max(1, int(size * seconds / _ROUNDS / spent))
    ratios, hashes = [], set()
    speed = 0.0
    for turn in range(_ROUNDS):
        took = {}
        for side in sides if turn % 2 else sides[::-1]:
            took[side], found = side.play(**what, games=size)
            hashes.add(found)
        ratios.append(took[theirs] / max(took[mine], 1e-9))
        speed += size / max(took[mine], 1e-9) / _ROUNDS
    # The median: somebody else's moment of work falls into one turn.
    error = stdev(map(math.log, ratios)) / math.sqrt(_ROUNDS) if fmean(ratios) else 0.0
    change = SpeedChange(median(ratios), max(_LEAST_NOISE, 2 * error))
    return Turns(change, size * _ROUNDS, speed, len(hashes) == 1)


def _row(game: Game, agent: str, mine: CheckoutProcess, theirs: CheckoutProcess, seconds: float) -> dict[str, Any]:
    what = {"game": reference_of(game), "players": game.players[0], "agents": agent, "seed": 1}
    turns = play_by_turns(what, mine, theirs, seconds)
    return {
        "game": game.name,
        "players": game.players[0],
        "agent": agent,
        "games": turns.games,
        "games_per_cpu_s": round(turns.speed, 1),
        "ratio": round(turns.change.ratio, 4),
        "noise": round(turns.change.noise, 4),
        "within_noise": turns.change.is_noise,
        "same_results": turns.same_results,
    }
