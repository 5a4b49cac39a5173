"""The coin is hidden until it is looked at."""

from __future__ import annotations

from typing import Any

from playmill import rule
from playmill.engine.lang.rng import below

OBSERVATION = 2


@rule
def observe(cfg: Any, s: Any, player: int, out: Any) -> None:
    """Whether it was looked at, and then the coin."""
    out[0] = s.looked
    out[1] = s.coin if s.looked != 0 or s.player < 0 else -1


@rule
def conceal(cfg: Any, s: Any, player: int, rng: Any) -> None:
    """Another throw under the cover."""
    if s.looked == 0 and s.player >= 0:
        s.coin = below(rng, 0, 2)
