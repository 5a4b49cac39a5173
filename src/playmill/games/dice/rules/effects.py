"""Executes content: walks through the table of steps that modifiers and items were compiled to.

A walk begins at an entry's first step. Tests choose the next step, deeds change the match; steps lead forward only.
Deeds reach the turn's points, the player's flags, the dice on the table that are not locked and their weights in this
turn, nothing else.
"""

from __future__ import annotations

from typing import Any

from playmill.author import rare, rule
from playmill.games.dice import constants
from playmill.games.dice.actions import EVERY_DIE
from playmill.games.dice.rules.throws import face_after, roll_in, scores, shown_by, turn
from playmill.games.dice.scoring import ONE, SIX, SIZE, only, savable, showing

#: Content cannot carry a turn's points further than this, up or down.
MOST_POINTS = 1_000_000


@rule
def is_heard(cfg: Any, player: int, event: int) -> bool:
    """Whether anything waits for an event in a player's turn; without content nothing does."""
    return cfg.content != 0 and cfg.listening[player, event] > 0


@rare
def listen(cfg: Any, s: Any, event: int) -> None:
    """Everything that waits for the event has its say, in the order of the lists."""
    for place in range(cfg.listening[s.player, event]):
        take_effect(cfg, s, cfg.listeners[s.player, event, place], event, 0)


@rare
def take_effect(cfg: Any, s: Any, entry: int, event: int, chosen: int) -> None:
    """One modifier or item: if its condition holds, its deeds are done and noted; `chosen` are dice chosen for it."""
    before = s.points + s.pass_delta
    if walk(cfg, s, entry, event, chosen):
        moved = s.points + s.pass_delta - before
        s.fired[entry] += 1
        s.moved[entry] += moved
        note(s, NOTED, entry, moved)


@rare
def walk(cfg: Any, s: Any, entry: int, event: int, chosen: int) -> bool:
    """Goes through the steps of a modifier or item; returns whether anything was done.

    Flags that it asks for and that last until used are taken before its deeds, so that they can set them anew; where
    nothing was done they stay.
    """
    step = cfg.start[entry]
    while step >= 0 and cfg.code[step].op < constants.DEEDS:
        step = cfg.code[step].then if _holds(s, cfg.code[step], event) else cfg.code[step].otherwise
    if step < 0:
        return False
    used = s.flags[s.player] & cfg.asks[entry]
    s.flags[s.player] ^= used
    fired = False
    may_throw = event != constants.ON_ROLL or _may_throw(s, entry)
    while step >= 0:
        if does(s, cfg.code[step], event, chosen, used) and (may_throw or cfg.code[step].op != constants.REROLL):
            _do(s, cfg.code[step], entry, event, chosen)
            fired = True
        step = cfg.code[step].then
    if not fired:
        s.flags[s.player] |= used
    return fired


@rule
def _may_throw(s: Any, entry: int) -> bool:
    """Whether a passive item may throw dice again: once after each throw that a player decides on."""
    return s.rerolled >> entry & 1 == 0 and s.rolls < constants.MAX_ROLLS


@rare
def would_do(cfg: Any, s: Any, item: int, chosen: int) -> bool:
    """Whether using an active item now would change anything."""
    used = s.flags[s.player] & cfg.asks[item]
    step = cfg.start[item]
    while step >= 0:
        if does(s, cfg.code[step], constants.ON_USE, chosen, used):
            return True
        step = cfg.code[step].then
    return False


@rare
def allowed(cfg: Any, s: Any, item: int) -> bool:
    """Whether an active item's condition of use holds now."""
    step = cfg.allowed[item]
    while step >= 0:
        step = cfg.code[step].then if _holds(s, cfg.code[step], constants.ON_USE) else cfg.code[step].otherwise
    return step == constants.YES


# Tests


