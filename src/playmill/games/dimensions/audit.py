"""Hooks for an audit of Battle of Dimensions: kinds of actions, sides, and the unit of its length."""

from __future__ import annotations

from typing import Any

from playmill.author import Text
from playmill.games.dimensions.words import ACTS
from playmill.games.dimensions.words.names import FACTION_NAMES

LENGTH = ("turns", Text("turns", "ходы"))
SIDES = FACTION_NAMES
kinds, kind_name = ACTS.kinds, ACTS.kind_name


def sides(rows: Any) -> Any:
    """The faction of each seat."""
    return rows["faction"]
