"""The compiled agents of Save Oneself."""

from __future__ import annotations

from playmill.games.save_oneself.agents.registry import AGENTS, SEARCH

__all__ = ["AGENTS", "SEARCH"]
