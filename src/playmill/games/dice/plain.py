"""A plain match: no content and fair dice. Most matches played are such.

Here nothing need be asked of modifiers, items, locked and loaded dice, and an action is one run through a few numbers,
each read once and written once: all that `rules.py` does in such a match. The tests play both side by side.
"""

from __future__ import annotations

from typing import Any

from playmill.engine.rule import rule
from playmill.games.dice.actions import EVERY_DIE, PASS, dice_of
from playmill.games.dice.effects import BANKED, BUSTED, HEATED, LOG, THREW
from playmill.games.dice.scoring import SIZE
from playmill.games.dice.tables import NOBODY
from playmill.games.dice.throws import fair_fall, open_turn_luck, roll_in, savable, score, shown_by, told_by


@rule
def act_plainly(cfg: Any, s: Any, action: int, rng: Any) -> None:
    """Saves dice and continues or passes."""
    player, turns, rolls, points = s.player, s.turns, s.rolls, s.points
    dice = dice_of(action)
    shown = shown_by(s.first, s.last, dice)
    saved = roll_in(shown)
    gained = score(saved, told_by(shown), dice)
    points += gained
    table = s.table & ~dice
    kept = s.kept | saved
    hot, noted = 0, 0
    s.saved = dice
    s.base = gained
    if action >= PASS:
        total = s.total[player] + points
        s.total[player] = total
        s.log[0] = points << 12 | player << 4 | BANKED
        noted = 1
        if total >= cfg.target or turns >= cfg.max_turns:
            s.winner = player if total >= cfg.target else NOBODY
            s.player, s.points, s.table, s.kept, s.noted = NOBODY, points, table, kept, noted
            s.roll ^= saved
            return
        player = 1 - player
        _begin_turn(cfg, s, player, rng)
        turns, rolls, points, table, kept = turns + 1, 0, 0, EVERY_DIE, 0
    elif table == 0:
        s.seat_hot[player] += 1
        s.log[0] = player << 4 | HEATED
        hot, noted, table, kept = 1, 1, EVERY_DIE, 0
    _throw_on(cfg, s, player, turns, rolls, points, table, kept, hot, noted, rng)


@rule
def _throw_on(
    cfg: Any,
    s: Any,
    player: int,
    turns: int,
    rolls: int,
    points: int,
    table: int,
    kept: int,
    hot: int,
    noted: int,
    rng: Any,
) -> None:
    """Throws the dice on the table; a bust hands the turn on, until something scores or the match is over."""
    while True:
        first, last = fair_fall(rng)
        shown = shown_by(first, last, table)
        roll, told = roll_in(shown), told_by(shown)
        sets = savable(roll, told, table)
        rolls += 1
        s.throws[SIZE[table]] += 1
        s.seat_rolls[player] += 1
        if noted < LOG:
            s.log[noted] = roll << 12 | (player << 6 | table) << 4 | THREW
            noted += 1
        if sets != 0:
            break
        s.busts[SIZE[table]] += 1
        if noted < LOG:
            s.log[noted] = points << 12 | player << 4 | BUSTED
            noted += 1
        points = 0
        if turns >= cfg.max_turns:
            player = NOBODY
            break
        player = 1 - player
        _begin_turn(cfg, s, player, rng)
        turns, rolls, table, kept, hot = turns + 1, 0, EVERY_DIE, 0, 0
    s.player, s.turns, s.rolls, s.points = player, turns, rolls, points
    s.table, s.thrown, s.kept, s.hot = table, table, kept, hot
    s.first, s.last, s.roll, s.told, s.sets = first, last, roll, told, sets
    s.noted = noted


@rule
def _begin_turn(cfg: Any, s: Any, player: int, rng: Any) -> None:
    s.seat_turns[player] += 1
    open_turn_luck(cfg, player, rng)
