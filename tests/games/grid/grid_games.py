"""Games of Grid counted by hand, for the tests of its report."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from common import reports
from common.found import game_of
from playmill.games.grid.outcome import Tally
from playmill.games.grid.rules import END1, END2

GAME = game_of("grid")
POINTS = {"A": 20, "B": 15, "C": 16, "D": 13, "E": 8, "F": 6, "G": 14, "H": 7, "I": 6, "J": 9}
PATTERN_A, PATTERN_B, PATTERN_H, PATTERN_I, PATTERN_J = 0, 1, 7, 8, 9
RWD1, RWD4, RWD7, RWD9, RWD10 = 0, 3, 6, 8, 9
GREEDY, RANDOM = range(2)

RUN = reports.run_of(
    GAME,
    ("greedy", "random", "greedy"),
    10,
    {"patterns": [{"id": name, "vp": vp} for name, vp in POINTS.items()]},
)
ONE_EACH = replace(RUN, agents=("greedy", "random", "disruptor"))


def counts() -> np.void:
    """Ten games of greedy (seats 1 and 3) against random: seven won, three tied."""
    tally = np.zeros(1, Tally)[0]
    tally["games"] = 10
    tally["decisions"] = 625
    tally["ties"] = 3
    tally["turns"][31] = 8
    tally["turns"][32] = 1
    tally["turns"][40] = 1
    tally["ends"][[END1, END2]] = 9, 1
    # Seat 1 had 0 0 0 6 6 6 9 9 9 15, seat 2 nothing but 7 once, seat 3 nothing but 6 and 20.
    tally["vp"][GREEDY, [0, 6, 9, 15, 20]] = 3 + 8, 3 + 1, 3, 1, 1
    tally["vp"][RANDOM, [0, 7]] = 9, 1
    tally["seat_vp"][:3] = 60, 7, 26
    tally["seat_vp_squared"][:3] = 576, 49, 436
    tally["resolved"][:4] = 3, 4, 2, 1
    tally["seat_wins"][:3] = 4, 1, 2
    tally["agent_wins"][:2] = 6, 1
    tally["patterns"][GREEDY, [PATTERN_A, PATTERN_I, PATTERN_J]] = 1, 5, 4
    tally["patterns"][RANDOM, PATTERN_H] = 1
    tally["winner_patterns"][[PATTERN_A, PATTERN_H, PATTERN_I, PATTERN_J]] = 1, 1, 3, 2
    tally["applied"][GREEDY, [RWD9, RWD1, RWD7]] = 1, 3, 2
    tally["refused"][GREEDY, [RWD1, RWD7]] = 2, 1
    tally["impossible"][GREEDY, RWD7] = 1
    tally["impossible"][RANDOM, RWD4] = 1
    tally["winner_applied"][[RWD9, RWD1]] = 1, 2
    tally["winner_refused"][RWD7] = 1
    tally["winner_impossible"][RWD4] = 1
    return tally
