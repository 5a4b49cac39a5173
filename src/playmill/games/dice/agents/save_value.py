"""What a save of Dice would bring: agents try it on the state itself and put everything back."""

from __future__ import annotations

from typing import Any

from playmill.author import lowest_bit, rare, rule
from playmill.games.dice import constants
from playmill.games.dice.actions import EVERY_DIE
from playmill.games.dice.rules import set_aside
from playmill.games.dice.rules.effects import is_heard, walk
from playmill.games.dice.rules.options import all_sets, continue_sets, pass_sets
from playmill.games.dice.rules.throws import best, points_of, roll_in, shown_by
from playmill.games.dice.scoring import SIZE, best_plain, only, savable

#: Flags whose turns are kept in one word of eight bits each.
_FLAGS_A_WORD = 7


@rule
def points_after(cfg: Any, s: Any, dice: int) -> int:
    """The turn's points once this set is saved, with the flag and all that waits for a save counted."""
    if is_heard(cfg, s.player, constants.ON_SAVE):
        return _points_tried(cfg, s, dice)
    return s.points + _doubled(s, points_of(shown_by(s.first, s.last, dice), dice))


@rule
def _doubled(s: Any, points: int) -> int:
    """The points of a save, doubled by the flag."""
    return points << (s.flags[s.player] >> constants.DOUBLE & 1)


@rare
def _points_tried(cfg: Any, s: Any, dice: int) -> int:
    kept = _kept(s)
    try_save(cfg, s, dice)
    points = s.points
    _put_back(s, kept)
    return points


@rule
def banked_after(cfg: Any, s: Any, dice: int) -> int:
    """What goes to the total if this set is saved and the turn passed."""
    return banked_of(cfg, s, dice, points_after(cfg, s, dice))


@rule
def banked_of(cfg: Any, s: Any, dice: int, after: int) -> int:
    """The same, where the points after the save are known."""
    if is_heard(cfg, s.player, constants.ON_PASS) or is_heard(cfg, s.player, constants.ON_SAVE):
        return _banked_tried(cfg, s, dice)
    return max(0, after + s.pass_delta)


@rare
def _banked_tried(cfg: Any, s: Any, dice: int) -> int:
    kept = _kept(s)
    try_save(cfg, s, dice)
    for place in range(cfg.listening[s.player, constants.ON_PASS]):
        walk(cfg, s, cfg.listeners[s.player, constants.ON_PASS, place], constants.ON_PASS, 0)
    banked = max(0, s.points + s.pass_delta)
    _put_back(s, kept)
    return banked


@rule
def best_save(cfg: Any, s: Any) -> tuple[int, int]:
    """The set that brings most; of equal ones that of fewer dice, then that whose positions come first.

    With the turn's points once it is saved.
    """
    if cfg.content != 0:
        return _best_with_content(cfg, s)
    dice, points = best(s.told, s.roll, s.table)
    return dice, s.points + points


@rare
def _best_with_content(cfg: Any, s: Any) -> tuple[int, int]:
    if is_heard(cfg, s.player, constants.ON_SAVE):
        return _best_tried(cfg, s)
    dice, points = best(s.told, s.roll, s.table)
    return dice, s.points + _doubled(s, points)


@rule
def _best_tried(cfg: Any, s: Any) -> tuple[int, int]:
    found = 0
    most = 0
    sets = all_sets(s)
    while sets != 0:
        dice = 1 + lowest_bit(sets)
        sets &= sets - 1
        points = points_after(cfg, s, dice)
        if found == 0 or points > most or (points == most and comes_first(dice, found)):
            found = dice
            most = points
    return found, most


@rule
def comes_first(dice: int, other: int) -> bool:
    """Whether a set has fewer dice than another or, with as many, has the first position they do not share."""
    if SIZE[dice] != SIZE[other]:
        return SIZE[dice] < SIZE[other]
    apart = dice ^ other
    return dice & (apart & -apart) != 0


