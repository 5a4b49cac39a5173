"""The settings of Grid, and their packed form."""

from __future__ import annotations

from playmill.games.grid.config.model import FILE, Config, board_windows, card_fields, is_optional, shipped, windows_of

__all__ = ["FILE", "Config", "board_windows", "card_fields", "is_optional", "shipped", "windows_of"]
