"""The turns of Dice: the state, set-up, throwing, saving, passing and using items."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.author import below, next_word, rare, rule
from playmill.games.dice import actions, constants
from playmill.games.dice.actions import EVERY_DIE, dice_of
from playmill.games.dice.constants import (
    DICE,
    EFFECTS,
    FLAGS,
    LOADED_THROW,
    MAX_ROLLS,
    NOBODY,
    PLAYERS,
    STREAM_TURN,
    THROW,
)
from playmill.games.dice.rules.effects import (
    BANKED,
    BUSTED,
    HEATED,
    LOG,
    SHIELDED,
    THREW,
    free_dice,
    is_heard,
    listen,
    note,
    take_effect,
    with_face,
)
from playmill.games.dice.rules.throws import (
    face_in,
    fair_fall,
    lay,
    points_of,
    roll_in,
    scores,
    shown_by,
    turned,
)
from playmill.games.dice.scoring import SIZE

VERSION = 4
MIN_PLAYERS = MAX_PLAYERS = PLAYERS
STAKES = (0, 1, 1)

State = np.dtype(
    [
        ("player", np.int8),  # whose decision it is; NOBODY when the match is over
        ("winner", np.int8),  # NOBODY until then, and in a draw
        ("hot", np.int8),  # whether the last throw came from hot dice
        ("choosing", np.int8),  # 1 + the item whose dice are being chosen, 0 for none
        ("table", np.int8),  # the dice on the table: thrown and not banked
        ("locked", np.int8),  # those of them that keep their faces
        ("thrown", np.int8),  # those that were thrown last
        ("saved", np.int8),  # the dice saved last
        ("again", np.int8),  # the dice an item throws again
        ("facing", np.int8),  # whether a face is being chosen for the item
        ("chosen", np.int8),  # the dice that were chosen for it
        ("rerolled", np.int64),  # the items that have thrown dice again after this throw, a bit for each
        ("changed", np.int8),  # the dice whose weights were changed for this turn
        ("profile", np.int8, (DICE,)),  # 1 + the weights each of those has now
        ("flag_turns", np.int8, (PLAYERS, FLAGS)),  # the turns that a flag set for a time has left, this one counted
        ("doubled_by", np.int8, (PLAYERS,)),  # the item that set the flag to double
        ("flags", np.int32, (PLAYERS,)),  # a bit for each flag that is set
        ("turns", np.int32),
        ("rolls", np.int32),  # throws in this turn
        ("points", np.int32),  # points of this turn
        ("pass_delta", np.int32),  # what content adds to them on passing
        ("base", np.int32),  # points of the last save, doubled and multiplied as far as that has come
        ("total", np.int32, (PLAYERS,)),
        ("told", np.int32),  # summary of the faces on the table (see `throws.py`)
        ("first", np.int16),  # the way in which the first three dice lie
        ("last", np.int16),  # the same of the last three
        ("roll", np.int64),  # which die shows what (see scoring)
        ("kept", np.int64),  # what the banked dice show
        ("cooldown", np.int16, (EFFECTS,)),
        # What the statistics are made of.
        ("seat_turns", np.int32, (PLAYERS,)),
        ("seat_rolls", np.int32, (PLAYERS,)),
        ("seat_hot", np.int32, (PLAYERS,)),
        ("throws", np.int32, (DICE + 1,)),
        ("busts", np.int32, (DICE + 1,)),
        ("fired", np.int32, (EFFECTS,)),
        ("moved", np.int64, (EFFECTS,)),
        ("die_throws", np.int32, (PLAYERS, DICE)),
        ("die_points", np.int64, (PLAYERS, DICE)),  # in sixtieths, so that any save divides among its dice
        ("noted", np.int32),
        ("log", np.int64, (LOG,)),
    ],
    align=True,
)


@rule
def setup(cfg: Any, s: Any, rng: Any) -> None:
    """Seat 0 starts."""
    s.winner = NOBODY
    _begin_turn(cfg, s, 0, rng)
    _roll(cfg, s, EVERY_DIE, rng)


@rule
def apply_action(cfg: Any, s: Any, action: int, rng: Any) -> None:
    """Saves dice and continues or passes, uses an item, or chooses dice for it."""
    s.noted = 0
    if action >= actions.USE:
        _use_or_choose(cfg, s, action, rng)
        return
    _save(cfg, s, dice_of(action))
    if action >= actions.PASS:
        _pass(cfg, s, rng)
    else:
        _continue(s)
    _roll(cfg, s, free_dice(s), rng)


# A turn


@rule
def _begin_turn(cfg: Any, s: Any, player: int, rng: Any) -> None:
    """All dice on the table, no points; what waits for turns to pass has waited for one more."""
    s.player = player
    s.turns += 1
    s.seat_turns[player] += 1
    s.points = 0
    s.pass_delta = 0
    s.rolls = 0
    s.hot = 0
    s.table = EVERY_DIE
    s.locked = 0
    s.kept = 0
    s.changed = 0
    rng.stream[THROW] = next_word(rng, STREAM_TURN + player)
    loaded_luck = next_word(rng, STREAM_TURN + player)
    if cfg.plain == 0:
        rng.stream[LOADED_THROW] = loaded_luck
    if cfg.content != 0:
        _let_time_pass(s)


@rare
def _let_time_pass(s: Any) -> None:
    """Cooldowns, and flags set for a time, of both players and of the table drop by 1."""
    for item in range(EFFECTS):
        if s.cooldown[item] != 0:
            s.cooldown[item] = max(0, s.cooldown[item] - 1)
    for player in range(PLAYERS):
        for flag in range(FLAGS):
            if s.flag_turns[player, flag] > 0:
                s.flag_turns[player, flag] -= 1
                if s.flag_turns[player, flag] == 0:
                    s.flags[player] &= ~(1 << flag)


@rule
def _end_turn(cfg: Any, s: Any, rng: Any) -> None:
    """The other player's turn, or a draw once there were enough."""
    if s.turns >= cfg.max_turns:
        s.player = NOBODY
    else:
        _begin_turn(cfg, s, 1 - s.player, rng)


