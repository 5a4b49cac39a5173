"""The flat numbering of everything a player can do in Grid, and the sizes of its things."""

from __future__ import annotations

from typing import NamedTuple

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

PLACE = 0
PICK = PLACE + CELLS
PASS = PICK + REVEAL
MATCH = PASS + REVEAL
NO_MATCH = MATCH + WINDOWS * PATTERNS
REFUSE = NO_MATCH + 1
ACCEPT = REFUSE + 1
TAKE_SELF = ACCEPT + 1
PUT_SELF = TAKE_SELF + CELLS
TARGET = PUT_SELF + CELLS
TAKE_OTHER = TARGET + PLAYERS
PUT_OTHER = TAKE_OTHER + CELLS
FROM_DISCARD = PUT_OTHER + CELLS
ACTIONS = FROM_DISCARD + DISCARD
#: The option that stands for place 0 in each kind of decision; those that choose no place have none.
FIRST_OPTION = np.array([PLACE, PICK, PASS, 0, 0, TAKE_SELF, PUT_SELF, TARGET, TAKE_OTHER, PUT_OTHER, 0])
#: Most options of one decision: every card of the discard pile, or every match.
MAX_OPTIONS = WINDOWS * PATTERNS + 1


class Action(NamedTuple):
    """One action taken apart: the act, its number, and for a match the pattern."""

    act: str
    number: int = -1
    pattern: int = -1


_ACTS = (
    ("place", PLACE),
    ("pick", PICK),
    ("pass", PASS),
    ("resolve", MATCH),
    ("resolve_none", NO_MATCH),
    ("refuse", REFUSE),
    ("accept", ACCEPT),
    ("self_card", TAKE_SELF),
    ("self_empty", PUT_SELF),
    ("opponent", TARGET),
    ("opponent_card", TAKE_OTHER),
    ("opponent_empty", PUT_OTHER),
    ("discard_ref", FROM_DISCARD),
)


def take_apart(action: int) -> Action:
    """The act an id stands for and its fields."""
    act, first = next(pair for pair in reversed(_ACTS) if action >= pair[1])
    rest = action - first
    if act == "resolve":
        return Action(act, rest // PATTERNS, rest % PATTERNS)
    return Action(act) if act in ("resolve_none", "refuse", "accept") else Action(act, rest)


def put_together(action: Action) -> int:
    """The id of an act with its fields: the inverse of `take_apart`."""
    first = dict(_ACTS)[action.act]
    if action.act == "resolve":
        return first + action.number * PATTERNS + action.pattern
    return first + max(action.number, 0)
