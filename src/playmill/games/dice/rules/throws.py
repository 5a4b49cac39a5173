"""Faces of thrown dice as packed numbers: what they show, which sets may be saved, what they score.

Three dice lie in one of 216 *ways*: the number of the way is all that has to be known of the first three dice, and
another one of the last three. What dice *show* is one number: a roll (see `scoring.py`) and above it their count, three
bits for each face. What a count *tells* comes from a table, so that nobody has to look at the faces one by one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.author import as_int, as_word, next_word, nth_bit, rare, rule
from playmill.games.dice.actions import EVERY_DIE
from playmill.games.dice.constants import DICE, DOWN, FLIP, UP
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

#: In how many ways three dice can lie.
WAYS = 6**3
#: Words whose product falls below this would make some of them likelier than others.
_UNFAIR = 2**32 % WAYS
_LOW_HALF = 0xFFFFFFFF
#: By how much a way grows when the first, second or third of its dice shows the next face.
_FACE_STEP = np.array([36, 6, 1])

#: What dice show: the roll below, above it the count, by halves of three faces.
_COUNT, _HALF_COUNT = 6 * DICE, 9
_ROLL, _HALF = (1 << _COUNT) - 1, (1 << _HALF_COUNT) - 1

#: What a count tells, from the top: how near it is to a straight, the points of all that scores but as a straight, the
#: faces of that, and the number of its kind, by which the sets that may be saved are counted. It is a sum over faces.
_NEAR, _POINTS, _FACES = 26, 12, 6
#: 1 and 6 count one each, the faces between them two: nine they make only with five faces in a row, and with what they
#: begin with that is a bit of its own.
_STRAIGHT, _NEAR_AT_FIRST = 1 << (_NEAR + 4), 7
#: The kind of a count: how many 1s and 5s, any of which may be saved, and above that what three and more of another
#: face add: two threes of a kind are told from four of one.
_KIND = {3: 1 << 3, 4: 3 << 3, 5: 4 << 3, 6: 5 << 3}
_THREES = 7 << 3
#: By that: in how many ways one can save none, or enough, of the other faces.
_OTHERS = (1, 2, 4, 6, 17, 43, 0, 0)


def _shown(first: int, dice: int) -> list[int]:
    """What those `dice` of three show that are looked at, by the way the three lie in, from position `first` on."""
    one, two, three = (
        [dice >> place & 1 and (1 << 6 * face + first + place) + (1 << _COUNT + 3 * face) for face in range(6)]
        for place in range(3)
    )
    return [
        one[way // _FACE_STEP[0] % 6] + two[way // _FACE_STEP[1] % 6] + three[way // _FACE_STEP[2] % 6]
        for way in range(256)
    ]


def _summary_of_face(face: int, count: int) -> int:
    """What so many dice of a face add; more than six there are not."""
    if count > DICE:
        return 0
    points, near = int(WORTH[face, (1 << count) - 1]), 1 if face in (0, 5) else 2
    kind = count if face in (0, 4) else _KIND.get(count, 0)
    scores = points << _POINTS | 1 << _FACES + face if points else 0
    return (near << _NEAR if count else 0) + scores + kind


def _summaries(faces: range) -> list[int]:
    """What three faces add to what a count tells, by their half of it."""
    halves = range(1 << _HALF_COUNT)
    return [sum(_summary_of_face(face, half >> 3 * place & 7) for place, face in enumerate(faces)) for half in halves]


#: By the kind of a count: how many sets may be saved, straights apart.
_SETS = np.array([(others << singles) - 1 for others in _OTHERS for singles in range(8)], np.int32)
#: For some faces: their part of a roll.
_BITS = np.array([sum(EVERY_DIE << 6 * face for face in range(6) if faces >> face & 1) for faces in range(64)])
#: By the half of a count, and what it is.
_SUMMARY = np.array(
    [[summary + (_NEAR_AT_FIRST << _NEAR) for summary in _summaries(range(3))], _summaries(range(3, 6))], np.int32
)
#: By the dice of the first three that are looked at, then of the last three, and the way these three lie. All six are
#: looked at most: what they show lies together, in a few lines of a processor's cache. There is room for 256 ways, so
#: that a place in the table is found without a multiplication.
_SHOWN = np.array([_shown(first, dice) for first in (0, 3) for dice in range(8)])


def _subsets() -> np.ndarray[Any, np.dtype[np.uint8]]:
    """By some dice: all sets of them but the empty one, ascending; 64 places for each, 0 where there is none."""
    table = np.zeros((64, 64), np.uint8)
    for dice in range(64):
        sets = [some for some in range(1, 64) if not some & ~dice]
        table[dice, : len(sets)] = sets
    return table.ravel()


_SUBSETS = _subsets()


@rule
def fair_fall(rng: Any, stream: int) -> tuple[int, int]:
    """The ways in which six fair dice fall, also where fewer are thrown: each position's luck is then its own."""
    first, last = _two_products(rng, stream)
    while (first & _LOW_HALF < _UNFAIR) | (last & _LOW_HALF < _UNFAIR):
        first, last = _two_products(rng, stream)
    return first >> 32, last >> 32


