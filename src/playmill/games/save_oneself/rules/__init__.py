"""The rules of Save Oneself."""

from __future__ import annotations

from playmill.games.save_oneself.actions import MAX_ACTIONS, MAX_LEGAL
from playmill.games.save_oneself.rules.options import count_actions, legal_actions, nth_action
from playmill.games.save_oneself.rules.turns import (
    MAX_PLAYERS,
    MIN_PLAYERS,
    STAKES,
    VERSION,
    State,
    apply_action,
    is_won,
    neighbour,
    returns,
    score,
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
    "is_won",
    "legal_actions",
    "neighbour",
    "nth_action",
    "returns",
    "score",
    "setup",
]
