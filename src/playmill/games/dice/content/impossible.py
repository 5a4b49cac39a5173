"""Finds conditions that can never hold: a straight among saved dice after a roll, three twos of five saved.

A condition is taken apart into the ways in which it can hold, each a list of simple questions answered yes or no. Of
questions about the same dice all rolls are tried; what has nothing to do with each other is taken to be free. So a
condition that is called impossible is, and one that is not may be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations_with_replacement, islice, product
from typing import Any

import numpy as np

import playmill.games.dice.content.conditions as ask
from playmill.games.dice.content.conditions import ConditionNode
from playmill.games.dice.content.entries import Piece
from playmill.games.dice.scoring import (
    FULL_STRAIGHT_POINTS,
    HIGH_STRAIGHT_POINTS,
    LOW_STRAIGHT_POINTS,
    SINGLE,
    TRIPLE,
)

#: Stands for the use of an active item among the events.
ON_USE = "use"
_SAVES = ("on_save", "on_pass")
_USUAL = {"on_roll": "thrown", "on_save": "saved", "on_pass": "saved", ON_USE: "table"}
#: Ways in which a condition can hold that are tried; one with more is taken to be possible.
_MOST_WAYS = 5_000
_MOST_ROLLS = 1_001
_FACES = np.arange(1, 7)
_STRAIGHTS = {"1-5": (0, 1, 2, 3, 4), "2-6": (1, 2, 3, 4, 5), "1-6": (0, 1, 2, 3, 4, 5)}

Array = np.ndarray[Any, np.dtype[Any]]
#: A simple condition, and whether it is to hold.
Answer = tuple[ConditionNode, bool]


def impossible(piece: Piece) -> Iterator[tuple[str, ConditionNode]]:
    """The parts of a piece's condition that can never hold when it looks, by their paths within it."""
    if piece.asks is not None:
        events = piece.events or (ON_USE,)
        yield from _never(piece.asks, "condition" if piece.events else "activate_condition", events)


def _never(condition: ConditionNode, path: str, events: Sequence[str]) -> Iterator[tuple[str, ConditionNode]]:
    """A condition that cannot hold, or of one with parts those that cannot, if that is so for any by itself."""
    inner: list[tuple[str, ConditionNode]] = []
    if isinstance(condition, ask.AllOf | ask.AnyOf):
        for place, part in enumerate(condition.value):
            inner += _never(part, f"{path}.{condition.kind}.{place}", events)
    yield from inner
    if not inner and not any(_can_hold(condition, event) for event in events):
        yield f"{path}.{condition.kind}", condition


def counts_nothing(piece: Piece) -> Iterator[tuple[str, Any]]:
    """The effects of a piece that count saved dice when none are saved, by their paths within it."""
    for place, effect in enumerate(piece.effects):
        if effect.kind == "add_per_die" and effect.value.of == "saved" and not set(piece.events) & set(_SAVES):
            alone = len(piece.effects) == 1
            yield f"effect.{effect.kind}.of" if alone else f"effect.{place}.{effect.kind}.of", effect


def _can_hold(condition: ConditionNode, event: str) -> bool:
    ways = list(islice(_ways(condition, wanted=True), _MOST_WAYS + 1))
    return len(ways) > _MOST_WAYS or any(_is_possible(way, event) for way in ways)


def _ways(condition: ConditionNode, *, wanted: bool) -> Iterator[list[Answer]]:
    """The ways in which a condition holds, or does not."""
    if isinstance(condition, ask.Not):
        yield from _ways(condition.not_, wanted=not wanted)
    elif not isinstance(condition, ask.AllOf | ask.AnyOf):
        yield [(condition, wanted)]
    elif isinstance(condition, ask.AllOf) == wanted:
        for parts in product(*(list(islice(_ways(part, wanted=wanted), _MOST_WAYS)) for part in condition.value)):
            yield [answer for part in parts for answer in part]
    else:
        for part in condition.value:
            yield from _ways(part, wanted=wanted)


def _is_possible(way: Sequence[Answer], event: str) -> bool:
    """Whether all of these answers can be true at once; nothing is said for certain but no."""
    rolls = _roll_numbers(way)
    if not rolls or not _flags_agree(way) or not _numbers_agree(way):
        return False
    hot = any(isinstance(asked, ask.HotDice) and wanted for asked, wanted in way)
    return all(_dice_agree(way, scope, event, all_six=hot or rolls == [1]) for scope in ask.SCOPES)


def _flags_agree(way: Sequence[Answer]) -> bool:
    answers = {(asked.flag, wanted) for asked, wanted in way if isinstance(asked, ask.Flag)}
    return all((flag, not wanted) not in answers for flag, wanted in answers)


def _roll_numbers(way: Sequence[Answer]) -> list[int]:
    """Which rolls of a turn it can be."""
    found: Iterable[int] = range(1, _MOST_ROLLS)
    for asked, wanted in way:
        match asked:
            case ask.FirstRoll():
                found = [n for n in found if (n == 1) == wanted]
            case ask.HotDice() if wanted:
                found = [n for n in found if n > 1]
            case ask.RollNumber(roll_number=compare):
                found = [n for n in found if compare.holds(n) == wanted]
    return list(found)


