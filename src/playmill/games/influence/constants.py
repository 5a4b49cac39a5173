"""Constants of Influence: sizes, classes of attacks, turn orders, phases and random streams, by number."""

from __future__ import annotations

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
#: Random streams: where everybody starts; then for each player their attacks, and the rest that `auto` scatters; and
#: who has the next turn.
START, FIGHT, SCATTER, ORDER = 0, 1, 1 + PLAYERS, 1 + 2 * PLAYERS


NOBODY = -1
ATTACKING, DEFENDING = range(2)
