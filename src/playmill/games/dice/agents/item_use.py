"""Decides for agents of Dice when to use an active item, and on which dice.

An item is looked at deed by deed; it is used when what it promises now, in points, is worth more than waiting.
"""

from __future__ import annotations

from typing import Any

from playmill.author import rare, rule
from playmill.games.dice import constants
from playmill.games.dice.actions import CHOOSE, EVERY_DIE, FACE
from playmill.games.dice.agents.save_value import banked_after, best_value
from playmill.games.dice.rules.effects import counted, does, face_meant, part_of, picked, turn_dice, with_face
from playmill.games.dice.rules.options import may_choose, may_face, may_use
from playmill.games.dice.scoring import best_plain, only, savable, score

#: A save worth doubling, and what any other use has to promise.
_WORTH_DOUBLING = 250
_WORTH_USING = 40
#: What a shield is worth that is kept for later, in points: sold for less, it is sold too cheap. As measured with fair
#: dice: a match with two shields raised is won as much more often as one with about 500 points more.
SHIELD_KEPT = 260.0


@rare
def item_to_use(cfg: Any, s: Any, dice: int, after: int, goes_on: bool) -> int:
    """The place of an item worth using before this set is saved (and the rest thrown, if one goes on); -1 for none."""
    missing = cfg.target - s.total[s.player] - banked_after(cfg, s, dice)
    for place in range(cfg.usable[s.player]):
        item = cfg.items[s.player, place]
        if may_use(cfg, s, item):
            if not goes_on and 0 < missing <= _points_at_once(cfg, s, item):
                return place
            if _promise(cfg, s, item, dice, after, goes_on) >= _WORTH_USING:
                return place
    return -1


@rare
def choose_dice(cfg: Any, s: Any, legal: Any, n: int) -> int:
    """Of the sets of dice, or the faces, offered for an item the one that promises most."""
    item = s.choosing - 1
    best = legal.ids[0]
    most = -1.0e9
    for i in range(n):
        option = legal.ids[i]
        chosen = with_face(s.chosen, option - FACE) if option >= FACE else option - CHOOSE
        promise = _promise_of_choice(cfg, s, item, chosen)
        if promise > most:
            best = legal.ids[i]
            most = promise
    return best


@rule
def _points_at_once(cfg: Any, s: Any, item: int) -> int:
    """The points that an item adds to the turn, if it does not throw: those are banked for certain."""
    points = 0
    step = cfg.start[item]
    while step >= 0:
        deed = cfg.code[step]
        if deed.op == constants.ADD or deed.op == constants.ADD_TO_PASS:
            points += deed.c
        elif deed.op == constants.ADD_PER_DIE:
            points += deed.c * counted(s, deed, constants.ON_USE)
        elif deed.op == constants.PERCENT:
            points += part_of(s.points, deed.c)
        elif deed.op == constants.REROLL:
            return 0
        step = deed.then
    return points


@rule
def _promise(cfg: Any, s: Any, item: int, dice: int, after: int, goes_on: bool) -> float:
    """About how many points an item brings if it is used now."""
    chosen = _best_choice(cfg, s, item) if cfg.chooses[item] > 0 else 0
    promise = _promise_of_choice(cfg, s, item, chosen)
    step = cfg.start[item]
    while step >= 0:
        deed = cfg.code[step]
        if deed.op == constants.ADD or deed.op == constants.ADD_TO_PASS:
            promise += deed.c
        elif deed.op == constants.ADD_PER_DIE:
            promise += deed.c * counted(s, deed, constants.ON_USE)
        elif deed.op == constants.PERCENT:
            promise += part_of(s.points, deed.c)
        elif deed.op == constants.SET_FLAG and does(s, deed, constants.ON_USE, chosen, 0):
            promise += _worth_of_flag(cfg, s, deed.a, dice, after, goes_on)
        elif (
            deed.op == constants.CLEAR_FLAG
            and does(s, deed, constants.ON_USE, chosen, 0)
            and deed.a == constants.SHIELD
        ):
            promise -= _worth_of_flag(cfg, s, deed.a, dice, after, goes_on)
        elif deed.op == constants.SET_WEIGHTS and goes_on:
            promise += _gain_of_weights(cfg, s, picked(s, deed, chosen), deed.c)
        step = deed.then
    return promise


