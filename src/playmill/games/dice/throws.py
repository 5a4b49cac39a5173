"""How fair dice fall, and what their faces tell.

Six dice fall by one word of luck, the first three and the last three by half of it each: three dice fall in 216 ways,
and the number of the way is all that has to be known of them. What dice *show* is one number: a roll (see `scoring.py`)
and above it their count, three bits for each face: how many of them show it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.engine.rng import next_word
from playmill.engine.rule import as_int, as_word, rule
from playmill.games.dice.actions import EVERY_DIE
from playmill.games.dice.scoring import (
    FOUR,
    SIZE,
    THREE,
    TWO,
    WORTH,
    best_straight,
    straight_points,
    straights_in,
    whole_sets,
)
from playmill.games.dice.tables import DICE

#: Streams of luck: each turn gets luck of its own, so that a longer turn leaves the later ones as they were.
TURN_LUCK, THROW, LOADED_THROW = 0, 2, 3

#: In how many ways three dice fall.
WAYS = 6**3
#: Words whose product falls below this would make some of them likelier than others.
_UNFAIR = 2**32 % WAYS
_LOW_HALF = 0xFFFFFFFF
#: What dice show: the roll below, above it the count, by halves of three faces.
_COUNT, _HALF_COUNT = 6 * DICE, 9
_ROLL, _HALF = (1 << _COUNT) - 1, (1 << _HALF_COUNT) - 1
#: What a count tells, from the top: how near it is to a straight, the points of all that scores but as a straight, how
#: many dice that are, and their faces. It is a sum over the faces.
_NEAR, _POINTS, _DICE = 24, 9, 6
#: 1 and 6 count one each, the faces between them two: so much they make only with five faces in a row.
_STRAIGHT = 9 << _NEAR


def _three_dice(first: int) -> list[list[int]]:
    """What the three dice from a position on show, by the way they fall and by which of them are looked at."""
    return [[_shown(way, first, dice) for dice in range(8)] for way in range(WAYS)]


def _shown(way: int, first: int, dice: int) -> int:
    faces = (way // 36, way // 6 % 6, way % 6)
    seen = [(place, face) for place, face in enumerate(faces) if dice >> place & 1]
    return sum((1 << 6 * face + first + place) + (1 << _COUNT + 3 * face) for place, face in seen)


def _told(faces: range) -> list[int]:
    """What three faces add to what a count tells, by their half of it."""
    halves = range(1 << _HALF_COUNT)
    return [sum(_told_of(face, half >> 3 * place & 7) for place, face in enumerate(faces)) for half in halves]


def _told_of(face: int, count: int) -> int:
    """What so many dice of a face add; more than six there are not."""
    points = int(WORTH[face, (1 << count) - 1]) if count <= DICE else 0
    near = 0 if count == 0 else 1 if face in (0, 5) else 2
    return near << _NEAR | points << _POINTS | (count << _DICE | 1 << face if points > 0 else 0)


THREE_DICE = np.array([_three_dice(0), _three_dice(3)])
_TOLD = np.array([_told(range(3)), _told(range(3, 6))], np.int32)
#: For some faces: their part of a roll.
_BITS = np.array([sum(EVERY_DIE << 6 * face for face in range(6) if faces >> face & 1) for faces in range(64)])


@rule
def open_turn_luck(cfg: Any, player: int, rng: Any) -> None:
    """A turn draws two words, whether it needs the second or not."""
    rng.stream[THROW] = next_word(rng, TURN_LUCK + player)
    if cfg.content != 0 or cfg.loaded[player] != 0:
        rng.stream[LOADED_THROW] = next_word(rng, TURN_LUCK + player)
    else:
        next_word(rng, TURN_LUCK + player)


@rule
def fair_fall(rng: Any) -> tuple[int, int]:
    """The ways in which six fair dice fall, also where fewer are thrown: each position's luck is then its own."""
    while True:
        word = next_word(rng, THROW)
        first = as_int(word & as_word(_LOW_HALF)) * WAYS
        last = as_int(word >> 32) * WAYS
        if first & _LOW_HALF >= _UNFAIR and last & _LOW_HALF >= _UNFAIR:
            return first >> 32, last >> 32


@rule
def shown_by(first: int, last: int, dice: int) -> int:
    """What these dice show when six fell in these ways."""
    return THREE_DICE[0, first, dice & 7] + THREE_DICE[1, last, dice >> 3]


@rule
def roll_in(shown: int) -> int:
    """The roll in what dice show."""
    return shown & _ROLL


@rule
def told_by(shown: int) -> int:
    """What the count in what dice show tells."""
    return int(_TOLD[0, shown >> _COUNT & _HALF]) + int(_TOLD[1, shown >> _COUNT + _HALF_COUNT])


@rule
def savable(roll: Any, told: int, table: int) -> int:
    """All sets that may be saved, as `scoring.savable` finds them."""
    sets = whole_sets(roll, table)
    return sets | straights_in(roll, table) if told >= _STRAIGHT else sets


@rule
def score(saved: Any, told: int, dice: int) -> int:
    """What a set that may be saved brings, by what this set alone shows and tells."""
    return straight_points(saved, dice) if told >= _STRAIGHT else _points(told)


@rule
def best(roll: Any, told: int, table: int) -> tuple[int, int, int]:
    """The best set, as `scoring.best_plain` finds it: everything that scores, unless there is a straight.

    With its points, and how many dice it leaves.
    """
    if told >= _STRAIGHT:
        dice = best_straight(roll, table)
        return dice, straight_points(roll, dice), SIZE[table & ~dice]
    shown = roll & _BITS[told & 63]
    shown |= shown >> FOUR
    return (shown | shown >> TWO | shown >> THREE) & EVERY_DIE, _points(told), SIZE[table] - (told >> _DICE & 7)


@rule
def _points(told: int) -> int:
    return told >> _POINTS & ((1 << (_NEAR - _POINTS)) - 1)
