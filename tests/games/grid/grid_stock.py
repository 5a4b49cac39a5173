"""What Grid lends to the tests of every game."""

from __future__ import annotations

from common.stock import Stock

STOCK = Stock(
    "grid",
    secret=True,
    same=frozenset({"", "P90"}),
    latin=r"VP|RWD\d+|END\d|\b[A-J]\b",
    words_over=lambda name, width: 7.5 if width == 1100 else 2.5,
)
