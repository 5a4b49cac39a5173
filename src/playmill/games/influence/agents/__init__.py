"""The compiled agents of Influence."""

from __future__ import annotations

from playmill.games.influence.agents.greedy import standing
from playmill.games.influence.agents.registry import AGENTS, SEARCH

__all__ = ["AGENTS", "SEARCH", "standing"]
