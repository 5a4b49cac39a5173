"""The turns of Influence: the state, set-up, attack, defence, rounds and the result."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.author import below, lowest_bit, rule
from playmill.games.influence.actions import ATTACK, AUTO, END_ATTACK, PLACE
from playmill.games.influence.constants import (
    ATTACKING,
    CELLS,
    CLASSES,
    DEFENDING,
    DIFFERENCE,
    EMPTY,
    FIGHT,
    GE_PLUS2,
    LE_MINUS2,
    NOBODY,
    NOTHING,
    PLAYERS,
    RESULT_ROUNDS,
    SCATTER,
    SIDES,
    WORDS,
    ZERO,
)
from playmill.games.influence.rules.attack_lists import list_attacks, list_front, take_off, unlist_front, ways
from playmill.games.influence.rules.starts import draw_starts
from playmill.games.influence.rules.turn_order import FIRST, next_player

VERSION = 1
MIN_PLAYERS, MAX_PLAYERS = 2, PLAYERS
STAKES = (0, 1, 1)
#: Rounds at whose beginning the field is looked at for the statistics.
CHECKPOINTS = np.array([1, 2, 5, 10, 20, 30, 50, 75, 100])

State = np.dtype(
    [
        ("player", np.int8),  # whose decision it is; NOBODY when the game is over
        ("winner", np.int8),  # NOBODY until then, and in a draw
        ("phase", np.int8),
        ("ended_by_limit", np.int8),
        ("players", np.int8),
        ("living", np.int8),
        ("first_blood", np.int8),  # who took an enemy's cell first; NOBODY so far
        ("points", np.int16),  # left to place
        ("options", np.int16),  # how many entries of `moves` there are
        ("rounds", np.int32),
        # The field. Owners are 1 + the player, 0 for none.
        ("owner", np.int8, (CELLS,)),
        ("influence", np.int8, (CELLS,)),
        ("front", np.int8, (CELLS,)),  # of an owned cell: the directions to cells of others or of nobody
        # By player: the cells as a set, their number, their capacity, their influence.
        ("own", np.int64, (PLAYERS, WORDS)),
        ("cells", np.int16, (PLAYERS,)),
        ("capacity", np.int32, (PLAYERS,)),
        ("total", np.int32, (PLAYERS,)),
        # By player: the influence at the start of each of the last turns, its sum, and how many turns there were.
        ("history", np.int32, (PLAYERS, RESULT_ROUNDS)),
        ("result", np.int32, (PLAYERS,)),
        ("turns", np.int32, (PLAYERS,)),
        # The options of the player to move, but for ending and `auto`; and where each of them stands in that list,
        # counted from 1: for any other the place says nothing. Never negative, so unsigned: actions are divided without
        # asking for their sign.
        ("moves", np.uint16, (CELLS * SIDES,)),
        ("place", np.uint16, (AUTO,)),
        # What the statistics are made of.
        ("made", np.int32, (CLASSES,)),
        ("won", np.int32, (CLASSES,)),
        ("autos", np.int32),
        ("cells_at", np.int16, (len(CHECKPOINTS), PLAYERS)),
        ("total_at", np.int16, (len(CHECKPOINTS), PLAYERS)),
    ],
    align=True,
)


@rule
def setup(cfg: Any, s: Any, rng: Any) -> None:
    """Each player starts on one free cell: the map's, or a random one."""
    s.winner = NOBODY
    s.first_blood = NOBODY
    s.players = cfg.players
    s.living = cfg.players
    draw_starts(cfg, s, rng)
    for cell in range(cfg.cells):
        if s.owner[cell] != 0:
            player = s.owner[cell] - 1
            _settle(cfg, s, player, cell, min(cfg.start_influence[player], cfg.capacity[cell]))
            for side in range(SIDES):
                other = cfg.neighbour[cell, side]
                if other >= 0 and s.owner[other] != s.owner[cell]:
                    s.front[cell] |= 1 << side
    _begin_round(cfg, s)
    _begin_turn(cfg, s, next_player(cfg, s, FIRST, rng))


@rule
def apply_action(cfg: Any, s: Any, action: int, rng: Any) -> None:
    """Attacks, ends the attack, puts a point on a cell, or lets all be placed."""
    if action < END_ATTACK:
        cell = action // SIDES
        _attack(cfg, s, cell, cfg.neighbour[cell, action % SIDES], rng)
    elif action == END_ATTACK:
        _begin_defence(cfg, s, rng)
    else:
        if action == AUTO:
            s.autos += 1
            _place_evenly(cfg, s, rng)
        else:
            _strengthen(cfg, s, action)
            s.total[s.player] += 1
            s.points -= 1
        if s.points == 0:
            _end_turn(cfg, s, rng)


