"""The order of turns within a round of Influence: fixed, reversed every other round, or drawn anew."""

from __future__ import annotations

from typing import Any

from playmill.author import below, rule
from playmill.games.influence.constants import DRAWN, ORDER, SNAKE

#: Stands for whoever had the turn before a round begins.
FIRST = -1


@rule
def next_player(cfg: Any, s: Any, last: int, rng: Any) -> int:
    """The living player whose turn comes after that of `last` in this round; -1 if everybody had one."""
    if cfg.turn_order == DRAWN:
        return _drawn(cfg, s, rng)
    back = cfg.turn_order == SNAKE and s.rounds % 2 == 0
    step = -1 if back else 1
    player = last + step
    if last == FIRST:
        player = cfg.players - 1 if back else 0
    while 0 <= player < cfg.players and s.cells[player] == 0:
        player += step
    return player if 0 <= player < cfg.players else -1


@rule
def _drawn(cfg: Any, s: Any, rng: Any) -> int:
    """Draws one of those who wait for their turn in this round."""
    waiting = 0
    for player in range(cfg.players):
        waiting += 1 if _waits(s, player) else 0
    pick = below(rng, ORDER, waiting) if waiting > 1 else 0
    for player in range(cfg.players):
        if _waits(s, player):
            if pick == 0:
                return player
            pick -= 1
    return -1


@rule
def _waits(s: Any, player: int) -> bool:
    """Whether a living player had no turn in this round yet: one turn less than rounds were begun."""
    return s.cells[player] > 0 and s.turns[player] < s.rounds
