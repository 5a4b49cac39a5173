"""Compiled agents of Pig."""

from __future__ import annotations

from typing import Any

from playmill.author import CompiledAgent, Parameter, SearchPlan, Text, rule

from .rules import HOLD, ROLL


@rule
def threshold(cfg: Any, s: Any, legal: Any, n: int, rng: Any, params: Any) -> int:
    """Holds at n points, or when that wins."""
    if s.pot >= params.value[s.player, 0] or s.total[s.player] + s.pot >= cfg.target:
        return HOLD
    return ROLL


AGENTS = {
    "threshold": CompiledAgent(
        threshold,
        Text("holds at n points", "останавливается на n очках"),
        {"n": Parameter(20, 1, 1000, Text("points to hold at", "на скольких очках остановиться"))},
        honest=True,
    )
}

#: How `search` plays on in its head: by this agent, to the end.
SEARCH = SearchPlan("threshold")
