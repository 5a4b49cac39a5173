"""What a save would really bring: agents try it on the match itself and put everything back."""

from __future__ import annotations

from typing import Any

from playmill.engine.rule import lowest_bit, rare, rule
from playmill.games.dice.effects import walk
from playmill.games.dice.scoring import SIZE, best_plain, score
from playmill.games.dice.tables import DICE, DOUBLE, FLAGS, ON_PASS, ON_SAVE


@rule
def points_after(cfg: Any, s: Any, dice: int) -> int:
    """The turn's points once this set is saved, with the flag and all that waits for a save counted."""
    if cfg.listening[s.player, ON_SAVE] == 0:
        return s.points + score(s.roll, dice) * (1 + s.flags[s.player, DOUBLE])
    return _points_tried(cfg, s, dice)


@rare
def _points_tried(cfg: Any, s: Any, dice: int) -> int:
    kept = _kept(s)
    _try_save(cfg, s, dice)
    points = s.points
    _put_back(s, kept)
    return points


@rule
def banked_after(cfg: Any, s: Any, dice: int) -> int:
    """What goes to the total if this set is saved and the turn passed."""
    if cfg.listening[s.player, ON_PASS] == 0:
        return max(0, points_after(cfg, s, dice))
    return _banked_tried(cfg, s, dice)


@rare
def _banked_tried(cfg: Any, s: Any, dice: int) -> int:
    kept = _kept(s)
    _try_save(cfg, s, dice)
    s.pass_delta = 0
    for place in range(cfg.listening[s.player, ON_PASS]):
        walk(cfg, s, cfg.listeners[s.player, ON_PASS, place], ON_PASS)
    banked = max(0, s.points + s.pass_delta)
    _put_back(s, kept)
    return banked


@rule
def best_save(cfg: Any, s: Any) -> int:
    """The set that brings most; of equal ones that of fewer dice, then that whose positions come first."""
    if cfg.listening[s.player, ON_SAVE] == 0:
        return best_plain(s.roll, s.table)
    return _best_tried(cfg, s)


@rare
def _best_tried(cfg: Any, s: Any) -> int:
    best = 0
    most = 0
    sets = s.sets
    while sets != 0:
        dice = 1 + lowest_bit(sets)
        sets &= sets - 1
        points = points_after(cfg, s, dice)
        if best == 0 or points > most or (points == most and comes_first(dice, best)):
            best = dice
            most = points
    return best


@rule
def comes_first(dice: int, other: int) -> bool:
    """Whether a set has fewer dice than another or, with as many, has the first position they do not share."""
    if SIZE[dice] != SIZE[other]:
        return SIZE[dice] < SIZE[other]
    apart = dice ^ other
    return dice & (apart & -apart) != 0


@rule
def _try_save(cfg: Any, s: Any, dice: int) -> None:
    points = score(s.roll, dice) * (1 + s.flags[s.player, DOUBLE])
    s.flags[s.player, DOUBLE] = 0
    s.saved = dice
    s.base = points
    s.points += points
    for place in range(cfg.listening[s.player, ON_SAVE]):
        walk(cfg, s, cfg.listeners[s.player, ON_SAVE, place], ON_SAVE)


@rule
def _kept(s: Any) -> Any:
    """All that a save and a pass can change."""
    flags = 0
    for flag in range(FLAGS):
        flags |= (s.flags[s.player, flag] | s.flag_from[s.player, flag] << 1) << 8 * flag
    profile = 0
    for position in range(DICE):
        profile |= s.profile[position] << 8 * position
    return s.points, s.pass_delta, s.base, s.saved, flags, s.changed, profile


@rule
def _put_back(s: Any, kept: Any) -> None:
    s.points, s.pass_delta, s.base, s.saved, flags, s.changed, profile = kept
    for flag in range(FLAGS):
        s.flags[s.player, flag] = flags >> 8 * flag & 1
        s.flag_from[s.player, flag] = flags >> 8 * flag + 1 & 127
    for position in range(DICE):
        s.profile[position] = profile >> 8 * position & 255
