"""What a game's picture is composed of."""

from __future__ import annotations

from playmill.usual import Board, Facts, Hand
from playmill.usual.table import Thing

__all__ = [
    "Board",
    "Facts",
    "Hand",
    "Thing",
]
