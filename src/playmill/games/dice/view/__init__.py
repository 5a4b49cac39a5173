"""The table of Dice as an SVG picture."""

from __future__ import annotations

from playmill.games.dice.view.picture import WIDTH, view

__all__ = ["WIDTH", "view"]
