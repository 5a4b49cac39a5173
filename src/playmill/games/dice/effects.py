"""Content at work: a walk through the table of steps that modifiers and items were turned into.

A walk begins at an entry's first step. Tests choose the next step, deeds change the match; steps lead forward only.
Deeds reach the turn's points, the player's flags, the dice on the table and their weights in this turn, nothing else.
"""

from __future__ import annotations

from typing import Any

from playmill.engine.rule import rare, rule
from playmill.games.dice.actions import EVERY_DIE
from playmill.games.dice.scoring import ONE, SIX, SIZE, only, savable, showing
from playmill.games.dice.tables import (
    ADD,
    ADD_PER_DIE,
    ALL,
    ANY_STRAIGHT,
    AT_LEAST,
    AT_MOST,
    CHOSEN,
    CLEAR_FLAG,
    COUNT,
    DEEDS,
    DICE,
    DICE_ROLLED,
    FIRST_ROLL,
    FLAG,
    FULL_STRAIGHT,
    HIGH_STRAIGHT,
    HOT_DICE,
    LEAD,
    LOW_STRAIGHT,
    LOWEST,
    MULTIPLY_SAVE,
    OF_A_KIND,
    ON_PASS,
    OWN_TOTAL,
    PERCENT,
    REROLL,
    ROLL_NUMBER,
    SELECTION_CONTAINS,
    SELECTION_POINTS,
    SELECTION_SIZE,
    SET_FACE,
    SET_FLAG,
    SHOWING,
    STRAIGHT,
    SUM,
    TURN_POINTS,
    YES,
)

#: Content cannot carry a turn's points further than this, up or down.
MOST_POINTS = 1_000_000


@rare
def listen(cfg: Any, s: Any, event: int) -> None:
    """Everything that waits for the event has its say, in the order of the lists."""
    for place in range(cfg.listening[s.player, event]):
        take_effect(cfg, s, cfg.listeners[s.player, event, place], event)


@rare
def take_effect(cfg: Any, s: Any, entry: int, event: int) -> None:
    """One modifier or item: if its condition holds, its deeds are done and noted."""
    before = s.points + s.pass_delta
    if walk(cfg, s, entry, event):
        moved = s.points + s.pass_delta - before
        s.fired[entry] += 1
        s.moved[entry] += moved
        note(s, NOTED, entry, moved)


@rare
def walk(cfg: Any, s: Any, entry: int, event: int) -> bool:
    """Goes through the steps of a modifier or item; returns whether anything was done."""
    fired = False
    step = cfg.start[entry]
    while step >= 0:
        if cfg.code[step].op >= DEEDS:
            fired |= _do(s, cfg.code[step], entry, event)
            step = cfg.code[step].then
        elif _holds(s, cfg.code[step]):
            step = cfg.code[step].then
        else:
            step = cfg.code[step].otherwise
    return fired


@rare
def allowed(cfg: Any, s: Any, item: int) -> bool:
    """Whether an active item's condition of use holds now."""
    step = cfg.allowed[item]
    while step >= 0:
        step = cfg.code[step].then if _holds(s, cfg.code[step]) else cfg.code[step].otherwise
    return step == YES


# Tests


@rule
def _holds(s: Any, step: Any) -> bool:
    """Whether what a step asks is true now."""
    op = step.op
    if op == COUNT:
        return _compares(SIZE[showing(s.roll, 6 * (step.a - 1))], step)
    if op == OF_A_KIND:
        return _most_alike(s.roll) >= step.c
    if op == STRAIGHT:
        return _has_straight(s.roll, step.a)
    if op == DICE_ROLLED:
        return _compares(SIZE[s.thrown], step)
    if op == SUM:
        return _compares(_sum(s.roll), step)
    if op == FIRST_ROLL:
        return s.rolls == 1
    if op == ROLL_NUMBER:
        return _compares(s.rolls, step)
    if op == HOT_DICE:
        return s.hot != 0
    if op == TURN_POINTS:
        return _compares(s.points, step)
    if op == OWN_TOTAL:
        return _compares(s.total[s.player], step)
    if op == LEAD:
        return _compares(s.total[s.player] - s.total[1 - s.player], step)
    if op == SELECTION_SIZE:
        return _compares(SIZE[s.saved], step)
    if op == SELECTION_CONTAINS:
        return _compares(SIZE[showing(s.roll, 6 * (step.a - 1)) & s.saved], step)
    if op == SELECTION_POINTS:
        return _compares(s.base, step)
    if op == FLAG:
        return s.flags[s.player, step.a] != 0
    return False


@rule
def _compares(value: int, step: Any) -> bool:
    """Whether a value compares with the step's number as the step says."""
    if step.b == AT_LEAST:
        return value >= step.c
    if step.b == AT_MOST:
        return value <= step.c
    return value == step.c


