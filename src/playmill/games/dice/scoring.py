"""Scores sets of dice: which may be saved, and what each is worth.

A *roll* is one number: for each face six bits, bit i set where the die at position i shows it, face 1 lowest. The sets
of dice that may be saved from a roll are one number too: bit m-1 for the set m.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.author import lowest_bit, rare, rule
from playmill.games.dice.actions import EVERY_DIE
from playmill.games.dice.constants import DICE

ONE, TWO, THREE, FOUR, FIVE, SIX = (6 * face for face in range(6))
#: What three of a face bring; every further one doubles it.
TRIPLE = (1000, 200, 300, 400, 500, 600)
#: What one die of a face brings alone.
SINGLE = (100, 0, 0, 0, 50, 0)
LOW_STRAIGHT_POINTS, HIGH_STRAIGHT_POINTS, FULL_STRAIGHT_POINTS = 500, 750, 1500
#: One bit in each face's six.
EVERY_FACE = sum(1 << shift for shift in (ONE, TWO, THREE, FOUR, FIVE, SIX))
#: The lower three bits in each face's six.
_THREE_OF_SIX = 7 * EVERY_FACE
#: One bit in each of the four faces that every straight has.
_IN_EVERY_STRAIGHT = EVERY_FACE - (1 << ONE) - (1 << SIX)


def _face_points(face: int, count: int) -> int:
    return TRIPLE[face] << (count - 3) if count >= 3 else SINGLE[face] * count


def _sets(allowed: Any) -> int:
    """The sets of dice for which something is true, as one number."""
    return sum(1 << (dice - 1) for dice in range(1, 64) if allowed(dice))


#: How many dice are in a set.
SIZE = np.array([dice.bit_count() for dice in range(64)])
#: For the dice that show a face which is worth nothing alone: the sets with none or at least three of them.
WHOLE = np.array([_sets(lambda dice, shown=shown: (dice & shown).bit_count() not in (1, 2)) for shown in range(64)])
#: For the dice on the table: all sets of them.
AMONG = np.array([_sets(lambda dice, table=table: not dice & ~table) for table in range(64)])
#: For some dice: all sets that have every one of them.
WITH = np.array([_sets(lambda dice, wanted=wanted: not wanted & ~dice) for wanted in range(64)])
#: What the dice of a set bring if all show the face.
WORTH = np.array([[_face_points(face, dice.bit_count()) for dice in range(64)] for face in range(6)])
#: The same, and below it the dice themselves if they bring anything: no two faces share a die, so all can be added up.
BEST = WORTH << DICE | np.where(WORTH > 0, np.arange(64), 0)


@rule
def showing(roll: Any, shift: int) -> int:
    """The dice of a roll that show a face."""
    return (roll >> shift) & EVERY_DIE


@rule
def only(roll: Any, dice: int) -> int:
    """The part of a roll shown by these dice."""
    return roll & (dice * EVERY_FACE)


@rule
def savable(roll: Any, table: int) -> int:
    """All sets that may be saved from a roll of the dice on the table; none means the roll scores nothing."""
    sets = whole_sets(roll, table)
    if _has_straight(roll):
        sets |= straights_in(roll, table)
    return sets


@rule
def whole_sets(roll: Any, table: int) -> int:
    """The sets that may be saved, but as a straight: faces that bring nothing alone are there three times or not."""
    return (
        AMONG[table]
        & WHOLE[showing(roll, TWO)]
        & WHOLE[showing(roll, THREE)]
        & WHOLE[showing(roll, FOUR)]
        & WHOLE[showing(roll, SIX)]
    )


@rule
def _has_straight(roll: Any) -> bool:
    """Whether a roll shows five faces in a row.

    All faces are looked at together: to ask for one after the other is to ask the machine to guess each.
    """
    half = (roll | roll >> 3) & _THREE_OF_SIX
    shown = (half | half >> 1 | half >> 2) & EVERY_FACE
    two = shown & shown >> TWO
    return two & two >> THREE & shown >> FIVE != 0


@rare
def straights_in(roll: Any, table: int) -> int:
    """The sets that are exactly 1–5, 2–6 or 1–6, of a roll that shows one."""
    ones, sixes = showing(roll, ONE), showing(roll, SIX)
    sets = 0
    if ones != 0:
        sets |= _one_of_each(roll, table & ~sixes)
    if sixes != 0:
        sets |= _one_of_each(roll, table & ~ones)
        if ones != 0:
            sets |= 1 << (EVERY_DIE - 1)
    return sets


@rule
def _one_of_each(roll: Any, dice: int) -> int:
    """Of five or six dice that show five faces: the sets that show each once."""
    if SIZE[dice] == 5:
        return 1 << (dice - 1)
    sets = 0
    for shift in range(ONE, SIX + 1, 6):
        twins = showing(roll, shift) & dice
        if SIZE[twins] == 2:
            first = 1 << lowest_bit(twins)
            sets |= 1 << ((dice & ~first) - 1)
            sets |= 1 << ((dice & ~(twins & ~first)) - 1)
    return sets


@rule
def score(roll: Any, dice: int) -> int:
    """What a set that may be saved brings."""
    threes = showing(roll, THREE) & dice
    if SIZE[threes] == 1:
        return straight_points(roll, dice)  # a lone 3 may be saved as part of a straight only
    return (
        WORTH[0, showing(roll, ONE) & dice]
        + WORTH[1, showing(roll, TWO) & dice]
        + WORTH[2, threes]
        + WORTH[3, showing(roll, FOUR) & dice]
        + WORTH[4, showing(roll, FIVE) & dice]
        + WORTH[5, showing(roll, SIX) & dice]
    )


@rule
def straight_points(roll: Any, dice: int) -> int:
    """What a set brings that is a straight."""
    if dice == EVERY_DIE:
        return FULL_STRAIGHT_POINTS
    return LOW_STRAIGHT_POINTS if showing(roll, ONE) & dice else HIGH_STRAIGHT_POINTS


@rule
def best_plain(roll: Any, table: int) -> tuple[int, int]:
    """The set that brings most (then: fewer dice, then the first positions) where nothing but the dice counts.

    With its points. Every scoring die adds something, so it is a straight, else everything that scores.
    """
    if _has_straight(roll):
        dice = best_straight(roll, table)
        return dice, straight_points(roll, dice)
    best = (
        BEST[0, showing(roll, ONE)]
        + BEST[1, showing(roll, TWO)]
        + BEST[2, showing(roll, THREE)]
        + BEST[3, showing(roll, FOUR)]
        + BEST[4, showing(roll, FIVE)]
        + BEST[5, showing(roll, SIX)]
    )
    return best & EVERY_DIE, best >> DICE


@rule
def best_straight(roll: Any, table: int) -> int:
    """The straight that brings most, of a roll that shows one; of equal ones the one whose positions come first.

    All dice, but of two that show the same face the second: with 1 taken away from the dice that show a face, the first
    of them is gone.
    """
    ones, sixes = showing(roll, ONE), showing(roll, SIX)
    second = roll & (roll - _IN_EVERY_STRAIGHT)
    second = showing(second, TWO) | showing(second, THREE) | showing(second, FOUR) | showing(second, FIVE)
    return table & ~(second | ones & (ones - 1) | sixes & (sixes - 1))
