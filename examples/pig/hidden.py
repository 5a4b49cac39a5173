"""Nothing is hidden in Pig."""

from __future__ import annotations

from typing import Any

from playmill.author import rule

OBSERVATION = 5
NAMES = ("player", "turns", "pot", "total[0]", "total[1]")


@rule
def observe(cfg: Any, s: Any, player: int, out: Any) -> None:
    """Everybody sees everything."""
    out[0] = s.player
    out[1] = s.turns
    out[2] = s.pot
    out[3] = s.total[0]
    out[4] = s.total[1]


@rule
def conceal(cfg: Any, s: Any, player: int, rng: Any) -> None:
    """There is nothing to guess."""
