"""The table of Grid as an SVG picture."""

from __future__ import annotations

from playmill.games.grid.view.picture import WIDTH, view

__all__ = ["WIDTH", "view"]
