"""The rules of Coin."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill import rule
from playmill.engine.lang.rng import below

VERSION = 1
MIN_PLAYERS = MAX_PLAYERS = 1
HEADS, TAILS, SAFE, LOOK = range(4)
MAX_ACTIONS = MAX_LEGAL = 4

State = np.dtype(
    [("player", np.int8), ("coin", np.int8), ("looked", np.int8), ("answer", np.int8)],
    align=True,
)


@rule
def setup(cfg: Any, s: Any, rng: Any) -> None:
    """The coin is thrown and covered."""
    s.coin = below(rng, 0, 2)


@rule
def legal_actions(cfg: Any, s: Any, out: Any) -> int:
    """Name a side or play safe; look, once."""
    if s.player < 0:
        return 0
    n = MAX_LEGAL - s.looked
    for action in range(n):
        out.ids[action] = action
    return n


@rule
def apply_action(cfg: Any, s: Any, action: int, rng: Any) -> None:
    """A look goes on, everything else is the end."""
    if action == LOOK:
        s.looked = 1
    else:
        s.answer = action
        s.player = -1


@rule
def returns(cfg: Any, s: Any, out: Any) -> None:
    """1 for the right side; what is safe is safe; a look has its price."""
    out[0] = 0.0
    if s.player < 0:
        out[0] = cfg.safe if s.answer == SAFE else (1.0 if s.answer == s.coin else 0.0)
        out[0] -= cfg.price * s.looked
