"""Integer ids of the actions of Grid: how they are made, and how they are taken apart."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from playmill.games.grid.constants import CELLS, DISCARD, PATTERNS, PLAYERS, REVEAL, WINDOWS

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
