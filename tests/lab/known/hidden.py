"""What was named in rock-paper-scissors is hidden until the end; all else is open."""

from __future__ import annotations

from typing import Any

from playmill import rule
from playmill.engine.lang.rng import below

from .rules import MAX_ACTIONS, SCISSORS

OBSERVATION = 8


@rule
def observe(cfg: Any, s: Any, player: int, out: Any) -> None:
    """The position, and what one named oneself."""
    out[0] = s.player
    out[1] = s.said
    out[2] = s.winner
    out[3] = s.pile
    for seat in range(2):
        out[4 + seat] = s.named[seat] if cfg.game != SCISSORS or s.player < 0 or seat == player else 0
        out[6 + seat] = s.points[seat]


@rule
def conceal(cfg: Any, s: Any, player: int, rng: Any) -> None:
    """Names anew what the other has named."""
    if cfg.game == SCISSORS and s.player >= 0:
        for seat in range(s.said):
            if seat != player:
                s.named[seat] = below(rng, 0, MAX_ACTIONS)
