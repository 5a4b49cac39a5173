"""Whole matches of `threshold` against the exact figures of a chain of turns: nothing is drawn, all is added up."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from functools import cache
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest
from dice_naive import selections

from playmill import Game, load_game, simulate

TARGET, STOP = 4000, 1000
GAMES = 60_000
#: So many standard errors no mean may be off.
FAR = 4.0


@cache
def throws(count: int) -> dict[tuple[int, int], float]:
    """What a throw of fair dice brings to `threshold`: points and dice saved, with their chance; a bust is (0, 0)."""
    found: dict[tuple[int, int], float] = defaultdict(float)
    for faces in combinations_with_replacement("123456", count):
        ways = math.factorial(count) / math.prod(math.factorial(equal) for equal in Counter(faces).values())
        valid = selections("".join(faces))
        points, fewest = max(((points, -len(dice)) for dice, points in valid.items()), default=(0, 0))
        found[points, -fewest] += ways / 6**count
    return found


def turn(total: int, *, must_roll: bool) -> tuple[dict[int, float], dict[str, float]]:
    """The chances of what a turn adds to a total, and the mean of everything that is counted in it."""
    banked: dict[int, float] = defaultdict(float)
    means: dict[str, float] = defaultdict(float, turns=1.0)
    waiting = defaultdict(float, {(0, 6): 1.0})  # points so far and dice to throw; a throw that counts adds points
    while waiting:
        points, dice = min(waiting)
        chance = waiting.pop((points, dice))
        if chance < 1e-18:  # hot dice that must be thrown have no end, only ever smaller chances
            continue
        means["rolls"] += chance
        means[f"throws_{dice}"] += chance
        for (won, saved), likely in throws(dice).items():
            if not saved:
                means[f"busts_{dice}"] += chance * likely
                banked[0] += chance * likely
                continue
            after, left = points + won, dice - saved
            hot = left == 0
            if (after >= STOP or total + after >= TARGET or left in (1, 2)) and not (hot and must_roll):
                banked[after] += chance * likely
            else:
                means["hot"] += chance * likely * hot
                waiting[after, left or 6] += chance * likely
    return banked, means


def exact(*, must_roll: bool) -> dict[str, float]:
    """The mean of everything that is counted in a match, and how often the first player wins."""
    turns = {total: turn(total, must_roll=must_roll) for total in range(0, TARGET, 50)}
    totals, open_ = {0: 1.0}, 1.0  # of one player who is still to reach the target, before the next turn
    means: dict[str, float] = defaultdict(float)
    while open_ > 1e-12:
        after: dict[int, float] = defaultdict(float)
        counted: dict[str, float] = defaultdict(float)
        for total, chance in totals.items():
            banked, found = turns[total]
            for name, mean in found.items():
                counted[name] += chance * mean
            for points, likely in banked.items():
                if total + points < TARGET:
                    after[total + points] += chance * likely
        still = sum(after.values())
        for name, mean in counted.items():  # the first player's turn, if the other is not there yet; then the other's
            means[name] += mean * open_ + mean * still
        means["won"] += (open_ - still) * open_
        totals, open_ = after, still
    return means


@pytest.fixture(scope="module")
def dice() -> Game:
    return load_game("dice")


@pytest.mark.parametrize("must_roll", [False, True], ids=["may pass", "must roll"])
def test_threshold_plays_whole_matches_as_the_chain_of_turns_says(dice: Game, must_roll: bool) -> None:
    config: dict[str, Any] = {"target_score": TARGET, "hot_dice_must_roll": must_roll}
    run = simulate(dice, games=GAMES, seed=12, agents=f"threshold:points={STOP}", config=config)
    rows = run.games
    played = {name: rows[name] for name in rows.columns if name.startswith(("turns", "throws_", "busts_"))}
    played |= {"won": rows["winner"] == 0, "rolls": rows["rolls_0"] + rows["rolls_1"]}
    played |= {"hot": rows["hot_dice_0"] + rows["hot_dice_1"]}
    wanted = exact(must_roll=must_roll)
    assert wanted["won"] == pytest.approx(0.556332 if must_roll else 0.559236, abs=1e-6)
    for name, column in played.items():
        values = column.to_numpy().astype(np.float64)
        error = values.std() / math.sqrt(GAMES)
        assert abs(values.mean() - wanted[name]) <= FAR * error, name
