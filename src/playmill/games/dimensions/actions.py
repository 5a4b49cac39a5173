"""Integer ids of the actions of Battle of Dimensions: where those of each act begin (`words/acts.py` has the table)."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.author import rule

RED, GREEN, YELLOW, BLUE, PURPLE = range(5)
FACTIONS = 5
PLAYERS = 5

#: A kind of card: 0 … 4 are the plain cards of the five factions, 5 and up the blue cards of one value (Epic).
FIRST_VALUE_KIND = 5
KINDS = 21

ENTANGLEMENT, WORMHOLE, BLACK_HOLE, BIG_BANG, TIME_LOOP = range(5)
ANOMALIES = 5

#: The target of an attack or a Black Hole that is no squad.
AURA = 5
TARGETS = 6
PAIRS = 10

PLAY = 0
PUT = PLAY + KINDS
PUT_CAPTAIN = PUT + KINDS * PLAYERS
SKIP = PUT_CAPTAIN + PLAYERS
STAY = SKIP + 1
MOVE = STAY + 1
MOVE_CAPTAIN = MOVE + PLAYERS * KINDS * PLAYERS
ENTANGLE = MOVE_CAPTAIN + PLAYERS
TUNNEL = ENTANGLE + PAIRS
SWALLOW = TUNNEL + PLAYERS * FACTIONS * PLAYERS
BANG = SWALLOW + PLAYERS * TARGETS
LOOP = BANG + 1
HOLD = LOOP + 1
STRIKE = HOLD + 1
ACTIONS = STRIKE + FACTIONS * TARGETS

#: What a number is multiplied by to be divided by 1, 2, …, in parts of 65,536.
_SHARES = np.array([0, *((1 << 16) // divisor + 1 for divisor in range(1, KINDS + 1))])


@rule
def divided(number: int, divisor: int) -> int:
    """`number // divisor` for numbers of actions, which are never negative: one multiplication, as they are small."""
    return number * _SHARES[divisor] >> 16


@rule
def pair_of(pair: int) -> Any:
    """The two places (or factions) of unordered pair number 0 … 9."""
    one = 0
    rest = pair
    while rest >= FACTIONS - 1 - one:
        rest -= FACTIONS - 1 - one
        one += 1
    return one, one + 1 + rest
