"""The options of a decision in Dice: listed, counted, or picked by number.

Listed in ascending order, counted, or picked by number. Where nothing but saves is possible they are neither listed nor
gone through: how many there are, and which one is number k, comes from tables.
"""

from __future__ import annotations

from typing import Any

from playmill.author import bit_count, lowest_bit, nth_bit, rare, rule
from playmill.games.dice import actions
from playmill.games.dice.actions import EVERY_DIE
from playmill.games.dice.constants import MAX_ROLLS
from playmill.games.dice.rules.effects import allowed, face_meant, free_dice, turn_dice, with_face, would_do
from playmill.games.dice.rules.throws import count_sets, nth_set, sets_of
from playmill.games.dice.scoring import SIZE, WITH, savable


@rule
def legal_actions(cfg: Any, s: Any, out: Any) -> int:
    """After a scoring roll: each valid selection, to continue or to pass, and each item that may be used."""
    if s.player < 0:
        return 0
    if s.choosing > 0:
        return _choices(cfg, s, out)
    n = 0
    sets = continue_sets(s)
    while sets != 0:
        out.ids[n] = actions.CONTINUE + 1 + lowest_bit(sets)
        sets &= sets - 1
        n += 1
    sets = pass_sets(cfg, s)
    while sets != 0:
        out.ids[n] = actions.PASS + 1 + lowest_bit(sets)
        sets &= sets - 1
        n += 1
    for place in range(cfg.usable[s.player]):
        if may_use(cfg, s, cfg.items[s.player, place]):
            out.ids[n] = actions.USE + place
            n += 1
    return n


@rule
def all_sets(s: Any) -> int:
    """The sets of dice that may be saved."""
    return sets_of(s.told, s.roll, s.table)


@rule
def continue_sets(s: Any) -> int:
    """The sets after whose save there is something to throw: dice left that are not locked, or all six, hot."""
    if s.rolls >= MAX_ROLLS:
        return 0
    if s.locked == 0:
        return all_sets(s)
    return all_sets(s) & (~int(WITH[free_dice(s)]) | 1 << (s.table - 1))


@rule
def pass_sets(cfg: Any, s: Any) -> int:
    """The sets after whose save one may pass: all of them, unless hot dice have to be thrown."""
    if cfg.must_roll == 0 or s.rolls >= MAX_ROLLS:
        return all_sets(s)
    return all_sets(s) & ~(1 << (s.table - 1))


@rule
def may_continue(s: Any, dice: int) -> bool:
    """Whether a set that may be saved is one of `continue_sets`."""
    return s.rolls < MAX_ROLLS and (s.locked == 0 or free_dice(s) & ~dice != 0 or dice == s.table)


@rule
def may_pass(cfg: Any, s: Any, dice: int) -> bool:
    """Whether a set that may be saved is one of `pass_sets`."""
    return cfg.must_roll == 0 or dice != s.table or s.rolls >= MAX_ROLLS


@rule
def is_free(cfg: Any, s: Any) -> bool:
    """Whether after every save one may continue as well as pass, and do nothing else: so it is in most matches."""
    return cfg.free != 0 and s.rolls < MAX_ROLLS


@rule
def count_actions(cfg: Any, s: Any, out: Any) -> int:
    """The number of legal actions."""
    if s.player < 0:
        return 0
    return 2 * count_sets(s.told, s.table) if is_free(cfg, s) else _count_each(cfg, s, out)


@rare
def _count_each(cfg: Any, s: Any, out: Any) -> int:
    """The same, where not every save may do both, or there may be more than saves."""
    if s.choosing > 0:
        return _choices(cfg, s, out)
    n = bit_count(continue_sets(s)) + bit_count(pass_sets(cfg, s))
    for place in range(cfg.usable[s.player]):
        if may_use(cfg, s, cfg.items[s.player, place]):
            n += 1
    return n


@rule
def nth_action(cfg: Any, s: Any, out: Any, k: int) -> int:
    """Legal action number k, in ascending order."""
    if is_free(cfg, s):
        count = count_sets(s.told, s.table)
        passes = k >= count
        start = actions.PASS if passes else actions.CONTINUE
        return start + nth_set(s.told, s.roll, s.table, k - count if passes else k)
    return _nth_of_each(cfg, s, out, k)


@rare
def _nth_of_each(cfg: Any, s: Any, out: Any, k: int) -> int:
    """The same, where not every save may do both, or there may be more than saves."""
    if s.choosing > 0:
        return out.ids[k]
    sets = continue_sets(s)
    start = actions.CONTINUE
    count = bit_count(sets)
    if k >= count:
        k -= count
        sets = pass_sets(cfg, s)
        start = actions.PASS
        count = bit_count(sets)
    if k < count:
        return start + 1 + nth_bit(sets, k)
    k -= count
    for place in range(cfg.usable[s.player]):
        if may_use(cfg, s, cfg.items[s.player, place]):
            if k == 0:
                return actions.USE + place
            k -= 1
    return actions.PASS


# Active items


@rare
def may_use(cfg: Any, s: Any, item: int) -> bool:
    """Whether an active item is ready, its condition holds, and it would do something."""
    if s.cooldown[item] != 0 or not allowed(cfg, s, item):
        return False
    if cfg.chooses[item] == 0:
        return may_choose(cfg, s, item, 0)
    for dice in range(1, EVERY_DIE + 1):
        if may_choose(cfg, s, item, dice):
            return True
    return False


@rule
def may_choose(cfg: Any, s: Any, item: int, dice: int) -> bool:
    """Whether these dice can be chosen for an item: on the table and free, not too many, and to some purpose.

    Dice that are turned must leave something that scores, if need be to one of the faces that can be chosen then.
    """
    if dice & ~free_dice(s) or SIZE[dice] > cfg.chooses[item]:
        return False
    if cfg.asks_face[item] == 0:
        return _is_choice(cfg, s, item, dice)
    for face in range(1, 7):
        if may_face(cfg, s, item, dice, face):
            return True
    return False


# Called, not copied six times over: with all of it in one piece NVIDIA's assembler makes a kernel that breaks off.
@rare
def may_face(cfg: Any, s: Any, item: int, dice: int, face: int) -> bool:
    """Whether a face can be chosen for an item, once the dice are."""
    return _is_choice(cfg, s, item, with_face(dice, face))


@rule
def _is_choice(cfg: Any, s: Any, item: int, chosen: int) -> bool:
    """Whether what is chosen, dice and perhaps a face, does something and leaves something that scores."""
    to = cfg.chosen_face[item]
    if to != 0 and savable(turn_dice(s.roll, chosen & EVERY_DIE, face_meant(to, chosen)), s.table) == 0:
        return False
    return would_do(cfg, s, item, chosen)


@rare
def _choices(cfg: Any, s: Any, out: Any) -> int:
    """The sets of dice that can be chosen for the item just used or, once they are, the faces."""
    n = 0
    if s.facing != 0:
        for face in range(1, 7):
            if may_face(cfg, s, s.choosing - 1, s.chosen, face):
                out.ids[n] = actions.FACE + face
                n += 1
        return n
    for dice in range(1, EVERY_DIE + 1):
        if may_choose(cfg, s, s.choosing - 1, dice):
            out.ids[n] = actions.CHOOSE + dice
            n += 1
    return n