@rule
def takes_long(cfg: Any, s: Any, action: int) -> int:
    """Defence begins with a list of cells (1); the last point ends the turn, and the next begins with one (2)."""
    if action < END_ATTACK:
        return 0
    if action == END_ATTACK:
        return 1
    return 2 if action == AUTO or s.points == 1 else 0


# Turns and rounds


@rule
def _begin_round(cfg: Any, s: Any) -> None:
    """A new round; at some of them the field is looked at."""
    s.rounds += 1
    for i in range(len(CHECKPOINTS)):
        if CHECKPOINTS[i] == s.rounds:
            for player in range(cfg.players):
                s.cells_at[i, player] = s.cells[player]
                s.total_at[i, player] = s.total[player]


@rule
def _begin_turn(cfg: Any, s: Any, player: int) -> None:
    """The player's influence now counts for the result; then they attack."""
    s.player = player
    spot = s.turns[player] % cfg.result_rounds
    s.result[player] += s.total[player] - s.history[player, spot]
    s.history[player, spot] = s.total[player]
    s.turns[player] += 1
    s.phase = ATTACKING
    list_attacks(cfg, s)


@rule
def _end_turn(cfg: Any, s: Any, rng: Any) -> None:
    """The next living player's turn; after the last one a new round, or the end of the game."""
    player = next_player(cfg, s, int(s.player), rng)
    if player == NOBODY:
        if s.rounds >= cfg.round_limit:
            _compare_results(cfg, s)
            return
        _begin_round(cfg, s)
        player = next_player(cfg, s, FIRST, rng)
    _begin_turn(cfg, s, player)


@rule
def _compare_results(cfg: Any, s: Any) -> None:
    """The best result of those on the field wins; an equal best is a draw."""
    best = -1
    for player in range(cfg.players):
        if s.cells[player] > 0:
            if s.result[player] > best:
                best = s.result[player]
                s.winner = player
            elif s.result[player] == best:
                s.winner = NOBODY
    s.ended_by_limit = 1
    s.options = 0
    s.player = NOBODY


# Attack


@rule
def _attack(cfg: Any, s: Any, cell: int, target: int, rng: Any) -> None:
    """An empty cell is always taken; an enemy's by chance."""
    mine, theirs = s.influence[cell], s.influence[target]
    defender = s.owner[target] - 1
    kind = attack_class(mine, theirs, defender)
    s.made[kind] += 1
    if wins(cfg, kind, s.player, rng):
        s.won[kind] += 1
        moved = mine - 1 if defender < 0 else max(1, mine - theirs)
        arrived = min(moved, cfg.capacity[target])
        left = 1 + moved - arrived if defender >= 0 else mine - arrived
        _weaken(cfg, s, cell, left)
        if defender >= 0:
            _lose(cfg, s, defender, target)
        _settle(cfg, s, s.player, target, arrived)
        _redraw_front(cfg, s, target)
        if defender >= 0:
            _after_conquest(s, defender)
    else:
        _weaken(cfg, s, cell, 1)
        kept = kept_by_defender(cfg, mine, theirs)
        s.total[defender] += kept - theirs
        s.influence[target] = kept


@rule
def attack_class(mine: int, theirs: int, defender: int) -> int:
    """How strong the attacker is compared with the defender."""
    if defender < 0:
        return EMPTY
    return min(max(ZERO + mine - theirs, LE_MINUS2), GE_PLUS2)


@rule
def wins(cfg: Any, kind: int, player: int, rng: Any) -> bool:
    """Whether an attack of this class succeeds."""
    chance = cfg.chance[kind]
    if chance == 0 or chance == 100:
        return chance == 100
    return below(rng, FIGHT + player, 100) < chance


@rule
def kept_by_defender(cfg: Any, mine: int, theirs: int) -> int:
    """What a cell keeps that an attack has failed against."""
    if cfg.failure == NOTHING:
        return theirs
    return max(1, theirs - (mine if cfg.failure == DIFFERENCE else 1))


