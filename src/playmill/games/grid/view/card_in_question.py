"""Finds the card that a decision of Grid is about, and where it comes from."""

from __future__ import annotations

import numpy as np

from playmill.games.grid.constants import (
    EMPTY,
    JOKER,
    MOVE_OWN,
    NOBODY,
    OPPONENT_EMPTY,
    PLACEMENT,
    SELF_EMPTY,
    SPAWN_JOKER,
    STEAL,
    TAKE_ANY,
)


def in_question(s: np.void) -> int:
    """The card that is to be placed or moved, if it is known already."""
    if s["kind"] == PLACEMENT:
        return int(s["card"])
    source = source_of(s)
    if source[0] != NOBODY:
        return int(s["board"][source])
    if s["kind"] != SELF_EMPTY:
        return EMPTY
    if s["reward"] == SPAWN_JOKER:
        return JOKER
    return int(s["discard"][s["ref"] if s["reward"] == TAKE_ANY else s["discard_size"] - 1])


def source_of(s: np.void) -> tuple[int, int]:
    """Whose card a reward is moving, and from which cell; or nobody's."""
    if s["kind"] == OPPONENT_EMPTY or (s["kind"] == SELF_EMPTY and s["reward"] in (MOVE_OWN, STEAL)):
        return int(s["active"] if s["reward"] == MOVE_OWN else s["target"]), int(s["source"])
    return NOBODY, NOBODY
