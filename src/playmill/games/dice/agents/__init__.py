"""The compiled agents of Dice."""

from __future__ import annotations

from playmill.games.dice.agents.registry import AGENTS, SEARCH

__all__ = ["AGENTS", "SEARCH"]
