"""The agent `search`: information-set Monte Carlo tree search, for every game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playmill.agents.search.search_agent import Thinker as Thinker


def __getattr__(name: str) -> Any:
    """`Thinker`, imported when it is first asked for."""
    if name == "Thinker":
        from playmill.agents.search.search_agent import Thinker

        return Thinker
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
