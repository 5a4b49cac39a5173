"""What holds in every position of Influence."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.author import Text
from playmill.author.invariants import holds, stays, within

from .constants import CELLS, MAX_ROUNDS, PLAYERS, SIDES

#: What a strong cell holds.
_STRONG = 12


def _added_up(config: Any, s: Any) -> str | bool:
    """Whether every player's influence and cells are those of the field."""
    for player, (total, cells) in enumerate(zip(s["total"], s["cells"], strict=True)):
        own = s["owner"] == player + 1
        if (total, cells) != (s["influence"][own].sum(), own.sum()):
            return f"player {player}: {total} on {cells}, and the field has {s['influence'][own].sum()} on {own.sum()}"
    return True


INVARIANTS = (
    within(
        Text("no cell holds more than a strong one", "ни в одной клетке не больше, чем в сильной"),
        "influence",
        0,
        _STRONG,
    ),
    holds(Text("influence adds up", "влияние сходится"), _added_up),
    holds(
        Text("owned cells, and no others, hold influence", "влияние есть в занятых клетках, и только в них"),
        lambda config, s: np.array_equal(s["owner"] > 0, s["influence"] > 0),
    ),
    stays(Text("who has left the field stays away", "покинувший поле не возвращается"), "cells", 0),
)
#: What learners see of it; an owner is 1 + the player.
OBSERVED = {
    **{name: name for name in ("player", "points", "rounds", "result", "turns", "influence")},
    "phase": "phase",
    "round_limit": (0, MAX_ROUNDS),
    "total": (0, CELLS * _STRONG),
    "owner": (0, PLAYERS),
    "cell_capacity": (0, 127),
}
OUTCOMES = CELLS * SIDES
