"""The table of Influence as an SVG picture."""

from __future__ import annotations

from playmill.games.influence.view.picture import WIDTH, view

__all__ = ["WIDTH", "view"]
