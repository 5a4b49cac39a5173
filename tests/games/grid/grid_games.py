"""Games of Grid counted by hand, for the tests of its report."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from common import reports
from common.found import game_of
from playmill.engine.lang.record import RecordArray
from playmill.games.grid.constants import END1, END2, NOBODY
from playmill.games.grid.outcome import Outcome

GAME = game_of("grid")
POINTS = {"A": 20, "B": 15, "C": 16, "D": 13, "E": 8, "F": 6, "G": 14, "H": 7, "I": 6, "J": 9}
PATTERN_A, PATTERN_B, PATTERN_H, PATTERN_I, PATTERN_J = 0, 1, 7, 8, 9
RWD1, RWD4, RWD7, RWD9, RWD10 = 0, 3, 6, 8, 9

RUN = reports.run_of(
    GAME,
    ("greedy", "random", "greedy"),
    10,
    {"patterns": [{"id": name, "vp": vp} for name, vp in POINTS.items()]},
)
ONE_EACH = replace(RUN, agents=("greedy", "random", "disruptor"))


def games() -> RecordArray:
    """Ten games of greedy (seats 1 and 3) against random: seven won, three tied."""
    rows: RecordArray = np.zeros(10, Outcome)
    rows["players"] = 3
    rows["decisions"] = [60] * 5 + [65] * 5
    rows["turns"] = [31] * 8 + [32, 40]
    rows["ended_by"] = [END1] * 9 + [END2]
    rows["winner"] = [NOBODY] * 3 + [0, 0, 1, 0, 0, 0, 2]
    rows["vp"][:, 0] = 0, 0, 0, 6, 6, 6, 9, 9, 9, 15
    rows["vp"][5, 1] = 7
    rows["vp"][[8, 9], 2] = 6, 20
    # All VP come from patterns.
    rows["patterns"][[3, 4, 5, 9], 0, PATTERN_I] = 1
    rows["patterns"][[6, 7, 8, 9], 0, PATTERN_J] = 1
    rows["patterns"][5, 1, PATTERN_H] = rows["patterns"][8, 2, PATTERN_I] = rows["patterns"][9, 2, PATTERN_A] = 1
    rows["applied"][[3, 4, 5], 0, RWD1] = rows["applied"][6, 0, RWD9] = 1
    rows["applied"][8, 2, RWD7] = rows["applied"][9, 0, RWD7] = 1
    rows["refused"][9, 0, RWD1], rows["refused"][7, 0, RWD7] = 2, 1
    rows["impossible"][9, 0, RWD7] = rows["impossible"][5, 1, RWD4] = 1
    return rows


def counts() -> Any:
    """Their tally."""
    return reports.counted(GAME, games(), reports.numbers_of(RUN))
