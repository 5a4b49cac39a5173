"""The maps of Influence: the model of a map, built-in maps, checks, the generator, and `playmill map`."""

from __future__ import annotations

from playmill.games.influence.maps.command import (
    ABOUT,
    MOST_LISTED,
    drawn,
    listing,
    made,
    map_command,
    mistakes,
    text_of,
)

__all__ = ["ABOUT", "MOST_LISTED", "drawn", "listing", "made", "map_command", "mistakes", "text_of"]
