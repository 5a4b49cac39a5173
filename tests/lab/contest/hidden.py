"""The throws are hidden until the end."""

from __future__ import annotations

from typing import Any

from playmill import rule
from playmill.engine.lang.rng import below

OBSERVATION = 6


@rule
def observe(cfg: Any, s: Any, player: int, out: Any) -> None:
    """What was named; at the end the throws, too."""
    out[0] = s.player
    out[1] = s.said
    for seat in range(2):
        out[2 + seat] = s.named[seat]
        out[4 + seat] = s.thrown[seat] if s.player < 0 else -1


@rule
def conceal(cfg: Any, s: Any, player: int, rng: Any) -> None:
    """Throws anew, unless it is over."""
    if s.player >= 0:
        for seat in range(2):
            s.thrown[seat] = below(rng, 0, 1000)