@rule
def _holds(s: Any, step: Any, event: int) -> bool:
    """Whether what a step asks is true now."""
    op = step.op
    if op == constants.COUNT:
        return _compares(counted(s, step, event), step)
    if op == constants.OF_A_KIND:
        return _most_alike(_asked(s, step, event)) >= step.c
    if op == constants.STRAIGHT:
        return _has_straight(_asked(s, step, event), step.a)
    if op == constants.DICE_ROLLED:
        return _compares(SIZE[s.thrown], step)
    if op == constants.SUM:
        return _compares(_sum(_asked(s, step, event)), step)
    if op == constants.FIRST_ROLL:
        return s.rolls == 1
    if op == constants.ROLL_NUMBER:
        return _compares(s.rolls, step)
    if op == constants.HOT_DICE:
        return s.hot != 0
    if op == constants.TURN_POINTS:
        return _compares(s.points, step)
    if op == constants.OWN_TOTAL:
        return _compares(s.total[s.player], step)
    if op == constants.LEAD:
        return _compares(s.total[s.player] - s.total[1 - s.player], step)
    if op == constants.SELECTION_SIZE:
        return _compares(SIZE[s.saved], step)
    if op == constants.SELECTION_POINTS:
        return _compares(s.base, step)
    if op == constants.FLAG:
        return s.flags[s.player] >> step.a & 1 != 0
    return scores(s.told)  # constants.SCORES


@rule
def _asked(s: Any, step: Any, event: int) -> int:
    """The roll of the dice that a step asks about: as it says or, where it says nothing, as the event has it.

    Dice just thrown are so also when they were saved since. After a roll, and while an item is used, nothing is being
    saved.
    """
    of = step.of
    if of == constants.BY_EVENT:
        of = (
            constants.THROWN
            if event == constants.ON_ROLL
            else constants.TABLE
            if event == constants.ON_USE
            else constants.SAVED
        )
    dice = s.table
    if of == constants.THROWN:
        dice = s.thrown
    elif of == constants.SAVED:
        dice = s.saved if event == constants.ON_SAVE or event == constants.ON_PASS else 0
    return roll_in(shown_by(s.first, s.last, dice))


@rule
def _compares(value: int, step: Any) -> bool:
    """Whether a value compares with the step's number as the step says."""
    if step.b == constants.AT_LEAST:
        return value >= step.c
    if step.b == constants.AT_MOST:
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
    if kind == constants.ANY_STRAIGHT:
        return low or high
    if kind == constants.LOW_STRAIGHT:
        return low
    if kind == constants.HIGH_STRAIGHT:
        return high
    return kind == constants.FULL_STRAIGHT and low and high


@rule
def _sum(roll: Any) -> int:
    """The sum of the faces of a roll."""
    total = 0
    for face in range(1, 7):
        total += face * SIZE[showing(roll, 6 * (face - 1))]
    return total


# Deeds


@rule
def does(s: Any, step: Any, event: int, chosen: int, used: int) -> bool:
    """Whether what a step says would change anything now; `used` are flags that its entry uses up."""
    op = step.op
    if op == constants.ADD_PER_DIE:
        return counted(s, step, event) != 0
    if op == constants.PERCENT:
        return part_of(s.points, step.c) != 0
    if op == constants.SET_FLAG:
        return (s.flags[s.player] & ~used) >> step.a & 1 == 0 or s.flag_turns[s.player, step.a] < step.c
    if op == constants.CLEAR_FLAG:
        return (s.flags[s.player] | used) >> step.a & 1 != 0
    if op == constants.REROLL:
        return picked(s, step, chosen) != 0
    if op == constants.LOCK:
        dice = picked(s, step, chosen)
        # Of the dice left by a save one at least stays to be thrown.
        return dice != 0 and (event != constants.ON_SAVE or dice != free_dice(s))
    if op == constants.SET_FACE:
        turned = turn_dice(s.roll, picked(s, step, chosen), face_meant(step.c, chosen))
        # Setting a face cannot bust: what scores is never turned into what does not. After a save nothing has to score.
        keeps = event == constants.ON_SAVE or not scores(s.told) or savable(turned, s.table) != 0
        return turned != s.roll and keeps
    if op == constants.SET_WEIGHTS:
        dice = picked(s, step, chosen)
        for position in range(constants.DICE):
            if dice >> position & 1 and (s.changed >> position & 1 == 0 or s.profile[position] != step.c + 1):
                return True
        return False
    return True  # points: constants.ADD, constants.ADD_TO_PASS, constants.MULTIPLY_SAVE


