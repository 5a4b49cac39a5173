"""The rules of Dice."""

from __future__ import annotations

from playmill.games.dice.actions import MAX_ACTIONS, MAX_LEGAL
from playmill.games.dice.rules.options import count_actions, legal_actions, nth_action
from playmill.games.dice.rules.turns import (
    MAX_PLAYERS,
    MIN_PLAYERS,
    STAKES,
    VERSION,
    State,
    apply_action,
    returns,
    set_aside,
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
    "set_aside",
    "setup",
]
