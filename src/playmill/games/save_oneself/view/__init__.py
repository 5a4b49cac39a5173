"""The table of Save Oneself as an SVG picture."""

from __future__ import annotations

from playmill.games.save_oneself.view.picture import WIDTH, view

__all__ = ["WIDTH", "view"]
