"""Default modules: what a game gets for each module its author left out, and pictures of tables."""

from __future__ import annotations

from playmill.defaults.table_model import Board, Facts, Hand

__all__ = ["Board", "Facts", "Hand"]
