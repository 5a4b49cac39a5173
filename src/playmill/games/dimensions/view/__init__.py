"""The table of Battle of Dimensions as an SVG picture."""

from __future__ import annotations

from playmill.games.dimensions.view.picture import WIDTH, view

__all__ = ["WIDTH", "view"]