@rule
def _do(s: Any, step: Any, entry: int, event: int, chosen: int) -> None:
    """Does what a step says, where there is something to do."""
    op = step.op
    if op == constants.ADD:
        _add_points(s, step.c, event)
    elif op == constants.ADD_PER_DIE:
        _add_points(s, step.c * counted(s, step, event), event)
    elif op == constants.PERCENT:
        _add_points(s, part_of(s.points, step.c), event)
    elif op == constants.ADD_TO_PASS:
        _add_points(s, step.c, constants.ON_PASS)
    elif op == constants.MULTIPLY_SAVE:
        _add_points(s, s.base * (step.c - 1), event)
        s.base = min(s.base * step.c, MOST_POINTS)
    elif op == constants.SET_FLAG:
        s.flags[s.player] |= 1 << step.a
        s.flag_turns[s.player, step.a] = step.c
        if step.a == constants.DOUBLE:
            s.doubled_by[s.player] = entry
    elif op == constants.CLEAR_FLAG:
        s.flags[s.player] &= ~(1 << step.a)
        s.flag_turns[s.player, step.a] = 0
    elif op == constants.REROLL:
        s.again |= picked(s, step, chosen)
        s.rerolled |= 1 << entry
    elif op == constants.LOCK:
        s.locked |= picked(s, step, chosen)
    elif op == constants.SET_FACE:
        turn(s, picked(s, step, chosen), face_meant(step.c, chosen))
    else:
        dice = picked(s, step, chosen)
        for position in range(constants.DICE):
            if dice >> position & 1:
                s.profile[position] = step.c + 1
        s.changed |= dice


@rule
def counted(s: Any, step: Any, event: int) -> int:
    """How many of the dice that a step asks about show its face."""
    return SIZE[showing(_asked(s, step, event), 6 * (step.a - 1))]


@rule
def _add_points(s: Any, points: int, event: int) -> None:
    """Adds to what passing will bring, or to the turn's points at once."""
    if event == constants.ON_PASS:
        s.pass_delta = min(max(s.pass_delta + points, -MOST_POINTS), MOST_POINTS)
    else:
        s.points = min(max(s.points + points, -MOST_POINTS), MOST_POINTS)


@rule
def part_of(points: int, percent: int) -> int:
    """So many millionths of a percent of the points, rounded toward zero."""
    product, whole = points * percent, 100 * constants.PERCENT_PARTS
    return product // whole if product >= 0 else -(-product // whole)


@rule
def with_face(dice: int, face: int) -> int:
    """What a player chooses for an item: dice and, above them, a face."""
    return dice | face << constants.DICE


@rule
def face_meant(to: int, chosen: int) -> int:
    """To which face dice are turned: as content says, or as the player does."""
    return chosen >> constants.DICE if to == constants.ASKED else to


@rule
def turn_dice(roll: Any, dice: int, to: int) -> int:
    """A roll with these dice turned; to no face (0), they lie still."""
    if to == 0:
        return roll
    found = only(roll, EVERY_DIE & ~dice)
    for face in range(1, 7):
        found |= (showing(roll, 6 * (face - 1)) & dice) << (6 * (face_after(face, to) - 1))
    return found


@rule
def free_dice(s: Any) -> int:
    """The dice on the table that are not locked; all that are locked lie there."""
    return s.table ^ s.locked


@rule
def picked(s: Any, step: Any, chosen: int) -> int:
    """The dice on the table that a step means; locked ones are out of its reach."""
    free = free_dice(s)
    if step.a == constants.CHOSEN:
        return chosen & free
    if step.a == constants.ALL:
        return free
    if step.a == constants.SHOWING:
        return showing(s.roll, 6 * (step.b - 1)) & free
    return ranked(only(s.roll, free), step.b, step.a == constants.LOWEST)


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

#: Lines that the log of an action holds.
LOG = 48
#: What a line of the log is about: dice thrown, nothing scored, a shield used up, content, hot dice, points banked.
THREW, BUSTED, SHIELDED, NOTED, HEATED, BANKED = range(6)


@rule
def note(s: Any, kind: int, which: int, value: int) -> None:
    """Writes a line of the log of the last action, for words and pictures; what a full log cannot take is counted."""
    line = s.noted
    if line < LOG:
        s.log[line] = value << 12 | which << 4 | kind
    s.noted = line + 1
