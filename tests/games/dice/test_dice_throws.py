"""What is looked up about dice is what scoring says of them, roll by roll."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
from dice_position import packed_roll, ways_of

from playmill.engine.lang.record import plain
from playmill.engine.lang.rule import interpreted
from playmill.games.dice import rules, scoring
from playmill.games.dice.rules import throws

FACES = "123456"
_lay, _turn, _shown_by = interpreted(throws.lay), interpreted(throws.turn), interpreted(throws.shown_by)
_best, _count, _nth = interpreted(throws.best), interpreted(throws.count_sets), interpreted(throws.nth_set)
_sets, _scores, _points = interpreted(throws.sets_of), interpreted(throws.scores), interpreted(throws.points_of)
_savable, _score, _best_plain = map(interpreted, (scoring.savable, scoring.score, scoring.best_plain))


def rolls() -> list[str]:
    """One roll of each count of faces, in any order and with any of the dice set aside; all rolls of three dice."""
    shuffled = random.Random(1)
    found = []
    for count in range(1, 7):
        for faces in itertools.combinations_with_replacement(FACES, count):
            roll = list("".join(faces).ljust(6, "."))
            shuffled.shuffle(roll)
            found.append("".join(roll))
    return found + ["".join(faces) + "..." for faces in itertools.product(FACES, repeat=3)]


def lying(roll: str) -> rules.State:
    s = plain(np.zeros(1, rules.State))[0]
    s.table = sum(1 << place for place, face in enumerate(roll) if face != ".")
    _lay(s, *ways_of(roll))
    return s


def test_dice_as_they_lie_tell_what_scoring_finds_in_them() -> None:
    for roll in rolls():
        s = lying(roll)
        sets = _savable(packed_roll(roll), s.table)
        assert (s.roll, _sets(s.told, s.roll, s.table)) == (packed_roll(roll), sets), roll
        assert _scores(s.told) == (sets != 0), roll
        assert _count(s.told, s.table) == sets.bit_count(), roll
        numbers = [dice for dice in range(1, 64) if sets >> (dice - 1) & 1]
        assert [_nth(s.told, s.roll, s.table, k) for k in range(len(numbers))] == numbers, roll
        for dice in numbers:
            assert _points(_shown_by(s.first, s.last, dice), dice) == _score(s.roll, dice), (roll, dice)
        if sets:
            assert _best(s.told, s.roll, s.table) == _best_plain(s.roll, s.table), roll


def test_no_two_ways_show_the_same() -> None:
    shown = {_shown_by(first, last, 63) for first in range(throws.WAYS) for last in range(throws.WAYS)}
    assert len(shown) == throws.WAYS**2


@pytest.mark.parametrize("roll", ["123456", "22.344", "1...66"])
def test_dice_are_turned_one_by_one(roll: str) -> None:
    for place, face in itertools.product(range(6), FACES):
        if roll[place] != ".":
            s = lying(roll)
            _turn(s, 1 << place, int(face))
            assert s.roll == packed_roll(roll[:place] + face + roll[place + 1 :])