@rule
def hope(cfg: Any, s: Any, dice: int) -> float:
    """The mean of the turn's points if this set is saved and the rest thrown once; a shield takes the first bust."""
    left = s.table & ~dice
    thrown = left & ~s.locked if left != 0 else EVERY_DIE
    scores = 1.0 - cfg.bust_chance[s.player, thrown]
    best = cfg.mean_best[s.player, thrown]
    if left & s.locked != 0:
        lying = locked_points(s, left & s.locked)
        if lying > 0:  # then nothing can go wrong
            return points_after(cfg, s, dice) + s.pass_delta + lying + scores * best
    if s.flags[s.player] & constants.SHIELD_SET:
        scores += (1.0 - scores) * scores
    return scores * (points_after(cfg, s, dice) + s.pass_delta + best)


@rare
def locked_points(s: Any, dice: int) -> int:
    """What dice that stay as they lie bring by themselves; 0 if they do not score."""
    roll = only(s.roll, dice)
    return best_plain(roll, dice)[1] if savable(roll, dice) != 0 else 0


@rule
def best_value(cfg: Any, s: Any) -> float:
    """The highest mean of the turn, one throw ahead, that any save leads to."""
    most = -1.0e9
    sets = all_sets(s)
    while sets != 0:
        dice = 1 + lowest_bit(sets)
        sets &= sets - 1
        if pass_sets(cfg, s) >> (dice - 1) & 1:
            most = max(most, 1.0 * banked_after(cfg, s, dice))
        if continue_sets(s) >> (dice - 1) & 1:
            most = max(most, hope(cfg, s, dice))
    return most


@rule
def try_save(cfg: Any, s: Any, dice: int) -> None:
    """Saves dice, with the flag and what waits for a save, and tells nobody."""
    shown = shown_by(s.first, s.last, dice)
    points = _doubled(s, points_of(shown, dice))
    s.flags[s.player] &= ~constants.DOUBLE_SET
    s.base = points
    s.points += points
    set_aside(s, dice, roll_in(shown))
    for place in range(cfg.listening[s.player, constants.ON_SAVE]):
        walk(cfg, s, cfg.listeners[s.player, constants.ON_SAVE, place], constants.ON_SAVE, 0)


@rule
def _kept(s: Any) -> Any:
    """All that a save and a pass can change."""
    profile = 0
    for position in range(constants.DICE):
        profile |= s.profile[position] << 8 * position
    lying = (s.first, s.last, s.roll, s.told)
    dice = (s.kept, s.table, s.locked, s.saved, s.changed, profile)
    flags = (s.flags[s.player], s.doubled_by[s.player], _turns(s, 0), _turns(s, 1), _turns(s, 2))
    return s.points, s.pass_delta, s.base, lying, dice, flags


@rule
def _turns(s: Any, word: int) -> int:
    """The turns that a few of the player's flags have left, as one number."""
    turns = 0
    for place in range(min(_FLAGS_A_WORD, constants.FLAGS - word * _FLAGS_A_WORD)):
        turns |= s.flag_turns[s.player, word * _FLAGS_A_WORD + place] << 8 * place
    return turns


@rule
def _put_back(s: Any, kept: Any) -> None:
    s.points, s.pass_delta, s.base, lying, dice, flags = kept
    s.first, s.last, s.roll, s.told = lying
    s.kept, s.table, s.locked, s.saved, s.changed, profile = dice
    for position in range(constants.DICE):
        s.profile[position] = profile >> 8 * position & 255
    s.flags[s.player], s.doubled_by[s.player], first, second, third = flags
    for place in range(_FLAGS_A_WORD):
        s.flag_turns[s.player, place] = first >> 8 * place & 255
        s.flag_turns[s.player, _FLAGS_A_WORD + place] = second >> 8 * place & 255
    for place in range(constants.FLAGS - 2 * _FLAGS_A_WORD):
        s.flag_turns[s.player, 2 * _FLAGS_A_WORD + place] = third >> 8 * place & 255