def _numbers_agree(way: Sequence[Answer]) -> bool:
    """Whether there are turn points, a total and a lead as asked for: one beside any number that is named."""
    kinds: tuple[tuple[type[ConditionNode] | tuple[type[ConditionNode], ...], int], ...] = (
        (ask.TurnPoints, -(10**9)),
        (ask.OwnTotal, 0),
        ((ask.BehindBy, ask.AheadBy), -(10**9)),
    )
    for kind, least in kinds:
        mine = [(asked, wanted) for asked, wanted in way if isinstance(asked, kind)]
        named = [asked.value if isinstance(asked.value, int) else asked.value.n for asked, _ in mine]
        tried = {sign * n + more for n in named for sign in (1, -1) for more in (-1, 0, 1)}
        if mine and not any(
            all(_compares(asked, number) == wanted for asked, wanted in mine) for number in tried if number >= least
        ):
            return False
    return True


def _compares(asked: ConditionNode, number: int) -> bool:
    match asked:
        case ask.BehindBy(behind_by=n):
            return number <= -n
        case ask.AheadBy(ahead_by=n):
            return number >= n
    return bool(asked.value.holds(number))


# Dice


def _dice_agree(way: Sequence[Answer], scope: str, event: str, *, all_six: bool) -> bool:
    """Whether there is a roll of the dice of one scope of which all answers about them are true."""
    rolls = _rolls(scope, event)
    kept = np.full(len(rolls), fill_value=True)
    if scope == "thrown" and all_six:
        kept &= rolls.sum(axis=1) == 6
    for asked, wanted in way:
        if isinstance(asked, ask.Scores):
            # What does not score has no part that does; of what scores only the whole is known to.
            kept &= ~_scores(rolls) if not wanted and scope != "saved" else _scores(rolls) | (scope != "table")
        elif _scope_of(asked, event) == scope:
            kept &= _holds(asked, rolls, wanted=wanted)
    return bool(kept.any())


def _scope_of(asked: ConditionNode, event: str) -> str | None:
    """Of which dice something is asked; None where it is of none."""
    match asked:
        case ask.Count() | ask.OfAKind() | ask.Straight() | ask.Sum():
            return asked.of or _USUAL[event]
        case ask.DiceRolled():
            return "thrown"
        case ask.SelectionSize() | ask.SelectionContains() | ask.SelectionPoints():
            return "saved"
    return None


def _holds(asked: ConditionNode, rolls: Array, *, wanted: bool) -> Array:
    """For which rolls, each as six counts of faces, the answer to a question about them is as wanted."""
    match asked:
        case ask.Count(count=compare) | ask.SelectionContains(selection_contains=compare):
            found = _compared(compare, rolls[:, compare.face - 1])
        case ask.DiceRolled(dice_rolled=compare) | ask.SelectionSize(selection_size=compare):
            found = _compared(compare, rolls.sum(axis=1))
        case ask.Sum(sum=compare):
            found = _compared(compare, rolls @ _FACES)
        case ask.OfAKind(of_a_kind=n):
            found = rolls.max(axis=1) >= n
        case ask.Straight(straight=which):
            kinds = [which] if which in _STRAIGHTS else ["1-5", "2-6"]
            found = np.logical_or.reduce([(rolls[:, _STRAIGHTS[kind]] > 0).all(axis=1) for kind in kinds])
        case ask.SelectionPoints(selection_points=compare):
            # A flag and items multiply them: they are what the dice bring, or more.
            bounds = {("at_most", True): compare.n, ("exactly", True): compare.n, ("at_least", False): compare.n - 1}
            return np.asarray(_points(rolls) <= bounds.get((compare.op, wanted), np.inf))
        case _:
            raise AssertionError(asked)
    return np.asarray(found == wanted)


def _compared(compare: ask.Compare[Any], values: Array) -> Array:
    match compare.op:
        case "at_least":
            return np.asarray(values >= compare.n)
        case "at_most":
            return np.asarray(values <= compare.n)
    return np.asarray(values == compare.n)


@cache
def _rolls(scope: str, event: str) -> Array:
    """All rolls, as counts of faces, that the dice of a scope can show at an event."""
    least, most = (0, 5) if scope == "table" and event in _SAVES else (1, 6)
    if scope == "saved" and event not in _SAVES:
        least = most = 0
    rolls = np.array(
        [
            [faces.count(face) for face in range(1, 7)]
            for size in range(least, most + 1)
            for faces in combinations_with_replacement(range(1, 7), size)
        ]
    )
    if scope == "saved" and event in _SAVES:
        return rolls[_points(rolls) > 0]
    if scope == "table" and event == ON_USE:
        return rolls[_scores(rolls)]
    return rolls


def _scores(rolls: Array) -> Array:
    return np.asarray((rolls[:, 0] > 0) | (rolls[:, 4] > 0) | (rolls.max(axis=1) >= 3))


def _points(rolls: Array) -> Array:
    """What each roll brings if it is saved whole; 0 where that is not allowed."""
    faces = range(6)
    each = np.where(rolls >= 3, np.array(TRIPLE) << np.maximum(rolls - 3, 0), np.array(SINGLE) * rolls)
    right = np.logical_and.reduce([(rolls[:, face] == 0) | (each[:, face] > 0) for face in faces])
    points = np.where(right, each.sum(axis=1), 0)
    for which, worth in (("1-5", LOW_STRAIGHT_POINTS), ("2-6", HIGH_STRAIGHT_POINTS), ("1-6", FULL_STRAIGHT_POINTS)):
        wanted = np.isin(faces, _STRAIGHTS[which]).astype(int)
        points = np.where((rolls == wanted).all(axis=1), worth, points)
    return points
