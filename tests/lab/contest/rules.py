"""The rules of Contest."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill import rule
from playmill.engine.lang.rng import below

VERSION = 1
MIN_PLAYERS = MAX_PLAYERS = 2
ROUNDS = 3
MAX_ACTIONS = MAX_LEGAL = 4

State = np.dtype(
    [("player", np.int8), ("said", np.int8), ("thrown", np.int64, (2,)), ("named", np.int64, (2,))], align=True
)


@rule
def setup(cfg: Any, s: Any, rng: Any) -> None:
    """Both throw; nobody looks before the end."""
    for player in range(2):
        s.thrown[player] = below(rng, player, 1000)


@rule
def legal_actions(cfg: Any, s: Any, out: Any) -> int:
    """A number from 0 to 3."""
    if s.player < 0:
        return 0
    for number in range(MAX_LEGAL):
        out.ids[number] = number
    return MAX_LEGAL


@rule
def apply_action(cfg: Any, s: Any, action: int, rng: Any) -> None:
    """Adds the number."""
    s.named[s.player] += action
    s.said += 1
    s.player = -1 if s.said == 2 * ROUNDS else 1 - s.player


@rule
def points(cfg: Any, s: Any, player: int) -> int:
    """What a player has."""
    start: int = cfg.head_start if player == 0 else 0
    return start + cfg.skill * s.named[player] + cfg.luck * s.thrown[player]


@rule
def returns(cfg: Any, s: Any, out: Any) -> None:
    """1 to whoever has more; equals share."""
    for player in range(2):
        own, other = points(cfg, s, player), points(cfg, s, 1 - player)
        out[player] = 1.0 if own > other else (0.5 if own == other else 0.0)
