"""The rules of Grid."""

from __future__ import annotations

from playmill.games.grid.rules.options import count_actions, legal_actions, nth_action
from playmill.games.grid.rules.turns import (
    MAX_ACTIONS,
    MAX_LEGAL,
    MAX_PLAYERS,
    MIN_PLAYERS,
    STAKES,
    VERSION,
    State,
    apply_action,
    returns,
    setup,
)

__all__ = [
    "MAX_ACTIONS",
    "MAX_LEGAL",
    "MAX_PLAYERS",
    "MIN_PLAYERS",
    "STAKES",
    "VERSION",
    "State",
    "apply_action",
    "count_actions",
    "legal_actions",
    "nth_action",
    "returns",
    "setup",
]
