"""The agent every game has: uniform over the legal actions."""

from __future__ import annotations

from typing import Any

from playmill.engine.contract.agent import CompiledAgent
from playmill.engine.lang.rng import below
from playmill.engine.lang.rule import rule
from playmill.texts import Text


@rule
def choose_random(cfg: Any, s: Any, legal: Any, n: int, rng: Any, params: Any) -> int:
    """Each legal action is equally likely."""
    return legal.ids[below(rng, s.player, n)]


RANDOM = CompiledAgent(
    choose_random,
    Text("every legal action equally likely", "все допустимые действия равновероятны"),
    honest=True,
)
