"""Levels of play of Battle of Dimensions."""

from __future__ import annotations

from collections.abc import Mapping

from playmill.games.dimensions.config import Config


def levels(config: Config) -> Mapping[str, str]:
    """Returns `strategic` for good players: the strongest of the heuristics, beside `tactical`, which search uses."""
    return {"good": "strategic"}
