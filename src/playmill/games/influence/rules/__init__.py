"""The rules of Influence."""

from __future__ import annotations

from playmill.games.influence.actions import MAX_ACTIONS, MAX_LEGAL
from playmill.games.influence.rules.options import count_actions, legal_actions, nth_action
from playmill.games.influence.rules.turns import (
    CHECKPOINTS,
    MAX_PLAYERS,
    MIN_PLAYERS,
    STAKES,
    VERSION,
    State,
    apply_action,
    attack_class,
    kept_by_defender,
    returns,
    setup,
    takes_long,
)

__all__ = [
    "CHECKPOINTS",
    "MAX_ACTIONS",
    "MAX_LEGAL",
    "MAX_PLAYERS",
    "MIN_PLAYERS",
    "STAKES",
    "VERSION",
    "State",
    "apply_action",
    "attack_class",
    "count_actions",
    "kept_by_defender",
    "legal_actions",
    "nth_action",
    "returns",
    "setup",
    "takes_long",
]