@rule
def _after_conquest(s: Any, defender: int) -> None:
    """First blood, and perhaps the end: the last player on the field wins at once."""
    if s.first_blood == NOBODY:
        s.first_blood = s.player
    if s.cells[defender] == 0:
        s.living -= 1
        if s.living == 1:
            s.winner = s.player
            s.options = 0
            s.player = NOBODY


@rule
def _weaken(cfg: Any, s: Any, cell: int, left: int) -> None:
    """An attacker's own cell keeps so much; with 1 it can attack no more."""
    s.total[s.player] -= s.influence[cell] - left
    s.influence[cell] = left
    if left < 2:
        unlist_front(cfg, s, cell)


@rule
def _lose(cfg: Any, s: Any, player: int, cell: int) -> None:
    """A cell goes out of a player's hands."""
    s.total[player] -= s.influence[cell]
    s.capacity[player] -= cfg.capacity[cell]
    s.cells[player] -= 1
    s.own[player, cell >> 5] ^= 1 << (cell & 31)


@rule
def _settle(cfg: Any, s: Any, player: int, cell: int, influence: int) -> None:
    """A cell comes into a player's hands."""
    s.owner[cell] = player + 1
    s.influence[cell] = influence
    s.total[player] += influence
    s.capacity[player] += cfg.capacity[cell]
    s.cells[player] += 1
    s.own[player, cell >> 5] |= 1 << (cell & 31)


@rule
def _redraw_front(cfg: Any, s: Any, cell: int) -> None:
    """After a cell was taken: its own front, and that of the cells around it, with the options they give.

    The player's cells of 2 or more beside it could attack it until now.
    """
    front = 0
    for side in range(SIDES):
        other = cfg.neighbour[cell, side]
        if other >= 0:
            back = (side + SIDES // 2) % SIDES
            owner = s.owner[other] - 1
            apart = 1 if owner != s.player else 0
            front |= apart << side
            s.front[other] = s.front[other] & ~(1 << back) | (apart if owner >= 0 else 0) << back
            if apart == 0 and s.influence[other] >= 2:
                take_off(s, s.place[ATTACK + SIDES * other + back])
    s.front[cell] = front
    if s.influence[cell] >= 2:
        s.options = list_front(s, cell, ways(cfg, s, cell), s.options)


# Defence


@rule
def _begin_defence(cfg: Any, s: Any, rng: Any) -> None:
    """As many points as the player owns cells, but no more than they have room for."""
    s.points = min(s.cells[s.player], s.capacity[s.player] - s.total[s.player])
    if s.points == 0:
        _end_turn(cfg, s, rng)
        return
    s.phase = DEFENDING
    n = 0
    for word in range(WORDS):
        cells = s.own[s.player, word]
        while cells != 0:
            cell = 32 * word + lowest_bit(cells)
            cells &= cells - 1
            s.moves[n] = PLACE + cell
            s.place[PLACE + cell] = n + 1
            n += 1 if s.influence[cell] < cfg.capacity[cell] else 0
    s.options = n


@rule
def _strengthen(cfg: Any, s: Any, option: int) -> None:
    """One point more on a cell with room; a full one takes no more."""
    cell = option - PLACE
    influence = s.influence[cell] + 1
    s.influence[cell] = influence
    if influence == cfg.capacity[cell]:
        take_off(s, s.place[option])


@rule
def _place_evenly(cfg: Any, s: Any, rng: Any) -> None:
    """One point for every cell with room while there are enough; the rest on so many different random ones."""
    s.total[s.player] += s.points
    while s.points >= s.options:
        s.points -= s.options
        for i in range(s.options - 1, -1, -1):  # from the end: a full cell's place is taken by one already served
            _strengthen(cfg, s, s.moves[i])
        if s.points == 0:
            return
    rest = s.points
    for i in range(rest):
        pick = i + below(rng, SCATTER + s.player, s.options - i)
        option = s.moves[pick]
        s.moves[pick] = s.moves[i]
        s.moves[i] = option
        s.place[s.moves[pick]] = pick + 1
        s.place[option] = i + 1
    for i in range(rest - 1, -1, -1):
        _strengthen(cfg, s, s.moves[i])
    s.points = 0


@rule
def returns(cfg: Any, s: Any, out: Any) -> None:
    """1 for the winner; a draw is shared by those on the field."""
    for player in range(cfg.players):
        out[player] = 0.0
        if s.player == NOBODY:
            if s.winner == player:
                out[player] = 1.0
            elif s.winner == NOBODY and s.cells[player] > 0:
                out[player] = 1.0 / s.living
