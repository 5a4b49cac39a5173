"""Constants of Grid: sizes, shapes, rules of patterns, rewards and kinds of decision, by number."""

from __future__ import annotations

import numpy as np

#: Most of everything a config may ask for.
SIDE = 7
CELLS = SIDE * SIDE
PLAYERS = 4
#: As many as there are pairs of a rank rule and a colour rule, on all shapes.
PATTERNS = 12
REWARDS = 10
#: In place of a reward, where a pattern gives none.
NO_REWARD = REWARDS
RANKS = 12
COLOURS = 8
DECK = 120
#: Most patterns of one game: each takes four cards off the boards, and its reward brings back one at most.
RESOLVED = DECK // 3
JOKERS = RESOLVED
#: Most points of one pattern.
POINTS = 1000
#: Most turns of one game: each takes two cards of the deck at least, is the last one, or is skipped after such a one.
TURNS = DECK + 2
DISCARD = DECK + JOKERS
REVEAL = 8
PICKS = 3
HAND = 64

SQUARE, LINE_5, LINE_4 = range(3)
SHAPES = 3
SHAPE_SIZES = np.array([9, 5, 4])
WINDOW_CELLS = 9
#: Windows of the largest board: 25 squares, 42 lines of five, 56 lines of four.
WINDOWS = 123
#: Windows one cell can lie in: 9 squares, 5 + 5 lines of five, 4 + 4 lines of four.
CELL_WINDOWS = 27

R1_SEQUENCE, R2_EQUAL, R3_STRIPES, R4_TWO_AXES = range(4)
C1_MONOCHROME, C2_DISTINCT, C3_FLAG, C4_LATIN = range(4)

#: Cards are numbered from 1; 0 is an empty cell.
EMPTY = 0
JOKER = 127

(
    REMOVE_OWN,
    TAKE_TOP,
    MOVE_OWN,
    EXTRA_TURN,
    SKIP_TURN,
    REMOVE_OTHERS,
    MOVE_OTHERS,
    TAKE_ANY,
    SPAWN_JOKER,
    STEAL,
) = range(REWARDS)

#: Kinds of decision.
PLACEMENT, DRAFT_PICK, DRAFT_PASS, RESOLVE, APPLY = range(5)
SELF_CARD, SELF_EMPTY, OPPONENT, OPPONENT_CARD, OPPONENT_EMPTY, REF = range(5, 11)


STREAM_DECK = 0
NOBODY = -1

#: The two phases of a turn.
FROM_HAND, FROM_DRAFT = range(2)

NOT_ENDED, END1, END2 = range(3)