@rule
def _roll(cfg: Any, s: Any, dice: int, rng: Any) -> None:
    """Throws these dice, content has its say; a bust hands the turn on, until something scores or the match is over."""
    s.rerolled = 0
    while s.player >= 0:
        player = s.player
        _throw(cfg, s, player, dice, rng)
        if is_heard(cfg, player, constants.ON_ROLL):
            again = _hear_roll(cfg, s)
            if again != 0:
                dice = again
                continue
        if scores(s.told):
            return
        s.busts[SIZE[dice]] += 1 if dice == s.table else 0
        if s.flags[player] & constants.SHIELD_SET and dice & ~s.locked != 0 and s.rolls < MAX_ROLLS:
            s.flags[player] ^= constants.SHIELD_SET
            s.hot = 0
            dice &= ~s.locked
            note(s, SHIELDED, player, 0)
        else:
            note(s, BUSTED, player, s.points)
            s.points = 0
            s.rerolled = 0
            _end_turn(cfg, s, rng)
            dice = EVERY_DIE


@rare
def _hear_roll(cfg: Any, s: Any) -> int:
    """Content has its say after a roll; returns the dice that passive items throw again, before anything else."""
    s.again = 0
    listen(cfg, s, constants.ON_ROLL)
    again = s.again & ~s.locked
    if again != 0:
        s.hot = 0
    return again


@rule
def _throw(cfg: Any, s: Any, player: int, dice: int, rng: Any) -> None:
    """These dice of a player fall anew, each by its own weights; the others on the table lie still."""
    first, last = fair_fall(rng, THROW)
    if cfg.plain == 0:
        first, last = _fall_unlike(cfg, s, first, last, dice, rng)
    lay(s, first, last)
    s.thrown = dice
    s.rolls += 1
    s.throws[SIZE[dice]] += 1 if dice == s.table else 0
    s.seat_rolls[player] += 1
    note(s, THREW, player << 6 | dice, s.roll)


@rare
def _fall_unlike(cfg: Any, s: Any, first: int, last: int, thrown: int, rng: Any) -> tuple[int, int]:
    """The loaded ones of six dice fall by their weights instead, and those that are not thrown lie as they lay."""
    loaded = cfg.loaded[s.player] | s.changed
    if loaded == 0 and thrown == s.table:
        return first, last
    for position in range(DICE):
        place = position % 3
        face = face_in(first if position < 3 else last, place)
        if loaded >> position & 1:
            face = _loaded_face(cfg, s, position, rng)
            s.die_throws[s.player, position] += thrown >> position & 1
        if thrown >> position & 1 == 0:
            face = face_in(s.first if position < 3 else s.last, place)
        if position < 3:
            first = turned(first, place, face)
        else:
            last = turned(last, place, face)
    return first, last


@rule
def _loaded_face(cfg: Any, s: Any, position: int, rng: Any) -> int:
    """How a die falls by its weights, those of this turn if they were changed."""
    weights = cfg.weights[s.player, position]
    if s.changed >> position & 1:
        weights = cfg.profiles[s.profile[position] - 1]
    draw = below(rng, LOADED_THROW, weights[5])
    face = 1
    while weights[face - 1] <= draw:
        face += 1
    return face


