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

Numbers = np.dtype(
    [
        ("players", np.int32),
        ("cells", np.int32),
        ("round_limit", np.int32),
        ("result_rounds", np.int32),
        ("start_influence", np.int32),
        ("chance", np.int32, (CLASSES,)),  # in percent, by class
        ("fixed", np.int32),  # whether the map says where everybody starts
        ("starts", np.int16, (PLAYERS,)),
        ("capacity", np.int16, (CELLS,)),
        ("neighbour", np.int16, (CELLS, SIDES)),  # -1 where there is none
    ],
    align=True,
)
