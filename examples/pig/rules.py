"""Pig: roll as often as you dare; a 1 loses the turn's points; hold to bank them."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.author import below, rule

VERSION = 2
MIN_PLAYERS = MAX_PLAYERS = 2
ROLL, HOLD = 0, 1
NOBODY = -1
MAX_ACTIONS = MAX_LEGAL = 2
STAKES = (0, 1, 1)
DIE = 0

State = np.dtype(
    [("player", np.int8), ("winner", np.int8), ("turns", np.int32), ("pot", np.int32), ("total", np.int32, (2,))],
    align=True,
)


@rule
def setup(cfg: Any, s: Any, rng: Any) -> None:
    """Seat 0 begins; a turn begins with a roll."""
    s.winner = NOBODY
    s.turns = 1


@rule
def legal_actions(cfg: Any, s: Any, out: Any) -> int:
    """Roll always; hold once there is something to bank."""
    if s.player < 0:
        return 0
    out.ids[0] = ROLL
    out.ids[1] = HOLD
    return 2 if s.pot > 0 else 1


@rule
def apply_action(cfg: Any, s: Any, action: int, rng: Any) -> None:
    """Rolls or holds."""
    if action == ROLL:
        face = 1 + below(rng, DIE, cfg.faces)
        if face > 1:
            s.pot += face
            return
        s.pot = 0
    s.total[s.player] += s.pot
    s.pot = 0
    if s.total[s.player] >= cfg.target:
        s.winner = s.player
        s.player = NOBODY
    elif s.turns >= cfg.max_turns:
        s.player = NOBODY
    else:
        s.player = 1 - s.player
        s.turns += 1


@rule
def returns(cfg: Any, s: Any, out: Any) -> None:
    """1 for the winner; a draw is shared."""
    for player in range(2):
        out[player] = 0.5 if s.winner == NOBODY else (1.0 if s.winner == player else 0.0)