@rule
def _save(cfg: Any, s: Any, dice: int) -> None:
    """The dice leave the table, with base points; then what else a save brings."""
    shown = shown_by(s.first, s.last, dice)
    points = points_of(shown, dice)
    s.base = points
    s.points += points
    set_aside(s, dice, roll_in(shown))
    if cfg.plain == 0:
        _save_more(cfg, s, dice, points)


@rare
def _save_more(cfg: Any, s: Any, dice: int, points: int) -> None:
    """What dice have brought is counted; the flag doubles the points; then the passive items that wait for a save."""
    player = s.player
    if cfg.loaded[player] != 0:
        _share_out(s, dice, points)
    if s.flags[player] & constants.DOUBLE_SET:
        s.flags[player] ^= constants.DOUBLE_SET
        s.moved[s.doubled_by[player]] += points
        s.base += points
        s.points += points
    if cfg.content != 0:
        _make_ready(s)
    if is_heard(cfg, player, constants.ON_SAVE):
        listen(cfg, s, constants.ON_SAVE)


@rare
def _make_ready(s: Any) -> None:
    """Items that rest until dice are saved are ready again."""
    for item in range(EFFECTS):
        s.cooldown[item] = max(0, s.cooldown[item])


@rule
def _share_out(s: Any, dice: int, points: int) -> None:
    """Every die of a save has brought the same share of its points."""
    share = points * 60 // SIZE[dice]
    for position in range(DICE):
        s.die_points[s.player, position] += share * (dice >> position & 1)


@rule
def set_aside(s: Any, dice: int, roll: Any) -> None:
    """Dice just saved leave the table, with the roll that they are; saved, a locked die is locked no more."""
    s.saved = dice
    s.table &= ~dice
    s.locked &= ~dice
    s.kept |= roll
    s.roll ^= roll


@rule
def _continue(s: Any) -> None:
    """With no dice left on the table all six are hot."""
    s.hot = 0
    if s.table == 0:
        s.table = EVERY_DIE
        s.kept = 0
        s.hot = 1
        s.seat_hot[s.player] += 1
        note(s, HEATED, s.player, 0)


@rule
def _pass(cfg: Any, s: Any, rng: Any) -> None:
    """What the turn brought goes to the total; whoever reaches the target wins at once."""
    player = s.player
    if is_heard(cfg, player, constants.ON_PASS):
        listen(cfg, s, constants.ON_PASS)
    banked = max(0, s.points + s.pass_delta)
    total = s.total[player] + banked
    s.total[player] = total
    note(s, BANKED, player, banked)
    if total >= cfg.target:
        s.winner = player
        s.player = NOBODY
        return
    _end_turn(cfg, s, rng)


# Active items


@rare
def _use_or_choose(cfg: Any, s: Any, action: int, rng: Any) -> None:
    """Uses an item, or chooses dice or a face for it."""
    if action >= actions.FACE:
        chosen = with_face(s.chosen, action - actions.FACE)
        s.facing = 0
        s.chosen = 0
        _use(cfg, s, s.choosing - 1, chosen, rng)
    elif action >= actions.CHOOSE:
        _ask_face_or_use(cfg, s, s.choosing - 1, dice_of(action), rng)
    else:
        item = cfg.items[s.player, action - actions.USE]
        s.cooldown[item] = cfg.cooldown[item]
        if cfg.chooses[item] > 0:
            s.choosing = item + 1
        else:
            _ask_face_or_use(cfg, s, item, 0, rng)


@rare
def _ask_face_or_use(cfg: Any, s: Any, item: int, dice: int, rng: Any) -> None:
    """Once dice are chosen, if any, a face is, if the item asks for one; then it is used."""
    if cfg.asks_face[item] != 0:
        s.choosing = item + 1
        s.chosen = dice
        s.facing = 1
    else:
        _use(cfg, s, item, dice, rng)


@rare
def _use(cfg: Any, s: Any, item: int, chosen: int, rng: Any) -> None:
    """The item does what it does; dice thrown again are a roll."""
    s.choosing = 0
    s.again = 0
    take_effect(cfg, s, item, constants.ON_USE, chosen)
    dice = s.again & ~s.locked
    if dice != 0:
        s.hot = 0
        _roll(cfg, s, dice, rng)


@rule
def returns(cfg: Any, s: Any, out: Any) -> None:
    """1 for the winner; a draw is shared."""
    for player in range(PLAYERS):
        out[player] = 0.0
        if s.player == NOBODY:
            out[player] = 1.0 if s.winner == player else (0.5 if s.winner == NOBODY else 0.0)
