"""The compiled agents of Grid."""

from __future__ import annotations

from playmill.games.grid.agents.greedy import standing
from playmill.games.grid.agents.registry import AGENTS, NOTES, SEARCH

__all__ = ["AGENTS", "NOTES", "SEARCH", "standing"]