@rule
def _worth_of_flag(cfg: Any, s: Any, flag: int, dice: int, after: int, goes_on: bool) -> float:
    """About how many points it is worth to have a flag; one that content names is taken to be worth a use."""
    if flag == constants.DOUBLE:
        points = score(s.roll, dice)
        return 1.0 * points if points >= _WORTH_DOUBLING else 0.0
    if flag != constants.SHIELD:
        return 1.0 * _WORTH_USING
    kept = SHIELD_KEPT if _can_bust(cfg, s) else 0.0
    if not goes_on:
        return kept
    bust = cfg.bust_chance[s.player, _left(s, dice)]
    return bust * max(kept, 1.0 * after) + (1.0 - bust) * kept


@rule
def _can_bust(cfg: Any, s: Any) -> bool:
    """Whether any of the player's dice can fail to score when it is thrown alone."""
    for position in range(constants.DICE):
        if cfg.bust_chance[s.player, 1 << position] > 0:
            return True
    return False


@rule
def _left(s: Any, dice: int) -> int:
    """The dice thrown next if this set is saved."""
    left = s.table & ~dice
    return left & ~s.locked if left != 0 else EVERY_DIE


@rule
def _best_choice(cfg: Any, s: Any, item: int) -> int:
    """The set of dice that promises most for an item that lets one choose."""
    best = 0
    most = -1.0e9
    for dice in range(1, EVERY_DIE + 1):
        if may_choose(cfg, s, item, dice):
            promise = _promise_of_choice(cfg, s, item, dice)
            if promise > most:
                best = dice
                most = promise
    return best


@rule
def _promise_of_choice(cfg: Any, s: Any, item: int, chosen: int) -> float:
    """The promise of what is chosen for an item, with the best face where one is to be chosen yet."""
    if cfg.asks_face[item] == 0 or chosen > EVERY_DIE:
        return _promise_of_dice(cfg, s, item, chosen)
    most = -1.0e9
    for face in range(1, 7):
        if may_face(cfg, s, item, chosen, face):
            most = max(most, _promise_of_dice(cfg, s, item, with_face(chosen, face)))
    return most


@rule
def _promise_of_dice(cfg: Any, s: Any, item: int, chosen: int) -> float:
    """About how many points the best save gains by what an item does to the dice."""
    roll = s.roll
    again = 0
    locked = 0
    step = cfg.start[item]
    while step >= 0:
        deed = cfg.code[step]
        if deed.op == constants.SET_FACE:
            turned = turn_dice(roll, picked(s, deed, chosen), face_meant(deed.c, chosen))
            if savable(turned, s.table) != 0:
                roll = turned
        elif deed.op == constants.REROLL:
            again |= picked(s, deed, chosen)
        elif deed.op == constants.LOCK:
            locked |= picked(s, deed, chosen)
        step = deed.then
    again &= ~locked
    now = best_plain(s.roll, s.table)[1]
    if again == 0:
        gain = 1.0 * best_plain(roll, s.table)[1] - now
        return gain + _gain_of_lock(cfg, s, locked) if locked != 0 else gain
    still = s.table & ~again
    kept = 0
    if savable(only(roll, still), still) != 0:
        kept = best_plain(only(roll, still), still)[1]
    bust = cfg.bust_chance[s.player, again]
    hope = (1.0 - bust) * cfg.mean_best[s.player, again]
    if kept > 0:
        return kept + hope - now
    return hope - now - bust * max(0, s.points)


@rare
def _gain_of_lock(cfg: Any, s: Any, dice: int) -> float:
    """How much better the best save becomes by locking these dice."""
    before = s.locked
    now = best_value(cfg, s)
    s.locked |= dice
    then = best_value(cfg, s)
    s.locked = before
    return then - now


@rule
def _gain_of_weights(cfg: Any, s: Any, dice: int, profile: int) -> float:
    """About how much better dice score alone with other weights, over the rest of a turn."""
    gain = 0.0
    for position in range(constants.DICE):
        if dice >> position & 1:
            gain += _mean_alone(cfg.profiles[profile]) - _mean_alone(cfg.weights[s.player, position])
    return 2.0 * gain


@rule
def _mean_alone(weights: Any) -> float:
    """The mean points of one die saved alone; weights are added up from face 1."""
    return (100.0 * weights[0] + 50.0 * (weights[4] - weights[3])) / weights[5]
