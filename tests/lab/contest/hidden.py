"""The throws are hidden."""

from __future__ import annotations

from typing import Any

from playmill import rule
from playmill.engine.rng import below

OBSERVATION = 4


@rule
def observe(cfg: Any, s: Any, player: int, out: Any) -> None:
    """What was named."""
    out[0] = s.player
    out[1] = s.said
    out[2] = s.named[0]
    out[3] = s.named[1]


@rule
def conceal(cfg: Any, s: Any, player: int, rng: Any) -> None:
    """Throws anew."""
    for seat in range(2):
        s.thrown[seat] = below(rng, seat, 1000)
