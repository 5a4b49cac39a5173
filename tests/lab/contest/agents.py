"""Agents of Contest."""

from __future__ import annotations

from typing import Any

from playmill import CompiledAgent, SearchPlan, Text, rule


@rule
def wise(cfg: Any, s: Any, legal: Any, n: int, rng: Any, params: Any) -> int:
    """The largest number."""
    return n - 1


AGENTS = {"wise": CompiledAgent(wise, Text("names the largest", "называет наибольшее"), honest=True)}
SEARCH = SearchPlan("wise")
