"""The rules of Battle of Dimensions."""

from __future__ import annotations

from playmill.games.dimensions.rules.cards import ANOMALY_CARD
from playmill.games.dimensions.rules.options import count_actions, legal_actions, nth_action
from playmill.games.dimensions.rules.turns import (
    MAX_ACTIONS,
    MAX_AURAS,
    MAX_LEGAL,
    MAX_PLAYERS,
    MIN_PLAYERS,
    STAKES,
    VERSION,
    State,
    apply_action,
    clockwise,
    commit,
    returns,
    setup,
    takes_long,
)

__all__ = [
    "ANOMALY_CARD",
    "MAX_ACTIONS",
    "MAX_AURAS",
    "MAX_LEGAL",
    "MAX_PLAYERS",
    "MIN_PLAYERS",
    "STAKES",
    "VERSION",
    "State",
    "apply_action",
    "clockwise",
    "commit",
    "count_actions",
    "legal_actions",
    "nth_action",
    "returns",
    "setup",
    "takes_long",
]