@rule
def _most_alike(roll: Any) -> int:
    """The most dice of a roll that show one face."""
    most = 0
    for shift in range(ONE, SIX + 1, 6):
        most = max(most, SIZE[showing(roll, shift)])
    return most


@rule
def _has_straight(roll: Any, kind: int) -> bool:
    """Whether a roll shows a straight, be it alone or with other dice."""
    for shift in range(ONE + 6, SIX, 6):
        if showing(roll, shift) == 0:
            return False
    low, high = showing(roll, ONE) != 0, showing(roll, SIX) != 0
    if kind == ANY_STRAIGHT:
        return low or high
    if kind == LOW_STRAIGHT:
        return low
    if kind == HIGH_STRAIGHT:
        return high
    return kind == FULL_STRAIGHT and low and high


@rule
def _sum(roll: Any) -> int:
    """The sum of the faces of a roll."""
    total = 0
    for face in range(1, 7):
        total += face * SIZE[showing(roll, 6 * (face - 1))]
    return total


# Deeds


@rule
def _do(s: Any, step: Any, entry: int, event: int) -> bool:
    """Does what a step says; returns whether there was anything to do."""
    op = step.op
    if op == ADD:
        add_points(s, step.c, event)
    elif op == ADD_PER_DIE:
        shown = showing(s.roll, 6 * (step.a - 1))
        if step.b != 0:
            shown &= s.saved
        add_points(s, step.c * SIZE[shown], event)
        return shown != 0
    elif op == PERCENT:
        points = part_of(s.points, step.c)
        add_points(s, points, event)
        return points != 0
    elif op == MULTIPLY_SAVE:
        add_points(s, s.base * (step.c - 1), event)
        s.base = min(s.base * step.c, MOST_POINTS)
    elif op == SET_FLAG:
        s.flags[s.player, step.a] = 1
        s.flag_from[s.player, step.a] = entry
    elif op == CLEAR_FLAG:
        s.flags[s.player, step.a] = 0
    elif op == REROLL:
        dice = picked(s, step)
        s.again |= dice
        return dice != 0
    elif op == SET_FACE:
        dice = picked(s, step)
        turned = turn_dice(s.roll, dice, step.c)
        sets = savable(turned, s.table)
        if dice == 0 or sets == 0:  # setting a face cannot bust
            return False
        s.roll = turned
        s.sets = sets
    else:
        dice = picked(s, step)
        for position in range(DICE):
            if dice >> position & 1:
                s.profile[position] = step.c + 1
        s.changed |= dice
        return dice != 0
    return True


@rule
def add_points(s: Any, points: int, event: int) -> None:
    """Adds to what passing will bring, or to the turn's points at once."""
    if event == ON_PASS:
        s.pass_delta = min(max(s.pass_delta + points, -MOST_POINTS), MOST_POINTS)
    else:
        s.points = min(max(s.points + points, -MOST_POINTS), MOST_POINTS)


@rule
def part_of(points: int, percent: int) -> int:
    """So many percent of the points, rounded toward zero."""
    product = points * percent
    return product // 100 if product >= 0 else -(-product // 100)


@rule
def turn_dice(roll: Any, dice: int, face: int) -> int:
    """A roll with these dice turned to a face."""
    return only(roll, EVERY_DIE & ~dice) | dice << (6 * (face - 1))


@rule
def picked(s: Any, step: Any) -> int:
    """The dice on the table that a step means."""
    if step.a == CHOSEN:
        return s.chosen & s.table
    if step.a == ALL:
        return s.table
    if step.a == SHOWING:
        return showing(s.roll, 6 * (step.b - 1))
    return ranked(s.roll, step.b, step.a == LOWEST)


@rule
def ranked(roll: Any, count: int, lowest: bool) -> int:
    """So many dice of a roll with the lowest or the highest faces; of equal ones those that come first."""
    dice = 0
    for rank in range(6):
        shown = showing(roll, 6 * rank if lowest else SIX - 6 * rank)
        while shown != 0 and count > 0:
            die = shown & -shown
            dice |= die
            shown ^= die
            count -= 1
    return dice


# What the player is told

LOG = 48
#: What a line of the log is about: dice thrown, nothing scored, a shield used up, content, hot dice, points banked.
THREW, BUSTED, SHIELDED, NOTED, HEATED, BANKED = range(6)


@rule
def note(s: Any, kind: int, which: int, value: int) -> None:
    """Writes a line of the log of the last action, for words and pictures; a full log takes no more."""
    if s.noted < LOG:
        s.log[s.noted] = value << 12 | which << 4 | kind
        s.noted += 1
