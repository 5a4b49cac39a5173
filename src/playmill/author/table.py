"""For the module `view`: boards, hands and facts of a table."""

from __future__ import annotations

from playmill.defaults import Board, Facts, Hand
from playmill.defaults.table_model import Thing

__all__ = [
    "Board",
    "Facts",
    "Hand",
    "Thing",
]
