"""When an agent uses an active item, and for which dice.

An item is looked at deed by deed; it is used when what it promises now, in points, is worth more than waiting.
"""

from __future__ import annotations

from typing import Any

from playmill.engine.rule import rare, rule
from playmill.games.dice.actions import CHOOSE, EVERY_DIE
from playmill.games.dice.effects import part_of, picked, turn_dice
from playmill.games.dice.rules import may_choose, may_use
from playmill.games.dice.scoring import SIZE, best_plain, only, savable, score, showing
from playmill.games.dice.tables import (
    ADD,
    ADD_PER_DIE,
    DICE,
    DOUBLE,
    PERCENT,
    REROLL,
    SET_FACE,
    SET_FLAG,
    SET_WEIGHTS,
    SHIELD,
)

#: A save worth doubling, and what any other use has to promise.
_WORTH_DOUBLING = 250
_WORTH_USING = 40


@rare
def item_to_use(cfg: Any, s: Any, dice: int, after: int, goes_on: bool) -> int:
    """The place of an item worth using before this set is saved (and the rest thrown, if one goes on); -1 for none."""
    for place in range(cfg.usable[s.player]):
        item = cfg.items[s.player, place]
        if may_use(cfg, s, item) and _promise(cfg, s, item, dice, after, goes_on) >= _WORTH_USING:
            return place
    return -1


@rare
def choose_dice(cfg: Any, s: Any, legal: Any, n: int) -> int:
    """Of the sets of dice offered for an item the one that promises most."""
    item = s.choosing - 1
    before = s.chosen
    best = legal.ids[0]
    most = -1.0e9
    for i in range(n):
        s.chosen = legal.ids[i] - CHOOSE
        promise = _promise_of_dice(cfg, s, item)
        if promise > most:
            best = legal.ids[i]
            most = promise
    s.chosen = before
    return best


@rule
def _promise(cfg: Any, s: Any, item: int, dice: int, after: int, goes_on: bool) -> float:
    """About how many points an item brings if it is used now."""
    chosen = s.chosen
    if cfg.chooses[item] > 0:
        s.chosen = _best_choice(cfg, s, item)
    promise = _promise_of_dice(cfg, s, item)
    s.chosen = chosen
    step = cfg.start[item]
    while step >= 0:
        deed = cfg.code[step]
        if deed.op == ADD:
            promise += deed.c
        elif deed.op == ADD_PER_DIE:
            promise += deed.c * SIZE[showing(s.roll, 6 * (deed.a - 1))]
        elif deed.op == PERCENT:
            promise += part_of(s.points, deed.c)
        elif deed.op == SET_FLAG and s.flags[s.player, deed.a] == 0:
            if deed.a == SHIELD and goes_on:
                promise += cfg.bust_chance[s.player, _left(s, dice)] * after
            elif deed.a == DOUBLE and score(s.roll, dice) >= _WORTH_DOUBLING:
                promise += score(s.roll, dice)
        elif deed.op == SET_WEIGHTS and goes_on:
            promise += _gain_of_weights(cfg, s, deed)
        step = deed.then
    return promise


@rule
def _left(s: Any, dice: int) -> int:
    """The dice thrown next if this set is saved."""
    left = s.table & ~dice
    return left if left != 0 else EVERY_DIE


@rule
def _best_choice(cfg: Any, s: Any, item: int) -> int:
    """The set of dice that promises most for an item that lets one choose."""
    best = 0
    most = -1.0e9
    for dice in range(1, EVERY_DIE + 1):
        if may_choose(cfg, s, item, dice):
            s.chosen = dice
            promise = _promise_of_dice(cfg, s, item)
            if promise > most:
                best = dice
                most = promise
    return best


@rule
def _promise_of_dice(cfg: Any, s: Any, item: int) -> float:
    """About how many points the best save gains by what an item does to the dice."""
    roll = s.roll
    again = 0
    step = cfg.start[item]
    while step >= 0:
        deed = cfg.code[step]
        if deed.op == SET_FACE:
            turned = turn_dice(roll, picked(s, deed), deed.c)
            if savable(turned, s.table) != 0:
                roll = turned
        elif deed.op == REROLL:
            again |= picked(s, deed)
        step = deed.then
    now = score(s.roll, best_plain(s.roll, s.table))
    if again == 0:
        return score(roll, best_plain(roll, s.table)) - now
    still = s.table & ~again
    kept = 0
    if savable(only(roll, still), still) != 0:
        kept = score(roll, best_plain(only(roll, still), still))
    bust = cfg.bust_chance[s.player, again]
    hope = (1.0 - bust) * cfg.mean_best[s.player, again]
    if kept > 0:
        return kept + hope - now
    return hope - now - bust * max(0, s.points)


@rule
def _gain_of_weights(cfg: Any, s: Any, deed: Any) -> float:
    """About how much better dice score alone with other weights, over the rest of a turn."""
    dice = picked(s, deed)
    gain = 0.0
    for position in range(DICE):
        if dice >> position & 1:
            own = cfg.weights[s.player, position]
            other = cfg.profiles[deed.c]
            gain += _mean_alone(other) - _mean_alone(own)
    return 2.0 * gain


@rule
def _mean_alone(weights: Any) -> float:
    """The mean points of one die saved alone; weights are added up from face 1."""
    return (100.0 * weights[0] + 50.0 * (weights[4] - weights[3])) / weights[5]