@rule
def _two_products(rng: Any, stream: int) -> tuple[int, int]:
    """The halves of a word, each times the number of ways: the way is what lies above 32 bits."""
    word = next_word(rng, stream)
    return as_int(word & as_word(_LOW_HALF)) * WAYS, as_int(word >> 32) * WAYS


@rule
def face_in(way: int, place: int) -> int:
    """What the first, second or third of three dice shows."""
    return way // _FACE_STEP[place] % 6 + 1


@rule
def turned(way: int, place: int, face: int) -> int:
    """The way in which that die shows another face."""
    return way + (face - face_in(way, place)) * _FACE_STEP[place]


@rule
def shown_by(first: int, last: int, dice: int) -> int:
    """What these dice show when six lie in these ways."""
    return _SHOWN[dice & 7, first] + _SHOWN[8 + (dice >> 3), last]


@rule
def roll_in(shown: int) -> int:
    """The roll in what dice show."""
    return shown & _ROLL


@rule
def summary_of(shown: int) -> int:
    """What the count in what dice show tells."""
    return _SUMMARY[0, shown >> _COUNT & _HALF] + _SUMMARY[1, shown >> (_COUNT + _HALF_COUNT)]


@rule
def lay(s: Any, first: int, last: int) -> None:
    """Six dice lie in these ways: writes down what those on the table show, and what that tells."""
    s.first = first
    s.last = last
    shown = shown_by(first, last, s.table)
    s.roll = roll_in(shown)
    s.told = summary_of(shown)


@rule
def face_after(face: int, to: int) -> int:
    """The face that a die shows which is turned: to one of the six, up or down by one as far as it goes, or over."""
    if to == UP:
        return min(face + 1, 6)
    if to == DOWN:
        return max(face - 1, 1)
    return 7 - face if to == FLIP else to


@rare
def turn(s: Any, dice: int, to: int) -> None:
    """Dice on the table are turned."""
    first, last = s.first, s.last
    for place in range(3):
        if dice >> place & 1:
            first = turned(first, place, face_after(face_in(first, place), to))
        if dice >> (3 + place) & 1:
            last = turned(last, place, face_after(face_in(last, place), to))
    lay(s, first, last)


@rule
def scores(summary: int) -> bool:
    """Whether anything may be saved: a straight has a 5 in it, which scores by itself."""
    return summary >> _FACES & 63 != 0


@rule
def points_of(shown: int, dice: int) -> int:
    """What a set that may be saved brings, by what its dice show."""
    summary = summary_of(shown)
    return straight_points(roll_in(shown), dice) if summary & _STRAIGHT else _points(summary)


@rule
def _points(summary: int) -> int:
    return summary >> _POINTS & ((1 << (_NEAR - _POINTS)) - 1)


@rule
def count_sets(summary: int, table: int) -> int:
    """How many sets may be saved from the dice on the table.

    Five dice make one straight. Of six the one without either of two equal dice is another; and so is 1–6, with 1–5 and
    2–6 in it.
    """
    sets = _SETS[summary & 63]
    return sets + SIZE[table] - 4 + (summary - _STRAIGHT >> _NEAR) if summary & _STRAIGHT else sets


@rule
def sets_of(summary: int, roll: Any, table: int) -> int:
    """The sets that may be saved, as `scoring.savable` finds them."""
    sets = whole_sets(roll, table)
    return sets | straights_in(roll, table) if summary & _STRAIGHT else sets


@rule
def nth_set(summary: int, roll: Any, table: int, k: int) -> int:
    """Set number k, ascending, of those that may be saved; where only 1s and 5s score any of them do."""
    if summary & (_STRAIGHT | _THREES) == 0:
        return _SUBSETS[_scoring(summary, roll) << DICE | k]
    return 1 + nth_bit(sets_of(summary, roll, table), k)


@rule
def best(summary: int, roll: Any, table: int) -> tuple[int, int]:
    """The best set, with its points, as `scoring.best_plain` finds it: all that scores, unless there is a straight."""
    if summary & _STRAIGHT:
        dice = best_straight(roll, table)
        return dice, straight_points(roll, dice)
    return _scoring(summary, roll), _points(summary)


@rule
def _scoring(summary: int, roll: Any) -> int:
    """The dice of a roll that score, straights apart."""
    shown = roll & _BITS[summary >> _FACES & 63]
    shown |= shown >> FOUR
    return (shown | shown >> TWO | shown >> THREE) & EVERY_DIE
