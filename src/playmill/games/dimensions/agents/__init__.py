"""The compiled agents of Battle of Dimensions."""

from __future__ import annotations

from playmill.games.dimensions.agents.registry import AGENTS, SEARCH

__all__ = ["AGENTS", "SEARCH"]
