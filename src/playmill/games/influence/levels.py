"""Levels of play of Influence: experts look about half a game ahead, which is further on a larger map."""

from __future__ import annotations

from collections.abc import Mapping

from playmill.games.influence.config import Config
from playmill.games.influence.maps.model import places

#: Decisions that `search` of experts plays in its head for one of its own, on any map.
_PLAYED = 80_000
#: They look ahead this many decisions for each cell, less some, since small maps end sooner; and at least as many.
_FOR_A_CELL, _LESS, _LEAST = 4, 32, 40


def levels(config: Config) -> Mapping[str, str]:
    """Returns a `search` for experts whose rollouts grow with the map, while their number falls."""
    horizon = max(_LEAST, _FOR_A_CELL * len(places(config.map.rows)) - _LESS)
    return {"experts": f"search:iterations={_PLAYED // horizon},horizon={horizon}"}
