"""The record the rules of Influence read: a field of up to 256 cells, who borders on whom, and the numbers."""

from __future__ import annotations

import numpy as np

CELLS = 256
SIDES = 6
PLAYERS = 6
#: A set of cells is eight words of 32 cells each.
WORDS = CELLS // 32
#: Most turns whose influence counts for the result.
RESULT_ROUNDS = 100
#: Most rounds of a game.
MAX_ROUNDS = 1000
#: How strong an attacker is compared with the defender: two or more below … two or more above; or nobody is there.
LE_MINUS2, MINUS1, ZERO, PLUS1, GE_PLUS2, EMPTY = range(6)
CLASSES = 6
#: What a failed attack costs the defender, and in what order a round is played.
FAILURES, ORDERS = ("difference", "one", "nothing"), ("fixed", "snake", "drawn")
DIFFERENCE, ONE, NOTHING = range(3)
FIXED, SNAKE, DRAWN = range(3)
#: Streams of luck: where everybody starts; then for each player her attacks, and the rest that `auto` scatters; and who
#: has the next turn.
START, FIGHT, SCATTER, ORDER = 0, 1, 1 + PLAYERS, 1 + 2 * PLAYERS

Numbers = np.dtype(
    [
        ("players", np.int32),
        ("cells", np.int32),
        ("round_limit", np.int32),
        ("result_rounds", np.int32),
        ("start_influence", np.int32, (PLAYERS,)),
        ("min_start_distance", np.int32),
        ("failure", np.int32),
        ("first_turn_attacks", np.int32),
        ("turn_order", np.int32),
        ("chance", np.int32, (CLASSES,)),  # in percent, by class
        ("fixed", np.int32),  # whether the map says where everybody starts
        ("starts", np.int16, (PLAYERS,)),  # that, or cells far enough from each other, if luck finds none
        ("capacity", np.int16, (CELLS,)),
        ("neighbour", np.int16, (CELLS, SIDES)),  # -1 where there is none
    ],
    align=True,
)
